// gates.c: see gates.h.
#include "gates.h"

#include "base/mr_assert.h"

#include <math.h>
#include <stddef.h>

static const char *const gate_names[MR_GATE_COUNT] = {"answers",
                                                      "generator_kept_up",
                                                      "server_is_limit",
                                                      "nothing_else_ran",
                                                      "host_did_not_pause",
                                                      "machine_unchanged",
                                                      "recorder_sane",
                                                      "novelty"};
static const char *const outcome_names[] = {"passed", "failed", "unavailable", "exempt", "off"};
static const char *const action_names[] = {"off", "mark", "exclude", "abort"};

struct mr_observation mr_observation_unknown(void)
{
    return (struct mr_observation){.answers = NAN,
                                   .generator_busy = NAN,
                                   .server_busy = NAN,
                                   .lateness_p99_ns = NAN,
                                   .gap_ns = NAN,
                                   .overshoot_p99_ns = NAN,
                                   .latency_p99_ns = NAN,
                                   .headroom = NAN,
                                   .foreign_share = NAN,
                                   .foreign_step_share = NAN,
                                   .pause_share = NAN,
                                   .pause_longest_ns = NAN,
                                   .machine_change = NAN,
                                   .machine_spread = NAN,
                                   .major_faults = NAN,
                                   .swapped_pages = NAN,
                                   .throttled_ns = NAN,
                                   .recorder_deviation = NAN,
                                   .unseen_over_seen = NAN,
                                   .throughput_slope = NAN,
                                   .throughput_slope_low = NAN,
                                   .throughput_slope_high = NAN,
                                   .thread_imbalance = NAN,
                                   .overloaded = NAN,
                                   .warmup_slope = NAN,
                                   .warmup_slope_low = NAN,
                                   .warmup_slope_high = NAN,
                                   .compiled_methods = NAN,
                                   .managed_warmup_ns = NAN};
}

static struct mr_gate_result one(struct mr_gate_figure figure)
{
    return mr_gate_of_all(&figure, 1);
}

static struct mr_gate_result generator_kept_up(const struct mr_observation *seen,
                                               const struct mr_gate_rules *rules)
{
    if (seen->open_loop) {
        // Without a spare core the generator is as late as the host makes anyone who waits there.
        // One that overshoots by too much would excuse everything: it cannot judge.
        double host_ns = rules->lateness_overshoot_factor * seen->overshoot_p99_ns;
        const double limits[] = {rules->lateness_floor_ns,
                                 rules->lateness_gap_share_max * seen->gap_ns,
                                 host_ns <= rules->lateness_overshoot_max_ns ? host_ns : NAN};
        return one(mr_figure_at_most_largest("lateness_p99_ns", MR_UNIT_NS, seen->lateness_p99_ns,
                                             limits, seen->grade_c ? 3 : 2));
    }
    const struct mr_gate_figure figures[] = {
        mr_figure("generator_busy", MR_UNIT_SHARE, seen->generator_busy, MR_BOUND_BELOW,
                  rules->generator_busy_max),
        mr_figure("server_busy", MR_UNIT_SHARE, seen->server_busy, MR_BOUND_AT_LEAST,
                  rules->server_busy_min)};
    // A busy generator is no limit while the server's cores are full.
    bool full = figures[0].outcome == MR_GATE_FAILED && figures[1].outcome == MR_GATE_PASSED;
    return mr_gate_of(figures, 2, full ? MR_GATE_PASSED : figures[0].outcome, full ? 1 : 0);
}

struct mr_gate_result mr_gate_judge_headroom(double headroom, const struct mr_gate_rules *rules)
{
    return rules->action[MR_GATE_SERVER_IS_LIMIT] == MR_GATE_OFF
               ? mr_gate_without(MR_GATE_SKIPPED, "switched off by the rules")
               : one(mr_figure("headroom", MR_UNIT_NUMBER, headroom, MR_BOUND_AT_LEAST,
                               rules->headroom_min));
}

static struct mr_gate_result nothing_else_ran(const struct mr_observation *seen,
                                              const struct mr_gate_rules *rules)
{
    const struct mr_gate_figure figures[] = {
        mr_figure("foreign_share", MR_UNIT_SHARE, seen->foreign_share, MR_BOUND_AT_MOST,
                  rules->foreign_share_max),
        mr_figure("foreign_step_share", MR_UNIT_SHARE, seen->foreign_step_share, MR_BOUND_AT_MOST,
                  rules->foreign_step_factor * rules->foreign_share_max)};
    if (figures[1].outcome != MR_GATE_PASSED) {
        return mr_gate_of(figures, 2, MR_GATE_UNAVAILABLE, 1); // too coarse to tell either way
    }
    // Less than nothing by more than the threshold: the accounts are off by more than they judge.
    bool off = figures[0].value < -rules->foreign_share_max;
    return off ? mr_gate_of(figures, 2, MR_GATE_UNAVAILABLE, 0) : mr_gate_of_all(figures, 2);
}

static struct mr_gate_result host_did_not_pause(const struct mr_observation *seen,
                                                const struct mr_gate_rules *rules)
{
    const double limits[] = {rules->pause_longest_floor_ns,
                             rules->pause_longest_p99_share * seen->latency_p99_ns};
    const struct mr_gate_figure figures[] = {
        mr_figure("pause_share", MR_UNIT_SHARE, seen->pause_share, MR_BOUND_AT_MOST,
                  rules->pause_share_max),
        mr_figure_at_most_largest("pause_longest_ns", MR_UNIT_NS, seen->pause_longest_ns, limits,
                                  2)};
    return mr_gate_of_all(figures, seen->open_loop ? 2 : 1); // one pause spoils a tail, no rate
}

