// compare_side.c: see compare_side.h.
#include "compare_side.h"

#include "json_difference.h"
#include "past.h"
#include "run_files.h"
#include "schedule.h"

#include "trial/matrix_load.h"
#include "trial/rules.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Who compares before the last row ran could stop when he likes what he sees.
static int check_complete(const struct mr_compare_side *side, struct mr_trial_fault *fault)
{
    struct mr_schedule schedule = {0};
    struct mr_past past = {0};
    int result = mr_schedule_init(&schedule, &side->matrix);
    if (result == 0) {
        result = mr_past_read(&past, &side->matrix, &schedule, &side->table);
    }
    if (result != 0) {
        mr_trial_fault_set(fault, "out of memory");
    } else if (!mr_past_is_complete(&past, &schedule)) {
        mr_trial_fault_set(fault,
                           "%s: rows are still to run; `matchrace run --resume` goes on with it",
                           side->folder);
        result = -EINVAL;
    }
    mr_past_fini(&past);
    mr_schedule_fini(&schedule);
    return result;
}

// Later strata ran on something else than what manifest.json says.
static int check_strata(const char *folder, struct mr_trial_fault *fault)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/manifest-2.json", folder);
    if (access(path, F_OK) != 0) {
        return 0;
    }
    mr_trial_fault_set(fault, "%s: program or machine changed on the way (manifest-2.json)",
                       folder);
    return -EINVAL;
}

int mr_compare_side_init(struct mr_compare_side *side_out, const char *folder,
                         struct mr_trial_fault *fault)
{
    side_out->folder = folder;
    (void)snprintf(side_out->matrix_path, PATH_MAX, "%s/matrix.json", folder);
    (void)snprintf(side_out->manifest_path, PATH_MAX, "%s/manifest.json", folder);
    int result = mr_run_folder_check(folder, fault);
    if (result == 0) {
        result = mr_run_files_expect(folder, fault);
    }
    if (result == 0) {
        result = check_strata(folder, fault);
    }
    if (result == 0) {
        result = mr_matrix_load(&side_out->matrix, side_out->matrix_path, fault);
    }
    if (result == 0) {
        result = mr_json_file_init(&side_out->manifest, side_out->manifest_path, fault);
    }
    if (result == 0) {
        result = mr_trial_table_init(&side_out->table, folder, fault);
    }
    return result == 0 ? check_complete(side_out, fault) : result;
}

void mr_compare_side_fini(struct mr_compare_side *side)
{
    mr_trial_table_fini(&side->table);
    mr_json_file_fini(&side->manifest);
    mr_matrix_fini(&side->matrix);
}

const struct mr_cell *mr_compare_cell(const struct mr_compare_side *side, const char *name)
{
    for (size_t i = 0; i < side->matrix.cells_count; i++) {
        if (strcmp(side->matrix.cells[i].name, name) == 0) {
            return &side->matrix.cells[i];
        }
    }
    return NULL;
}

size_t mr_compare_entry(const struct mr_cell *cell, const char *name)
{
    size_t index = 0;
    while (index < cell->entries_count && strcmp(cell->entries[index], name) != 0) {
        index++;
    }
    return index;
}

static yyjson_val *manifest_of(const struct mr_compare_side *side)
{
    return yyjson_doc_get_root(side->manifest.doc);
}

// What `key` of the environment was, as text for a message.
static const char *environment(const struct mr_compare_side *side, const char *key)
{
    yyjson_val *values = yyjson_obj_get(manifest_of(side), "environment");
    const char *text = yyjson_get_str(yyjson_obj_get(values, key));
    return text == NULL ? "unknown" : text;
}

static void tell_rule(void *context, const char *pointer, const char *a, const char *b)
{
    mr_trial_fault_set(context, "they ran under different rules: %s was %s, and is %s", pointer, a,
                       b);
}

bool mr_compare_same_terms(const struct mr_compare_side *before,
                           const struct mr_compare_side *after, struct mr_trial_fault *fault)
{
    static const char *const keys[] = {"cpu_model", "cpu_features", "grade", "cores_server",
                                       "cores_generator"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const char *was = environment(before, keys[i]);
        const char *is = environment(after, keys[i]);
        if (strcmp(was, is) != 0 || strcmp(was, "unknown") == 0) {
            mr_trial_fault_set(fault,
                               "they ran on different machines: %s was \"%s\", and is \"%s\"",
                               keys[i], was, is);
            return false;
        }
    }
    return mr_json_difference(yyjson_obj_get(manifest_of(before), "rules"),
                              yyjson_obj_get(manifest_of(after), "rules"), 1, tell_rule,
                              fault) == 0;
}

// What the manifest has of the dataset of `cell`.
static yyjson_val *dataset(const struct mr_compare_side *side, const char *cell)
{
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(manifest_of(side), "datasets"), index, count, one)
    {
        if (yyjson_equals_str(yyjson_obj_get(one, "cell"), cell)) {
            return yyjson_obj_get(one, "sha256");
        }
    }
    return NULL;
}

bool mr_compare_same_cell(const struct mr_compare_side *before, const struct mr_compare_side *after,
                          const char *cell, struct mr_trial_fault *fault)
{
    const struct mr_cell *a = mr_compare_cell(before, cell);
    const struct mr_cell *b = mr_compare_cell(after, cell);
    const char *was = yyjson_get_str(dataset(before, cell));
    const char *is = yyjson_get_str(dataset(after, cell));
    const char *different = was == NULL || is == NULL || strcmp(was, is) != 0 ? "other data"
                            : strcmp(a->driver, b->driver) != 0               ? "another driver"
                            : strcmp(a->mode, b->mode) != 0                   ? "another mode"
                            : strcmp(a->metric, b->metric) != 0               ? "another metric"
                            : a->server_threads != b->server_threads  ? "another number of threads"
                            : !mr_cell_load_equal(&a->load, &b->load) ? "another load"
                                                                      : NULL;
    if (different != NULL) {
        mr_trial_fault_set(fault, "cell \"%s\" has %s", cell, different);
    }
    return different == NULL;
}

static yyjson_val *program(const struct mr_compare_side *side, const char *contestant)
{
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(manifest_of(side), "contestants"), index, count, one)
    {
        if (yyjson_equals_str(yyjson_obj_get(one, "entry"), contestant)) {
            return yyjson_obj_get(one, "program_sha256");
        }
    }
    return NULL;
}

bool mr_compare_same_program(const struct mr_compare_side *before,
                             const struct mr_compare_side *after, const char *contestant)
{
    const char *was = yyjson_get_str(program(before, contestant));
    const char *is = yyjson_get_str(program(after, contestant));
    return was != NULL && is != NULL && strcmp(was, is) == 0;
}
