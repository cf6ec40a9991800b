// stats_robust_test.c: binomial and normal probabilities, medians, spread, slopes, by known values.
#include <stats/binomial.h>
#include <stats/robust.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static void test_coin_is_exact(void **state)
{
    (void)state;
    assert_true(mr_coin_cdf(12, 0) == 1.0 / 4096);
    assert_true(mr_coin_cdf(12, 1) == 13.0 / 4096);
    assert_true(mr_coin_cdf(12, 2) == 79.0 / 4096);
    assert_true(mr_coin_cdf(12, 3) == 299.0 / 4096);
    assert_true(mr_coin_cdf(12, 11) == 4095.0 / 4096);
    assert_true(mr_coin_cdf(12, 12) == 1);
    assert_true(mr_coin_cdf(0, 0) == 1);
    // By symmetry; the sum runs through numbers of 49 bits.
    assert_true(mr_coin_cdf(49, 24) == 0.5);
    assert_near(mr_coin_cdf(1001, 500), 0.5, 1e-9);
    assert_near(mr_coin_cdf(999, 499), 0.5, 1e-12);
}

// By its definition, on both sides of where terms become logarithms.
static void test_coin_heads(void **state)
{
    (void)state;
    static const size_t trials[] = {0, 1, 5, 6, 12, 49, 50, 51, 999, 1000, 1001, 1500};
    static const double levels[] = {1.0 / 64, 79.0 / 4096, 0.025, 0.3, 0.6};
    for (size_t i = 0; i < sizeof trials / sizeof trials[0]; i++) {
        for (size_t k = 0; k < sizeof levels / sizeof levels[0]; k++) {
            size_t heads = mr_coin_heads(trials[i], levels[k]);
            assert_true(heads == 0 || heads <= trials[i]);
            assert_true(heads == 0 || mr_coin_cdf(trials[i], heads - 1) <= levels[k]);
            assert_true(heads == trials[i] || mr_coin_cdf(trials[i], heads) > levels[k]);
        }
    }
    assert_int_equal(mr_coin_heads(12, 79.0 / 4096), 3); // exactly at the level
}

static void test_binomial(void **state)
{
    (void)state;
    assert_near(mr_binomial_cdf(12, 4, 0.3), 0.7236554695299995, 1e-12);
    assert_near(mr_binomial_cdf(20, 5, 0.25), 0.6171726543871046, 1e-12);
    assert_true(mr_binomial_cdf(20, 20, 0.25) == 1);
    assert_true(mr_binomial_cdf(20, 3, 0) == 1);
    assert_true(mr_binomial_cdf(20, 3, 1) == 0);
    assert_near(mr_binomial_probability(12, 2, 0.9), 0.09565290556860401, 1e-12);
    assert_near(mr_binomial_probability(6, 0, 0.9), 1 - pow(0.9, 1.0 / 6), 1e-12);
    assert_near(mr_binomial_probability(20, 5, 0.9), 0.1658723827889236, 1e-12);
}

static void test_normal(void **state)
{
    (void)state;
    assert_near(mr_normal_cdf(0), 0.5, 1e-15);
    assert_near(mr_normal_cdf(1.959963984540054), 0.975, 1e-12);
    assert_near(mr_normal_quantile(0.975), 1.959963984540054, 1e-12);
    assert_near(mr_normal_quantile(0.5), 0, 1e-12);
    assert_near(mr_normal_quantile(0.1), -1.2815515655446004, 1e-12);
}

static void test_median(void **state)
{
    (void)state;
    double scratch[4];
    const double four[] = {9, 1, 4, 2};
    const double three[] = {-1, 8, 3};
    const double one[] = {5};
    assert_true(mr_median(four, 4, scratch) == 3);
    assert_true(four[0] == 9 && four[3] == 2);
    assert_true(mr_median(three, 3, scratch) == 3);
    assert_true(scratch[0] == -1 && scratch[2] == 8);
    assert_true(mr_median(one, 1, scratch) == 5);
}

