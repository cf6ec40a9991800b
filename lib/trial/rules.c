// rules.c: see rules.h.
#include "rules.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

static const char *const rules_keys[] = {"warmup_s",
                                         "warmup_managed_s",
                                         "warmup_managed_max_s",
                                         "window_s",
                                         "drain_limit_s",
                                         "steps",
                                         "margin",
                                         "alpha",
                                         "retries_max",
                                         "gates",
                                         "marks",
                                         NULL};

// One number of a gate: where it stands in JSON and in the struct.
struct threshold {
    enum mr_gate gate;
    const char *key;
    size_t offset;
};

#define THRESHOLD(gate, field)                                                                     \
    {                                                                                              \
        gate, #field, offsetof(struct mr_gate_rules, field)                                        \
    }
static const struct threshold thresholds[] = {
    THRESHOLD(MR_GATE_GENERATOR_KEPT_UP, generator_busy_max),
    THRESHOLD(MR_GATE_GENERATOR_KEPT_UP, server_busy_min),
    THRESHOLD(MR_GATE_GENERATOR_KEPT_UP, lateness_gap_share_max),
    THRESHOLD(MR_GATE_GENERATOR_KEPT_UP, lateness_floor_ns),
    THRESHOLD(MR_GATE_GENERATOR_KEPT_UP, lateness_overshoot_factor),
    THRESHOLD(MR_GATE_GENERATOR_KEPT_UP, lateness_overshoot_max_ns),
    THRESHOLD(MR_GATE_SERVER_IS_LIMIT, headroom_min),
    THRESHOLD(MR_GATE_NOTHING_ELSE_RAN, foreign_share_max),
    THRESHOLD(MR_GATE_NOTHING_ELSE_RAN, foreign_step_factor),
    THRESHOLD(MR_GATE_HOST_DID_NOT_PAUSE, pause_share_max),
    THRESHOLD(MR_GATE_HOST_DID_NOT_PAUSE, pause_longest_floor_ns),
    THRESHOLD(MR_GATE_HOST_DID_NOT_PAUSE, pause_longest_p99_share),
    THRESHOLD(MR_GATE_MACHINE_UNCHANGED, machine_change_max),
    THRESHOLD(MR_GATE_MACHINE_UNCHANGED, machine_spread_factor),
    THRESHOLD(MR_GATE_MACHINE_UNCHANGED, machine_noise_max),
    THRESHOLD(MR_GATE_RECORDER_SANE, recorder_deviation_max),
    THRESHOLD(MR_GATE_NOVELTY, unseen_over_seen_max),
};
#define THRESHOLDS_COUNT (sizeof thresholds / sizeof thresholds[0])

static double *threshold_of(struct mr_gate_rules *rules, const struct threshold *threshold)
{
    return (double *)(void *)((char *)rules + threshold->offset);
}

void mr_rules_default(struct mr_rules *rules)
{
    *rules = (struct mr_rules){
        .warmup_ns = 3 * MR_NS_PER_S,
        .warmup_managed_ns = 8 * MR_NS_PER_S,
        .warmup_managed_max_ns = 30 * MR_NS_PER_S,
        .window_ns = 8 * MR_NS_PER_S,
        .drain_limit_ns = 5 * MR_NS_PER_S,
        .steps = 40,
        .margin = 0.03,
        .alpha = 0.05,
        .retries_max = 2,
        .gates = {.generator_busy_max = 0.90,
                  .server_busy_min = 0.95,
                  .lateness_gap_share_max = 0.10,
                  .lateness_floor_ns = 50e3,
                  .lateness_overshoot_factor = 2,
                  .lateness_overshoot_max_ns = 1e6,
                  .headroom_min = 1.3,
                  .foreign_share_max = 0.005,
                  .foreign_step_factor = 0.25,
                  .pause_share_max = 0.005,
                  .pause_longest_floor_ns = 1e6,
                  .pause_longest_p99_share = 0.25,
                  .machine_change_max = 0.02,
                  .machine_spread_factor = 3,
                  .machine_noise_max = 0.10,
                  .recorder_deviation_max = 1.0,
                  .unseen_over_seen_max = 1.25},
        .marks = {.slope_max = 0.02, .slope_interval_max = 0.03, .thread_imbalance_max = 0.25},
    };
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        rules->gates.action[gate] = MR_GATE_EXCLUDE;
    }
    rules->gates.action[MR_GATE_SERVER_IS_LIMIT] = MR_GATE_MARK; // marks the cell, excludes nothing
    rules->gates.action[MR_GATE_RECORDER_SANE] = MR_GATE_ABORT;
}

