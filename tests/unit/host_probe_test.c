// host_probe_test.c: the fixed work is fixed, its time is plausible, and gaps are counted right.
#define _GNU_SOURCE
#include <host/pause_watch.h>
#include <host/probe.h>
#include <host/probe_set.h>
#include <host/sleep_cost.h>

#include <base/clock.h>
#include <base/pin.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct mr_cores usable;

static int find_cores(void **state)
{
    (void)state;
    return mr_pin_allowed(&usable);
}

// Worked out by an independent program.
static void test_work_is_fixed(void **state)
{
    (void)state;
    assert_true(mr_probe_work(0) == 0x8u);
    assert_true(mr_probe_work(1) == 0x382037810507208u);
    assert_true(mr_probe_work(1000) == 0x895551e7f8a5a2e2u);
}

static void test_calibration(void **state)
{
    (void)state;
    struct mr_probe probe;
    uint64_t ns;
    assert_int_equal(mr_probe_calibrate(usable.core[0], 200000, 5, &probe), 0);
    assert_true(probe.loops > 100);
    assert_int_equal(probe.repeats, 5);
    assert_true(probe.spread >= 0);
    // A busy neighbour may slow everything, never by so much; a wrong count of loops would show.
    assert_in_range(probe.fastest_ns, 200000 / 20, 200000 * 20);
    assert_int_equal(mr_probe_measure(usable.core[0], &probe, &ns), 0);
    assert_in_range(ns, 200000 / 20, 200000 * 20);
    probe.loops *= 100;
    uint64_t longer_ns;
    assert_int_equal(mr_probe_measure(usable.core[0], &probe, &longer_ns), 0);
    assert_true(longer_ns > 10 * ns);
    // The measuring thread was pinned, not we.
    struct mr_cores now;
    assert_int_equal(mr_pin_allowed(&now), 0);
    assert_int_equal(now.count, usable.count);
}

// On all cores at once; a set with more loops takes longer on each of them.
static void test_set(void **state)
{
    (void)state;
    size_t count = usable.count < 2 ? usable.count : 2;
    struct mr_probe_set set;
    assert_int_equal(mr_probe_set_calibrate(&set, usable.core, count, 200000, 5), 0);
    assert_int_equal(set.count, count);
    assert_int_equal(set.core[count - 1], usable.core[count - 1]);
    assert_true(set.loops > 100 && set.spread >= 0);
    struct mr_probe_times before;
    struct mr_probe_times after;
    assert_int_equal(mr_probe_set_measure(&set, &before), 0);
    set.loops *= 100;
    assert_int_equal(mr_probe_set_measure(&set, &after), 0);
    for (size_t i = 0; i < count; i++) {
        assert_in_range(before.ns[i], 200000 / 20, 200000 * 20);
        assert_true(after.ns[i] > 10 * before.ns[i]);
    }
    unsigned missing[] = {usable.core[0], MR_PIN_MAX_CORES - 1};
    assert_int_equal(mr_probe_set_calibrate(&set, missing, 2, 200000, 5), -EINVAL);
}

static void test_set_change(void **state)
{
    (void)state;
    const struct mr_probe_set set = {.core = {0, 1}, .count = 2};
    struct mr_probe_times before = {{1000, 2000}};
    struct mr_probe_times after = {{1010, 2100}};
    assert_true(mr_probe_change(&set, &before, &after) > 0.0499);
    assert_true(mr_probe_change(&set, &before, &after) < 0.0501);
    after = (struct mr_probe_times){{900, 2000}};
    assert_true(mr_probe_change(&set, &before, &after) > 0.0999);
    assert_true(mr_probe_change(&set, &before, &before) == 0);
}

static void test_sleep_cost(void **state)
{
    (void)state;
    struct mr_sleep_cost cost;
    assert_int_equal(mr_sleep_cost_measure(usable.core[0], &cost), 0);
    assert_true(cost.clock_ns > 0 && cost.clock_ns < 100000);
    assert_true(cost.sleep.p50_ns > 0 && cost.sleep.p50_ns <= cost.sleep.p99_ns);
    assert_true(cost.sleep.p99_ns <= cost.sleep.max_ns && cost.sleep.max_ns < 60 * MR_NS_PER_S);
    assert_true(cost.spin.p50_ns <= cost.spin.p99_ns && cost.spin.p99_ns <= cost.spin.max_ns);
    assert_int_equal(mr_sleep_cost_measure(MR_PIN_MAX_CORES - 1, &cost), -EINVAL);
}

