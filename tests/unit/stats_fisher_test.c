// stats_fisher_test.c: published and hand-computed p-values, and every small table against a count
// of all ways to deal the losses.
#include <stats/fisher.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void expect(size_t lost_a, size_t count_a, size_t lost_b, size_t count_b, double p_value)
{
    assert_true(fabs(mr_fisher_p_value(lost_a, count_a, lost_b, count_b) - p_value) < 1e-9);
}

static void test_known(void **state)
{
    (void)state;
    // The lady tasting tea: 3 of 4 and 1 of 4. (16 + 16 + 1 + 1) / 70; all of 4 and none: 2 / 70.
    expect(3, 4, 1, 4, 34.0 / 70);
    expect(4, 4, 0, 4, 2.0 / 70);
    // Fisher's convicted twins: 10 of 13 and 2 of 17: one side 619 / 1330665, two sides 0.0005367.
    assert_true(fabs(mr_fisher_p_value(10, 13, 2, 17) - 0.0005367241) < 1e-9);
    // Equal shares, nothing lost, everything lost, nobody ran.
    expect(2, 10, 2, 10, 1);
    expect(0, 10, 0, 12, 1);
    expect(5, 5, 7, 7, 1);
    expect(0, 0, 3, 9, 1);
}

static void test_sides(void **state)
{
    (void)state;
    for (size_t lost = 0; lost <= 12; lost++) {
        expect(lost, 12, 3, 20, mr_fisher_p_value(3, 20, lost, 12));
    }
    assert_true(mr_fisher_p_value(8, 24, 0, 24) < 0.05);
    assert_true(mr_fisher_p_value(4, 24, 0, 24) > 0.05);
}

// So many of the hands with `lost` bits among count_a + count_b have `of_a` among the first.
static uint64_t ways(unsigned count_a, unsigned count_b, int lost, int of_a)
{
    uint64_t found = 0;
    for (uint64_t hand = 0; hand < 1ull << (count_a + count_b); hand++) {
        found += __builtin_popcountll(hand) == lost &&
                 __builtin_popcountll(hand & ((1ull << count_a) - 1)) == of_a;
    }
    return found;
}

static void test_every_small_table(void **state)
{
    (void)state;
    const unsigned count_a = 5;
    const unsigned count_b = 6;
    for (int lost_a = 0; lost_a <= 5; lost_a++) {
        for (int lost_b = 0; lost_b <= 6; lost_b++) {
            uint64_t seen = ways(count_a, count_b, lost_a + lost_b, lost_a);
            uint64_t rarer = 0;
            uint64_t all = 0;
            for (int of_a = 0; of_a <= 5; of_a++) {
                uint64_t one = ways(count_a, count_b, lost_a + lost_b, of_a);
                all += one;
                rarer += one <= seen ? one : 0;
            }
            expect((size_t)lost_a, count_a, (size_t)lost_b, count_b, (double)rarer / (double)all);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_every_small_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
