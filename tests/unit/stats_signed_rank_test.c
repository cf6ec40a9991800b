// stats_signed_rank_test.c: Hodges-Lehmann estimates and their intervals against published tables,
// values worked out by hand, and enumeration of every choice of signs.
#include <stats/signed_rank.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static double scratch[250 * 251 / 2];

// Critical values of T for a two-sided test at 5 % and 1 %, as textbooks print them: n, T(0.05),
// T(0.01); −1: none. The interval begins one Walsh average further in.
static const int published[][3] = {
    {5, -1, -1},  {6, 0, -1},   {7, 2, -1},   {8, 3, 0},    {9, 5, 1},    {10, 8, 3},
    {11, 10, 5},  {12, 13, 7},  {13, 17, 9},  {14, 21, 12}, {15, 25, 15}, {16, 29, 19},
    {17, 34, 23}, {18, 40, 27}, {19, 46, 32}, {20, 52, 37}, {21, 58, 42}, {22, 65, 48},
    {23, 73, 54}, {24, 81, 61}, {25, 89, 68},
};

static void test_published_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        size_t count = (size_t)published[i][0];
        assert_int_equal(mr_signed_rank_order(count, 0.05, scratch), published[i][1] + 1);
        assert_int_equal(mr_signed_rank_order(count, 0.01, scratch), published[i][2] + 1);
    }
}

// Every one of the 2^n choices of signs, n up to 12: the tail of k − 1 is within the level, that of
// k is not.
static void test_enumeration(void **state)
{
    (void)state;
    for (size_t count = 1; count <= 12; count++) {
        size_t with_sum[12 * 13 / 2 + 1] = {0};
        for (size_t signs = 0; signs < (size_t)1 << count; signs++) {
            size_t sum = 0;
            for (size_t rank = 1; rank <= count; rank++) {
                sum += (signs >> (rank - 1) & 1) != 0 ? rank : 0;
            }
            with_sum[sum]++;
        }
        for (int level = 1; level <= 40; level++) {
            double alpha = (double)level / 41;
            size_t order = 0;
            size_t tail = with_sum[0];
            while (2 * (double)tail <= alpha * (double)((size_t)1 << count)) {
                tail += with_sum[++order];
            }
            assert_int_equal(mr_signed_rank_order(count, alpha, scratch), order);
        }
    }
}

static void test_smallest_count(void **state)
{
    (void)state;
    for (size_t comparisons = 1; comparisons < 50; comparisons++) {
        double alpha = 0.05 / (double)comparisons;
        size_t needed = mr_pairs_needed(comparisons, 0.05);
        assert_true(mr_signed_rank_order(needed, alpha, scratch) >= 1);
        assert_int_equal(mr_signed_rank_order(needed - 1, alpha, scratch), 0);
    }
    assert_int_equal(mr_signed_rank_order(0, 0.05, scratch), 0);
    // 2 · 2^-5 is exactly 1/16: a level that is just reached counts.
    assert_int_equal(mr_signed_rank_order(5, 0.0625, scratch), 1);
    assert_int_equal(mr_signed_rank_order(5, nextafter(0.0625, 0), scratch), 0);
}

// Where the exact sum ends the normal one goes on: not one order statistic beyond rounding apart.
static void test_normal_goes_on(void **state)
{
    (void)state;
    size_t last = mr_signed_rank_order(MR_SIGNED_RANK_EXACT_MAX, 0.05, scratch);
    size_t next = mr_signed_rank_order(MR_SIGNED_RANK_EXACT_MAX + 1, 0.05, scratch);
    size_t after = mr_signed_rank_order(MR_SIGNED_RANK_EXACT_MAX + 2, 0.05, scratch);
    assert_true(after > next && next > last);
    assert_in_range((after - next) - (next - last) + 2, 0, 4);
}

// 1 2 4 8: Walsh averages 1 1.5 2 2.5 3 4 4.5 5 6 8, the middle two 3 and 4.
static void test_by_hand(void **state)
{
    (void)state;
    const double four[] = {8, 1, 4, 2};
    struct mr_hodges_lehmann result = mr_hodges_lehmann(four, 4, 0.05, scratch);
    assert_near(result.shift, 3.5, 1e-15);
    assert_false(result.interval.known);
    assert_int_equal(result.order, 0);
    // 2 · 2/16 = 0.25: k = 2, [W(2), W(9)].
    result = mr_hodges_lehmann(four, 4, 0.25, scratch);
    assert_int_equal(result.order, 2);
    assert_true(result.interval.known);
    assert_near(result.interval.low, 1.5, 1e-15);
    assert_near(result.interval.high, 6, 1e-15);
    const double one[] = {7};
    assert_near(mr_hodges_lehmann(one, 1, 0.05, scratch).shift, 7, 0);
}

// Depression scores of nine patients before and after a drug (Hollander and Wolfe, example 3.1):
// the estimate is −0.46, the interval at 96.1 % (T ≤ 5 twice is 0.039) from −0.786 to −0.010.
static void test_published_example(void **state)
{
    (void)state;
    const double before[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    const double after[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    double change[9];
    for (size_t i = 0; i < 9; i++) {
        change[i] = after[i] - before[i];
    }
    struct mr_hodges_lehmann result = mr_hodges_lehmann(change, 9, 0.05, scratch);
    assert_near(result.shift, -0.46, 1e-9);
    assert_int_equal(result.order, 6);
    assert_near(result.interval.low, -0.786, 1e-9);
    assert_near(result.interval.high, -0.010, 1e-9);
}

static void test_equal_values(void **state)
{
    (void)state;
    const double same[] = {0.25, 0.25, 0.25, 0.25, 0.25, 0.25};
    struct mr_hodges_lehmann result = mr_hodges_lehmann(same, 6, 0.05, scratch);
    assert_true(result.shift == 0.25 && result.interval.low == 0.25 &&
                result.interval.high == 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_table), cmocka_unit_test(test_enumeration),
        cmocka_unit_test(test_smallest_count),  cmocka_unit_test(test_normal_goes_on),
        cmocka_unit_test(test_by_hand),         cmocka_unit_test(test_published_example),
        cmocka_unit_test(test_equal_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
