// trial_file.c: see trial_file.h.
#include "trial_file.h"

#include "observation_json.h"

#include "base/file.h"
#include "base/mr_assert.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const outcome_names[] = {"counted", "excluded", "wrong", "absent"};

void mr_trial_metric(struct mr_trial *trial, struct mr_metric metric)
{
    MR_ASSERT(trial->metrics_count < MR_METRICS_MAX);
    trial->metrics[trial->metrics_count++] = metric;
}

const struct mr_metric *mr_trial_find(const struct mr_trial *trial, const char *name)
{
    for (size_t i = 0; i < trial->metrics_count; i++) {
        if (strcmp(trial->metrics[i].name, name) == 0) {
            return &trial->metrics[i];
        }
    }
    return NULL;
}

// JSON has no NAN: a figure that is unavailable is null.
static void add_number(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, double value)
{
    if (isfinite(value)) {
        yyjson_mut_obj_add_real(doc, object, key, value);
    } else {
        yyjson_mut_obj_add_null(doc, object, key);
    }
}

static double read_number(yyjson_val *object, const char *key)
{
    yyjson_val *value = yyjson_obj_get(object, key);
    return yyjson_is_num(value) ? yyjson_get_num(value) : NAN;
}

static void add_figures(yyjson_mut_doc *doc, yyjson_mut_val *object,
                        const struct mr_gate_result *result)
{
    yyjson_mut_val *figures = yyjson_mut_obj_add_arr(doc, object, "figures");
    for (size_t i = 0; i < result->figures_count; i++) {
        const struct mr_gate_figure *figure = &result->figures[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, figures);
        yyjson_mut_obj_add_str(doc, one, "what", figure->what);
        add_number(doc, one, "value", figure->value);
        yyjson_mut_obj_add_str(doc, one, "bound", mr_gate_bound_name(figure->bound));
        add_number(doc, one, "limit", figure->limit);
        yyjson_mut_obj_add_str(doc, one, "outcome", mr_gate_outcome_name(figure->outcome));
    }
}

static void add_result(yyjson_mut_doc *doc, yyjson_mut_val *one, const char *outcome,
                       const struct mr_gate_result *result)
{
    yyjson_mut_obj_add_str(doc, one, "outcome", outcome);
    add_number(doc, one, "figure", result->figure);
    add_number(doc, one, "threshold", result->threshold);
    yyjson_mut_obj_add_str(doc, one, "text", result->text);
    add_figures(doc, one, result);
}

static void add_gates(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_trial *trial)
{
    yyjson_mut_val *gates = yyjson_mut_obj_add_obj(doc, root, "gates");
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        const struct mr_gate_result *result = &trial->gates[gate];
        add_result(doc, yyjson_mut_obj_add_obj(doc, gates, mr_gate_name((enum mr_gate)gate)),
                   mr_gate_outcome_name(result->outcome), result);
    }
    yyjson_mut_val *marks = yyjson_mut_obj_add_obj(doc, root, "marks");
    for (int mark = 0; mark < MR_MARK_COUNT; mark++) {
        const struct mr_gate_result *result = &trial->marks[mark];
        add_result(doc, yyjson_mut_obj_add_obj(doc, marks, mr_mark_name((enum mr_mark)mark)),
                   mr_mark_outcome_name(result->outcome), result);
    }
}

static void add_metrics(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_trial *trial)
{
    yyjson_mut_val *metrics = yyjson_mut_obj_add_arr(doc, root, "metrics");
    for (size_t i = 0; i < trial->metrics_count; i++) {
        const struct mr_metric *metric = &trial->metrics[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, metrics);
        yyjson_mut_obj_add_str(doc, one, "name", metric->name);
        yyjson_mut_obj_add_str(doc, one, "unit", metric->unit);
        yyjson_mut_obj_add_str(doc, one, "better", metric->higher_is_better ? "higher" : "lower");
        add_number(doc, one, "value", metric->value);
    }
}

int mr_trial_write(const char *path, const struct mr_trial *trial, yyjson_mut_doc *doc,
                   yyjson_mut_val *details)
{
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_str(doc, root, "schema", "matchrace/trial/1");
    yyjson_mut_obj_add_uint(doc, root, "number", trial->number);
    yyjson_mut_obj_add_str(doc, root, "cell", trial->cell);
    yyjson_mut_obj_add_uint(doc, root, "row", trial->row);
    yyjson_mut_obj_add_uint(doc, root, "position", trial->position);
    yyjson_mut_obj_add_uint(doc, root, "attempt", trial->attempt);
    yyjson_mut_obj_add_str(doc, root, "entry", trial->entry);
    yyjson_mut_obj_add_uint(doc, root, "seed", trial->seed);
    yyjson_mut_obj_add_str(doc, root, "started_utc", trial->started_utc);
    yyjson_mut_obj_add_uint(doc, root, "start_ns", trial->start_ns);
    yyjson_mut_obj_add_uint(doc, root, "end_ns", trial->end_ns);
    yyjson_mut_obj_add_str(doc, root, "before_gates", mr_trial_outcome_name(trial->before_gates));
    yyjson_mut_obj_add_str(doc, root, "outcome", mr_trial_outcome_name(trial->outcome));
    yyjson_mut_obj_add_str(doc, root, "reason", trial->reason);
    yyjson_mut_obj_add_val(doc, root, "observation", mr_observation_json(doc, &trial->observation));
    add_gates(doc, root, trial);
    add_metrics(doc, root, trial);
    if (details != NULL) {
        yyjson_mut_obj_add_val(doc, root, "details", details);
    }
    size_t length;
    char *text = yyjson_mut_write(doc, YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_NEWLINE_AT_END,
                                  &length);
    if (text == NULL) {
        return -ENOMEM;
    }
    int result = mr_file_write(path, text, length);
    free(text);
    return result;
}

