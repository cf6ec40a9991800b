// results_replication.c: see results_replication.h.
#include "results_replication.h"

#include "stats/nested.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static uint64_t time_at(yyjson_val *object, const char *key)
{
    return yyjson_get_uint(yyjson_obj_get(object, key));
}

// The logarithms of what was answered in each third of the window, by the bins of the timeline that
// lie wholly in it. False: there are too few, or nothing was answered in one.
static bool thirds_of(yyjson_val *generator, double parts_out[MR_NESTED_PARTS])
{
    yyjson_val *timeline = yyjson_obj_get(generator, "timeline");
    yyjson_val *times = yyjson_obj_get(generator, "times");
    yyjson_val *records = yyjson_obj_get(timeline, "records");
    uint64_t bin_ns = time_at(timeline, "bin_ns");
    uint64_t start_ns = time_at(timeline, "start_ns");
    uint64_t begin_ns = time_at(times, "window_start_ns");
    uint64_t end_ns = time_at(times, "window_end_ns");
    if (bin_ns == 0 || begin_ns < start_ns || end_ns <= begin_ns) {
        return false;
    }
    uint64_t first = (begin_ns - start_ns + bin_ns - 1) / bin_ns;
    uint64_t behind = (end_ns - start_ns) / bin_ns;
    uint64_t width = behind > first ? (behind - first) / MR_NESTED_PARTS : 0;
    bool whole = width > 0 && behind <= yyjson_arr_size(records);
    for (size_t part = 0; whole && part < MR_NESTED_PARTS; part++) {
        double sum = 0;
        for (uint64_t bin = 0; bin < width; bin++) {
            sum += yyjson_get_num(yyjson_arr_get(records, first + part * width + bin));
        }
        whole = sum > 0;
        parts_out[part] = log(sum);
    }
    return whole;
}

static size_t stratum_of(const struct mr_strata *strata, const struct mr_trial *trial)
{
    size_t stratum = 0;
    while (stratum + 1 < strata->count && trial->number >= strata->first_trial[stratum + 1]) {
        stratum++;
    }
    return stratum;
}

static void add_deviation(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                          double variance)
{
    if (isfinite(variance)) {
        yyjson_mut_obj_add_real(doc, object, key, sqrt(variance));
    } else {
        yyjson_mut_obj_add_null(doc, object, key);
    }
}

static void add_split(yyjson_mut_doc *doc, yyjson_mut_val *one,
                      const struct mr_nested_params *params)
{
    if (params->count == 0) {
        yyjson_mut_obj_add_null(doc, one, "replication");
        return;
    }
    struct mr_nested split = mr_nested_split(params);
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, one, "replication");
    yyjson_mut_obj_add_uint(doc, object, "trials", params->count);
    yyjson_mut_obj_add_uint(doc, object, "strata", split.grouped);
    add_deviation(doc, object, "thirds_of_window", split.within);
    add_deviation(doc, object, "between_trials", split.trials);
    add_deviation(doc, object, "between_strata", split.groups);
}

int mr_results_replication(yyjson_mut_doc *doc, yyjson_mut_val *one,
                           const struct mr_trial_table *table, const struct mr_cell *cell,
                           size_t entry, const struct mr_strata *strata)
{
    _Static_assert(MR_STRATA_MAX <= MR_NESTED_GROUPS_MAX, "every stratum is a group");
    double(*values)[MR_NESTED_PARTS] = calloc(cell->rows + 1, sizeof values[0]);
    size_t *group = calloc(cell->rows + 1, sizeof group[0]);
    size_t count = 0;
    // An open plan fixes what is answered.
    uint64_t rows = mr_cell_load_is_open(&cell->loads[entry]) ? 0 : cell->rows;
    int result = values == NULL || group == NULL ? -ENOMEM : 0;
    for (uint64_t row = 0; result == 0 && row < rows; row++) {
        const struct mr_trial *trials[MR_CELL_ENTRIES_MAX];
        if (!mr_trial_table_row(table, cell, row, trials) || trials[entry] == NULL) {
            continue;
        }
        yyjson_val *file = yyjson_doc_get_root(table->files[trials[entry] - table->trials].doc);
        if (thirds_of(yyjson_ptr_get(file, "/details/generator"), values[count])) {
            group[count++] = stratum_of(strata, trials[entry]);
        }
    }
    if (result == 0) {
        add_split(doc, one,
                  &(struct mr_nested_params){.values = (const double(*)[MR_NESTED_PARTS])values,
                                             .group = group,
                                             .count = count,
                                             .groups = strata->count});
    }
    free(values);
    free(group);
    return result;
}
