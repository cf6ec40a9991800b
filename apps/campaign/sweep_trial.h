// sweep_trial.h: one trial of a sweep: a fresh server under one load.
#ifndef MR_CAMPAIGN_SWEEP_TRIAL_H
#define MR_CAMPAIGN_SWEEP_TRIAL_H

#include "sweep.h"

#include <matchrace/attributes.h>

#include <yyjson.h>

// Which trial.
struct mr_sweep_point {
    enum mr_sweep_phase phase;
    size_t entry;
    size_t load;         // MR_SWEEP_LOAD only
    uint64_t rate_per_s; // 0: closed loop
    uint64_t window_ns;
    uint64_t repeat;
    uint64_t row; // over the whole sweep: what the seed of the plan comes from
};

// Runs it and adds it to sweep->trial, again while a gate excludes it and the rules allow it. 0,
// whatever became of the trial (the last of sweep->trial says); -EINTR: a signal came, or the
// budget is over, or would be before the trial's end (sweep->end is set); another negative errno
// with *fault set: the trial could not be written.
MR_NODISCARD int mr_sweep_trial_run(struct mr_sweep *sweep, const struct mr_sweep_point *point,
                                    struct mr_trial_fault *fault);

// Reads what a result of the generator says of the window into *trial_io; NULL reads as nothing.
void mr_sweep_trial_read(yyjson_mut_val *generator, struct mr_sweep_trial *trial_io);

#endif