static enum mr_trial_outcome read_outcome(struct mr_json_file *json, yyjson_val *root,
                                          const char *key)
{
    const char *name = mr_json_text(json, root, key, NULL);
    for (size_t i = 0; i < sizeof outcome_names / sizeof outcome_names[0]; i++) {
        if (strcmp(name, outcome_names[i]) == 0) {
            return (enum mr_trial_outcome)i;
        }
    }
    mr_json_fail(json, NULL, "\"%s\" may not be \"%s\"", key, name);
    return MR_TRIAL_EXCLUDED;
}

// A gate or a mark; `name_of` names the outcomes up to `last`.
static struct mr_gate_result read_result(struct mr_json_file *json, yyjson_val *one,
                                         const char *(*name_of)(enum mr_gate_outcome),
                                         enum mr_gate_outcome last)
{
    const char *name = mr_json_text(json, one, "outcome", NULL);
    int code = MR_GATE_PASSED;
    while (code <= (int)last && strcmp(name, name_of((enum mr_gate_outcome)code)) != 0) {
        code++;
    }
    struct mr_gate_result result = {.outcome = MR_GATE_UNAVAILABLE,
                                    .figure = read_number(one, "figure"),
                                    .threshold = read_number(one, "threshold")};
    if (code > (int)last) {
        mr_json_fail(json, NULL, "\"outcome\" of a gate or mark may not be \"%s\"", name);
    } else {
        result.outcome = (enum mr_gate_outcome)code;
    }
    (void)snprintf(result.text, sizeof result.text, "%s", mr_json_text(json, one, "text", ""));
    return result;
}

static void read_gates(struct mr_trial *trial, struct mr_json_file *json, yyjson_val *root)
{
    yyjson_val *gates = mr_json_object(json, root, "gates", true);
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        trial->gates[gate] =
            read_result(json, yyjson_obj_get(gates, mr_gate_name((enum mr_gate)gate)),
                        mr_gate_outcome_name, MR_GATE_SKIPPED);
    }
    yyjson_val *marks = mr_json_object(json, root, "marks", true);
    for (int mark = 0; mark < MR_MARK_COUNT; mark++) {
        trial->marks[mark] =
            read_result(json, yyjson_obj_get(marks, mr_mark_name((enum mr_mark)mark)),
                        mr_mark_outcome_name, MR_GATE_EXEMPT);
    }
}

static void read_metrics(struct mr_trial *trial, struct mr_json_file *json, yyjson_val *metrics)
{
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(metrics, index, count, one)
    {
        if (trial->metrics_count == MR_METRICS_MAX) {
            mr_json_fail(json, NULL, "more than %d metrics", MR_METRICS_MAX);
            return;
        }
        trial->metrics[trial->metrics_count++] = (struct mr_metric){
            .name = mr_json_text(json, one, "name", NULL),
            .unit = mr_json_text(json, one, "unit", NULL),
            .higher_is_better = yyjson_equals_str(yyjson_obj_get(one, "better"), "higher"),
            .value = read_number(one, "value"),
        };
    }
}

int mr_trial_read(struct mr_trial *trial_out, struct mr_json_file *json_out, const char *path,
                  struct mr_trial_fault *fault)
{
    *trial_out = (struct mr_trial){0};
    int result = mr_json_file_init(json_out, path, fault);
    if (result != 0) {
        return result;
    }
    static const struct mr_json_range any = {0, UINT64_MAX, 0, true};
    yyjson_val *root = yyjson_doc_get_root(json_out->doc);
    if (strcmp(mr_json_text(json_out, root, "schema", ""), "matchrace/trial/1") != 0) {
        mr_json_fail(json_out, NULL, "not a trial file of this version");
    }
    trial_out->number = mr_json_count(json_out, root, "number", any);
    trial_out->cell = mr_json_text(json_out, root, "cell", NULL);
    trial_out->row = mr_json_count(json_out, root, "row", any);
    trial_out->position = mr_json_count(json_out, root, "position", any);
    trial_out->attempt = mr_json_count(json_out, root, "attempt", any);
    trial_out->entry = mr_json_text(json_out, root, "entry", NULL);
    trial_out->seed = mr_json_count(json_out, root, "seed", any);
    trial_out->started_utc = mr_json_text(json_out, root, "started_utc", NULL);
    trial_out->start_ns = mr_json_count(json_out, root, "start_ns", any);
    trial_out->end_ns = mr_json_count(json_out, root, "end_ns", any);
    (void)snprintf(trial_out->reason, sizeof trial_out->reason, "%s",
                   mr_json_text(json_out, root, "reason", ""));
    trial_out->before_gates = read_outcome(json_out, root, "before_gates");
    trial_out->outcome = read_outcome(json_out, root, "outcome");
    trial_out->observation =
        mr_observation_read(json_out, mr_json_object(json_out, root, "observation", true));
    read_gates(trial_out, json_out, root);
    read_metrics(trial_out, json_out, mr_json_array(json_out, root, "metrics", true));
    return json_out->failed ? -EBADMSG : 0;
}

const char *mr_trial_outcome_name(enum mr_trial_outcome outcome)
{
    MR_ASSERT((size_t)outcome < sizeof outcome_names / sizeof outcome_names[0]);
    return outcome_names[outcome];
}