static void test_missing_core(void **state)
{
    (void)state;
    struct mr_probe probe = {.loops = 1, .repeats = 1};
    uint64_t ns;
    assert_int_equal(mr_probe_measure(MR_PIN_MAX_CORES - 1, &probe, &ns), -EINVAL);
    assert_int_equal(mr_probe_measure(MR_PIN_MAX_CORES, &probe, &ns), -EINVAL);
    assert_int_equal(mr_probe_calibrate(MR_PIN_MAX_CORES, 1000, 1, &probe), -EINVAL);
    struct mr_pause_watch watch;
    assert_int_equal(mr_pause_watch_start(&watch, MR_PIN_MAX_CORES - 1, 1000), -EINVAL);
    uint64_t beside_ns;
    assert_int_equal(mr_probe_pair(usable.core[0], MR_PIN_MAX_CORES - 1, &probe, &ns, &beside_ns),
                     -EINVAL);
}

static void test_pair(void **state)
{
    (void)state;
    if (usable.count < 2) {
        skip();
    }
    struct mr_probe probe;
    uint64_t alone_ns = 0;
    uint64_t beside_ns = 0;
    assert_int_equal(mr_probe_calibrate(usable.core[0], 100000, 3, &probe), 0);
    assert_int_equal(mr_probe_pair(usable.core[0], usable.core[1], &probe, &alone_ns, &beside_ns),
                     0);
    assert_in_range(alone_ns, 100000 / 20, 100000 * 20);
    assert_in_range(beside_ns, 100000 / 20, 100000 * 20);
}

static void test_gaps(void **state)
{
    (void)state;
    struct mr_pauses pauses = mr_pauses_from(1000, 100);
    static const uint64_t times[] = {1000, 1050, 1149, 1249, 1250, 1500, 1700, 1701};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        mr_pauses_note(&pauses, times[i]);
    }
    // Gaps: 50, 99, 100 (counts), 1, 250 (counts, from 1250), 200 (counts), 1.
    assert_int_equal(pauses.count, 3);
    assert_int_equal(pauses.total_ns, 550);
    assert_int_equal(pauses.longest_ns, 250);
    assert_int_equal(pauses.longest_at_ns, 1250);
    assert_int_equal(pauses.begin_ns, 1000);
    assert_int_equal(pauses.last_ns, 1701);
}

// A spinner that was kept from running before its first turn or after its last one paused, too.
static void test_edges(void **state)
{
    (void)state;
    struct mr_pauses pauses = mr_pauses_of_start(5000, 5000 + MR_PAUSE_START_NS, 100);
    assert_int_equal(pauses.begin_ns, 5000 + MR_PAUSE_START_NS); // as long as a start may take
    pauses = mr_pauses_of_start(5000, 5001 + MR_PAUSE_START_NS, 100);
    assert_int_equal(pauses.begin_ns, 5000);
    mr_pauses_end(&pauses, 5000 + 2 * MR_PAUSE_START_NS); // it never ran
    assert_int_equal(pauses.count, 1);
    assert_int_equal(pauses.total_ns, 2 * MR_PAUSE_START_NS);
    mr_pauses_end(&pauses, 5000); // it looked once more after that
    assert_int_equal(pauses.last_ns, 5000 + 2 * MR_PAUSE_START_NS);
    assert_int_equal(pauses.count, 1);
}

static void test_watch(void **state)
{
    (void)state;
    struct mr_pause_watch watch;
    struct mr_pauses pauses;
    uint64_t begin_ns = mr_clock_ns();
    // Every turn of the loop counts as a gap here: so the gaps must add up to the whole watch.
    assert_int_equal(mr_pause_watch_start(&watch, usable.core[usable.count - 1], 0), 0);
    mr_clock_sleep_until(begin_ns + 20 * MR_NS_PER_MS);
    mr_pause_watch_stop(&watch, &pauses);
    uint64_t whole_ns = mr_clock_ns() - begin_ns;
    assert_true(pauses.begin_ns >= begin_ns);
    assert_int_equal(pauses.total_ns, pauses.last_ns - pauses.begin_ns);
    assert_true(pauses.total_ns <= whole_ns);
    assert_true(pauses.longest_ns <= pauses.total_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work_is_fixed), cmocka_unit_test(test_calibration),
        cmocka_unit_test(test_missing_core),  cmocka_unit_test(test_set),
        cmocka_unit_test(test_set_change),    cmocka_unit_test(test_sleep_cost),
        cmocka_unit_test(test_pair),          cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_edges),         cmocka_unit_test(test_watch),
    };
    return cmocka_run_group_tests(tests, find_cores, NULL);
}
