// campaign_sweep_plan_test.c: rows, rates, windows and the list of loads of a sweep.

#include "sweep_plan.h"

#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct mr_sweep_options options_of(uint64_t seed, size_t contestants)
{
    struct mr_sweep_options options = {
        .seed = seed, .contestants_count = contestants, .repeats = 3};
    assert_true(mr_sweep_loads_parse("10,25,50,75,90,110", &options));
    return options;
}

// Closed loops first; then every load once in each repeat, in an order that is not the ascending
// one; every contestant once in every row.
static void test_rows(void **state)
{
    (void)state;
    struct mr_sweep_options options = options_of(7, 3);
    struct mr_sweep_rows rows;
    assert_int_equal(mr_sweep_rows_init(&rows, &options), 0);
    assert_int_equal(rows.count, 3 * 7);
    unsigned ascending = 0;
    for (size_t i = 0; i < rows.count; i++) {
        const struct mr_sweep_row *row = &rows.row[i];
        assert_int_equal(row->phase, i < 3 ? MR_SWEEP_CLOSED : MR_SWEEP_LOAD);
        assert_int_equal(row->repeat, i < 3 ? i : (i - 3) / 6);
        assert_int_equal((1u << row->order[0]) | (1u << row->order[1]) | (1u << row->order[2]), 7);
        ascending += i >= 3 && row->load == (i - 3) % 6;
    }
    for (size_t repeat = 0; repeat < 3; repeat++) {
        unsigned seen = 0;
        for (size_t i = 0; i < 6; i++) {
            seen |= 1u << rows.row[3 + repeat * 6 + i].load;
        }
        assert_int_equal(seen, 63);
    }
    assert_true(ascending < 12);
    mr_sweep_rows_fini(&rows);
}

// Six pairs, spread over all of the loads, in their own order.
static void test_pairs(void **state)
{
    (void)state;
    struct mr_sweep_options options = options_of(7, 2);
    struct mr_sweep_rows rows;
    size_t at[7];
    options.pairs = 6;
    assert_int_equal(mr_sweep_rows_init(&rows, &options), 0);
    assert_int_equal(rows.count, 3 + 18 + 6);
    size_t found = 0;
    for (size_t i = 0; i < rows.count; i++) {
        if (rows.row[i].phase == MR_SWEEP_PAIR) {
            assert_int_equal(rows.row[i].repeat, found);
            at[found++] = i;
        }
    }
    assert_int_equal(found, 6);
    assert_int_equal(at[0], 3 + 3); // behind every third load
    for (size_t i = 1; i < 6; i++) {
        assert_int_equal(at[i] - at[i - 1], 4);
    }
    mr_sweep_rows_fini(&rows);
    options.pairs = 99; // more than loads
    assert_int_equal(mr_sweep_rows_init(&rows, &options), 0);
    assert_int_equal(rows.count, 3 + 18 + 99);
    mr_sweep_rows_fini(&rows);
}

// Two contestants: each goes first in one of every two rows.
static void test_in_turn(void **state)
{
    (void)state;
    for (uint64_t row = 0; row < 20; row += 2) {
        unsigned first[2];
        unsigned second[2];
        mr_sweep_order(2, 5, row, first);
        mr_sweep_order(2, 5, row + 1, second);
        assert_int_equal(first[0] + first[1], 1);
        assert_int_equal(first[0], second[1]);
    }
}

static void test_seed(void **state)
{
    (void)state;
    struct mr_sweep_rows rows[3];
    static const uint64_t seeds[3] = {3, 3, 4};
    for (size_t i = 0; i < 3; i++) {
        struct mr_sweep_options options = options_of(seeds[i], 4);
        assert_int_equal(mr_sweep_rows_init(&rows[i], &options), 0);
    }
    size_t bytes = rows[0].count * sizeof rows[0].row[0];
    assert_memory_equal(rows[0].row, rows[1].row, bytes);
    unsigned loads_moved = 0;
    unsigned orders_moved = 0;
    for (size_t i = 0; i < rows[0].count; i++) {
        loads_moved += rows[0].row[i].load != rows[2].row[i].load;
        orders_moved +=
            memcmp(rows[0].row[i].order, rows[2].row[i].order, sizeof rows[0].row[i].order) != 0;
    }
    assert_true(loads_moved > 0 && orders_moved > 0);
    for (size_t i = 0; i < 3; i++) {
        mr_sweep_rows_fini(&rows[i]);
    }
}

static void test_rates_and_windows(void **state)
{
    (void)state;
    assert_int_equal(mr_sweep_rate(8123.4, 10), 812);
    assert_int_equal(mr_sweep_rate(8123.4, 110), 8936);
    assert_int_equal(mr_sweep_rate(3, 10), 1);
    // At least the 10,000 batches of a p99 where 30 s allow it, 2 s where fewer are enough.
    assert_int_equal(mr_sweep_window_ns(1000), 11 * MR_NS_PER_S);
    assert_int_equal(mr_sweep_window_ns(1000000), 2 * MR_NS_PER_S);
    assert_int_equal(mr_sweep_window_ns(1), 30 * MR_NS_PER_S);
}

static void test_loads(void **state)
{
    (void)state;
    struct mr_sweep_options options = {0};
    assert_true(mr_sweep_loads_parse("90,25,110", &options));
    assert_int_equal(options.loads_count, 3);
    assert_int_equal(options.load_percent[0], 25);
    assert_int_equal(options.load_percent[2], 110);
    // 33 of them.
    static const char too_many[] =
        "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33";
    static const char *const wrong[] = {"",      "0",     "1001",   "10,",
                                        ",10",   "10,10", "10%",    "1e2",
                                        "a",     "-10",   "10 ,20", "99999999999999999999",
                                        too_many};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(mr_sweep_loads_parse(wrong[i], &options));
    }
    assert_true(mr_sweep_loads_parse(
        "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32",
        &options));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),  cmocka_unit_test(test_in_turn),
        cmocka_unit_test(test_seed),  cmocka_unit_test(test_rates_and_windows),
        cmocka_unit_test(test_loads), cmocka_unit_test(test_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
