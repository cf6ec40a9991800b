// campaign_exclusions_test.c: who lost how many trials, and the estimate as if none had been
// excluded; what was cut short is nobody's loss.
#include "results_exclusions.h"
#include "trial_run.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#define ROWS 8

static struct mr_trial trials[128];
static struct mr_json_file files[128];
static struct mr_trial_table table;
static const struct mr_cell cell = {.name = "c",
                                    .metric = "records_per_s",
                                    .rows = ROWS,
                                    .entries = {"x", "y"},
                                    .entries_count = 2};
static const struct mr_comparison comparison = {.a = 0, .b = 1};
static yyjson_mut_doc *doc;
static yyjson_mut_val *one;

static void reset(void)
{
    table = (struct mr_trial_table){.trials = trials, .files = files, .count = 0};
}

static struct mr_trial *add(uint64_t row, uint64_t attempt, const char *entry, double value)
{
    struct mr_trial *trial = &trials[table.count];
    *trial = (struct mr_trial){
        .number = ++table.count, .cell = "c", .row = row, .attempt = attempt, .entry = entry};
    mr_trial_metric(trial, (struct mr_metric){"records_per_s", "records/s", true, value});
    return trial;
}

static void conclude(void)
{
    doc = yyjson_mut_doc_new(NULL);
    one = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, one);
    assert_int_equal(mr_results_exclusions(doc, one, &table, &cell, &comparison, 0.05), 0);
}

static double at(const char *pointer)
{
    return yyjson_mut_get_num(yyjson_mut_ptr_get(one, pointer));
}

static bool is_uneven(void)
{
    return yyjson_mut_is_true(yyjson_mut_ptr_get(one, "/exclusions/uneven"));
}

static void test_nothing_lost(void **state)
{
    (void)state;
    reset();
    for (uint64_t row = 0; row < ROWS; row++) {
        (void)add(row, 0, "x", 200);
        (void)add(row, 0, "y", 100);
    }
    conclude();
    assert_int_equal((int)at("/exclusions/a/lost"), 0);
    assert_int_equal((int)at("/exclusions/a/trials"), ROWS);
    assert_true(at("/exclusions/p_value") == 1);
    assert_false(is_uneven());
    assert_int_equal((int)at("/exclusions/without/pairs"), ROWS);
    assert_true(fabs(at("/exclusions/without/ratio") - 2) < 1e-12);
    yyjson_mut_doc_free(doc);
}

// y loses `lost` trials, each with a ratio of 4 where all others have 2.
static void lose(unsigned lost)
{
    reset();
    for (uint64_t row = 0; row < ROWS; row++) {
        bool again = row < lost;
        if (again) {
            (void)add(row, 0, "x", 400);
            add(row, 0, "y", 100)->outcome = MR_TRIAL_EXCLUDED;
        }
        (void)add(row, again, "x", 200);
        (void)add(row, again, "y", 100);
    }
    conclude();
}

static void test_one_side_loses(void **state)
{
    (void)state;
    lose(3); // 0 of 11 and 3 of 11: p = 0.214
    assert_int_equal((int)at("/exclusions/a/lost"), 0);
    assert_int_equal((int)at("/exclusions/b/lost"), 3);
    assert_int_equal((int)at("/exclusions/b/trials"), ROWS + 3);
    assert_false(is_uneven());
    assert_int_equal((int)at("/exclusions/without/pairs"), ROWS + 3);
    yyjson_mut_doc_free(doc);
    lose(7); // 0 of 15 and 7 of 15
    assert_true(is_uneven());
    assert_true(at("/exclusions/p_value") < 0.01);
    // 7 pairs of 4 and 8 of 2: the median is still 2.
    assert_true(fabs(at("/exclusions/without/ratio") - 2) < 1e-12);
    assert_true(at("/exclusions/without/ratio_high") > 3.9);
    yyjson_mut_doc_free(doc);
}

// An attempt that a signal or a kill cut short leaves trials that count for nothing here.
static void test_cut_short(void **state)
{
    (void)state;
    lose(3);
    double p_value = at("/exclusions/p_value");
    yyjson_mut_doc_free(doc);
    struct mr_trial *trial = add(5, 1, "x", 900);
    trial->outcome = MR_TRIAL_EXCLUDED;
    (void)snprintf(trial->reason, sizeof trial->reason, "%s", MR_TRIAL_INTERRUPTED);
    (void)add(6, 1, "y", 1); // killed before x ran
    conclude();
    assert_int_equal((int)at("/exclusions/a/trials"), ROWS + 3);
    assert_int_equal((int)at("/exclusions/b/trials"), ROWS + 3);
    assert_true(at("/exclusions/p_value") == p_value);
    assert_int_equal((int)at("/exclusions/without/pairs"), ROWS + 3);
    yyjson_mut_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_lost),
        cmocka_unit_test(test_one_side_loses),
        cmocka_unit_test(test_cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
