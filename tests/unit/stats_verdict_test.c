// stats_verdict_test.c: verdicts on every side of the margin, Holm's levels, the twins' noise
// floor.
#include <stats/verdict.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static const struct mr_verdict_rules higher = {.better = MR_BETTER_HIGHER, .margin = 0.03};
static const struct mr_verdict_rules lower = {.better = MR_BETTER_LOWER, .margin = 0.03};

static struct mr_judgement judge(double ratio_low, double ratio_high,
                                 const struct mr_verdict_rules *rules)
{
    struct mr_interval logs = {.low = log(ratio_low), .high = log(ratio_high), .known = true};
    return mr_judge(&logs, (logs.low + logs.high) / 2, rules);
}

// One row: an interval of ratios, what is said of A where more is better, and the mirrored word.
struct row {
    double low;
    double high;
    enum mr_verdict verdict;
    enum mr_verdict mirrored;
    int side;
    bool consistently;
};

static const struct row rows[] = {
    {1.04, 1.10, MR_VERDICT_FASTER, MR_VERDICT_SLOWER, 1, false},
    {1.0301, 1.5, MR_VERDICT_FASTER, MR_VERDICT_SLOWER, 1, false},
    {1.0299, 1.5, MR_VERDICT_FASTER_SIZE_OPEN, MR_VERDICT_SLOWER_SIZE_OPEN, 1, false},
    {1.0001, 1.0301, MR_VERDICT_FASTER_SIZE_OPEN, MR_VERDICT_SLOWER_SIZE_OPEN, 1, false},
    {1.0001, 1.0299, MR_VERDICT_SAME, MR_VERDICT_SAME, 1, true},
    {0.99, 1.01, MR_VERDICT_SAME, MR_VERDICT_SAME, 0, false},
    {1.0, 1.01, MR_VERDICT_SAME, MR_VERDICT_SAME, 0, false},
    {1.0, 1.0, MR_VERDICT_SAME, MR_VERDICT_SAME, 0, false},
    {0.99, 1.05, MR_VERDICT_NOT_RESOLVED, MR_VERDICT_NOT_RESOLVED, 0, false},
    {1.0, 1.05, MR_VERDICT_NOT_RESOLVED, MR_VERDICT_NOT_RESOLVED, 0, false},
    {0.90, 1.05, MR_VERDICT_NOT_RESOLVED, MR_VERDICT_NOT_RESOLVED, 0, false},
    {0.971, 0.999, MR_VERDICT_SAME, MR_VERDICT_SAME, -1, true},
    {0.970, 0.999, MR_VERDICT_SLOWER_SIZE_OPEN, MR_VERDICT_FASTER_SIZE_OPEN, -1, false},
    {0.5, 0.970, MR_VERDICT_SLOWER, MR_VERDICT_FASTER, -1, false},
    {0.5, 0.971, MR_VERDICT_SLOWER_SIZE_OPEN, MR_VERDICT_FASTER_SIZE_OPEN, -1, false},
};

// Where less is better the same interval says the opposite; so does the inverted interval.
static void test_rule_13(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        struct mr_judgement straight = judge(row->low, row->high, &higher);
        assert_int_equal(straight.verdict, row->verdict);
        assert_int_equal(straight.side, row->side);
        assert_int_equal(straight.consistently, row->consistently);
        struct mr_judgement turned = judge(row->low, row->high, &lower);
        assert_int_equal(turned.verdict, row->mirrored);
        assert_int_equal(turned.side, -row->side);
        assert_int_equal(turned.consistently, row->consistently);
        struct mr_judgement swapped = judge(1 / row->high, 1 / row->low, &higher);
        assert_int_equal(swapped.verdict, row->mirrored);
    }
}

// An end that lies on the margin itself gives the weaker verdict.
static void test_on_the_margin(void **state)
{
    (void)state;
    double margin = log1p(0.03);
    struct mr_interval logs = {.low = margin, .high = 1, .known = true};
    assert_int_equal(mr_judge(&logs, 0.5, &higher).verdict, MR_VERDICT_FASTER_SIZE_OPEN);
    logs = (struct mr_interval){.low = -0.001, .high = margin, .known = true};
    assert_int_equal(mr_judge(&logs, 0.01, &higher).verdict, MR_VERDICT_NOT_RESOLVED);
    logs = (struct mr_interval){.low = -margin, .high = 0.001, .known = true};
    assert_int_equal(mr_judge(&logs, -0.01, &higher).verdict, MR_VERDICT_NOT_RESOLVED);
}

static void test_no_interval(void **state)
{
    (void)state;
    struct mr_interval unknown = {.low = 5, .high = 6, .known = false};
    struct mr_judgement judgement = mr_judge(&unknown, 5.5, &higher);
    assert_int_equal(judgement.verdict, MR_VERDICT_NOT_RESOLVED);
    assert_int_equal(judgement.side, 0);
}