static struct mr_gate_result machine_unchanged(const struct mr_observation *seen,
                                               const struct mr_gate_rules *rules)
{
    // Where the fixed work itself scatters by more, no change could be told from noise, and every
    // change would pass.
    double noise = rules->machine_spread_factor * seen->machine_spread;
    const double limits[] = {rules->machine_change_max,
                             noise <= rules->machine_noise_max ? noise : NAN};
    struct mr_gate_figure figures[] = {
        mr_figure_at_most_largest("machine_change", MR_UNIT_SHARE, seen->machine_change, limits, 2),
        mr_figure("major_faults", MR_UNIT_NUMBER, seen->major_faults, MR_BOUND_AT_MOST, 0),
        mr_figure("swapped_pages", MR_UNIT_NUMBER, seen->swapped_pages, MR_BOUND_AT_MOST, 0),
        mr_figure("throttled_ns", MR_UNIT_NS, seen->throttled_ns, MR_BOUND_AT_MOST, 0)};
    size_t count = sizeof figures / sizeof figures[0];
    for (size_t i = 1; i < count; i++) {
        figures[i].where_readable = true;
    }
    return mr_gate_of_all(figures, count);
}

static struct mr_gate_result judge(enum mr_gate gate, const struct mr_observation *seen,
                                   const struct mr_gate_rules *rules)
{
    switch (gate) {
    case MR_GATE_ANSWERS:
        return one(mr_figure("answers", MR_UNIT_NUMBER, seen->answers, MR_BOUND_AT_LEAST, 1));
    case MR_GATE_GENERATOR_KEPT_UP:
        return generator_kept_up(seen, rules);
    case MR_GATE_SERVER_IS_LIMIT:
        return mr_gate_judge_headroom(seen->headroom, rules);
    case MR_GATE_NOTHING_ELSE_RAN:
        return nothing_else_ran(seen, rules);
    case MR_GATE_HOST_DID_NOT_PAUSE:
        return host_did_not_pause(seen, rules);
    case MR_GATE_MACHINE_UNCHANGED:
        return machine_unchanged(seen, rules);
    case MR_GATE_RECORDER_SANE:
        return one(mr_figure("recorder_deviation", MR_UNIT_NUMBER, seen->recorder_deviation,
                             MR_BOUND_AT_MOST, rules->recorder_deviation_max));
    case MR_GATE_NOVELTY:
        return one(mr_figure("unseen_over_seen", MR_UNIT_NUMBER, seen->unseen_over_seen,
                             MR_BOUND_AT_MOST, rules->unseen_over_seen_max));
    case MR_GATE_COUNT:
        break;
    }
    MR_ASSERT(false);
    return (struct mr_gate_result){0};
}

// Why the gate does not apply to such a trial, or NULL.
static const char *why_exempt(enum mr_gate gate, const struct mr_observation *seen)
{
    bool limits = gate == MR_GATE_GENERATOR_KEPT_UP || gate == MR_GATE_SERVER_IS_LIMIT;
    if (limits && seen->null_contestant) {
        return "the null contestant shows where the generator's limit is";
    }
    if (gate == MR_GATE_NOVELTY && seen->null_contestant) {
        return "the null contestant looks into no batch";
    }
    if (gate == MR_GATE_SERVER_IS_LIMIT && seen->open_loop) {
        return "an open loop fixes the throughput beforehand";
    }
    if (seen->in_process && (limits || gate == MR_GATE_RECORDER_SANE || gate == MR_GATE_NOVELTY)) {
        return "no generator took part";
    }
    return NULL;
}

void mr_gates_judge(const struct mr_observation *observation, const struct mr_gate_rules *rules,
                    struct mr_gate_result *results_out)
{
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        const char *exempt = why_exempt((enum mr_gate)gate, observation);
        if (rules->action[gate] == MR_GATE_OFF) {
            results_out[gate] = mr_gate_without(MR_GATE_SKIPPED, "switched off by the rules");
        } else if (exempt != NULL) {
            results_out[gate] = mr_gate_without(MR_GATE_EXEMPT, exempt);
        } else {
            results_out[gate] = judge((enum mr_gate)gate, observation, rules);
        }
    }
}

enum mr_gate_effect mr_gates_effect(const struct mr_gate_result *results,
                                    const struct mr_gate_rules *rules, enum mr_gate *gate_out)
{
    enum mr_gate_effect gravest = MR_EFFECT_NONE;
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        if (results[gate].outcome != MR_GATE_FAILED) {
            continue;
        }
        enum mr_gate_effect effect = gate == MR_GATE_ANSWERS                  ? MR_EFFECT_WRONG
                                     : rules->action[gate] == MR_GATE_ABORT   ? MR_EFFECT_ABORTED
                                     : rules->action[gate] == MR_GATE_EXCLUDE ? MR_EFFECT_EXCLUDED
                                                                              : MR_EFFECT_NONE;
        if (effect > gravest) {
            gravest = effect;
            *gate_out = (enum mr_gate)gate;
        }
    }
    return gravest;
}

const char *mr_gate_name(enum mr_gate gate)
{
    MR_ASSERT(gate < MR_GATE_COUNT);
    return gate_names[gate];
}

const char *mr_gate_outcome_name(enum mr_gate_outcome outcome)
{
    MR_ASSERT((size_t)outcome < sizeof outcome_names / sizeof outcome_names[0]);
    return outcome_names[outcome];
}

const char *mr_gate_action_name(enum mr_gate_action action)
{
    MR_ASSERT((size_t)action < sizeof action_names / sizeof action_names[0]);
    return action_names[action];
}
