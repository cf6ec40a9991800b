// stats_change_test.c: changes between campaigns: by hand, and over simulated ones with fixed
// seeds: equal campaigns are called different at most as often as promised, on both sides alike.
#include <stats/change.h>
#include <stats/verdict.h>

#include <base/rng.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define COMPARISONS 4000
#define PAIRS       12

static void test_by_hand(void **state)
{
    (void)state;
    // Twelve values at 0.0253: the third and the tenth would be 3.9 %, so the second and eleventh.
    double before[PAIRS] = {12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    double after[PAIRS] = {112, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111};
    struct mr_change change = mr_change_estimate(before, PAIRS, after, PAIRS, 0.05);
    assert_true(change.logs.known);
    assert_true(fabs(change.log_ratio - 100) < 1e-12);
    assert_true(fabs(change.logs.low - (102 - 11)) < 1e-12);
    assert_true(fabs(change.logs.high - (111 - 2)) < 1e-12);
    change = mr_change_estimate(before, 6, after, PAIRS, 0.05);
    assert_false(change.logs.known); // six pairs hold no median at 97.5 %
}

// Noise of a shared machine: lopsided, one pair in eight ten times as wild; its median is 0.
static double draw(struct mr_rng *rng)
{
    double uniform = ((double)(mr_rng_next(rng) >> 11) + 0.5) * 0x1p-53;
    double noise = 0.02 * (-log(uniform) - 0.6931471805599453);
    return mr_rng_below(rng, 8) == 0 ? 10 * noise : noise;
}

// How many of COMPARISONS comparisons exclude "no change", below and above; `wider` times the noise
// and a shift of the new campaign.
static void compare(double wider, double shift, size_t *below_out, size_t *above_out,
                    size_t *slower_out)
{
    struct mr_rng rng = mr_rng_seeded(40);
    *below_out = *above_out = *slower_out = 0;
    for (size_t i = 0; i < COMPARISONS; i++) {
        double before[PAIRS];
        double after[PAIRS];
        for (size_t j = 0; j < PAIRS; j++) {
            before[j] = draw(&rng);
            after[j] = wider * draw(&rng) + shift;
        }
        struct mr_change change = mr_change_estimate(before, PAIRS, after, PAIRS, 0.05);
        struct mr_verdict_rules rules = {.better = MR_BETTER_HIGHER, .margin = MR_MARGIN};
        *below_out += change.logs.high < 0;
        *above_out += change.logs.low > 0;
        *slower_out +=
            mr_judge(&change.logs, change.log_ratio, &rules).verdict == MR_VERDICT_SLOWER;
    }
}

static void test_equal_campaigns(void **state)
{
    (void)state;
    size_t below;
    size_t above;
    size_t slower;
    compare(1, 0, &below, &above, &slower);
    assert_true(below + above <= COMPARISONS / 20);
    assert_true(below < 3 * above + 20 && above < 3 * below + 20);
    assert_true(slower <= COMPARISONS / 1000);
    compare(3, 0, &below, &above, &slower); // a noisier day is no change
    assert_true(below + above <= COMPARISONS / 20);
}

static void test_slower_is_found(void **state)
{
    (void)state;
    size_t below;
    size_t above;
    size_t slower;
    compare(1, -0.2, &below, &above, &slower);
    assert_true(above == 0);
    assert_true(slower > 9 * COMPARISONS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand),
                                       cmocka_unit_test(test_equal_campaigns),
                                       cmocka_unit_test(test_slower_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
