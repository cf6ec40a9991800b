// plan_steps.h: the table of a plan of constant rates and linear ramps, and its text on the command
// line.
//
// With Λ(t) the integral of the rate over time, slot s is due at the latest t with Λ(t) ≤ s, in
// whole ns, rounded down: a pause (rate 0) has no slots, and the slot that is owed at its begin is
// due at its end. Fractions of a batch are carried over from step to step: all integers, exact.
#ifndef MR_LOAD_PLAN_STEPS_H
#define MR_LOAD_PLAN_STEPS_H

#include "plan.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_PLAN_STEPS_MAX          64
#define MR_PLAN_STEP_LENGTH_NS_MAX 3600000000000u

// A stretch of time in which the rate goes linearly from one to the other.
struct mr_plan_step {
    uint64_t from_per_s; // 0 … MR_PLAN_RATE_MAX
    uint64_t to_per_s;
    uint64_t length_ns; // 1 … MR_PLAN_STEP_LENGTH_NS_MAX
};

struct mr_plan_steps {
    struct mr_plan_step step[MR_PLAN_STEPS_MAX + 1]; // one more for a warm-up
    size_t count;
};

// Reads "1000:2s,1000-5000:10s,0:500ms". NULL, or what is wrong with it; constant.
const char *mr_plan_steps_parse(const char *text, struct mr_plan_steps *steps_out);

// Their time together.
uint64_t mr_plan_steps_length_ns(const struct mr_plan_steps *steps);

// floor(Λ) at their end: the slots they hold, but for one that may be due at the very begin.
uint64_t mr_plan_steps_batches(const struct mr_plan_steps *steps);

// Computes every slot due before the end of `steps` into the plan's table, which must hold them
// (mr_plan_steps_batches() < MR_PLAN_SLOTS_MAX, asserted). 0 or -ENOMEM. mr_plan_fini() frees it.
MR_NODISCARD int mr_plan_steps_init(struct mr_plan *plan, const struct mr_plan_steps *steps);

#endif
