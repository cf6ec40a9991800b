// stepped_figures.h: the passes of a stepped trial as details and observation.
#ifndef MR_CAMPAIGN_STEPPED_FIGURES_H
#define MR_CAMPAIGN_STEPPED_FIGURES_H

#include "driver.h"

#include <stddef.h>

// The timed passes, each at its place.
struct mr_stepped_passes {
    const double *claimed_ns; // what the contestant says that it took, > 0
    const double *exec_ns;    // CPU time of its process from our line to its own; NAN: not readable
    size_t count;
};

#define MR_WARM_PASSES_MAX 200

// The warm-up's last passes; zeroed: none.
struct mr_warm_passes {
    double ns[MR_WARM_PASSES_MAX]; // a ring
    size_t count;                  // of all, those that it has forgotten too
};

void mr_warm_passes_add(struct mr_warm_passes *warm, double ns);

// Adds the details "pass_ns", "pass_exec_ns" and "paused_ns", and fills in what the observation has
// of them: pauses, which are the time of the passes in which the process did not run although it
// said that it was at work (in a pass it waits for nothing), and how flat the second half of the
// warm-up was, which must have 10 passes.
void mr_stepped_figures(struct mr_trial_run *run, const struct mr_stepped_passes *passes,
                        const struct mr_warm_passes *warm);

#endif
