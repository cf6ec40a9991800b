// marks.c: see marks.h.
#include "marks.h"

#include "base/mr_assert.h"

#include <math.h>

#define MANAGED_WARMUP_MIN_NS 8e9

static const char *const mark_names[MR_MARK_COUNT] = {"not_steady", "unbalanced_threads",
                                                      "overloaded", "warmup_at_maximum"};
static const char *const outcome_names[] = {"clear", "marked", "unavailable", "exempt"};

// A change of throughput (slope, low, high) that is shown to be small.
static void flat(const char *const *names, const double *slope, const struct mr_mark_rules *rules,
                 struct mr_gate_figure *figures_out)
{
    figures_out[0] =
        mr_figure(names[0], MR_UNIT_SHARE, fabs(slope[0]), MR_BOUND_AT_MOST, rules->slope_max);
    figures_out[1] =
        mr_figure(names[1], MR_UNIT_SHARE, slope[1], MR_BOUND_AT_LEAST, -rules->slope_interval_max);
    figures_out[2] =
        mr_figure(names[2], MR_UNIT_SHARE, slope[2], MR_BOUND_AT_MOST, rules->slope_interval_max);
}

static struct mr_gate_result not_steady(const struct mr_observation *seen,
                                        const struct mr_mark_rules *rules)
{
    if (seen->open_loop || seen->in_process) {
        return mr_gate_without(MR_GATE_EXEMPT, seen->in_process
                                                   ? "its passes are timed one by one"
                                                   : "an open loop fixes the throughput");
    }
    static const char *const names[] = {"throughput_slope", "throughput_slope_low",
                                        "throughput_slope_high"};
    const double slope[] = {seen->throughput_slope, seen->throughput_slope_low,
                            seen->throughput_slope_high};
    struct mr_gate_figure figures[3];
    flat(names, slope, rules, figures);
    return mr_gate_of_all(figures, 3);
}

// Warm-up ended by its limit wherever it was not over before, that is, wherever throughput is not
// shown to have been flat by then, or methods were compiled still. A runtime that compiles while it
// runs can stand on a slow plateau for seconds, flat and with nothing compiled: below the least
// time of measuring rule 9 nobody knows.
static struct mr_gate_result warmup_at_maximum(const struct mr_observation *seen,
                                               const struct mr_mark_rules *rules)
{
    static const char *const names[] = {"warmup_slope", "warmup_slope_low", "warmup_slope_high"};
    const double slope[] = {seen->warmup_slope, seen->warmup_slope_low, seen->warmup_slope_high};
    struct mr_gate_figure figures[5];
    flat(names, slope, rules, figures);
    figures[3] =
        mr_figure("compiled_methods", MR_UNIT_NUMBER, seen->compiled_methods, MR_BOUND_AT_MOST, 0);
    figures[3].where_readable = true;
    figures[4] = mr_figure("managed_warmup_ns", MR_UNIT_NS, seen->managed_warmup_ns,
                           MR_BOUND_AT_LEAST, MANAGED_WARMUP_MIN_NS);
    figures[4].where_readable = true;
    return mr_gate_of_all(figures, 5);
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
    results_out[MR_MARK_WARMUP_AT_MAXIMUM] = warmup_at_maximum(observation, rules);
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
