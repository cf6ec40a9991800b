// conform_clock_test.c: the kit's clock stands still while a watched process waits for a core, goes
// on where it waits for anything else or for itself, and never stands quite still.
#include "conform_clock.h"

#include <base/clock.h>
#include <base/pin.h>
#include <host/proc.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define SPINNERS  4
#define WINDOW_NS (500 * MR_NS_PER_MS)
#define LOOK_NS   (100 * MR_NS_PER_MS) // so much later the clock may see what has happened

static pid_t spinner[SPINNERS];

// Processes that work without end, all of them on one core.
static int begin(void **state)
{
    (void)state;
    struct mr_cores allowed;
    assert_int_equal(mr_pin_allowed(&allowed), 0);
    struct mr_cores one = {.count = 1, .core = {allowed.core[0]}};
    for (size_t i = 0; i < SPINNERS; i++) {
        spinner[i] = fork();
        assert_true(spinner[i] >= 0);
        if (spinner[i] == 0) {
            if (mr_pin_self(&one) != 0) {
                _exit(1);
            }
            for (volatile unsigned turns = 0;; turns++) {
            }
        }
    }
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (size_t i = 0; i < SPINNERS; i++) {
        assert_int_equal(kill(spinner[i], SIGKILL), 0);
        assert_int_equal(waitpid(spinner[i], NULL, 0), spinner[i]);
    }
    return 0;
}

static uint64_t own_delay_ns(void)
{
    struct mr_reading delay = mr_proc_run_delay_ns(getpid());
    assert_true(delay.known);
    return delay.value;
}

// What passed by either clock, and how long this process had to wait for a core itself.
struct passed {
    uint64_t kit_ns, wall_ns, own_delay_ns;
};

static struct passed let_pass(void)
{
    mr_clock_sleep_until(mr_clock_ns() + LOOK_NS);
    uint64_t delay_ns = own_delay_ns();
    uint64_t wall_ns = mr_clock_ns();
    uint64_t kit_ns = mr_conform_now_ns();
    mr_clock_sleep_until(mr_clock_ns() + WINDOW_NS);
    kit_ns = mr_conform_now_ns() - kit_ns;
    return (struct passed){kit_ns, mr_clock_ns() - wall_ns, own_delay_ns() - delay_ns};
}

// Each runs a quarter of the time at most; a host that gives them more than one core at a time
// would break their pinning.
static void test_waiting_for_a_core_stops_it(void **state)
{
    (void)state;
    mr_conform_clock_watch(spinner[0]);
    struct passed passed = let_pass();
    mr_conform_clock_forget(spinner[0]);
    assert_true(passed.kit_ns < passed.wall_ns * 6 / 10);
    assert_true(passed.kit_ns >= (passed.wall_ns - LOOK_NS) / 10);
}

static uint64_t spinners_ran_ns(void)
{
    uint64_t sum_ns = 0;
    for (size_t i = 0; i < SPINNERS; i++) {
        struct mr_reading ran = mr_proc_exec_ns(spinner[i]);
        assert_true(ran.known);
        sum_ns += ran.value;
    }
    return sum_ns;
}

// A contestant that crowds its own core waits three quarters of the time in each of its processes,
// and has run all the while.
static void test_who_crowds_its_own_core_wins_no_time(void **state)
{
    (void)state;
    for (size_t i = 0; i < SPINNERS; i++) {
        mr_conform_clock_watch(spinner[i]);
    }
    mr_clock_sleep_until(mr_clock_ns() + LOOK_NS);
    uint64_t kit_ns = mr_conform_now_ns();
    uint64_t ran_ns = spinners_ran_ns();
    mr_clock_sleep_until(mr_clock_ns() + WINDOW_NS);
    ran_ns = spinners_ran_ns() - ran_ns;
    kit_ns = mr_conform_now_ns() - kit_ns;
    for (size_t i = 0; i < SPINNERS; i++) {
        mr_conform_clock_forget(spinner[i]);
    }
    assert_true(kit_ns + LOOK_NS / 2 >= ran_ns);
}

static void test_waiting_for_anything_else_does_not(void **state)
{
    (void)state;
    assert_int_equal(kill(spinner[1], SIGSTOP), 0);
    mr_conform_clock_watch(spinner[1]);
    struct passed passed = let_pass();
    mr_conform_clock_forget(spinner[1]);
    assert_true(passed.kit_ns + passed.own_delay_ns + LOOK_NS >= passed.wall_ns);
}

static void test_who_is_forgotten_does_not(void **state)
{
    (void)state;
    mr_conform_clock_watch(spinner[2]);
    mr_conform_clock_forget(spinner[2]);
    struct passed passed = let_pass();
    assert_true(passed.kit_ns + passed.own_delay_ns + LOOK_NS >= passed.wall_ns);
}

static void test_deadlines_come_no_earlier(void **state)
{
    (void)state;
    uint64_t before_ns = mr_clock_ns();
    uint64_t wall_ns = mr_conform_wall_ns(mr_conform_now_ns() + MR_NS_PER_S);
    assert_true(wall_ns + LOOK_NS >= before_ns + MR_NS_PER_S);
    // What is due is due at once.
    wall_ns = mr_conform_wall_ns(0);
    assert_true(wall_ns >= before_ns);
    assert_true(wall_ns <= mr_clock_ns());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_waiting_for_a_core_stops_it),
        cmocka_unit_test(test_who_crowds_its_own_core_wins_no_time),
        cmocka_unit_test(test_waiting_for_anything_else_does_not),
        cmocka_unit_test(test_who_is_forgotten_does_not),
        cmocka_unit_test(test_deadlines_come_no_earlier),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
