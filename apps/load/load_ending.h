// load_ending.h: after the last reply: adding up the threads, and comparing STATS and KEPT with
// what was sent.
#ifndef MR_LOAD_ENDING_H
#define MR_LOAD_ENDING_H

#include "load_run.h"

#include <matchrace/attributes.h>

#include <stdbool.h>

// Adds up what the threads measured and expect, however the run ended. False: no memory.
MR_NODISCARD bool mr_load_sum_up(struct mr_load_run *run);

// Asks STATS and KEPT on the first connection, all requests of all connections being answered: both
// must be what was sent. Failures go to run->failure.
void mr_load_check_ending(struct mr_load_run *run);

#endif
