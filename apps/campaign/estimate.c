// estimate.c: see estimate.h.
#include "estimate.h"

#include "pairs.h"

#include "base/mr_assert.h"
#include "stats/robust.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void estimate_at(const struct mr_pairs *pairs, double alpha,
                        struct mr_comparison_estimate *estimate)
{
    size_t place;
    struct mr_paired_params params = {.a = pairs->a,
                                      .b = pairs->b,
                                      .count = pairs->count,
                                      .alpha = alpha,
                                      .scratch = pairs->scratch};
    enum mr_paired_status status = mr_paired_estimate(&params, &estimate->paired, &place);
    MR_ASSERT(status != MR_PAIRED_NOT_POSITIVE); // mr_pairs_init() takes no such value
    estimate->alpha = alpha;
    estimate->estimated = status == MR_PAIRED_OK;
    if (estimate->estimated) { // the scratch holds the log ratios now
        estimate->symmetric = mr_hodges_lehmann(pairs->scratch, pairs->count, alpha, pairs->walsh);
    }
}

static void judge(struct mr_comparison_estimate *estimate, const struct mr_matrix *matrix,
                  const struct mr_estimate_limits *limits)
{
    if (estimate->estimated) {
        struct mr_verdict_rules rules = {.better = MR_BETTER_HIGHER,
                                         .margin = matrix->rules.margin,
                                         .smallest_found = limits->smallest,
                                         .twins_differ = limits->void_table};
        estimate->judgement = mr_judge(&estimate->paired.logs, estimate->paired.log_ratio, &rules);
    }
}

static int estimate_comparison(const struct mr_trial_table *table, const struct mr_matrix *matrix,
                               const struct mr_cell *cell, size_t index,
                               struct mr_comparison_estimate *estimate)
{
    struct mr_pairs pairs;
    const struct mr_comparison *comparison = &cell->comparisons[index];
    if (mr_pairs_init(&pairs, table, cell, NULL, comparison->a, comparison->b) != 0) {
        return -ENOMEM;
    }
    double alpha = estimate->alpha > 0 ? estimate->alpha : matrix->rules.alpha;
    estimate_at(&pairs, alpha, estimate);
    free(estimate->pair_ratios);
    estimate->pair_ratios = calloc(pairs.count + 1, sizeof estimate->pair_ratios[0]);
    int result = estimate->pair_ratios == NULL ? -ENOMEM : 0;
    for (size_t i = 0; result == 0 && i < pairs.count; i++) {
        estimate->pair_ratios[i] = pairs.a[i] / pairs.b[i];
    }
    mr_pairs_fini(&pairs);
    if (result == 0) {
        judge(estimate, matrix, &(struct mr_estimate_limits){.smallest = 0});
    }
    return result;
}

// Primary comparisons share the level by Holm: first at the plain level for their p-values, then
// again at the level that each one gets.
static int share_level(struct mr_estimates *estimates, const struct mr_matrix *matrix,
                       const struct mr_trial_table *table)
{
    double p_values[MR_PRIMARY_MAX];
    double levels[MR_PRIMARY_MAX];
    size_t count = 0;
    for (size_t pass = 0; pass < 2; pass++) {
        size_t at = 0;
        for (size_t cell = 0; cell < matrix->cells_count; cell++) {
            for (size_t i = 0; i < matrix->cells[cell].comparisons_count; i++) {
                struct mr_comparison_estimate *estimate = &estimates->cells[cell].comparisons[i];
                if (!matrix->cells[cell].comparisons[i].primary) {
                    continue;
                }
                MR_ASSERT(at < MR_PRIMARY_MAX);
                if (pass == 0) {
                    p_values[at] = estimate->estimated ? estimate->paired.p_value : 1.0;
                } else {
                    estimate->alpha = levels[at];
                    int result =
                        estimate_comparison(table, matrix, &matrix->cells[cell], i, estimate);
                    if (result != 0) {
                        return result;
                    }
                }
                at++;
            }
        }
        count = at;
        if (pass == 0 && count > 0) {
            mr_holm(p_values, count, matrix->rules.alpha, levels);
        }
    }
    return 0;
}

static int summarise_metric(const struct mr_metric *metric, const struct mr_trial *const *trials,
                            size_t count, struct mr_metric_summary *summary)
{
    double *values = calloc(count + 1, sizeof *values);
    if (values == NULL) {
        return -ENOMEM;
    }
    *summary = (struct mr_metric_summary){.metric = *metric, .min = INFINITY, .max = -INFINITY};
    for (size_t i = 0; i < count; i++) {
        const struct mr_metric *one = mr_trial_find(trials[i], metric->name);
        if (one != NULL && isfinite(one->value)) {
            values[summary->count++] = one->value;
            summary->min = fmin(summary->min, one->value);
            summary->max = fmax(summary->max, one->value);
        }
    }
    summary->metric.value = NAN;
    if (summary->count > 0) {
        mr_sort(values, summary->count);
        summary->metric.value = mr_median_sorted(values, summary->count);
    }
    free(values);
    return 0;
}

