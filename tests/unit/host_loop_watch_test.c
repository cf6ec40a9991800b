// host_loop_watch_test.c: which gaps of a loop are the host's and which its own work.
#include <host/loop_watch.h>

#include <base/clock.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define US 1000u

// A watch that began at 0 with the CPU clock at 0.
static struct mr_loop_watch fresh(void)
{
    return (struct mr_loop_watch){.pauses = mr_pauses_from(0, 20 * US), .delay_fd = -1};
}

static void turn_with(struct mr_loop_watch *watch, struct mr_loop_turn turn,
                      struct mr_loop_clocks clocks)
{
    if (mr_loop_watch_wants(watch, &turn)) {
        uint64_t before_ns = watch->pauses.total_ns;
        uint64_t pause_ns = mr_loop_watch_judge(watch, &turn, &clocks);
        assert_int_equal(pause_ns, watch->pauses.total_ns - before_ns);
    }
    watch->pauses.last_ns = turn.now_ns;
}

static void turn(struct mr_loop_watch *watch, struct mr_loop_turn turn, uint64_t cpu_ns)
{
    turn_with(watch, turn, (struct mr_loop_clocks){.cpu_ns = cpu_ns});
}

// The thread ran all the time: its own work, however long.
static void test_own_work(void **state)
{
    (void)state;
    struct mr_loop_watch watch = fresh();
    turn(&watch, (struct mr_loop_turn){.now_ns = 500 * US, .moved = true}, 499 * US);
    assert_int_equal(watch.pauses.count, 0);
}

static void test_somebody_else_ran(void **state)
{
    (void)state;
    struct mr_loop_watch watch = fresh();
    turn(&watch, (struct mr_loop_turn){.now_ns = 500 * US, .moved = true}, 100 * US);
    assert_int_equal(watch.pauses.count, 1);
    assert_int_equal(watch.pauses.total_ns, 400 * US);
    assert_int_equal(watch.pauses.longest_ns, 400 * US);
    assert_int_equal(watch.pauses.longest_at_ns, 0);
    turn(&watch, (struct mr_loop_turn){.now_ns = 1500 * US, .moved = true}, 300 * US);
    assert_int_equal(watch.pauses.count, 2);
    assert_int_equal(watch.pauses.total_ns, 1200 * US);
    assert_int_equal(watch.pauses.longest_at_ns, 500 * US);
}

// Nothing was done in that time, so that the CPU clock explains nothing (a hypervisor's pause).
static void test_empty_turn(void **state)
{
    (void)state;
    struct mr_loop_watch watch = fresh();
    turn(&watch, (struct mr_loop_turn){.now_ns = 300 * US, .moved = false}, 300 * US);
    assert_int_equal(watch.pauses.total_ns, 300 * US);
    turn(&watch, (struct mr_loop_turn){.now_ns = 319 * US, .moved = false}, 319 * US);
    assert_int_equal(watch.pauses.count, 1);
}

// Sleep is no pause, and late by what a wake-up costs neither; from a millisecond on it is.
static void test_sleep(void **state)
{
    (void)state;
    struct mr_loop_watch watch = fresh();
    turn(&watch, (struct mr_loop_turn){.now_ns = 1999 * US, .sleep_ns = 1000 * US}, 1 * US);
    assert_int_equal(watch.pauses.count, 0);
    turn(&watch, (struct mr_loop_turn){.now_ns = 5000 * US, .sleep_ns = 1000 * US}, 2 * US);
    assert_int_equal(watch.pauses.count, 1);
    assert_int_equal(watch.pauses.total_ns, 2001 * US);
    turn(&watch, (struct mr_loop_turn){.now_ns = 8001 * US, .sleep_ns = 9000 * US, .moved = true},
         3 * US);
    assert_int_equal(watch.pauses.count, 1); // an event ended it
}

// An event ended the sleep, but the thread had to wait for a core: the kernel's account tells. What
// was counted of the same wait already does not count again.
static void test_late_wake_up(void **state)
{
    (void)state;
    struct mr_loop_watch watch = fresh();
    turn_with(&watch,
              (struct mr_loop_turn){.now_ns = 8000 * US, .sleep_ns = 50000 * US, .moved = true},
              (struct mr_loop_clocks){.cpu_ns = 5 * US, .run_delay_ns = mr_reading_of(3000 * US)});
    assert_int_equal(watch.pauses.count, 1);
    assert_int_equal(watch.pauses.total_ns, 3000 * US);
    turn(&watch, (struct mr_loop_turn){.now_ns = 10000 * US, .moved = true}, 5 * US);
    assert_int_equal(watch.pauses.total_ns, 5000 * US);
    turn_with(&watch,
              (struct mr_loop_turn){.now_ns = 18000 * US, .sleep_ns = 50000 * US, .moved = true},
              (struct mr_loop_clocks){.cpu_ns = 6 * US, .run_delay_ns = mr_reading_of(5900 * US)});
    assert_int_equal(watch.pauses.count, 2); // 900 us are new: a wake-up
    turn_with(&watch,
              (struct mr_loop_turn){.now_ns = 28000 * US, .sleep_ns = 50000 * US, .moved = true},
              (struct mr_loop_clocks){.cpu_ns = 7 * US, .run_delay_ns = mr_reading_of(6900 * US)});
    assert_int_equal(watch.pauses.count, 3);
    assert_int_equal(watch.pauses.total_ns, 6000 * US);
}

// Short gaps are judged together, a thousand times a second.
static void test_many_short_gaps(void **state)
{
    (void)state;
    struct mr_loop_watch watch = fresh();
    for (uint64_t now_ns = 10 * US; now_ns <= 1000 * US; now_ns += 10 * US) {
        turn(&watch, (struct mr_loop_turn){.now_ns = now_ns, .moved = true}, now_ns - now_ns / 4);
    }
    assert_int_equal(watch.pauses.count, 1);
    assert_int_equal(watch.pauses.total_ns, 250 * US);
}

// On this machine: a nap that the loop does not own up to is a pause, work is none.
static void test_live(void **state)
{
    (void)state;
    struct mr_loop_watch watch;
    mr_loop_watch_init(&watch);
    mr_loop_watch_begin(&watch, mr_clock_ns(), 20 * US);
    mr_clock_sleep_until(mr_clock_ns() + 5 * MR_NS_PER_MS);
    mr_loop_watch_turn(&watch, &(struct mr_loop_turn){.now_ns = mr_clock_ns(), .moved = true});
    assert_true(watch.pauses.longest_ns >= 4 * MR_NS_PER_MS);
    mr_loop_watch_fini(&watch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_work),     cmocka_unit_test(test_somebody_else_ran),
        cmocka_unit_test(test_empty_turn),   cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_late_wake_up), cmocka_unit_test(test_many_short_gaps),
        cmocka_unit_test(test_live),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