// Median 3, deviations 2 1 0 1 97: their median is 1.
static void test_scale(void **state)
{
    (void)state;
    double scratch[5];
    const double values[] = {1, 2, 3, 4, 100};
    assert_near(mr_robust_scale(values, 5, scratch), 1.4826022185056018, 1e-15);
    assert_true(scratch[4] == 97);
}

// Critical values of Kendall's S at 5 % on two sides, as tables give them: n = 8: 18, 10: 23, 12:
// 30, that is at most (28 − 18)/2 = 5, 11, 18 inversions; the order is one more. 30 and above were
// worked out with exact integers.
static void test_slope_order(void **state)
{
    (void)state;
    assert_int_equal(mr_slope_order(4, 0.05), 0);
    assert_int_equal(mr_slope_order(5, 0.05), 1);
    assert_int_equal(mr_slope_order(6, 0.05), 2);
    assert_int_equal(mr_slope_order(8, 0.05), 6);
    assert_int_equal(mr_slope_order(10, 0.05), 12);
    assert_int_equal(mr_slope_order(12, 0.05), 19);
    assert_int_equal(mr_slope_order(30, 0.05), 163);
    assert_int_equal(mr_slope_order(10, 0.01), 9);
    assert_int_equal(mr_slope_order(31, 0.05), 175);
    assert_int_equal(mr_slope_order(40, 0.05), 306);
    // The normal approximation may be one too careful (exact: 732), never too bold.
    assert_int_equal(mr_slope_order(60, 0.05), 731);
    assert_int_equal(mr_slope_order(2, 0.05), 0);
}

// The ten slopes are 1 six times, 2.5, 3, 4, 7.
static void test_theil_sen(void **state)
{
    (void)state;
    double scratch[10];
    const double x[] = {0, 1, 2, 3, 4};
    const double y[] = {0, 1, 2, 3, 10};
    struct mr_slope_params params = {.x = x, .y = y, .count = 5, .alpha = 0.05, .scratch = scratch};
    struct mr_slope slope = mr_theil_sen(&params);
    assert_true(slope.slope == 1 && slope.low == 1 && slope.high == 7);
    params.count = 4;
    slope = mr_theil_sen(&params);
    assert_true(slope.slope == 1 && isinf(slope.low) && isinf(slope.high));
    assert_true(slope.low < 0 && slope.high > 0);
}

// Order 2 of 6 points: the second smallest and second largest of 15 slopes. y = x² has the slopes
// i + j for i < j: 1 2 3 3 4 4 5 5 5 6 6 7 7 8 9.
static void test_theil_sen_of_a_parabola(void **state)
{
    (void)state;
    double scratch[15];
    const double x[] = {0, 1, 2, 3, 4, 5};
    const double y[] = {0, 1, 4, 9, 16, 25};
    struct mr_slope_params params = {.x = x, .y = y, .count = 6, .alpha = 0.05, .scratch = scratch};
    struct mr_slope slope = mr_theil_sen(&params);
    assert_true(slope.slope == 5 && slope.low == 2 && slope.high == 8);
}

static void test_uneven_steps(void **state)
{
    (void)state;
    double scratch[3];
    const double x[] = {0, 2, 10};
    const double y[] = {0, 1, 9};
    struct mr_slope_params params = {.x = x, .y = y, .count = 3, .alpha = 0.05, .scratch = scratch};
    assert_true(mr_theil_sen(&params).slope == 0.9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coin_heads),
        cmocka_unit_test(test_coin_is_exact),
        cmocka_unit_test(test_binomial),
        cmocka_unit_test(test_normal),
        cmocka_unit_test(test_median),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_slope_order),
        cmocka_unit_test(test_theil_sen),
        cmocka_unit_test(test_theil_sen_of_a_parabola),
        cmocka_unit_test(test_uneven_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
