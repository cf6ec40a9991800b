// sweep_run.h: the sweep itself: maxima, loads, and the search for the rate that keeps the limit.
#ifndef MR_CAMPAIGN_SWEEP_RUN_H
#define MR_CAMPAIGN_SWEEP_RUN_H

#include "sweep.h"

#include <matchrace/attributes.h>

// Runs everything of an opened sweep; sweep.json is whole on disk after every row. 0 with
// sweep->end; a negative errno with *fault set when something could not be written.
MR_NODISCARD int mr_sweep_run(struct mr_sweep *sweep, struct mr_trial_fault *fault);

#endif
