// campaign_stepped_figures_test.c: pauses and warm-up of a stepped trial, from passes by hand.
#include "stepped_figures.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct mr_trial_run run;
static struct mr_warm_passes warm;

static int make(void **state)
{
    (void)state;
    memset(&run, 0, sizeof run);
    memset(&warm, 0, sizeof warm);
    run.observation = mr_observation_unknown();
    run.doc = yyjson_mut_doc_new(NULL);
    run.details = yyjson_mut_obj(run.doc);
    return 0;
}

static int end(void **state)
{
    (void)state;
    yyjson_mut_doc_free(run.doc);
    return 0;
}

static void figures(const double *claimed_ns, const double *exec_ns, size_t count)
{
    const struct mr_stepped_passes passes = {
        .claimed_ns = claimed_ns, .exec_ns = exec_ns, .count = count};
    mr_stepped_figures(&run, &passes, &warm);
}

// A process that used more CPU time than its pass took (more threads, what is around the pass)
// paused for nothing, and makes up for no other pass.
static void test_pauses(void **state)
{
    (void)state;
    static const double claimed_ns[] = {1000, 1000, 2000};
    static const double exec_ns[] = {1100, 980, 1970};
    figures(claimed_ns, exec_ns, 3);
    assert_true(fabs(run.observation.pause_share - 50.0 / 4000) < 1e-12);
    assert_true(run.observation.pause_longest_ns == 30);
    assert_true(yyjson_mut_get_real(yyjson_mut_obj_get(run.details, "paused_ns")) == 50);
    assert_int_equal(yyjson_mut_arr_size(yyjson_mut_obj_get(run.details, "pass_ns")), 3);
}

static void test_clock_not_readable(void **state)
{
    (void)state;
    static const double claimed_ns[] = {1000, 1000};
    static const double exec_ns[] = {NAN, 1000};
    figures(claimed_ns, exec_ns, 2);
    assert_true(isnan(run.observation.pause_share) && isnan(run.observation.pause_longest_ns));
    assert_true(yyjson_mut_is_null(yyjson_mut_obj_get(run.details, "paused_ns")));
    yyjson_mut_val *used = yyjson_mut_obj_get(run.details, "pass_exec_ns");
    assert_true(yyjson_mut_is_null(yyjson_mut_arr_get(used, 0)));
}

// Slow at first is what a warm-up is for; the second half must be flat, and have ten passes.
static void test_warmup(void **state)
{
    (void)state;
    for (size_t i = 0; i < 9; i++) {
        mr_warm_passes_add(&warm, 5000 - 100 * (double)i);
    }
    for (size_t i = 0; i < 9; i++) {
        mr_warm_passes_add(&warm, 1000);
    }
    figures(NULL, NULL, 0);
    assert_true(isnan(run.observation.warmup_slope)); // nine
    mr_warm_passes_add(&warm, 1000);
    figures(NULL, NULL, 0);
    assert_true(isfinite(run.observation.warmup_slope) && run.observation.warmup_slope_low <= 0);
    // Faster and faster to the end: 1e9/ns from 100 to 119, median 109.5, over 20 points.
    memset(&warm, 0, sizeof warm);
    for (size_t i = 0; i < 40; i++) {
        mr_warm_passes_add(&warm, 1e9 / (80 + (double)i));
    }
    figures(NULL, NULL, 0);
    assert_true(fabs(run.observation.warmup_slope - 20 / 109.5) < 1e-9);
    assert_true(run.observation.warmup_slope_low > 0.03);
}

// Of a long warm-up the last passes are kept.
static void test_long_warmup(void **state)
{
    (void)state;
    for (size_t i = 0; i < 1000; i++) {
        mr_warm_passes_add(&warm, i < 790 ? 9000 - (double)i : 1000);
    }
    figures(NULL, NULL, 0);
    assert_true(run.observation.warmup_slope == 0);
    assert_true(run.observation.warmup_slope_high < 0.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_pauses, make, end),
        cmocka_unit_test_setup_teardown(test_clock_not_readable, make, end),
        cmocka_unit_test_setup_teardown(test_warmup, make, end),
        cmocka_unit_test_setup_teardown(test_long_warmup, make, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
