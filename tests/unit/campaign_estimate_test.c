// campaign_estimate_test.c: which rows count, and the estimates of small tables worked out by hand.
#include "estimate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define ROWS 6

static struct mr_matrix matrix; // large
static struct mr_trial trials[64];
static struct mr_json_file files[64];
static struct mr_trial_table table;

static void reset(const char *metric)
{
    memset(&matrix, 0, sizeof matrix);
    mr_rules_default(&matrix.rules);
    matrix.cells_count = 1;
    matrix.primary_count = 1;
    matrix.cells[0] = (struct mr_cell){.name = "c",
                                       .metric = metric,
                                       .rows = ROWS,
                                       .entries = {"x", "y"},
                                       .entries_count = 2,
                                       .comparisons = {{.a = 0, .b = 1, .primary = true}},
                                       .comparisons_count = 1};
    table = (struct mr_trial_table){.trials = trials, .files = files, .count = 0};
}

static struct mr_trial *add(uint64_t row, uint64_t attempt, const char *entry, double value)
{
    struct mr_trial *trial = &trials[table.count];
    *trial = (struct mr_trial){
        .number = ++table.count, .cell = "c", .row = row, .attempt = attempt, .entry = entry};
    bool higher = strcmp(matrix.cells[0].metric, "records_per_s") == 0;
    mr_trial_metric(trial, (struct mr_metric){matrix.cells[0].metric, "unit", higher, value});
    return trial;
}

static void add_rows(double x, double y, double step)
{
    for (uint64_t row = 0; row < ROWS; row++) {
        (void)add(row, 0, "x", x * (1 + step * (double)row));
        (void)add(row, 0, "y", y * (1 + step * (double)row));
    }
}

static void test_twice_as_fast(void **state)
{
    (void)state;
    reset("records_per_s");
    add_rows(200, 100, 0.1);
    struct mr_estimates estimates;
    assert_int_equal(mr_estimates_init(&estimates, &matrix, &table), 0);
    const struct mr_comparison_estimate *one = &estimates.cells[0].comparisons[0];
    assert_true(one->estimated);
    assert_int_equal(one->paired.pairs_count, ROWS);
    assert_true(fabs(one->paired.ratio - 2) < 1e-12);
    assert_int_equal(one->judgement.verdict, MR_VERDICT_FASTER);
    assert_true(fabs(one->pair_ratios[3] - 2) < 1e-12);
    assert_int_equal(estimates.cells[0].rows_counted, ROWS);
    assert_int_equal(estimates.cells[0].rows_repeated, 0);
    // Median of 200·{1, 1.1, 1.2, 1.3, 1.4, 1.5} is 250.
    assert_true(fabs(estimates.cells[0].entries[0].metrics[0].metric.value - 250) < 1e-9);
    assert_true(fabs(estimates.cells[0].entries[0].metrics[0].min - 200) < 1e-9);
    assert_true(fabs(estimates.cells[0].entries[0].metrics[0].max - 300) < 1e-9);
    mr_estimates_fini(&estimates);
}

// Times: half the nanoseconds is twice the speed.
static void test_lower_is_better(void **state)
{
    (void)state;
    reset("ns_per_record");
    add_rows(50, 100, 0.05);
    struct mr_estimates estimates;
    assert_int_equal(mr_estimates_init(&estimates, &matrix, &table), 0);
    assert_true(fabs(estimates.cells[0].comparisons[0].paired.ratio - 2) < 1e-12);
    assert_int_equal(estimates.cells[0].comparisons[0].judgement.verdict, MR_VERDICT_FASTER);
    mr_estimates_fini(&estimates);
}

// Latencies: a third of the time is three times the speed; a trial with too few batches for the
// percentile gives no pair.
static void test_latency(void **state)
{
    (void)state;
    reset("latency_p99_ns");
    add_rows(1e6, 3e6, 0.1);
    trials[2].metrics[0].value = NAN; // row 1, x
    struct mr_estimates estimates;
    assert_int_equal(mr_estimates_init(&estimates, &matrix, &table), 0);
    const struct mr_comparison_estimate *one = &estimates.cells[0].comparisons[0];
    assert_true(fabs(one->paired.ratio - 3) < 1e-12);
    assert_int_equal(one->paired.pairs_count, ROWS - 1);
    assert_int_equal(estimates.cells[0].entries[0].metrics[0].count, ROWS - 1);
    mr_estimates_fini(&estimates);
}

