// host_core_use_test.c: counters of cores and groups from made-up trees; what is not there is
// unavailable.
#define _GNU_SOURCE
#include <host/core_use.h>
#include <host/proc.h>
#include <host/throttle.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "host_made_up_tree.h"

static const struct mr_cores two_cores = {.core = {3, 1}, .count = 2};

static struct made_up_tree tree;

static int make(void **state)
{
    (void)state;
    tree_init(&tree);
    return 0;
}

static int end(void **state)
{
    (void)state;
    tree_fini(&tree);
    return 0;
}

static void put_all(void)
{
    tree_put(&tree,
             "cpu 1 1\ncpu0 900 900 900 900 900 900 900 900 9 9\ncpu1 10 20 30 400 50 6 7 8 0 0\n"
             "cpu3 11 21 31 401 51 0 8 9 0 0\nintr 1\n",
             "/proc/stat");
    tree_put(&tree, "11 22 33 44 \n", "/sys/fs/cgroup/cpuacct/cpuacct.usage_percpu");
    tree_put(&tree, "\n", "/sys/fs/cgroup/cpuacct/release_agent");
    tree_put(&tree, "ksoftirqd/1\n", "/proc/22/comm");
    tree_put(&tree, "777 888 9\n", "/proc/22/schedstat");
    tree_put(&tree, "ksoftirqd/13\n", "/proc/23/comm");
    tree_put(&tree, "1 1 1\n", "/proc/23/schedstat");
    tree_put(&tree, "2500000\n", "/sys/devices/system/cpu/cpu3/cpufreq/scaling_cur_freq");
}

static void read_cores(struct mr_core_use use_out[2])
{
    struct mr_ksoftirqd kernel;
    mr_ksoftirqd_find(tree.root, &two_cores, &kernel);
    mr_core_use_read(tree.root, &two_cores, &kernel, use_out);
}

static void check(struct mr_reading reading, uint64_t value)
{
    assert_true(reading.known);
    assert_int_equal(reading.value, value);
}

static void test_counters(void **state)
{
    (void)state;
    put_all();
    struct mr_core_use use[2];
    read_cores(use);
    uint64_t tick_ns = mr_tick_ns();
    assert_int_equal(use[0].core, 3);
    assert_int_equal(use[1].core, 1);
    check(use[1].user_ns, 30 * tick_ns);
    check(use[1].system_ns, 30 * tick_ns);
    check(use[1].idle_ns, 450 * tick_ns);
    check(use[1].irq_ns, 6 * tick_ns);
    check(use[1].softirq_ns, 7 * tick_ns);
    check(use[1].steal_ns, 8 * tick_ns);
    check(use[0].steal_ns, 9 * tick_ns);
    check(use[0].tasks_ns, 44);
    check(use[1].tasks_ns, 22);
    check(use[1].ksoftirqd_ns, 777);
    assert_false(use[0].ksoftirqd_ns.known);
    check(use[0].frequency_khz, 2500000);
    assert_false(use[1].frequency_khz.known);
    assert_true(mr_core_irq_is_measured(&use[1]));
    assert_false(mr_core_irq_is_measured(&use[0]));
}

// A core without line is offline; a line of an old kernel has no steal.
static void test_missing_parts(void **state)
{
    (void)state;
    put_all();
    tree_put(&tree, "cpu 1 1\ncpu1 10 20 30 400 50 6 7\n", "/proc/stat");
    tree_put(&tree, "11 22 33\n", "/sys/fs/cgroup/cpuacct/cpuacct.usage_percpu");
    struct mr_core_use use[2];
    read_cores(use);
    assert_false(use[0].idle_ns.known || use[0].steal_ns.known || use[0].tasks_ns.known);
    assert_true(use[1].idle_ns.known && use[1].tasks_ns.known);
    assert_false(use[1].steal_ns.known);
}

// A container shows a group of its own in the root's place: it does not hold every thread.
static void test_group_that_is_no_root(void **state)
{
    (void)state;
    tree_put(&tree, "11 22 33 44\n", "/sys/fs/cgroup/cpuacct/cpuacct.usage_percpu");
    struct mr_core_use use[2];
    read_cores(use);
    assert_false(use[0].tasks_ns.known || use[1].tasks_ns.known);
}

