// load_legs.h: the legs of known and of unseen batches behind the window (legs.h), over the first
// thread's connections, every reply verified as always.
#ifndef MR_LOAD_LOAD_LEGS_H
#define MR_LOAD_LOAD_LEGS_H

#include "load_run.h"

#include <stdbool.h>

// Takes what the legs need out of the order, before anything is sent.
void mr_load_hold_back(struct mr_load_run *run);

// Runs the legs, where batches were held back and no gate is off, for about a second at most.
// False: the run has failed.
bool mr_load_legs(struct mr_load_run *run);
void mr_load_legs_fini(struct mr_load_run *run);

#endif
