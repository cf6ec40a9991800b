// load_plan.h: the plan of a run from its options, or why there cannot be one.
#ifndef MR_LOAD_LOAD_PLAN_H
#define MR_LOAD_LOAD_PLAN_H

#include "load_options.h"
#include "plan.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_LOAD_WHY_BYTES 320

// Whether the plan's options fit together and the plan is possible at all; if not, `why_out` says
// what to change. Also sets window_ns where it was left open.
bool mr_load_plan_check(struct mr_load_options *options, char why_out[MR_LOAD_WHY_BYTES]);

// Computes the plan of checked options. 0; -ENOMEM; -ENODATA: nothing is due inside the window.
// `why_out` then says so. The caller ends it with mr_plan_fini().
MR_NODISCARD int mr_load_plan_init(struct mr_plan *plan_out, const struct mr_load_options *options,
                                   char why_out[MR_LOAD_WHY_BYTES]);

// Whether the batches of one burst, of `batch_bytes` each, fit into `memory_bytes`: all of a burst
// stands somewhere at once. Other plans fit.
bool mr_load_burst_fits(const struct mr_load_options *options, uint64_t batch_bytes,
                        uint64_t memory_bytes, char why_out[MR_LOAD_WHY_BYTES]);

#endif
