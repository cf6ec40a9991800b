// gates.c: see gates.h.
#include "gates.h"

#include "base/mr_assert.h"

#include <math.h>
#include <stddef.h>

static const char *const gate_names[MR_GATE_COUNT] = {
    "answers",          "generator_kept_up",  "server_is_limit",
    "nothing_else_ran", "host_did_not_pause", "machine_unchanged",
    "recorder_sane"};
static const char *const outcome_names[] = {"passed", "failed", "unavailable", "exempt", "off"};
static const char *const action_names[] = {"off", "mark", "exclude"};

static struct mr_gate_result at_most(double figure, double threshold)
{
    enum mr_gate_outcome outcome = isnan(figure)         ? MR_GATE_UNAVAILABLE
                                   : figure <= threshold ? MR_GATE_PASSED
                                                         : MR_GATE_FAILED;
    return (struct mr_gate_result){outcome, figure, threshold};
}

static struct mr_gate_result at_least(double figure, double threshold)
{
    enum mr_gate_outcome outcome = isnan(figure)         ? MR_GATE_UNAVAILABLE
                                   : figure >= threshold ? MR_GATE_PASSED
                                                         : MR_GATE_FAILED;
    return (struct mr_gate_result){outcome, figure, threshold};
}

static struct mr_gate_result generator_kept_up(const struct mr_observation *seen,
                                               const struct mr_gate_rules *rules)
{
    if (seen->open_loop) {
        double allowed =
            fmax(rules->lateness_floor_ns, rules->lateness_gap_share_max * seen->gap_ns);
        return at_most(seen->lateness_p99_ns, allowed);
    }
    struct mr_gate_result result = at_most(seen->generator_busy, rules->generator_busy_max);
    if (result.outcome == MR_GATE_FAILED && seen->server_busy >= rules->server_busy_min) {
        result.outcome =
            MR_GATE_PASSED; // a busy generator is no limit while the server's cores are full
    }
    return result;
}

static struct mr_gate_result judge(enum mr_gate gate, const struct mr_observation *seen,
                                   const struct mr_gate_rules *rules)
{
    switch (gate) {
    case MR_GATE_ANSWERS:
        return at_least(seen->answers, 1.0);
    case MR_GATE_GENERATOR_KEPT_UP:
        return generator_kept_up(seen, rules);
    case MR_GATE_SERVER_IS_LIMIT:
        return at_least(seen->headroom, rules->headroom_min);
    case MR_GATE_NOTHING_ELSE_RAN:
        return at_most(seen->foreign_share, rules->foreign_share_max);
    case MR_GATE_HOST_DID_NOT_PAUSE:
        return at_most(seen->pause_share, rules->pause_share_max);
    case MR_GATE_MACHINE_UNCHANGED:
        return at_most(seen->machine_change, rules->machine_change_max);
    case MR_GATE_RECORDER_SANE:
        return at_most(seen->recorder_deviation, rules->recorder_deviation_max);
    case MR_GATE_COUNT:
        break;
    }
    MR_ASSERT(false);
    return (struct mr_gate_result){0};
}

void mr_gates_judge(const struct mr_observation *observation, const struct mr_gate_rules *rules,
                    struct mr_gate_result *results_out)
{
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        bool limits_only = gate == MR_GATE_GENERATOR_KEPT_UP || gate == MR_GATE_SERVER_IS_LIMIT;
        if (rules->action[gate] == MR_GATE_OFF) {
            results_out[gate] = (struct mr_gate_result){MR_GATE_SKIPPED, NAN, NAN};
        } else if (limits_only && observation->null_contestant) {
            results_out[gate] = (struct mr_gate_result){MR_GATE_EXEMPT, NAN, NAN};
        } else {
            results_out[gate] = judge((enum mr_gate)gate, observation, rules);
        }
    }
}

bool mr_gates_exclude(const struct mr_gate_result *results, const struct mr_gate_rules *rules)
{
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        if (results[gate].outcome == MR_GATE_FAILED && rules->action[gate] == MR_GATE_EXCLUDE) {
            return true;
        }
    }
    return false;
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
