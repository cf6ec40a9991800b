// load_legs_test.c: batches that are held back never come before the legs, legs take turns, and
// what they cost is told by all of three ratios.
#include "load_dataset.h"

#include <legs.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void test_plan(void **state)
{
    (void)state;
    static const struct {
        size_t batches;
        size_t held;
    } plans[] = {{0, 0},      {127, 0},    {128, 16},   {159, 16},     {160, 20},
                 {1660, 204}, {4096, 512}, {4095, 508}, {1000000, 512}};
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++) {
        struct mr_legs legs;
        assert_int_equal(mr_legs_plan(&legs, plans[i].batches), plans[i].held);
        assert_int_equal(legs.planned_pairs * MR_LEG_BATCHES, plans[i].held);
        assert_true((legs.leg_batches > 0) == (plans[i].held > 0));
    }
}

// What is held back is in no pass of the sequence, and all of it is left for the legs, once each.
static void test_held_back_is_unseen(void **state)
{
    (void)state;
    enum { BATCHES = 160, CONNECTIONS = 16 };
    static struct load_batch batches[BATCHES];
    for (size_t i = 0; i < BATCHES; i++) {
        batches[i] = (struct load_batch){.records = 1, .digits_count = 16};
    }
    struct mr_dataset dataset;
    load_dataset_make(&dataset, batches, BATCHES);
    struct mr_order order;
    struct mr_legs legs;
    assert_int_equal(mr_order_init(&order, &dataset, CONNECTIONS, 5), 0);
    size_t held = mr_legs_plan(&legs, order.count);
    mr_order_hold_back(&order, held, CONNECTIONS);
    assert_int_equal(order.count, BATCHES - held);
    bool seen[BATCHES] = {0};
    for (uint64_t number = 0; number < 20 * order.count; number++) {
        seen[mr_order_at(&order, number).batch] = true;
    }
    bool unseen[BATCHES] = {0};
    for (size_t i = 0; i < held; i++) {
        struct mr_order_item item = mr_legs_take_unseen(&legs, &order);
        assert_int_equal(item.turn, 0);
        assert_false(unseen[item.batch]);
        unseen[item.batch] = true;
    }
    for (size_t i = 0; i < BATCHES; i++) {
        assert_true(seen[i] != unseen[i]);
    }
    mr_order_fini(&order);
    load_dataset_drop(&dataset);
}

// Runs the leg under way: MR_LEG_BATCHES of one byte each, `cost_ns` in all.
static bool run_leg(struct mr_legs *legs, double cost_ns)
{
    for (size_t i = 0; i < MR_LEG_BATCHES; i++) {
        mr_legs_note_sent(legs, 1);
    }
    assert_int_equal(legs->left, 0);
    return mr_legs_next(legs, legs->begin_ns + (uint64_t)cost_ns);
}

// Legs of all pairs; of `slow_percent` of the unseen ones' pairs, the last, the cost is eightfold.
static void run_legs(struct mr_legs *legs, size_t slow_percent)
{
    size_t first_slow = legs->planned_pairs * (100 - slow_percent) / 100;
    bool more = true;
    for (size_t leg = 0; more; leg++) {
        bool unseen = mr_legs_are_unseen(legs);
        assert_true(unseen == (leg % 4 == 1 || leg % 4 == 2));
        more = run_leg(legs, unseen && leg / 2 >= first_slow ? 8000 : 1000);
    }
    assert_int_equal(legs->pairs, legs->planned_pairs);
}

static void test_ratio(void **state)
{
    (void)state;
    static const struct {
        size_t slow_percent;
        double ratio;
    } cases[] = {{0, 1}, {40, 1}, {60, 1}, {80, 1}, {100, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct mr_legs legs;
        assert_int_not_equal(mr_legs_plan(&legs, 4096), 0);
        run_legs(&legs, cases[i].slow_percent);
        assert_true(mr_legs_unseen_over_seen(&legs) == cases[i].ratio);
        assert_true(mr_legs_cost(&legs, false, 25) == 1000.0 / MR_LEG_BATCHES);
    }
}

// A pair that has begun is ended; none begins behind the limit.
static void test_limit(void **state)
{
    (void)state;
    struct mr_legs legs;
    assert_int_not_equal(mr_legs_plan(&legs, 4096), 0);
    legs.limit_ns = 1;
    assert_true(run_leg(&legs, 1000));
    assert_int_equal(legs.pairs, 0);
    assert_false(run_leg(&legs, 1000));
    assert_int_equal(legs.pairs, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan),
        cmocka_unit_test(test_held_back_is_unseen),
        cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
