// stats_coverage_test.c: simulated campaigns with fixed seeds: intervals cover, errors stay below
// their level, and the stated power is the power found. Bounds are wide against the draws' own
// error.
#include <stats/paired.h>
#include <stats/robust.h>
#include <stats/verdict.h>

#include <base/rng.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define CAMPAIGNS 4000
#define PAIRS_MAX 24

static double uniform(struct mr_rng *rng)
{
    return ((double)(mr_rng_next(rng) >> 11) + 0.5) * 0x1p-53;
}

static double normal(struct mr_rng *rng)
{
    return sqrt(-2 * log(uniform(rng))) * cos(6.283185307179586 * uniform(rng));
}

// Noise of a shared machine: lopsided, one pair in eight twenty times as wild. Median 0: wild pairs
// leave both halves alike.
static double skewed(struct mr_rng *rng)
{
    double noise = -log(uniform(rng)) - 0.6931471805599453;
    return mr_rng_below(rng, 8) == 0 ? 20 * noise : noise;
}

static double coverage(size_t pairs, double alpha, double (*draw)(struct mr_rng *))
{
    struct mr_rng rng = mr_rng_seeded(2026 + pairs);
    size_t covered = 0;
    for (size_t i = 0; i < CAMPAIGNS; i++) {
        double logs[PAIRS_MAX];
        for (size_t j = 0; j < pairs; j++) {
            logs[j] = draw(&rng);
        }
        mr_sort(logs, pairs);
        struct mr_interval interval = mr_sign_interval(logs, pairs, alpha);
        covered += interval.low <= 0 && interval.high >= 0;
    }
    return (double)covered / CAMPAIGNS;
}

// The interval's confidence is exact for any noise: 96.14 % for 12 pairs, 95.86 % for 20, 99.37 %
// for 12 at a sixth of the level.
static void test_coverage(void **state)
{
    (void)state;
    double (*const draws[])(struct mr_rng *) = {normal, skewed};
    for (size_t i = 0; i < 2; i++) {
        assert_true(fabs(coverage(12, 0.05, draws[i]) - 0.96143) < 0.012);
        assert_true(fabs(coverage(20, 0.05, draws[i]) - 0.95861) < 0.012);
        assert_true(fabs(coverage(12, 0.05 / 6, draws[i]) - 0.99365) < 0.006);
    }
}

// Four comparisons without any difference: at least one false "differs" in at most 5 % of
// campaigns, where the undivided level would give about 14 %.
static void test_holm_keeps_the_family_level(void **state)
{
    (void)state;
    struct mr_rng rng = mr_rng_seeded(3);
    size_t wrong = 0;
    size_t wrong_undivided = 0;
    for (size_t i = 0; i < CAMPAIGNS; i++) {
        double p_values[MR_PRIMARY_MAX];
        double levels[MR_PRIMARY_MAX];
        for (size_t c = 0; c < MR_PRIMARY_MAX; c++) {
            double logs[14];
            for (size_t j = 0; j < 14; j++) {
                logs[j] = normal(&rng);
            }
            p_values[c] = mr_sign_p_value(logs, 14);
        }
        mr_holm(p_values, MR_PRIMARY_MAX, 0.05, levels);
        bool any = false;
        bool any_undivided = false;
        for (size_t c = 0; c < MR_PRIMARY_MAX; c++) {
            any |= p_values[c] <= levels[c];
            any_undivided |= p_values[c] <= 0.05;
        }
        wrong += any;
        wrong_undivided += any_undivided;
    }
    assert_true((double)wrong / CAMPAIGNS <= 0.05);
    assert_true((double)wrong / CAMPAIGNS >= 0.005);
    assert_true((double)wrong_undivided / CAMPAIGNS > 0.03);
}

// A true difference as large as what campaigns say they can resolve (their median) is found in
// about nine of ten; half of it is found far less often.
static void test_power(void **state)
{
    (void)state;
    static double stated[CAMPAIGNS];
    static double scratch[CAMPAIGNS];
    struct mr_rng rng = mr_rng_seeded(5);
    for (size_t i = 0; i < CAMPAIGNS; i++) {
        double logs[20];
        for (size_t j = 0; j < 20; j++) {
            logs[j] = 0.02 * normal(&rng);
        }
        stated[i] = mr_resolvable(logs, 20, 0.05, 0.9, scratch);
    }
    double resolvable = mr_median(stated, CAMPAIGNS, scratch);
    size_t found = 0;
    size_t found_half = 0;
    for (size_t i = 0; i < CAMPAIGNS; i++) {
        double logs[20];
        double half[20];
        for (size_t j = 0; j < 20; j++) {
            double noise = 0.02 * normal(&rng);
            logs[j] = resolvable + noise;
            half[j] = resolvable / 2 + noise;
        }
        found += mr_sign_p_value(logs, 20) <= 0.05;
        found_half += mr_sign_p_value(half, 20) <= 0.05;
    }
    assert_in_range(found, CAMPAIGNS * 85 / 100, CAMPAIGNS * 99 / 100);
    assert_in_range(found_half, CAMPAIGNS * 15 / 100, CAMPAIGNS * 70 / 100);
}

// No trend: the slope's interval holds 0 in 95 % of series, exact (20 points) or approximated (40).
static void test_slope_coverage(void **state)
{
    (void)state;
    struct mr_rng rng = mr_rng_seeded(9);
    const size_t counts[] = {20, 40};
    for (size_t c = 0; c < 2; c++) {
        size_t covered = 0;
        for (size_t i = 0; i < 1000; i++) {
            double x[40];
            double y[40];
            double scratch[780];
            for (size_t j = 0; j < counts[c]; j++) {
                x[j] = (double)j;
                y[j] = skewed(&rng);
            }
            struct mr_slope_params params = {
                .x = x, .y = y, .count = counts[c], .alpha = 0.05, .scratch = scratch};
            struct mr_slope slope = mr_theil_sen(&params);
            covered += slope.low <= 0 && slope.high >= 0;
        }
        assert_in_range(covered, 925, 980);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_holm_keeps_the_family_level),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_slope_coverage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
