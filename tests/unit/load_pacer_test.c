// load_pacer_test.c: how long the loop may sleep, and that it does.
#include <pacer.h>

#include <base/clock.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#define SPIN 100000u

static void test_sleep_ends_before_the_deadline(void **state)
{
    (void)state;
    const uint64_t now = 5000000000u;
    assert_int_equal(mr_pacer_sleep_ns(now, now + 1000000, 0, SPIN), 900000);
    assert_int_equal(mr_pacer_sleep_ns(now, now + 1000000, 0, 0), 1000000);
    assert_int_equal(mr_pacer_sleep_ns(now, now + SPIN, 0, SPIN), 0); // the last stretch is spun
    assert_int_equal(mr_pacer_sleep_ns(now, now + SPIN + 10, 0, SPIN), 0); // not worth it
    assert_int_equal(mr_pacer_sleep_ns(now, now, 0, 0), 0);
    assert_int_equal(mr_pacer_sleep_ns(now, now - 1, 0, 0), 0); // late already
    assert_int_equal(mr_pacer_sleep_ns(now, UINT64_MAX, 0, SPIN), MR_PACER_SLEEP_NS_MAX);
}

static void test_spins_after_activity(void **state)
{
    (void)state;
    const uint64_t now = 5000000000u;
    assert_int_equal(mr_pacer_sleep_ns(now, UINT64_MAX, now, SPIN), 0);
    assert_int_equal(mr_pacer_sleep_ns(now, UINT64_MAX, now - SPIN + 1, SPIN), 0);
    assert_int_equal(mr_pacer_sleep_ns(now, UINT64_MAX, now - SPIN, SPIN), MR_PACER_SLEEP_NS_MAX);
    assert_int_equal(mr_pacer_sleep_ns(now, UINT64_MAX, now, 0), MR_PACER_SLEEP_NS_MAX);
}

static void test_poll_waits_as_long_as_told(void **state)
{
    (void)state;
    int epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event;
    assert_true(epoll_fd >= 0);
    assert_int_equal(mr_pacer_sharpen(), 0);
    uint64_t begin = mr_clock_ns();
    assert_int_equal(mr_pacer_poll(epoll_fd, &event, 1, 3000000), 0);
    assert_true(mr_clock_ns() - begin >= 3000000);
    assert_true(mr_pacer_poll(-1, &event, 1, 0) < 0);
    (void)close(epoll_fd);
}

static void test_costs(void **state)
{
    (void)state;
    struct mr_pacer_costs costs;
    assert_int_equal(mr_pacer_measure(&costs), 0);
    assert_true(costs.clock_ns > 0 && costs.clock_ns < 1e7);
    assert_true(costs.overshoot_p50_ns <= costs.overshoot_p99_ns);
    assert_true(costs.overshoot_p99_ns <= costs.overshoot_max_ns);
    assert_true(costs.sleeps >= 200); // two lie above the 99th of a hundred
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sleep_ends_before_the_deadline),
        cmocka_unit_test(test_spins_after_activity),
        cmocka_unit_test(test_poll_waits_as_long_as_told),
        cmocka_unit_test(test_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
