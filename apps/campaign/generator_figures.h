// generator_figures.h: what the generator's result says of the generator itself and of what it
// offered.
#ifndef MR_CAMPAIGN_GENERATOR_FIGURES_H
#define MR_CAMPAIGN_GENERATOR_FIGURES_H

#include "driver.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <yyjson.h>

// Adds the metrics to run->trial, NAN where the result `root` lacks what they are made of:
// generator_ns_per_batch (busy time a batch: iterations of the loop that moved at least a byte, so
// that spinning while nothing comes is no cost, less pauses of the host in them),
// generator_cpu_ns_per_batch (the same with the spinning), offered_batches_per_s, lateness_p99_ns,
// and the host's own overshoot of sleeps, overshoot_p99_ns and overshoot_max_ns.
void mr_generator_figures(struct mr_trial_run *run, yyjson_val *root);

// Whether the result is of a run in which everything was verified.
bool mr_generator_verified(yyjson_val *root);

#endif
