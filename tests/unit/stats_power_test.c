// stats_power_test.c: chances, powers and numbers of pairs against values worked out by hand.
#include <stats/paired.h>
#include <stats/power.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

// 40 values ±1 … ±20 around 5: 4 of 40 deviate by 19 or more.
static void test_wrong_side_is_counted(void **state)
{
    (void)state;
    double logs[40];
    double scratch[40];
    for (int i = 0; i < 20; i++) {
        logs[i] = 5 + (i + 1);
        logs[i + 20] = 5 - (i + 1);
    }
    assert_near(mr_wrong_side(logs, 40, 19, scratch), 4.5 / 40 / 2, 1e-15);
    assert_near(mr_wrong_side(logs, 40, 1e-9, scratch), 0.5, 1e-15);
    assert_near(mr_wrong_side(logs, 40, 100, scratch), 0.5 / 40 / 2, 1e-15);
}

// Of 10 values none deviates by 2 scales: the normal tail says more, 2.275 %.
static void test_few_values(void **state)
{
    (void)state;
    double logs[10];
    double scratch[10];
    for (int i = 0; i < 5; i++) {
        logs[i] = 1;
        logs[i + 5] = -1;
    }
    double scale = 1.4826022185056018;
    assert_near(mr_wrong_side(logs, 10, 2 * scale, scratch), fmax(0.025, 0.02275), 1e-4);
    assert_near(mr_wrong_side(logs, 10, 1.5 * scale, scratch), 0.0668072, 1e-6);
    const double same[] = {3, 3, 3, 3};
    assert_near(mr_wrong_side(same, 4, 0.02, scratch), 0.0625, 1e-15);
}

// 6 pairs must all be on one side: 0.9^6. 12 pairs: at most 2 wrong: 0.889130.
static void test_power(void **state)
{
    (void)state;
    assert_near(mr_power(6, 0.1, 0.05), 0.531441, 1e-9);
    assert_near(mr_power(12, 0.1, 0.05), 0.8891300222, 1e-9);
    assert_true(mr_power(5, 0.1, 0.05) == 0);
    assert_near(mr_power(12, 0, 0.05), 1, 1e-15);
    // No difference at all: half of what the interval leaves out, on the one side asked for.
    assert_near(mr_power(12, 0.5, 0.05), 79.0 / 4096, 1e-12);
}

static void test_pairs(void **state)
{
    (void)state;
    assert_int_equal(mr_pairs_for(0, 0.05, 0.9, 1), 6);
    assert_int_equal(mr_pairs_for(0.01, 0.05, 0.9, 1), 6);
    assert_int_equal(mr_pairs_for(0, 0.05 / 6, 0.9, 1), 8);
    assert_int_equal(mr_pairs_for(0, 0.05, 0.9, 4), 8);
    assert_int_equal(mr_pairs_for(0.5, 0.05, 0.9, 1), 0);
    for (int i = 1; i < 40; i++) {
        double wrong_side = 0.01 * i;
        size_t pairs = mr_pairs_for(wrong_side, 0.05, 0.9, 2);
        assert_true(pairs % 2 == 0 && mr_power(pairs, wrong_side, 0.05) >= 0.9);
        assert_true(pairs < 8 || mr_power(pairs - 2, wrong_side, 0.05) < 0.9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_side_is_counted),
        cmocka_unit_test(test_few_values),
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