// The action of the gate called by `key`. What may be said of it depends on the gate: answers
// cannot be loosened, and a recorder that lies makes no figure of the run worth keeping.
static void read_action(struct mr_json_file *file, yyjson_val *key, yyjson_val *object,
                        enum mr_gate_action *action_io)
{
    const char *name = yyjson_get_str(key);
    const char *action = mr_json_text(file, object, "action", mr_gate_action_name(*action_io));
    bool recorder = strcmp(name, mr_gate_name(MR_GATE_RECORDER_SANE)) == 0;
    enum mr_gate_action strictest = recorder ? MR_GATE_ABORT : MR_GATE_EXCLUDE;
    for (int code = 0; code <= MR_GATE_ABORT; code++) {
        enum mr_gate_action candidate = (enum mr_gate_action)code;
        bool allowed = candidate <= MR_GATE_MARK || candidate == strictest;
        if (allowed && strcmp(action, mr_gate_action_name(candidate)) == 0) {
            *action_io = candidate;
            if (strcmp(name, mr_gate_name(MR_GATE_ANSWERS)) == 0 && candidate != strictest) {
                mr_json_fail(file, key,
                             "gate \"answers\" cannot be loosened: its action is exclude");
            }
            return;
        }
    }
    mr_json_fail(file, key, "\"action\" of gate \"%s\" must be off, mark or %s", name,
                 mr_gate_action_name(strictest));
}

static void read_gate(struct mr_json_file *file, yyjson_val *key, yyjson_val *object,
                      struct mr_gate_rules *rules_io)
{
    const char *name = yyjson_get_str(key);
    int gate = 0;
    while (gate < MR_GATE_COUNT && strcmp(name, mr_gate_name((enum mr_gate)gate)) != 0) {
        gate++;
    }
    if (gate == MR_GATE_COUNT || !yyjson_is_obj(object)) {
        mr_json_fail(file, key, "\"%s\" is no gate, or not an object", name);
        return;
    }
    const char *keys[2 + THRESHOLDS_COUNT] = {"action"};
    size_t keys_count = 1;
    for (size_t i = 0; i < THRESHOLDS_COUNT; i++) {
        if (thresholds[i].gate == (enum mr_gate)gate) {
            double *number = threshold_of(rules_io, &thresholds[i]);
            *number = mr_json_number(file, object, thresholds[i].key, *number);
            keys[keys_count++] = thresholds[i].key;
        }
    }
    mr_json_only_keys(file, object, keys);
    read_action(file, key, object, &rules_io->action[gate]);
}

static void read_marks(struct mr_json_file *file, yyjson_val *object, struct mr_mark_rules *rules)
{
    static const char *const keys[] = {"slope_max", "slope_interval_max", "thread_imbalance_max",
                                       NULL};
    mr_json_only_keys(file, object, keys);
    rules->slope_max = mr_json_number(file, object, keys[0], rules->slope_max);
    rules->slope_interval_max = mr_json_number(file, object, keys[1], rules->slope_interval_max);
    rules->thread_imbalance_max =
        mr_json_number(file, object, keys[2], rules->thread_imbalance_max);
}

static uint64_t read_seconds(struct mr_json_file *file, yyjson_val *object, const char *key,
                             uint64_t ns)
{
    double seconds = mr_json_number(file, object, key, (double)ns / 1e9);
    if (seconds > 86400) {
        mr_json_fail(file, yyjson_obj_get(object, key), "\"%s\" is more than a day", key);
        return ns;
    }
    return (uint64_t)llround(seconds * 1e9);
}

