// plan_past.c: see plan_past.h.
#include "plan_past.h"

#include "run_files.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int mr_plan_past_init(struct mr_plan_past *past_out, const char *folder,
                      struct mr_trial_fault *fault)
{
    *past_out = (struct mr_plan_past){.path = ""};
    int result = mr_run_folder_check(folder, fault);
    if (result != 0) {
        return result;
    }
    int length = snprintf(past_out->path, sizeof past_out->path, "%s/results.json", folder);
    if (length < 0 || (size_t)length >= sizeof past_out->path) {
        mr_trial_fault_set(fault, "%s: the path is too long", folder);
        return -ENAMETOOLONG;
    }
    result = mr_json_file_init(&past_out->results, past_out->path, fault);
    return result == 0 ? mr_trial_table_init(&past_out->table, folder, fault) : result;
}

void mr_plan_past_fini(struct mr_plan_past *past)
{
    mr_json_file_fini(&past->results);
    mr_trial_table_fini(&past->table);
}

struct mr_plan_cell mr_plan_past_cell(const struct mr_plan_past *past, const char *cell)
{
    struct mr_plan_cell found = {.trials = 0};
    size_t excluded = 0;
    for (size_t i = 0; i < past->table.count; i++) {
        const struct mr_trial *trial = &past->table.trials[i];
        if (strcmp(trial->cell, cell) != 0 || trial->outcome == MR_TRIAL_ABSENT) {
            continue;
        }
        excluded += trial->outcome == MR_TRIAL_EXCLUDED;
        found.trials++;
    }
    if (found.trials > 0) {
        found.trial_s = mr_trial_table_spent_s(&past->table, cell) / (double)found.trials;
        found.excluded_share = (double)excluded / (double)found.trials;
    }
    return found;
}

// The item of `list` whose `key` is `text`.
static yyjson_val *item_called(yyjson_val *list, const char *key, const char *text)
{
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(list, index, count, one)
    {
        if (yyjson_equals_str(yyjson_obj_get(one, key), text)) {
            return one;
        }
    }
    return NULL;
}

static bool is_between(yyjson_val *comparison, const char *a, const char *b)
{
    return yyjson_equals_str(yyjson_obj_get(comparison, "a"), a) &&
           yyjson_equals_str(yyjson_obj_get(comparison, "b"), b);
}

size_t mr_plan_past_logs(const struct mr_plan_past *past, const char *cell, const char *a,
                         const char *b, double *logs_out, size_t room)
{
    yyjson_val *root = yyjson_doc_get_root(past->results.doc);
    yyjson_val *one = item_called(yyjson_obj_get(root, "cells"), "name", cell);
    size_t found = 0;
    size_t index;
    size_t count;
    yyjson_val *comparison;
    yyjson_arr_foreach(yyjson_obj_get(one, "comparisons"), index, count, comparison)
    {
        if (!is_between(comparison, a, b) && !is_between(comparison, b, a)) {
            continue;
        }
        size_t pair;
        size_t pairs;
        yyjson_val *ratio;
        yyjson_arr_foreach(yyjson_obj_get(comparison, "pair_ratios"), pair, pairs, ratio)
        {
            if (found < room && yyjson_get_num(ratio) > 0) {
                logs_out[found++] = log(yyjson_get_num(ratio));
            }
        }
        break;
    }
    return found;
}
