// stats_paired_test.c: order statistics, p-values and estimates of pairs against values worked out
// by hand.
#include <stats/paired.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static void check_order(size_t pairs, size_t comparisons, size_t low, size_t high)
{
    size_t order = mr_sign_order(pairs, 0.05 / (double)comparisons);
    assert_int_equal(order, low);
    assert_int_equal(pairs + 1 - order, high);
}

// The table of published order statistics: pairs by number of comparisons.
static void test_order_table(void **state)
{
    (void)state;
    check_order(12, 1, 3, 10);
    check_order(15, 1, 4, 12);
    check_order(20, 1, 6, 15);
    check_order(30, 1, 10, 21);
    check_order(12, 6, 2, 11);
    check_order(15, 6, 3, 13);
    check_order(20, 6, 4, 17);
    check_order(30, 6, 8, 23);
    check_order(12, 21, 1, 12);
    check_order(15, 21, 2, 14);
    check_order(20, 21, 3, 18);
    check_order(30, 21, 7, 24);
}

static void test_too_few_pairs(void **state)
{
    (void)state;
    assert_int_equal(mr_sign_order(0, 0.05), 0);
    assert_int_equal(mr_sign_order(1, 0.05), 0);
    assert_int_equal(mr_sign_order(5, 0.05), 0);
    assert_int_equal(mr_sign_order(6, 0.05), 1);
    // 2 · 2^-5 is exactly 1/16: a level that is just reached counts.
    assert_int_equal(mr_sign_order(5, 0.0625), 1);
    assert_int_equal(mr_sign_order(5, nextafter(0.0625, 0)), 0);
    assert_int_equal(mr_sign_order(7, 0.05 / 6), 0);
    assert_int_equal(mr_sign_order(8, 0.05 / 6), 1);
    const double five[] = {1, 2, 3, 4, 5};
    assert_false(mr_sign_interval(five, 5, 0.05).known);
}

static void test_confidence(void **state)
{
    (void)state;
    assert_true(mr_sign_confidence(12, 3) == 1 - 158.0 / 4096);
    assert_true(mr_sign_confidence(6, 1) == 1 - 2.0 / 64);
    for (size_t pairs = 6; pairs < 200; pairs++) {
        size_t order = mr_sign_order(pairs, 0.05);
        assert_true(mr_sign_confidence(pairs, order) >= 0.95);
        assert_true(mr_sign_confidence(pairs, order + 1) < 0.95);
    }
}

static void test_pairs_needed(void **state)
{
    (void)state;
    assert_int_equal(mr_pairs_needed(1, 0.05), 6);
    assert_int_equal(mr_pairs_needed(2, 0.05), 7);
    assert_int_equal(mr_pairs_needed(4, 0.05), 8);
    assert_int_equal(mr_pairs_needed(6, 0.05), 8);
    assert_int_equal(mr_pairs_needed(10, 0.05), 9);
    assert_int_equal(mr_pairs_needed(21, 0.05), 10);
    assert_int_equal(mr_pairs_needed(1, 0.0625), 5);
    for (size_t comparisons = 1; comparisons < 100; comparisons++) {
        size_t needed = mr_pairs_needed(comparisons, 0.05);
        assert_int_equal(needed, (size_t)ceil(1 + log2((double)comparisons / 0.05)));
        assert_true(mr_sign_order(needed, 0.05 / (double)comparisons) >= 1);
        assert_int_equal(mr_sign_order(needed - 1, 0.05 / (double)comparisons), 0);
    }
}

