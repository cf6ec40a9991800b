// matrix.c: see matrix.h.
#include "matrix.h"

#include "matrix_controls.h"
#include "matrix_entries.h"

#include "base/cli.h"
#include "stats/paired.h"
#include "stats/verdict.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const char *const matrix_keys[] = {"$schema", "name",  "title",    "budget_s", "seed",
                                          "rules",   "cells", "controls", NULL};
static const char *const cell_keys[] = {"name",        "driver",   "job",     "mode", "metric",
                                        "data",        "load",     "threads", "rows", "contestants",
                                        "comparisons", "measures", NULL};
static const char *const data_keys[] = {
    "path", "shape", "seed",         "bytes",       "batch_records", "reject_share",
    "keys", "space", "record_bytes", "messy_share", "escape_share",  "non_ascii_share",
    NULL};

static const char *const drivers[] = {"served", "stepped", "simulated", NULL};
static const char *const modes[] = {"drain", "totals", "keep", "fresh", NULL};
static const char *const measured[] = {"contestant", "generator", NULL};
static const char *const served_metrics[] = {"records_per_s",
                                             "batches_per_s",
                                             "latency_p50_ns",
                                             "latency_p99_ns",
                                             "server_cpu_s_per_million_records",
                                             "generator_ns_per_batch",
                                             NULL};
static const char *const stepped_metrics[] = {"ns_per_record", "records_per_s", NULL};
static const char *const jobs[] = {"ingest", NULL};
static const char *const key_orders[] = {"fixed", "shuffled", NULL};
static const char *const spaces[] = {"compact", "spaced", "lines", NULL};
static const char *const shapes[] = {"simple", "messy", "rejects", NULL};

static const char *read_choice(struct mr_json_file *file, yyjson_val *object, const char *key,
                               const char *const *allowed)
{
    const char *word = mr_json_text(file, object, key, allowed[0]);
    for (const char *const *candidate = allowed; *candidate != NULL; candidate++) {
        if (strcmp(word, *candidate) == 0) {
            return word;
        }
    }
    mr_json_fail(file, yyjson_obj_get(object, key), "\"%s\" may not be \"%s\"", key, word);
    return allowed[0];
}

static double read_share(struct mr_json_file *file, yyjson_val *object, const char *key)
{
    double share = mr_json_number(file, object, key, 0);
    if (share > 1) {
        mr_json_fail(file, yyjson_obj_get(object, key), "\"%s\" is a share of 1, not %g", key,
                     share);
    }
    return share;
}

// The form of simple records.
static void read_form(struct mr_json_file *file, yyjson_val *object, struct mr_dataset_spec *data)
{
    data->keys = read_choice(file, object, "keys", key_orders);
    data->space = read_choice(file, object, "space", spaces);
    data->record_bytes =
        mr_json_count(file, object, "record_bytes", (struct mr_json_range){140, 2048, 0, false});
    data->messy_share = read_share(file, object, "messy_share");
    data->escape_share = read_share(file, object, "escape_share");
    data->non_ascii_share = read_share(file, object, "non_ascii_share");
}

static void read_data(struct mr_json_file *file, yyjson_val *object, struct mr_dataset_spec *data)
{
    mr_json_only_keys(file, object, data_keys);
    const char *path = mr_json_text(file, object, "path", "");
    data->path = path[0] == '\0' ? NULL : path;
    data->shape = read_choice(file, object, "shape", shapes);
    data->seed =
        mr_json_count(file, object, "seed", (struct mr_json_range){0, UINT64_MAX, 42, false});
    data->batch_records =
        mr_json_count(file, object, "batch_records", (struct mr_json_range){1, 65535, 256, false});
    const char *bytes = mr_json_text(file, object, "bytes", "64MiB");
    if (!mr_bytes_parse(bytes, &data->bytes) || data->bytes == 0) {
        mr_json_fail(file, yyjson_obj_get(object, "bytes"), "\"bytes\" must be like \"64MiB\"");
    }
    data->reject_share = mr_json_number(file, object, "reject_share", -1);
    read_form(file, object, data);
}

static void read_cell(struct mr_json_file *file, yyjson_val *object, struct mr_cell *cell)
{
    mr_json_only_keys(file, object, cell_keys);
    cell->name = mr_json_text(file, object, "name", NULL);
    cell->driver = read_choice(file, object, "driver", drivers);
    cell->job = mr_json_text(file, object, "job", "ingest");
    cell->mode = mr_json_text(file, object, "mode", "keep");
    (void)read_choice(file, object, "mode", modes);
    bool stepped = strcmp(cell->driver, "stepped") == 0;
    cell->metric = read_choice(file, object, "metric", stepped ? stepped_metrics : served_metrics);
    (void)read_choice(file, object, "job", jobs);
    cell->measures = read_choice(file, object, "measures", measured);
    read_data(file, mr_json_object(file, object, "data", true), &cell->data);
    cell->load = mr_cell_load_default();
    yyjson_val *load = mr_json_object(file, object, "load", false);
    if (load != NULL) {
        mr_cell_load_read(file, load, &cell->load);
    }
    cell->server_threads =
        mr_json_count(file, object, "threads", (struct mr_json_range){1, 256, 1, false});
    cell->rows = mr_json_count(file, object, "rows", (struct mr_json_range){1, 10000, 0, true});
    mr_matrix_read_entries(file, object, cell);
}