static void test_repeated_row(void **state)
{
    (void)state;
    reset("records_per_s");
    for (uint64_t row = 0; row < ROWS; row++) {
        (void)add(row, 0, "x", 100);
        struct mr_trial *y = add(row, 0, "y", 100);
        if (row == 2) { // the first attempt is excluded; its good trial of x must not count either
            y->outcome = MR_TRIAL_EXCLUDED;
            (void)add(row, 1, "y", 100);
            (void)add(row, 1, "x", 300);
        }
    }
    struct mr_estimates estimates;
    assert_int_equal(mr_estimates_init(&estimates, &matrix, &table), 0);
    const struct mr_cell_estimate *cell = &estimates.cells[0];
    assert_int_equal(cell->rows_counted, ROWS);
    assert_int_equal(cell->rows_repeated, 1);
    assert_int_equal(cell->entries[0].counted, ROWS);
    assert_int_equal(cell->entries[1].excluded, 1);
    assert_true(fabs(cell->comparisons[0].pair_ratios[2] - 3) < 1e-12);
    assert_int_equal(cell->comparisons[0].paired.ties_count, ROWS - 1);
    mr_estimates_fini(&estimates);
}

static void test_excluded_or_cut_off_rows_do_not_count(void **state)
{
    (void)state;
    reset("records_per_s");
    add_rows(100, 100, 0.01);
    trials[0].outcome = MR_TRIAL_EXCLUDED; // row 0, x
    table.count--;                         // row 5 lost its y
    struct mr_estimates estimates;
    assert_int_equal(mr_estimates_init(&estimates, &matrix, &table), 0);
    assert_int_equal(estimates.cells[0].rows_counted, ROWS - 2);
    assert_int_equal(estimates.cells[0].comparisons[0].paired.pairs_count, ROWS - 2);
    assert_int_equal(estimates.cells[0].comparisons[0].judgement.verdict, MR_VERDICT_NOT_RESOLVED);
    mr_estimates_fini(&estimates);
}

static void test_wrong_contestant(void **state)
{
    (void)state;
    reset("records_per_s");
    for (uint64_t row = 0; row < ROWS; row++) {
        (void)add(row, 0, "x", 100);
        if (row < 2) {
            struct mr_trial *y = add(row, 0, "y", 100);
            if (row == 1) {
                y->outcome = MR_TRIAL_WRONG;
            }
        }
    }
    struct mr_estimates estimates;
    assert_int_equal(mr_estimates_init(&estimates, &matrix, &table), 0);
    const struct mr_cell_estimate *cell = &estimates.cells[0];
    assert_non_null(cell->entries[1].wrong);
    assert_null(cell->entries[0].wrong);
    assert_int_equal(cell->rows_counted, ROWS); // they count for who is left
    assert_int_equal(cell->entries[0].counted, ROWS);
    assert_int_equal(cell->comparisons[0].paired.pairs_count, 1);
    mr_estimates_fini(&estimates);
}

// A trial that did nothing is the slowest, not missing: otherwise the worst trials would be
// selected away.
static void test_nothing_done_counts(void **state)
{
    (void)state;
    reset("records_per_s");
    for (uint64_t row = 0; row < ROWS; row++) {
        (void)add(row, 0, "x", row < 4 ? 0 : 300);
        (void)add(row, 0, "y", 100);
    }
    struct mr_estimates estimates;
    assert_int_equal(mr_estimates_init(&estimates, &matrix, &table), 0);
    assert_int_equal(estimates.cells[0].comparisons[0].paired.pairs_count, ROWS);
    assert_true(estimates.cells[0].comparisons[0].paired.ratio < 0.001);
    mr_estimates_fini(&estimates);
}

static void test_a_row_of_wrong_ones_does_not_count(void **state)
{
    (void)state;
    reset("records_per_s");
    add(0, 0, "x", 0)->outcome = MR_TRIAL_WRONG;
    add(0, 0, "y", 0)->outcome = MR_TRIAL_WRONG;
    struct mr_estimates estimates;
    assert_int_equal(mr_estimates_init(&estimates, &matrix, &table), 0);
    assert_int_equal(estimates.cells[0].rows_counted, 0);
    mr_estimates_fini(&estimates);
}

static void test_no_pairs(void **state)
{
    (void)state;
    reset("records_per_s");
    struct mr_estimates estimates;
    assert_int_equal(mr_estimates_init(&estimates, &matrix, &table), 0);
    assert_false(estimates.cells[0].comparisons[0].estimated);
    assert_int_equal(estimates.cells[0].rows_counted, 0);
    mr_estimates_fini(&estimates);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_twice_as_fast),
        cmocka_unit_test(test_lower_is_better),
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_repeated_row),
        cmocka_unit_test(test_excluded_or_cut_off_rows_do_not_count),
        cmocka_unit_test(test_wrong_contestant),
        cmocka_unit_test(test_nothing_done_counts),
        cmocka_unit_test(test_a_row_of_wrong_ones_does_not_count),
        cmocka_unit_test(test_no_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