// 2 of 12 on the smaller side: 2 · 79/4096. A tie counts there too; nothing but ties is p = 1.
static void test_p_value(void **state)
{
    (void)state;
    const double ten_above[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1, -2};
    const double with_tie[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, -1, 0};
    const double below[] = {-1, -2, -3, -4, -5, -6};
    const double ties[] = {0, 0, 0, 0, 0, 0};
    const double half[] = {1, -1, 2, -2};
    assert_true(mr_sign_p_value(ten_above, 12) == 158.0 / 4096);
    assert_true(mr_sign_p_value(with_tie, 12) == 158.0 / 4096);
    assert_true(mr_sign_p_value(below, 6) == 2.0 / 64);
    assert_true(mr_sign_p_value(ties, 6) == 1);
    assert_true(mr_sign_p_value(half, 4) == 1);
}

// The interval excludes 0 exactly where the p-value is at most alpha, for every split of 16 signs
// and ties, at each level that Holm may hand down.
static void test_p_value_and_interval_agree(void **state)
{
    (void)state;
    const double alphas[] = {0.05, 0.025, 0.05 / 3, 0.0125, 0.05 / 21};
    for (size_t below = 0; below <= 16; below++) {
        for (size_t ties = 0; below + ties <= 16; ties++) {
            double sorted[16];
            for (size_t i = 0; i < 16; i++) {
                sorted[i] = i < below ? -1 : i < below + ties ? 0 : 1;
            }
            double p_value = mr_sign_p_value(sorted, 16);
            for (size_t a = 0; a < sizeof alphas / sizeof alphas[0]; a++) {
                struct mr_interval interval = mr_sign_interval(sorted, 16, alphas[a]);
                bool excluded = interval.known && (interval.low > 0 || interval.high < 0);
                assert_int_equal(excluded, p_value <= alphas[a]);
            }
        }
    }
}

// a/b = 1.01 … 1.12 in a mixed order; b differs from pair to pair and must cancel.
static const double mixed_ratio[12] = {1.07, 1.01, 1.12, 1.03, 1.10, 1.05,
                                       1.02, 1.09, 1.06, 1.11, 1.04, 1.08};

static void test_estimate(void **state)
{
    (void)state;
    double a[12];
    double b[12];
    double scratch[24];
    for (size_t i = 0; i < 12; i++) {
        b[i] = 100 + 37 * (double)(i % 5);
        a[i] = b[i] * mixed_ratio[i];
    }
    struct mr_paired_params params = {
        .a = a, .b = b, .count = 12, .alpha = 0.05, .scratch = scratch};
    struct mr_paired result;
    size_t place = 99;
    assert_int_equal(mr_paired_estimate(&params, &result, &place), MR_PAIRED_OK);
    assert_int_equal(place, 99);
    assert_int_equal(result.pairs_count, 12);
    assert_int_equal(result.ties_count, 0);
    assert_int_equal(result.order, 3);
    assert_near(result.ratio, sqrt(1.06 * 1.07), 1e-12);
    assert_near(result.ratio_low, 1.03, 1e-12);
    assert_near(result.ratio_high, 1.10, 1e-12);
    assert_true(result.confidence == 1 - 158.0 / 4096);
    assert_true(result.p_value == 2.0 / 4096);
    assert_near(scratch[0], log(1.01), 1e-12);
    assert_near(scratch[11], log(1.12), 1e-12);
    assert_near(a[0], 107, 1e-9);
}

// Pairs (1, 2), (10, 5), (3, 1): ratios ½, 2, 3: median 2; median(a) 3, median(b) 2.
static void test_quotient_of_medians(void **state)
{
    (void)state;
    const double a[] = {1, 10, 3};
    const double b[] = {2, 5, 1};
    double scratch[6];
    struct mr_paired_params params = {
        .a = a, .b = b, .count = 3, .alpha = 0.05, .scratch = scratch};
    struct mr_paired result;
    size_t place;
    assert_int_equal(mr_paired_estimate(&params, &result, &place), MR_PAIRED_OK);
    assert_near(result.ratio, 2, 1e-15);
    assert_near(result.quotient_of_medians, 1.5, 1e-15);
    assert_false(result.logs.known);
    assert_int_equal(result.order, 0);
    assert_true(result.confidence == 0);
    assert_true(result.ratio_low == 0 && isinf(result.ratio_high));
    assert_true(isinf(result.resolvable_difference));
}