static void test_void_by_twins(void **state)
{
    (void)state;
    struct mr_verdict_rules rules = higher;
    rules.twins_differ = true;
    assert_int_equal(judge(2, 3, &rules).verdict, MR_VERDICT_VOID);
    assert_int_equal(judge(0.99, 1.01, &rules).verdict, MR_VERDICT_VOID);
    struct mr_interval unknown = {0};
    assert_int_equal(mr_judge(&unknown, 0, &rules).verdict, MR_VERDICT_VOID);
}

// A 4 % difference where only planted ones of 5 % and more were found is no claim.
static void test_smaller_than_the_controls(void **state)
{
    (void)state;
    struct mr_verdict_rules rules = higher;
    rules.smallest_found = 0.05;
    struct mr_judgement small = judge(1.035, 1.045, &rules);
    assert_int_equal(small.verdict, MR_VERDICT_NOT_RESOLVED);
    assert_true(small.below_control);
    small = judge(1.01, 1.02, &rules);
    assert_int_equal(small.verdict, MR_VERDICT_SAME);
    assert_false(small.consistently);
    assert_true(small.below_control);
    struct mr_judgement large = judge(1.05, 1.07, &rules);
    assert_int_equal(large.verdict, MR_VERDICT_FASTER);
    assert_false(large.below_control);
    assert_false(judge(0.99, 1.01, &rules).below_control);
    assert_int_equal(judge(0.90, 0.96, &rules).verdict, MR_VERDICT_SLOWER);
}

static void check_levels(const double *p_values, size_t count, const double *expected)
{
    double levels[MR_PRIMARY_MAX] = {0};
    mr_holm(p_values, count, 0.05, levels);
    for (size_t i = 0; i < count; i++) {
        assert_near(levels[i], expected[i], 1e-15);
    }
}

static void test_holm(void **state)
{
    (void)state;
    const double one[] = {0.9};
    const double one_level[] = {0.05};
    check_levels(one, 1, one_level);
    // Sorted: 0.001 ≤ 0.0125, 0.01 ≤ 0.0166…, 0.03 > 0.025: stop; 0.04 keeps 0.025 though below
    // 0.05.
    const double four[] = {0.03, 0.001, 0.04, 0.01};
    const double four_levels[] = {0.025, 0.0125, 0.025, 0.05 / 3};
    check_levels(four, 4, four_levels);
    // Nothing rejected: all at alpha / count.
    const double none[] = {0.02, 0.5, 1, 0.013};
    const double none_levels[] = {0.0125, 0.0125, 0.0125, 0.0125};
    check_levels(none, 4, none_levels);
    // All rejected, the last at alpha.
    const double all[] = {0.05, 0.01, 0.02};
    const double all_levels[] = {0.05, 0.05 / 3, 0.025};
    check_levels(all, 3, all_levels);
    // A level that is just reached counts.
    const double reached[] = {0.025, 0.04};
    const double reached_levels[] = {0.025, 0.05};
    check_levels(reached, 2, reached_levels);
    // Equal ones share the smaller level, whatever their places; the next one profits from both.
    const double tied[] = {0.0005, 0.04, 0.0005, 0.0005};
    const double tied_levels[] = {0.0125, 0.05, 0.0125, 0.0125};
    check_levels(tied, 4, tied_levels);
}

static void test_noise_floor(void **state)
{
    (void)state;
    struct mr_interval twins[] = {
        {.low = log(0.995), .high = log(1.004), .known = true},
        {.low = log(0.999), .high = log(1.0075), .known = true},
    };
    struct mr_noise noise = mr_noise_floor(twins, 2);
    assert_near(noise.floor, 0.0075, 1e-12);
    assert_false(noise.twins_differ);
    // A low bound may be the larger one: 1/0.98 − 1.
    twins[0].low = log(0.98);
    assert_near(mr_noise_floor(twins, 2).floor, 1 / 0.98 - 1, 1e-12);
    twins[1].low = log(1.0001);
    assert_true(mr_noise_floor(twins, 2).twins_differ);
    twins[1].known = false;
    noise = mr_noise_floor(twins, 2);
    assert_true(isinf(noise.floor));
    assert_false(noise.twins_differ);
    assert_true(isinf(mr_noise_floor(NULL, 0).floor));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule_13),
        cmocka_unit_test(test_on_the_margin),
        cmocka_unit_test(test_no_interval),
        cmocka_unit_test(test_void_by_twins),
        cmocka_unit_test(test_smaller_than_the_controls),
        cmocka_unit_test(test_holm),
        cmocka_unit_test(test_noise_floor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