// Rule 12: every order equally often. Rule 13: enough pairs for the comparisons that get a verdict.
static void check_rows(struct mr_matrix *matrix, const struct mr_cell *cell)
{
    size_t entries = cell->entries_count;
    uint64_t multiple = entries % 2 == 0 ? entries : 2 * entries;
    uint64_t pairs_min = matrix->primary_count == 0
                             ? 1
                             : mr_pairs_needed(matrix->primary_count, matrix->rules.alpha);
    if (cell->rows % multiple != 0) {
        mr_json_fail(
            &matrix->json, NULL,
            "cell \"%s\": with %zu contestants \"rows\" must be a multiple of %llu, so that every "
            "order comes equally often",
            cell->name, entries, (unsigned long long)multiple);
    }
    for (size_t i = 0; i < cell->comparisons_count; i++) {
        if (cell->comparisons[i].primary && cell->rows < pairs_min) {
            mr_json_fail(
                &matrix->json, NULL,
                "cell \"%s\": %llu rows cannot decide anything with %zu primary comparisons in the "
                "matrix; it needs at least %llu",
                cell->name, (unsigned long long)cell->rows, matrix->primary_count,
                (unsigned long long)pairs_min);
        }
    }
}

static void read_cells(struct mr_matrix *matrix, yyjson_val *array)
{
    size_t index;
    size_t count;
    yyjson_val *value;
    yyjson_arr_foreach(array, index, count, value)
    {
        if (!yyjson_is_obj(value) || matrix->cells_count == MR_CELLS_MAX) {
            mr_json_fail(&matrix->json, NULL, "\"cells\": at most %d objects", MR_CELLS_MAX);
            return;
        }
        struct mr_cell *cell = &matrix->cells[matrix->cells_count++];
        read_cell(&matrix->json, value, cell);
        for (size_t i = 0; i < cell->comparisons_count; i++) {
            matrix->primary_count += cell->comparisons[i].primary;
        }
        for (size_t i = 0; i + 1 < matrix->cells_count; i++) {
            if (strcmp(matrix->cells[i].name, cell->name) == 0) {
                mr_json_fail(&matrix->json, yyjson_obj_get(value, "name"),
                             "two cells are called \"%s\"", cell->name);
            }
        }
    }
    if (matrix->cells_count == 0) {
        mr_json_fail(&matrix->json, NULL, "\"cells\" is empty: nothing to race");
    }
}

int mr_matrix_load(struct mr_matrix *matrix_out, const char *path, struct mr_trial_fault *fault)
{
    *matrix_out = (struct mr_matrix){0};
    int result = mr_json_file_init(&matrix_out->json, path, fault);
    if (result != 0) {
        return result;
    }
    struct mr_json_file *json = &matrix_out->json;
    yyjson_val *root = yyjson_doc_get_root(json->doc);
    mr_json_only_keys(json, root, matrix_keys);
    matrix_out->name = mr_json_text(json, root, "name", NULL);
    matrix_out->title = mr_json_text(json, root, "title", matrix_out->name);
    if (strspn(matrix_out->name, "abcdefghijklmnopqrstuvwxyz0123456789-") !=
        strlen(matrix_out->name)) {
        mr_json_fail(
            json, yyjson_obj_get(root, "name"),
            "\"name\" becomes a folder's name: lower-case letters, digits and dashes only");
    }
    double budget_s = mr_json_number(json, root, "budget_s", 3600);
    matrix_out->budget_ns = (uint64_t)llround(fmin(budget_s, 1e7) * 1e9);
    matrix_out->seed =
        mr_json_count(json, root, "seed", (struct mr_json_range){0, UINT64_MAX, 1, false});
    mr_rules_default(&matrix_out->rules);
    yyjson_val *rules = mr_json_object(json, root, "rules", false);
    if (rules != NULL) {
        mr_rules_read(json, rules, &matrix_out->rules);
    }
    read_cells(matrix_out, mr_json_array(json, root, "cells", true));
    if (matrix_out->primary_count > MR_PRIMARY_MAX) {
        mr_json_fail(json, NULL,
                     "%zu primary comparisons; a table may have %d (\"primary\": false shows a "
                     "ratio without verdict)",
                     matrix_out->primary_count, MR_PRIMARY_MAX);
    }
    yyjson_val *controls = mr_json_object(json, root, "controls", false);
    if (controls != NULL && !json->failed) {
        mr_matrix_read_controls(json, controls, matrix_out);
    }
    for (size_t i = 0; i < matrix_out->cells_count && !json->failed; i++) {
        check_rows(matrix_out, &matrix_out->cells[i]);
    }
    return json->failed ? -EBADMSG : 0;
}

void mr_matrix_fini(struct mr_matrix *matrix)
{
    mr_json_file_fini(&matrix->json);
}