static int summarise_entry(const struct mr_trial_table *table, const struct mr_cell *cell,
                           size_t entry, struct mr_entry_summary *summary)
{
    const struct mr_trial **trials = calloc(cell->rows + 1, sizeof(const struct mr_trial *));
    if (trials == NULL) {
        return -ENOMEM;
    }
    for (uint64_t row = 0; row < cell->rows; row++) {
        const struct mr_trial *of_row[MR_CELL_ENTRIES_MAX];
        if (mr_trial_table_row(table, cell, row, of_row) && of_row[entry] != NULL) {
            trials[summary->counted++] = of_row[entry];
        }
    }
    summary->wrong = mr_trial_table_wrong(table, cell->name, cell->entries[entry]);
    summary->absent = mr_trial_table_absent(table, cell->name, cell->entries[entry]);
    for (size_t i = 0; i < table->count; i++) {
        const struct mr_trial *trial = &table->trials[i];
        summary->excluded += trial->outcome == MR_TRIAL_EXCLUDED &&
                             strcmp(trial->cell, cell->name) == 0 &&
                             strcmp(trial->entry, cell->entries[entry]) == 0;
    }
    int result = 0;
    const struct mr_trial *first = summary->counted > 0 ? trials[0] : NULL;
    summary->metrics_count = first == NULL ? 0 : first->metrics_count;
    for (size_t i = 0; first != NULL && result == 0 && i < first->metrics_count; i++) {
        result =
            summarise_metric(&first->metrics[i], trials, summary->counted, &summary->metrics[i]);
    }
    free((void *)trials);
    return result;
}

static int estimate_cell(const struct mr_trial_table *table, const struct mr_matrix *matrix,
                         size_t index, struct mr_cell_estimate *estimate)
{
    const struct mr_cell *cell = &matrix->cells[index];
    for (uint64_t row = 0; row < cell->rows; row++) {
        const struct mr_trial *trials[MR_CELL_ENTRIES_MAX];
        uint64_t attempt_max = 0;
        for (size_t i = 0; i < table->count; i++) {
            const struct mr_trial *trial = &table->trials[i];
            if (trial->row == row && strcmp(trial->cell, cell->name) == 0 &&
                trial->attempt > attempt_max) {
                attempt_max = trial->attempt;
            }
        }
        estimate->rows_repeated += attempt_max;
        estimate->rows_counted += mr_trial_table_row(table, cell, row, trials);
    }
    int result = 0;
    for (size_t i = 0; result == 0 && i < cell->entries_count; i++) {
        result = summarise_entry(table, cell, i, &estimate->entries[i]);
    }
    for (size_t i = 0; result == 0 && i < cell->comparisons_count; i++) {
        result = estimate_comparison(table, matrix, cell, i, &estimate->comparisons[i]);
    }
    return result;
}

int mr_estimates_init(struct mr_estimates *estimates_out, const struct mr_matrix *matrix,
                      const struct mr_trial_table *table)
{
    *estimates_out =
        (struct mr_estimates){.cells = calloc(matrix->cells_count, sizeof estimates_out->cells[0]),
                              .cells_count = matrix->cells_count};
    if (estimates_out->cells == NULL) {
        estimates_out->cells_count = 0;
        return -ENOMEM;
    }
    int result = 0;
    for (size_t i = 0; result == 0 && i < matrix->cells_count; i++) {
        result = estimate_cell(table, matrix, i, &estimates_out->cells[i]);
    }
    return result != 0 ? result : share_level(estimates_out, matrix, table);
}

void mr_estimates_limit(struct mr_estimates *estimates, const struct mr_matrix *matrix,
                        const struct mr_estimate_limits *limits)
{
    for (size_t cell = 0; cell < estimates->cells_count; cell++) {
        for (size_t i = 0; i < matrix->cells[cell].comparisons_count; i++) {
            judge(&estimates->cells[cell].comparisons[i], matrix, limits);
        }
    }
}

void mr_estimates_fini(struct mr_estimates *estimates)
{
    for (size_t cell = 0; cell < estimates->cells_count; cell++) {
        for (size_t i = 0; i < MR_CELL_COMPARISONS_MAX; i++) {
            free(estimates->cells[cell].comparisons[i].pair_ratios);
        }
    }
    free(estimates->cells);
    *estimates = (struct mr_estimates){0};
}
