// stats_williams_test.c: every design is balanced for places and neighbours, and belongs to its
// seed.
#include <stats/williams.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define ROWS_MAX (2 * MR_WILLIAMS_MAX)

static void check_balance(size_t contestants, uint64_t seed)
{
    static unsigned order[ROWS_MAX * MR_WILLIAMS_MAX];
    static size_t neighbours[MR_WILLIAMS_MAX][MR_WILLIAMS_MAX];
    static size_t places[MR_WILLIAMS_MAX][MR_WILLIAMS_MAX];
    memset(neighbours, 0, sizeof neighbours);
    memset(places, 0, sizeof places);
    size_t rows = mr_williams_rows(contestants);
    mr_williams_design(contestants, seed, order);
    for (size_t row = 0; row < rows; row++) {
        const unsigned *in_row = order + row * contestants;
        for (size_t place = 0; place < contestants; place++) {
            assert_true(in_row[place] < contestants);
            places[in_row[place]][place]++;
            if (place > 0) {
                neighbours[in_row[place - 1]][in_row[place]]++;
            }
        }
    }
    size_t times = rows / contestants;
    for (size_t i = 0; i < contestants; i++) {
        for (size_t j = 0; j < contestants; j++) {
            assert_int_equal(places[i][j], times);
            assert_int_equal(neighbours[i][j], i == j ? 0 : times);
        }
    }
}

static void test_balance(void **state)
{
    (void)state;
    for (size_t contestants = 1; contestants <= MR_WILLIAMS_MAX; contestants++) {
        for (uint64_t seed = 0; seed < 5; seed++) {
            check_balance(contestants, seed);
        }
    }
}

static void test_rows(void **state)
{
    (void)state;
    assert_int_equal(mr_williams_rows(1), 1);
    assert_int_equal(mr_williams_rows(2), 2);
    assert_int_equal(mr_williams_rows(3), 6);
    assert_int_equal(mr_williams_rows(4), 4);
    assert_int_equal(mr_williams_rows(7), 14);
}

// Both orders of a pair begin under some seed, and about as often.
static void test_two_are_abba_or_baab(void **state)
{
    (void)state;
    size_t begins_with_0 = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        unsigned order[4];
        mr_williams_design(2, seed, order);
        assert_true(order[0] != order[1] && order[2] == order[1] && order[3] == order[0]);
        begins_with_0 += order[0] == 0;
    }
    assert_in_range(begins_with_0, 430, 570);
}

static void test_seed_decides(void **state)
{
    (void)state;
    // Drawn once with SplitMix64 in an independent program.
    static const unsigned expected[16] = {0, 1, 2, 3, 3, 2, 1, 0, 2, 0, 3, 1, 1, 3, 0, 2};
    unsigned order[16];
    unsigned other[16];
    mr_williams_design(4, 1, order);
    assert_memory_equal(order, expected, sizeof order);
    mr_williams_design(4, 2, other);
    assert_memory_not_equal(order, other, sizeof order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_two_are_abba_or_baab),
        cmocka_unit_test(test_seed_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
