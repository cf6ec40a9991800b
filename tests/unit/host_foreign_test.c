// host_foreign_test.c: what else ran on the cores, worked out from figures that were thought out.
#include <host/foreign.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define MS 1000000ull
#define S  1000000000ull

static struct mr_core_use cores[2];
static struct mr_foreign_parts parts;

// Two cores, 8 s: the server used 7 s of core 2, the generator all of core 5; 100 ms of another
// thread and 20 ms of ksoftirqd on core 2, which had 500 ms of steal as well.
static int make(void **state)
{
    (void)state;
    cores[0] = (struct mr_core_use){.core = 2,
                                    .idle_ns = mr_reading_of(380 * MS),
                                    .irq_ns = mr_reading_of(0),
                                    .softirq_ns = mr_reading_of(900 * MS),
                                    .steal_ns = mr_reading_of(500 * MS),
                                    .tasks_ns = mr_reading_of(7 * S + 120 * MS),
                                    .ksoftirqd_ns = mr_reading_of(20 * MS)};
    cores[1] = (struct mr_core_use){.core = 5,
                                    .idle_ns = mr_reading_of(0),
                                    .irq_ns = mr_reading_of(0),
                                    .softirq_ns = mr_reading_of(700 * MS),
                                    .steal_ns = mr_reading_of(0),
                                    .tasks_ns = mr_reading_of(8 * S),
                                    .ksoftirqd_ns = mr_reading_of(0)};
    parts = (struct mr_foreign_parts){.wall_ns = 8 * S,
                                      .cores = cores,
                                      .cores_count = 2,
                                      .own_ns = mr_reading_of(15 * S),
                                      .stat_step_ns = 10 * MS,
                                      .tasks_step_ns = 4 * MS};
    return 0;
}

static void check_near(double figure, double wanted, double within)
{
    assert_true(fabs(figure - wanted) <= within);
}

static struct mr_foreign worked_out(void)
{
    struct mr_foreign foreign;
    mr_foreign_work_out(&parts, &foreign);
    return foreign;
}

static void check(enum mr_foreign_source source, double ms, double step_share)
{
    struct mr_foreign foreign = worked_out();
    assert_int_equal(foreign.source, source);
    check_near(foreign.ns, ms * 1e6, 1.0);
    check_near(foreign.share, ms / 16000.0, 1e-9);
    check_near(foreign.step_share, step_share, 1e-12);
}

static void test_by_tasks(void **state)
{
    (void)state;
    check(MR_FOREIGN_TASKS, 100, 0.0005);
    check_near(worked_out().network_ns, 20e6, 1.0);
    cores[0].ksoftirqd_ns = (struct mr_reading){0}; // invisible: on the safe side
    check(MR_FOREIGN_TASKS, 120, 0.0005);
}

// Where the kernel samples, softirq lies in the threads' own CPU time and is not taken off again;
// steal is, once.
static void test_by_sampled_ticks(void **state)
{
    (void)state;
    cores[1].tasks_ns = (struct mr_reading){0};
    check(MR_FOREIGN_TICKS, 100, 0.00125);
    cores[0].steal_ns = mr_reading_of(400 * MS);
    check(MR_FOREIGN_TICKS, 200, 0.00125);
}

// Where it measures, interrupts are a class of their own, in nobody's CPU time.
static void test_by_measured_ticks(void **state)
{
    (void)state;
    cores[0].tasks_ns = (struct mr_reading){0};
    cores[0].irq_ns = mr_reading_of(10 * MS);
    parts.irq_is_measured = true;
    parts.own_ns = mr_reading_of(15 * S - 1600 * MS);
    check(MR_FOREIGN_TICKS, 110, 0.00125); // ksoftirqd is in softirq there
    check_near(worked_out().network_ns, 1610e6, 1.0);
}

static void test_missing_part(void **state)
{
    (void)state;
    cores[0].tasks_ns = (struct mr_reading){0};
    cores[0].steal_ns = (struct mr_reading){0};
    struct mr_foreign foreign = worked_out();
    assert_int_equal(foreign.source, MR_FOREIGN_UNAVAILABLE);
    assert_true(isnan(foreign.ns) && isnan(foreign.share) && isnan(foreign.step_share));
    (void)make(NULL);
    cores[1].idle_ns = (struct mr_reading){0};
    check(MR_FOREIGN_TASKS, 100, 0.0005);
    parts.own_ns = (struct mr_reading){0};
    assert_int_equal(worked_out().source, MR_FOREIGN_UNAVAILABLE);
    (void)make(NULL);
    parts.wall_ns = 0;
    assert_int_equal(worked_out().source, MR_FOREIGN_UNAVAILABLE);
}

// A little below zero is the counters' step, far below shows that the formula does not fit.
static void test_below_zero(void **state)
{
    (void)state;
    parts.own_ns = mr_reading_of(15 * S + 107 * MS);
    struct mr_foreign foreign = worked_out();
    assert_int_equal(foreign.source, MR_FOREIGN_TASKS);
    assert_true(foreign.ns == 0 && foreign.share == 0);
    check_near(foreign.signed_ns, -7e6, 1.0);
    parts.own_ns = mr_reading_of(15 * S + 110 * MS);
    assert_int_equal(worked_out().source, MR_FOREIGN_TICKS);
    parts.own_ns = mr_reading_of(15 * S + 210 * MS);
    assert_int_equal(worked_out().source, MR_FOREIGN_UNAVAILABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_by_tasks, make),
        cmocka_unit_test_setup(test_by_sampled_ticks, make),
        cmocka_unit_test_setup(test_by_measured_ticks, make),
        cmocka_unit_test_setup(test_missing_part, make),
        cmocka_unit_test_setup(test_below_zero, make),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
