// marks.c: see marks.h.
#include "marks.h"

#include "base/mr_assert.h"

#include <math.h>

static const char *const mark_names[MR_MARK_COUNT] = {"not_steady", "unbalanced_threads",
                                                      "overloaded", "warmup_at_maximum"};
static const char *const outcome_names[] = {"clear", "marked", "unavailable", "exempt"};

static struct mr_gate_result not_steady(const struct mr_observation *seen,
                                        const struct mr_mark_rules *rules)
{
    if (seen->open_loop || seen->in_process) {
        return mr_gate_without(MR_GATE_EXEMPT, seen->in_process
                                                   ? "its passes are timed one by one"
                                                   : "an open loop fixes the throughput");
    }
    const struct mr_gate_figure figures[] = {
        mr_figure("throughput_slope", MR_UNIT_SHARE, fabs(seen->throughput_slope), MR_BOUND_AT_MOST,
                  rules->slope_max),
        mr_figure("throughput_slope_low", MR_UNIT_SHARE, seen->throughput_slope_low,
                  MR_BOUND_AT_LEAST, -rules->slope_interval_max),
        mr_figure("throughput_slope_high", MR_UNIT_SHARE, seen->throughput_slope_high,
                  MR_BOUND_AT_MOST, rules->slope_interval_max)};
    return mr_gate_of_all(figures, 3);
}

void mr_marks_judge(const struct mr_observation *observation, const struct mr_mark_rules *rules,
                    struct mr_gate_result *results_out)
{
    results_out[MR_MARK_NOT_STEADY] = not_steady(observation, rules);
    struct mr_gate_figure balance =
        mr_figure("thread_imbalance", MR_UNIT_SHARE, observation->thread_imbalance,
                  MR_BOUND_AT_MOST, rules->thread_imbalance_max);
    results_out[MR_MARK_UNBALANCED_THREADS] =
        observation->in_process ? mr_gate_without(MR_GATE_EXEMPT, "its job has one thread")
                                : mr_gate_of_all(&balance, 1);
    struct mr_gate_figure load =
        mr_figure("overloaded", MR_UNIT_NUMBER, observation->overloaded, MR_BOUND_AT_MOST, 0);
    results_out[MR_MARK_OVERLOADED] = observation->open_loop
                                          ? mr_gate_of_all(&load, 1)
                                          : mr_gate_without(MR_GATE_EXEMPT, "no rate is offered");
    struct mr_gate_figure warmup = mr_figure("warmup_at_maximum", MR_UNIT_NUMBER,
                                             observation->warmup_at_maximum, MR_BOUND_AT_MOST, 0);
    results_out[MR_MARK_WARMUP_AT_MAXIMUM] = mr_gate_of_all(&warmup, 1);
}

const char *mr_mark_name(enum mr_mark mark)
{
    MR_ASSERT(mark < MR_MARK_COUNT);
    return mark_names[mark];
}

const char *mr_mark_outcome_name(enum mr_gate_outcome outcome)
{
    MR_ASSERT((size_t)outcome < sizeof outcome_names / sizeof outcome_names[0]);
    return outcome_names[outcome];
}
