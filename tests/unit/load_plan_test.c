// load_plan_test.c: due times against the definition, counted slot by slot.
#include <plan.h>

#include <base/rng.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct mr_plan open_plan(uint64_t rate_per_s, uint32_t connections)
{
    return (struct mr_plan){
        .kind = MR_PLAN_OPEN, .rate_per_s = rate_per_s, .connections = connections, .depth = 4};
}

// 1000 a second over 4 connections: slot k of connection c is due after (4k + c) ms.
static void test_by_hand(void **state)
{
    (void)state;
    struct mr_plan plan = open_plan(1000, 4);
    assert_int_equal(mr_plan_offset_ns(&plan, 0), 0);
    assert_int_equal(mr_plan_offset_ns(&plan, 3), 3000000);
    assert_int_equal(mr_plan_offset_ns(&plan, 4 * 250 + 1), 1001000000);
    plan.rate_per_s = 3; // a third of a second has no whole ns: rounded down, not added up
    assert_int_equal(mr_plan_offset_ns(&plan, 1), 333333333);
    assert_int_equal(mr_plan_offset_ns(&plan, 2), 666666666);
    assert_int_equal(mr_plan_offset_ns(&plan, 3), 1000000000);
    assert_int_equal(mr_plan_offset_ns(&plan, 3000000000u), 1000000000000000000u);
}

static void test_slots_before_counts(void **state)
{
    (void)state;
    static const uint64_t rates[] = {1, 3, 7, 999, 1000, 48000, 1000000007u};
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        struct mr_plan plan = open_plan(rates[r], 5);
        for (uint64_t slot = 0; slot < 2000; slot++) {
            uint64_t due_ns = mr_plan_offset_ns(&plan, slot);
            uint64_t before = mr_plan_slots_before(&plan, due_ns);
            assert_true(before <= slot); // this slot is not before itself
            assert_true(before == 0 || mr_plan_offset_ns(&plan, before - 1) < due_ns);
            assert_true(mr_plan_offset_ns(&plan, before) >= due_ns);
            assert_true(mr_plan_slots_before(&plan, due_ns + 1) > slot);
        }
    }
}

static void test_windows_add_up(void **state)
{
    (void)state;
    struct mr_rng rng = mr_rng_seeded(5);
    for (int i = 0; i < 1000; i++) {
        struct mr_plan plan = open_plan(1 + mr_rng_below(&rng, 1000000), 16);
        uint64_t begin_ns = mr_rng_below(&rng, 5000000000u);
        uint64_t end_ns = begin_ns + mr_rng_below(&rng, 5000000000u);
        uint64_t planned =
            mr_plan_slots_before(&plan, end_ns) - mr_plan_slots_before(&plan, begin_ns);
        double expected = (double)(end_ns - begin_ns) * (double)plan.rate_per_s / 1e9;
        assert_true((double)planned > expected - 1.0 && (double)planned < expected + 1.0);
    }
}

static void test_slots_of_connections(void **state)
{
    (void)state;
    for (uint32_t connections = 1; connections < 20; connections++) {
        struct mr_plan plan = open_plan(1000, connections);
        for (uint64_t slots = 0; slots < 70; slots++) {
            uint64_t counted[20] = {0};
            for (uint64_t slot = 0; slot < slots; slot++) {
                counted[slot % connections]++;
            }
            for (uint32_t c = 0; c < connections; c++) {
                assert_int_equal(mr_plan_slots_of(&plan, c, slots), counted[c]);
            }
        }
    }
}

// 5 batches at once every 300 ns, over 3 connections: the sixth slot is the second burst's first.
static void test_bursts(void **state)
{
    (void)state;
    struct mr_plan plan = {
        .kind = MR_PLAN_BURSTS, .burst_batches = 5, .period_ns = 300, .connections = 3, .depth = 1};
    for (uint64_t slot = 0; slot < 1000; slot++) {
        assert_int_equal(mr_plan_offset_ns(&plan, slot), slot / 5 * 300);
    }
    assert_int_equal(mr_plan_slots_before(&plan, 0), 0);
    assert_int_equal(mr_plan_slots_before(&plan, 1), 5);
    assert_int_equal(mr_plan_slots_before(&plan, 300), 5);
    assert_int_equal(mr_plan_slots_before(&plan, 301), 10);
    for (uint64_t offset_ns = 0; offset_ns < 5000; offset_ns++) {
        uint64_t before = mr_plan_slots_before(&plan, offset_ns);
        assert_true(before == 0 || mr_plan_offset_ns(&plan, before - 1) < offset_ns);
        assert_true(mr_plan_offset_ns(&plan, before) >= offset_ns);
    }
    plan.burst_batches = 1;
    plan.period_ns = UINT64_MAX;
    assert_true(mr_plan_offset_ns(&plan, UINT64_MAX) == UINT64_MAX);
    assert_true(mr_plan_slots_before(&plan, UINT64_MAX) == 1);
}

static void test_extremes(void **state)
{
    (void)state;
    struct mr_plan plan = open_plan(1, 1);
    assert_true(mr_plan_offset_ns(&plan, UINT64_MAX) == UINT64_MAX);
    plan.rate_per_s = 1000000000;
    assert_true(mr_plan_offset_ns(&plan, UINT64_MAX) == UINT64_MAX);
    assert_true(mr_plan_slots_before(&plan, UINT64_MAX) == UINT64_MAX);
    static const char *const names[MR_PLAN_KIND_COUNT] = {"closed", "open", "poisson", "bursts",
                                                          "steps"};
    for (int kind = 0; kind < MR_PLAN_KIND_COUNT; kind++) {
        assert_string_equal(mr_plan_name((enum mr_plan_kind)kind), names[kind]);
    }
}

// Just inside and just outside of 1 %.
static void test_overloaded(void **state)
{
    (void)state;
    assert_false(mr_plan_overloaded(1000, 5, 15));
    assert_true(mr_plan_overloaded(1000, 5, 16));
    assert_true(mr_plan_overloaded(999, 5, 15));
    assert_true(mr_plan_overloaded(99, 0, 1));
    assert_false(mr_plan_overloaded(100, 0, 1));
    assert_false(mr_plan_overloaded(1000, 500, 0)); // it shrank
    assert_false(mr_plan_overloaded(0, 7, 7));
    assert_true(mr_plan_overloaded(UINT64_MAX, 0, UINT64_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),        cmocka_unit_test(test_slots_before_counts),
        cmocka_unit_test(test_windows_add_up), cmocka_unit_test(test_slots_of_connections),
        cmocka_unit_test(test_bursts),         cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_overloaded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
