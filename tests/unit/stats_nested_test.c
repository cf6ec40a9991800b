// stats_nested_test.c: the split of a spread over three levels, by hand and from known variances.
#include <stats/nested.h>

#include <base/rng.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void expect(double value, double wanted)
{
    assert_true(fabs(value - wanted) < 1e-12);
}

static void test_by_hand(void **state)
{
    (void)state;
    // Two groups of two trials. Within: deviations −1, 0, 1 everywhere: 8 / 8 = 1. Means 2, 4 | 8,
    // 10: trials 3 · 4 · 1 / 2 = 6, so (6 − 1) / 3; groups 3 · 2 · (9 + 9) / 1 = 108, so (108 − 6)
    // / 6.
    static const double values[][MR_NESTED_PARTS] = {{1, 2, 3}, {3, 4, 5}, {7, 8, 9}, {9, 10, 11}};
    static const size_t group[] = {0, 0, 1, 1};
    struct mr_nested_params params = {.values = values, .group = group, .count = 4, .groups = 2};
    struct mr_nested split = mr_nested_split(&params);
    expect(split.within, 1);
    expect(split.trials, 5.0 / 3);
    expect(split.groups, 17);
    assert_int_equal(split.grouped, 2);
    // Three trials: sizes 2 and 1, n0 = (3 − 5 / 3) / 1 = 4 / 3. Means 2, 4 | 8, all 14 / 3.
    // Groups 3 · (2 · (5/3)² + (10/3)²) = 50; trials 3 · 2 · 1 / 1 = 6; (50 − 6) / (3 · 4 / 3)
    // = 11.
    params.count = 3;
    split = mr_nested_split(&params);
    expect(split.groups, 11);
}

// A level that explains nothing is 0, one that cannot be told NAN.
static void test_edges(void **state)
{
    (void)state;
    static const double values[][MR_NESTED_PARTS] = {{1, 5, 9}, {9, 5, 1}, {5, 1, 9}};
    static const size_t one_group[] = {0, 0, 0};
    static const size_t apart[] = {0, 1, 3};
    struct mr_nested_params params = {
        .values = values, .group = one_group, .count = 3, .groups = 1};
    struct mr_nested split = mr_nested_split(&params);
    expect(split.within, 16);
    expect(split.trials, 0);
    assert_true(isnan(split.groups));
    params.group = apart;
    params.groups = 4;
    split = mr_nested_split(&params);
    assert_true(isnan(split.trials) && isnan(split.groups));
    assert_int_equal(split.grouped, 3);
    params.count = 0;
    split = mr_nested_split(&params);
    assert_true(isnan(split.within));
}

// A sum of twelve uniform draws: variance 1.
static double noise(struct mr_rng *rng)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        sum += (double)mr_rng_below(rng, 1u << 30) / (1u << 30);
    }
    return sum;
}

#define GROUPS 60
#define TRIALS 40

// Known standard deviations come out again: 1 within, 2 between trials, 3 between groups.
static void test_known_variances(void **state)
{
    (void)state;
    static double values[GROUPS * TRIALS][MR_NESTED_PARTS];
    static size_t group[GROUPS * TRIALS];
    struct mr_rng rng = mr_rng_seeded(11);
    for (size_t g = 0; g < GROUPS; g++) {
        double of_group = 3 * noise(&rng);
        for (size_t t = 0; t < TRIALS; t++) {
            double of_trial = 2 * noise(&rng);
            group[g * TRIALS + t] = g;
            for (size_t k = 0; k < MR_NESTED_PARTS; k++) {
                values[g * TRIALS + t][k] = of_group + of_trial + noise(&rng);
            }
        }
    }
    const struct mr_nested_params params = {.values = (const double(*)[MR_NESTED_PARTS])values,
                                            .group = group,
                                            .count = (size_t)GROUPS * TRIALS,
                                            .groups = GROUPS};
    struct mr_nested split = mr_nested_split(&params);
    assert_true(fabs(split.within - 1) < 0.1);
    assert_true(fabs(split.trials - 4) < 0.4);
    assert_true(fabs(split.groups - 9) < 3.5); // 60 groups: its own spread is a fifth of it
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_known_variances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
