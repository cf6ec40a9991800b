// observation_json.c: see observation_json.h.
#include "observation_json.h"

#include <math.h>
#include <stddef.h>

struct field {
    char name[24];
    size_t offset;
};

#define FIELD(name)                                                                                \
    {                                                                                              \
#name, offsetof(struct mr_observation, name)                                               \
    }
static const struct field flags[] = {FIELD(null_contestant), FIELD(open_loop), FIELD(in_process),
                                     FIELD(grade_c)};
static const struct field figures[] = {
    FIELD(answers),
    FIELD(generator_busy),
    FIELD(server_busy),
    FIELD(lateness_p99_ns),
    FIELD(gap_ns),
    FIELD(overshoot_p99_ns),
    FIELD(latency_p99_ns),
    FIELD(headroom),
    FIELD(foreign_share),
    FIELD(foreign_step_share),
    FIELD(pause_share),
    FIELD(pause_longest_ns),
    FIELD(machine_change),
    FIELD(machine_spread),
    FIELD(major_faults),
    FIELD(swapped_pages),
    FIELD(throttled_ns),
    FIELD(recorder_deviation),
    FIELD(unseen_over_seen),
    FIELD(throughput_slope),
    FIELD(throughput_slope_low),
    FIELD(throughput_slope_high),
    FIELD(thread_imbalance),
    FIELD(overloaded),
    FIELD(warmup_slope),
    FIELD(warmup_slope_low),
    FIELD(warmup_slope_high),
    FIELD(compiled_methods),
    FIELD(managed_warmup_ns),
};
#define FLAGS_COUNT   (sizeof flags / sizeof flags[0])
#define FIGURES_COUNT (sizeof figures / sizeof figures[0])

// A field that is added to the struct is added here, or this stops the build: flags come in one
// gap, and everything else is a double.
_Static_assert(sizeof(struct mr_observation) ==
                   FIGURES_COUNT * sizeof(double) + FLAGS_COUNT * sizeof(bool) +
                       (sizeof(double) - FLAGS_COUNT % sizeof(double)) % sizeof(double),
               "every field of struct mr_observation is listed");

yyjson_mut_val *mr_observation_json(yyjson_mut_doc *doc, const struct mr_observation *observation)
{
    yyjson_mut_val *object = yyjson_mut_obj(doc);
    const char *bytes = (const char *)observation;
    for (size_t i = 0; i < FLAGS_COUNT; i++) {
        yyjson_mut_obj_add_bool(doc, object, flags[i].name,
                                *(const bool *)(const void *)(bytes + flags[i].offset));
    }
    for (size_t i = 0; i < FIGURES_COUNT; i++) {
        double value = *(const double *)(const void *)(bytes + figures[i].offset);
        if (isfinite(value)) {
            yyjson_mut_obj_add_real(doc, object, figures[i].name, value);
        } else {
            yyjson_mut_obj_add_null(doc, object, figures[i].name);
        }
    }
    return object;
}

struct mr_observation mr_observation_read(struct mr_json_file *file, yyjson_val *object)
{
    struct mr_observation observation = mr_observation_unknown();
    char *bytes = (char *)&observation;
    for (size_t i = 0; i < FLAGS_COUNT; i++) {
        yyjson_val *value = yyjson_obj_get(object, flags[i].name);
        if (!yyjson_is_bool(value)) {
            mr_json_fail(file, NULL, "\"observation\": \"%s\" is neither true nor false",
                         flags[i].name);
        }
        *(bool *)(void *)(bytes + flags[i].offset) = yyjson_is_true(value);
    }
    for (size_t i = 0; i < FIGURES_COUNT; i++) {
        yyjson_val *value = yyjson_obj_get(object, figures[i].name);
        if (!yyjson_is_num(value) && !yyjson_is_null(value)) {
            mr_json_fail(file, NULL, "\"observation\": \"%s\" is neither a number nor null",
                         figures[i].name);
        }
        *(double *)(void *)(bytes + figures[i].offset) =
            yyjson_is_num(value) ? yyjson_get_num(value) : NAN;
    }
    if (yyjson_obj_size(object) != FLAGS_COUNT + FIGURES_COUNT) {
        mr_json_fail(file, NULL, "\"observation\" has fields that this version does not know");
    }
    return observation;
}