static void test_nothing_to_read(void **state)
{
    (void)state;
    struct mr_core_use use[2];
    read_cores(use);
    for (int i = 0; i < 2; i++) {
        assert_false(use[i].user_ns.known || use[i].idle_ns.known || use[i].softirq_ns.known);
        assert_false(use[i].steal_ns.known || use[i].tasks_ns.known || use[i].irq_ns.known);
        assert_false(use[i].ksoftirqd_ns.known || use[i].frequency_khz.known);
        assert_false(mr_core_irq_is_measured(&use[i]));
    }
    struct mr_core_use since;
    mr_core_use_since(&use[0], &use[0], &since);
    assert_false(since.idle_ns.known || since.steal_ns.known || since.tasks_ns.known);
}

static void test_since(void **state)
{
    (void)state;
    put_all();
    struct mr_core_use before[2];
    struct mr_core_use after[2];
    read_cores(before);
    tree_put(&tree, "cpu 1 1\ncpu1 11 22 34 408 66 38 71 136 0 0\ncpu3 11 21 31 401 51 0 8 9 0 0\n",
             "/proc/stat");
    tree_put(&tree, "11 1022 33 43\n", "/sys/fs/cgroup/cpuacct/cpuacct.usage_percpu");
    tree_put(&tree, "1777 888 9\n", "/proc/22/schedstat");
    read_cores(after);
    struct mr_core_use use;
    mr_core_use_since(&before[1], &after[1], &use);
    uint64_t tick_ns = mr_tick_ns();
    check(use.user_ns, 3 * tick_ns);
    check(use.system_ns, 4 * tick_ns);
    check(use.idle_ns, 24 * tick_ns);
    check(use.irq_ns, 32 * tick_ns);
    check(use.softirq_ns, 64 * tick_ns);
    check(use.steal_ns, 128 * tick_ns);
    check(use.tasks_ns, 1000);
    check(use.ksoftirqd_ns, 1000);
    mr_core_use_since(&before[0], &after[0], &use);
    check(use.steal_ns, 0);
    assert_false(use.tasks_ns.known); // it went backwards
    check(use.frequency_khz, 2500000);
}

static void test_throttle_version_2(void **state)
{
    (void)state;
    struct mr_throttle throttle;
    mr_throttle_read(tree.root, &throttle);
    assert_false(throttle.count.known || throttle.ns.known);
    tree_put(&tree, "0::/a/b\n", "/proc/self/cgroup");
    tree_put(&tree, "usage_usec 5\n", "/sys/fs/cgroup/cpu.stat");
    mr_throttle_read(tree.root, &throttle);
    assert_false(throttle.count.known || throttle.ns.known);
    tree_put(&tree, "usage_usec 5\nnr_periods 3\nnr_throttled 2\nthrottled_usec 40\n",
             "/sys/fs/cgroup/a/cpu.stat");
    tree_put(&tree, "nr_periods 3\nnr_throttled 1\nthrottled_usec 7\n",
             "/sys/fs/cgroup/a/b/cpu.stat");
    tree_put(&tree, "nr_throttled 100\nthrottled_usec 100\n", "/sys/fs/cgroup/c/cpu.stat");
    mr_throttle_read(tree.root, &throttle);
    check(throttle.count, 3);
    check(throttle.ns, 47000);
}

static void test_throttle_version_1(void **state)
{
    (void)state;
    struct mr_throttle throttle;
    tree_put(&tree, "2:memory:/x\n1:cpu,cpuacct:/x\n", "/proc/self/cgroup");
    tree_put(&tree, "nr_periods 3\nnr_throttled 2\nthrottled_time 40\n",
             "/sys/fs/cgroup/cpu,cpuacct/x/cpu.stat");
    tree_put(&tree, "nr_periods 3\nnr_throttled 2\nthrottled_time 40\n",
             "/sys/fs/cgroup/cpu/x/cpu.stat");
    mr_throttle_read(tree.root, &throttle);
    check(throttle.count, 2);
    check(throttle.ns, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_counters, make, end),
        cmocka_unit_test_setup_teardown(test_missing_parts, make, end),
        cmocka_unit_test_setup_teardown(test_group_that_is_no_root, make, end),
        cmocka_unit_test_setup_teardown(test_nothing_to_read, make, end),
        cmocka_unit_test_setup_teardown(test_since, make, end),
        cmocka_unit_test_setup_teardown(test_throttle_version_2, make, end),
        cmocka_unit_test_setup_teardown(test_throttle_version_1, make, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
