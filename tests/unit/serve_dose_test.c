// serve_dose_test.c: a dose is of the size that was asked for, by the thread's own CPU clock.
#include <serve/dose.h>

#include <base/clock.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <time.h>
#include <cmocka.h>

#define WORK_NS (60 * MR_NS_PER_MS)

static uint64_t cpu_ns(void)
{
    struct timespec now;
    assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
    return (uint64_t)now.tv_sec * MR_NS_PER_S + (uint64_t)now.tv_nsec;
}

static double owed_ns(const struct mr_dose *dose)
{
    return (double)dose->work_ns * (double)dose->ppm / 1e6;
}

// Whether more was spun than one look at the clock too late explains. An interrupt within that look
// counts as the thread's time on some hosts; what is then spun too much is owed less the next time.
static bool spun_too_much(const struct mr_dose *dose)
{
    return (double)dose->spun_ns >= owed_ns(dose) + 20.0 * MR_NS_PER_US;
}

// Works for WORK_NS of CPU time in pieces of 50 us, with pauses between them, and goes on a little
// while an interrupt is being made good. The dose's own account must add up to the thread's CPU
// clock, and be of the size that was asked for.
static void check_dose(uint64_t ppm, uint64_t pause_ns)
{
    struct mr_dose dose;
    uint64_t start_ns = cpu_ns();
    mr_dose_init(&dose, ppm);
    while (dose.work_ns < WORK_NS || (spun_too_much(&dose) && dose.work_ns < 2 * WORK_NS)) {
        uint64_t piece_ns = cpu_ns();
        while (cpu_ns() - piece_ns < 50 * MR_NS_PER_US) {
        }
        if (pause_ns > 0) {
            mr_clock_sleep_until(mr_clock_ns() + pause_ns);
        }
        mr_dose_settle(&dose);
    }
    uint64_t all_ns = cpu_ns() - start_ns;
    assert_true((double)dose.spun_ns > owed_ns(&dose) - 1); // a debt is of whole nanoseconds
    assert_false(spun_too_much(&dose));
    assert_true(all_ns >= dose.work_ns + dose.spun_ns);
    assert_true(all_ns - dose.work_ns - dose.spun_ns <
                WORK_NS / 1000); // what it does not account for
}

static void test_size(void **state)
{
    (void)state;
    check_dose(10000, 0);
    check_dose(20000, 0);
    check_dose(50000, 0);
    check_dose(500000, 0);
}

// Who waits uses no CPU time, so nothing is spun for it.
static void test_waiting_is_no_work(void **state)
{
    (void)state;
    check_dose(50000, MR_NS_PER_MS / 5);
}

static void test_none(void **state)
{
    (void)state;
    struct mr_dose dose;
    mr_dose_init(&dose, 0);
    mr_clock_sleep_until(mr_clock_ns() + MR_NS_PER_MS);
    mr_dose_settle(&dose);
    assert_int_equal(dose.work_ns, 0);
    assert_int_equal(dose.spun_ns, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_waiting_is_no_work),
        cmocka_unit_test(test_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
