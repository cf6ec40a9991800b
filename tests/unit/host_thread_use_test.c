// host_thread_use_test.c: threads that stay, begin and end in a window, and how even they were.
#include <host/thread_use.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct mr_thread_table before;
static struct mr_thread_table after;
static struct mr_threads_use use;

static struct mr_proc_thread thread_of(int tid, uint64_t exec_ns)
{
    return (struct mr_proc_thread){.tid = tid,
                                   .name = "t",
                                   .exec_ns = mr_reading_of(exec_ns),
                                   .run_delay_ns = mr_reading_of(exec_ns / 10),
                                   .user_ns = mr_reading_of(exec_ns / 2),
                                   .system_ns = mr_reading_of(exec_ns / 2),
                                   .voluntary_switches = mr_reading_of(exec_ns / 100),
                                   .involuntary_switches = mr_reading_of(exec_ns / 1000),
                                   .core = mr_reading_of(1)};
}

static void check_near(double figure, double wanted, double within)
{
    assert_true(fabs(figure - wanted) <= within);
}

static int make(void **state)
{
    (void)state;
    memset(&before, 0, sizeof before);
    memset(&after, 0, sizeof after);
    before.known = true;
    after.known = true;
    before.count = 3;
    before.thread[0] = thread_of(7, 1000);
    before.thread[1] = thread_of(8, 5000);
    before.thread[2] = thread_of(9, 70000); // ends
    after.count = 3;
    after.thread[0] = thread_of(7, 4000);
    after.thread[1] = thread_of(8, 14000);
    after.thread[2] = thread_of(10, 6000); // begins
    return 0;
}

static void check(struct mr_reading reading, uint64_t value)
{
    assert_true(reading.known);
    assert_int_equal(reading.value, value);
}

static void test_stay_begin_end(void **state)
{
    (void)state;
    mr_threads_use_since(&before, &after, 2, &use);
    assert_true(use.known);
    assert_int_equal(use.count, 3);
    assert_int_equal(use.ended_count, 1);
    assert_int_equal(use.thread[0].tid, 8);
    assert_false(use.thread[0].began);
    check(use.thread[0].exec_ns, 9000);
    check(use.thread[0].run_delay_ns, 900);
    check(use.thread[0].user_ns, 4500);
    assert_int_equal(use.thread[1].tid, 10);
    assert_true(use.thread[1].began);
    check(use.thread[1].exec_ns, 6000);
    check(use.thread[2].exec_ns, 3000);
    check(use.exec_ns, 18000);
    check(use.run_delay_ns, 1800);
    check(use.run_delay_max_ns, 900);
    check(use.voluntary_switches, 90 + 60 + 30);
    check(use.involuntary_switches, 9 + 6 + 3);
    check_near(use.imbalance, 9000.0 * 2 / (9000 + 6000), 1e-12);
    mr_threads_use_since(&before, &after, 1, &use);
    check_near(use.imbalance, 1.0, 1e-12);
    mr_threads_use_since(&before, &after, 8, &use);
    check_near(use.imbalance, 9000.0 * 3 / 18000, 1e-12);
}

// The number of an ended thread was given to another: all that the new one did counts.
static void test_number_given_again(void **state)
{
    (void)state;
    after.thread[2] = thread_of(9, 6000);
    mr_threads_use_since(&before, &after, 2, &use);
    assert_int_equal(use.ended_count, 1);
    assert_true(use.thread[1].began);
    check(use.thread[1].exec_ns, 6000);
}

static void test_unavailable(void **state)
{
    (void)state;
    after.thread[1].run_delay_ns = (struct mr_reading){0};
    mr_threads_use_since(&before, &after, 2, &use);
    assert_false(use.thread[0].run_delay_ns.known);
    assert_false(use.run_delay_ns.known || use.run_delay_max_ns.known);
    check(use.exec_ns, 18000);
    after.left_out = 1;
    mr_threads_use_since(&before, &after, 2, &use);
    assert_int_equal(use.left_out, 1);
    assert_false(use.exec_ns.known || use.involuntary_switches.known);
    assert_true(isnan(use.imbalance));
    after.known = false;
    mr_threads_use_since(&before, &after, 2, &use);
    assert_false(use.known || use.exec_ns.known);
    assert_int_equal(use.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_stay_begin_end, make),
        cmocka_unit_test_setup(test_number_given_again, make),
        cmocka_unit_test_setup(test_unavailable, make),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
