// results_strata.c: see results_strata.h.
#include "results_strata.h"

#include "manifest.h"
#include "pairs.h"

#include "stats/robust.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

// One manifest; false: there is none of that number.
static bool add_manifest(yyjson_mut_doc *doc, yyjson_mut_val *list, const char *folder,
                         struct mr_strata *strata, int *result_out, struct mr_trial_fault *fault)
{
    char name[MR_MANIFEST_NAME_BYTES];
    char path[PATH_MAX];
    mr_manifest_name(strata->count + 1, name);
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (strata->count == MR_STRATA_MAX || access(path, F_OK) != 0) {
        return false;
    }
    static const struct mr_json_range any = {1, UINT64_MAX, 1, false};
    struct mr_json_file file;
    *result_out = mr_json_file_init(&file, path, fault);
    if (*result_out == 0) {
        yyjson_val *stratum =
            mr_json_object(&file, yyjson_doc_get_root(file.doc), "stratum", strata->count > 0);
        uint64_t first_trial = mr_json_count(&file, stratum, "first_trial", any);
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
        yyjson_mut_obj_add_strcpy(doc, one, "manifest", name);
        yyjson_mut_obj_add_uint(doc, one, "first_trial", first_trial);
        yyjson_mut_obj_add_strcpy(doc, one, "changes", mr_json_text(&file, stratum, "changes", ""));
        strata->first_trial[strata->count++] = first_trial;
        *result_out = file.failed ? -EBADMSG : 0;
    }
    mr_json_file_fini(&file);
    return *result_out == 0;
}

int mr_results_strata(yyjson_mut_doc *doc, yyjson_mut_val *root, const char *folder,
                      struct mr_strata *strata_out, struct mr_trial_fault *fault)
{
    *strata_out = (struct mr_strata){.count = 0};
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "strata");
    int result = 0;
    while (add_manifest(doc, list, folder, strata_out, &result, fault)) {
    }
    return result;
}

static void add_ratio(yyjson_mut_doc *doc, yyjson_mut_val *list, struct mr_pairs *pairs,
                      uint64_t from, uint64_t until)
{
    size_t count = 0;
    for (size_t i = 0; i < pairs->count; i++) {
        if (pairs->number[i] >= from && pairs->number[i] < until) {
            pairs->scratch[count++] = log(pairs->a[i]) - log(pairs->b[i]);
        }
    }
    yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, list);
    yyjson_mut_obj_add_uint(doc, one, "pairs", count);
    if (count > 0) {
        mr_sort(pairs->scratch, count);
        yyjson_mut_obj_add_real(doc, one, "ratio", exp(mr_median_sorted(pairs->scratch, count)));
    } else {
        yyjson_mut_obj_add_null(doc, one, "ratio");
    }
}

int mr_results_strata_ratios(yyjson_mut_doc *doc, yyjson_mut_val *one,
                             const struct mr_trial_table *table, const struct mr_cell *cell,
                             const struct mr_comparison *comparison, const struct mr_strata *strata)
{
    if (strata->count < 2) {
        return 0;
    }
    struct mr_pairs pairs;
    int result = mr_pairs_init(&pairs, table, cell, NULL, comparison->a, comparison->b);
    if (result != 0) {
        return result;
    }
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, one, "strata");
    for (size_t i = 0; i < strata->count; i++) {
        uint64_t until = i + 1 < strata->count ? strata->first_trial[i + 1] : UINT64_MAX;
        add_ratio(doc, list, &pairs, strata->first_trial[i], until);
    }
    mr_pairs_fini(&pairs);
    return 0;
}
