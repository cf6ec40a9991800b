// results_offered.c: see results_offered.h.
#include "results_offered.h"

#include <math.h>

uint64_t mr_results_overloaded(const struct mr_trial_table *table, const struct mr_cell *cell,
                               size_t entry)
{
    uint64_t overloaded = 0;
    for (uint64_t row = 0; row < cell->rows; row++) {
        const struct mr_trial *trials[MR_CELL_ENTRIES_MAX];
        if (mr_trial_table_row(table, cell, row, trials) && trials[entry] != NULL) {
            const struct mr_metric *metric = mr_trial_find(trials[entry], "overloaded");
            overloaded += metric != NULL && metric->value > 0;
        }
    }
    return overloaded;
}

static void add_bound(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, double value)
{
    if (isfinite(value)) {
        yyjson_mut_obj_add_real(doc, object, key, value);
    } else {
        yyjson_mut_obj_add_null(doc, object, key);
    }
}

void mr_results_target(yyjson_mut_doc *doc, yyjson_mut_val *one,
                       const struct mr_comparison *comparison, const struct mr_paired *paired)
{
    double least = comparison->at_least;
    double most = comparison->at_most > 0 ? comparison->at_most : INFINITY;
    if (!(least > 0) && isinf(most)) {
        return;
    }
    bool known = paired != NULL && paired->logs.known;
    bool met = known && paired->ratio_low >= least && paired->ratio_high <= most;
    bool missed = known && (paired->ratio_high < least || paired->ratio_low > most);
    yyjson_mut_val *target = yyjson_mut_obj_add_obj(doc, one, "target");
    add_bound(doc, target, "at_least", least > 0 ? least : NAN);
    add_bound(doc, target, "at_most", most);
    yyjson_mut_obj_add_str(doc, target, "outcome", met ? "met" : missed ? "missed" : "open");
}