void mr_rules_read(struct mr_json_file *file, yyjson_val *object, struct mr_rules *rules_io)
{
    mr_json_only_keys(file, object, rules_keys);
    rules_io->warmup_ns = read_seconds(file, object, "warmup_s", rules_io->warmup_ns);
    rules_io->warmup_managed_ns =
        read_seconds(file, object, "warmup_managed_s", rules_io->warmup_managed_ns);
    rules_io->warmup_managed_max_ns =
        read_seconds(file, object, "warmup_managed_max_s", rules_io->warmup_managed_max_ns);
    rules_io->window_ns = read_seconds(file, object, "window_s", rules_io->window_ns);
    rules_io->drain_limit_ns =
        read_seconds(file, object, "drain_limit_s", rules_io->drain_limit_ns);
    rules_io->margin = mr_json_number(file, object, "margin", rules_io->margin);
    rules_io->alpha = mr_json_number(file, object, "alpha", rules_io->alpha);
    rules_io->steps = mr_json_count(file, object, "steps",
                                    (struct mr_json_range){1, 100000, rules_io->steps, false});
    rules_io->retries_max = mr_json_count(
        file, object, "retries_max", (struct mr_json_range){0, 10, rules_io->retries_max, false});
    if (rules_io->window_ns == 0 || !(rules_io->margin > 0 && rules_io->margin < 1) ||
        !(rules_io->alpha > 0 && rules_io->alpha <= 0.5)) {
        mr_json_fail(file, NULL,
                     "rules: window_s must be above 0, margin in (0,1), alpha in (0,0.5]");
    }
    yyjson_val *marks = mr_json_object(file, object, "marks", false);
    if (marks != NULL) {
        read_marks(file, marks, &rules_io->marks);
    }
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *value;
    yyjson_obj_foreach(mr_json_object(file, object, "gates", false), index, count, key, value)
    {
        read_gate(file, key, value, &rules_io->gates);
    }
}

uint64_t mr_rules_warmup_ns(const struct mr_rules *rules, bool managed)
{
    return managed && rules->warmup_managed_ns > rules->warmup_ns ? rules->warmup_managed_ns
                                                                  : rules->warmup_ns;
}

uint64_t mr_rules_warmup_max_ns(const struct mr_rules *rules, bool managed)
{
    uint64_t least_ns = mr_rules_warmup_ns(rules, managed);
    return managed && rules->warmup_managed_max_ns > least_ns ? rules->warmup_managed_max_ns
                                                              : least_ns;
}

yyjson_mut_val *mr_rules_json(yyjson_mut_doc *doc, const struct mr_rules *rules)
{
    yyjson_mut_val *object = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_real(doc, object, "warmup_s", (double)rules->warmup_ns / 1e9);
    yyjson_mut_obj_add_real(doc, object, "warmup_managed_s",
                            (double)rules->warmup_managed_ns / 1e9);
    yyjson_mut_obj_add_real(doc, object, "warmup_managed_max_s",
                            (double)rules->warmup_managed_max_ns / 1e9);
    yyjson_mut_obj_add_real(doc, object, "window_s", (double)rules->window_ns / 1e9);
    yyjson_mut_obj_add_real(doc, object, "drain_limit_s", (double)rules->drain_limit_ns / 1e9);
    yyjson_mut_obj_add_uint(doc, object, "steps", rules->steps);
    yyjson_mut_obj_add_real(doc, object, "margin", rules->margin);
    yyjson_mut_obj_add_real(doc, object, "alpha", rules->alpha);
    yyjson_mut_obj_add_uint(doc, object, "retries_max", rules->retries_max);
    yyjson_mut_val *gates = yyjson_mut_obj_add_obj(doc, object, "gates");
    struct mr_gate_rules copy = rules->gates;
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        yyjson_mut_val *one = yyjson_mut_obj_add_obj(doc, gates, mr_gate_name((enum mr_gate)gate));
        yyjson_mut_obj_add_str(doc, one, "action", mr_gate_action_name(copy.action[gate]));
        for (size_t i = 0; i < THRESHOLDS_COUNT; i++) {
            if (thresholds[i].gate == (enum mr_gate)gate) {
                yyjson_mut_obj_add_real(doc, one, thresholds[i].key,
                                        *threshold_of(&copy, &thresholds[i]));
            }
        }
    }
    yyjson_mut_val *marks = yyjson_mut_obj_add_obj(doc, object, "marks");
    yyjson_mut_obj_add_real(doc, marks, "slope_max", rules->marks.slope_max);
    yyjson_mut_obj_add_real(doc, marks, "slope_interval_max", rules->marks.slope_interval_max);
    yyjson_mut_obj_add_real(doc, marks, "thread_imbalance_max", rules->marks.thread_imbalance_max);
    return object;
}