static void test_ties(void **state)
{
    (void)state;
    const double a[] = {3, 5, 7, 11, 13, 18};
    const double b[] = {3, 5, 7, 11, 13, 17};
    double scratch[12];
    struct mr_paired_params params = {
        .a = a, .b = b, .count = 6, .alpha = 0.05, .scratch = scratch};
    struct mr_paired result;
    size_t place;
    assert_int_equal(mr_paired_estimate(&params, &result, &place), MR_PAIRED_OK);
    assert_int_equal(result.ties_count, 5);
    assert_true(result.ratio == 1 && result.logs.low == 0 && result.logs.high > 0);
    assert_true(result.p_value == 1);
}

static void test_bad_values(void **state)
{
    (void)state;
    const double bad[] = {0, -1, (double)NAN, (double)INFINITY};
    double scratch[6];
    struct mr_paired result;
    size_t place = 99;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const double mixed[] = {1, 2, bad[i]};
        const double good[] = {1, 2, 3};
        struct mr_paired_params params = {
            .a = mixed, .b = good, .count = 3, .alpha = 0.05, .scratch = scratch};
        place = 99;
        assert_int_equal(mr_paired_estimate(&params, &result, &place), MR_PAIRED_NOT_POSITIVE);
        assert_int_equal(place, 2);
        params.a = good;
        params.b = mixed;
        place = 99;
        assert_int_equal(mr_paired_estimate(&params, &result, &place), MR_PAIRED_NOT_POSITIVE);
        assert_int_equal(place, 2);
    }
    struct mr_paired_params none = {.alpha = 0.05, .scratch = scratch};
    assert_int_equal(mr_paired_estimate(&none, &result, &place), MR_PAIRED_NO_PAIRS);
}

// n = 12, k = 3: q = 0.0956529, so that the rank is ⌈0.8086942 · 13⌉ = 11 and the normal quantile
// 1.3067259. Centred values ±1 … ±6 have the absolute deviations 1 1 2 2 … 6 6: the 11th is 6,
// their median 3.5, by normal 1.3067259 · 1.4826022 · 3.5 = 6.78074.
static void test_resolvable(void **state)
{
    (void)state;
    double scratch[12];
    double logs[12];
    for (size_t i = 0; i < 6; i++) {
        logs[i] = 100 - (double)(i + 1);
        logs[i + 6] = 100 + (double)(i + 1);
    }
    assert_near(mr_resolvable(logs, 12, 0.05, 0.9, scratch), 6.7807416, 1e-6);
    // One tail wild: the order statistic takes over: rank 11 is the smaller of the two wild ones.
    logs[5] = 100 - 40;
    logs[11] = 100 + 50;
    assert_near(mr_resolvable(logs, 12, 0.05, 0.9, scratch), 40, 1e-9);
    // Fewer errors allowed, larger differences only.
    assert_true(mr_resolvable(logs, 12, 0.05 / 6, 0.9, scratch) >= 40);
    assert_true(isinf(mr_resolvable(logs, 5, 0.05, 0.9, scratch)));
    for (size_t i = 0; i < 12; i++) {
        logs[i] = 0.25;
    }
    assert_true(mr_resolvable(logs, 12, 0.05, 0.9, scratch) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_table), cmocka_unit_test(test_too_few_pairs),
        cmocka_unit_test(test_confidence),  cmocka_unit_test(test_pairs_needed),
        cmocka_unit_test(test_p_value),     cmocka_unit_test(test_p_value_and_interval_agree),
        cmocka_unit_test(test_estimate),    cmocka_unit_test(test_quotient_of_medians),
        cmocka_unit_test(test_ties),        cmocka_unit_test(test_bad_values),
        cmocka_unit_test(test_resolvable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
