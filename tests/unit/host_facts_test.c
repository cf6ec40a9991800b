// host_facts_test.c: the machine's facts from a made-up tree, from an empty one, and from here.
#define _GNU_SOURCE
#include <host/cpu_quota.h>
#include <host/host_facts.h>
#include <host/proc.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <cmocka.h>

#include "host_made_up_tree.h"

static const struct mr_cores two_cores = {.core = {0, 3}, .count = 2};

static void test_made_up_machine(void **state)
{
    (void)state;
    struct made_up_tree tree;
    tree_init(&tree);
    tree_put(&tree, "6.1.0-made-up\n", "/proc/sys/kernel/osrelease");
    tree_put(&tree, "11111111-2222\n", "/proc/sys/kernel/random/boot_id");
    tree_put(&tree, "always [madvise] never\n", "/sys/kernel/mm/transparent_hugepage/enabled");
    tree_put(&tree, "tsc\n", "/sys/devices/system/clocksource/clocksource0/current_clocksource");
    tree_put(&tree, "bbr\n", "/proc/sys/net/ipv4/tcp_congestion_control");
    tree_put(&tree, "MemTotal: 100 kB\nMemAvailable: 50 kB\nSwapTotal: 0 kB\n", "/proc/meminfo");
    tree_put(&tree, "performance\n", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    tree_put(&tree, "performance\n", "/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor");
    tree_put(&tree, "2600000\n", "/sys/devices/system/cpu/cpu3/cpufreq/scaling_cur_freq");
    tree_put(&tree, "TCP: inuse 1 orphan 0 tw 0 alloc 1 mem 3\n", "/proc/net/sockstat");
    tree_put(&tree, "nr_free 1\npswpin 4\npswpout 5\n", "/proc/vmstat");
    tree_put(&tree, "cpu 1 2\ncpu0 1 2 3 4 5 6 7 8 9 10\n", "/proc/stat");
    struct mr_host_facts facts;
    mr_host_facts_read(tree.root, &two_cores, &facts);
    assert_string_equal(facts.kernel.text, "6.1.0-made-up");
    assert_string_equal(facts.boot_id.text, "11111111-2222");
    assert_string_equal(facts.huge_pages.text, "madvise");
    assert_string_equal(facts.governor.text, "performance");
    assert_string_equal(facts.clock_source.text, "tsc");
    assert_string_equal(facts.tcp_congestion.text, "bbr");
    assert_true(facts.memory_bytes.known && facts.memory_bytes.value == 102400);
    assert_true(facts.available_bytes.known && facts.available_bytes.value == 51200);
    assert_true(facts.swap_bytes.known && facts.swap_bytes.value == 0);
    assert_false(facts.quota_millicores.known);
    assert_int_equal(mr_core_frequency_khz(tree.root, 3).value, 2600000);
    assert_false(mr_core_frequency_khz(tree.root, 0).known);
    struct mr_host_counters counters;
    mr_host_counters_read(tree.root, &counters);
    assert_int_equal(counters.tcp_buffer_bytes.value, 3 * sysconf(_SC_PAGESIZE));
    assert_int_equal(counters.swapped_in_pages.value, 4);
    assert_int_equal(counters.swapped_out_pages.value, 5);
    struct mr_core_ticks ticks;
    size_t count;
    assert_int_equal(mr_core_ticks_read(tree.root, &ticks, 1, &count), 0);
    assert_int_equal(count, 1);
    assert_int_equal(ticks.softirq, 7);
    tree_put(&tree, "powersave\n", "/sys/devices/system/cpu/cpu3/cpufreq/scaling_governor");
    mr_host_facts_read(tree.root, &two_cores, &facts);
    assert_string_equal(facts.governor.text, "mixed");
    tree_put(&tree, "nothing of the kind\n", "/proc/stat");
    assert_int_equal(mr_core_ticks_read(tree.root, &ticks, 1, &count), -EPROTO);
    tree_fini(&tree);
}

// What is not there is unavailable, word by word and figure by figure.
static void test_nothing_to_read(void **state)
{
    (void)state;
    struct made_up_tree tree;
    tree_init(&tree);
    struct mr_host_facts facts;
    mr_host_facts_read(tree.root, &two_cores, &facts);
    const struct mr_reading_text *const texts[] = {&facts.kernel,       &facts.boot_id,
                                                   &facts.huge_pages,   &facts.governor,
                                                   &facts.clock_source, &facts.tcp_congestion};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_false(texts[i]->known);
        assert_string_equal(texts[i]->text, "unavailable");
    }
    assert_false(facts.memory_bytes.known);
    assert_false(facts.swap_bytes.known);
    assert_false(facts.quota_millicores.known);
    struct mr_host_counters counters;
    mr_host_counters_read(tree.root, &counters);
    assert_false(counters.tcp_buffer_bytes.known);
    assert_false(counters.swapped_in_pages.known);
    struct mr_core_ticks ticks;
    size_t count;
    assert_int_equal(mr_core_ticks_read(tree.root, &ticks, 1, &count), -ENOENT);
    tree_fini(&tree);
}

static void check_quota(const struct made_up_tree *tree, uint64_t millicores)
{
    struct mr_reading quota = mr_cpu_quota_read(tree->root);
    assert_true(quota.known);
    assert_true(quota.value == millicores);
}

static void test_quota_version_2(void **state)
{
    (void)state;
    struct made_up_tree tree;
    tree_init(&tree);
    tree_put(&tree, "0::/a/b\n", "/proc/self/cgroup");
    assert_false(mr_cpu_quota_read(tree.root).known);
    tree_put(&tree, "memory pids\n", "/sys/fs/cgroup/cgroup.controllers");
    assert_false(mr_cpu_quota_read(tree.root).known);
    tree_put(&tree, "cpuset cpu io\n", "/sys/fs/cgroup/cgroup.controllers");
    check_quota(&tree, MR_QUOTA_NONE);
    tree_put(&tree, "max 100000\n", "/sys/fs/cgroup/a/b/cpu.max");
    check_quota(&tree, MR_QUOTA_NONE);
    tree_put(&tree, "250000 100000\n", "/sys/fs/cgroup/a/cpu.max");
    check_quota(&tree, 2500);
    tree_put(&tree, "800000 100000\n", "/sys/fs/cgroup/a/b/cpu.max");
    check_quota(&tree, 2500);
    tree_put(&tree, "150000 100000\n", "/sys/fs/cgroup/cpu.max");
    check_quota(&tree, 1500);
    // In a container with its own view the group is "/".
    tree_put(&tree, "0::/\n", "/proc/self/cgroup");
    check_quota(&tree, 1500);
    tree_fini(&tree);
}

static void test_quota_version_1(void **state)
{
    (void)state;
    struct made_up_tree tree;
    tree_init(&tree);
    tree_put(&tree, "3:cpuset:/\n2:cpu,cpuacct:/job\n0::/\n", "/proc/self/cgroup");
    assert_false(mr_cpu_quota_read(tree.root).known);
    tree_put(&tree, "-1\n", "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us");
    tree_put(&tree, "100000\n", "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us");
    check_quota(&tree, MR_QUOTA_NONE);
    tree_put(&tree, "300000\n", "/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_quota_us");
    assert_true(mr_cpu_quota_read(tree.root).value == MR_QUOTA_NONE); // no period, no quota
    tree_put(&tree, "100000\n", "/sys/fs/cgroup/cpu,cpuacct/job/cpu.cfs_period_us");
    check_quota(&tree, 3000);
    tree_put(&tree, "1:cpu:/host/only\n", "/proc/self/cgroup");
    tree_put(&tree, "50000\n", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
    tree_put(&tree, "100000\n", "/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    check_quota(&tree, 500);
    tree_put(&tree, "1:cpuacct:/\nnonsense\n", "/proc/self/cgroup");
    assert_false(mr_cpu_quota_read(tree.root).known);
    tree_fini(&tree);
}

static void test_here(void **state)
{
    (void)state;
    struct mr_cores cores;
    struct utsname names;
    assert_int_equal(mr_pin_allowed(&cores), 0);
    assert_int_equal(uname(&names), 0);
    struct mr_host_facts facts;
    mr_host_facts_read("", &cores, &facts);
    assert_true(facts.kernel.known);
    assert_string_equal(facts.kernel.text, names.release);
    assert_true(facts.memory_bytes.known && facts.memory_bytes.value > 1u << 20);
    static struct mr_core_ticks ticks[MR_PIN_MAX_CORES];
    size_t count;
    assert_int_equal(mr_core_ticks_read("", ticks, MR_PIN_MAX_CORES, &count), 0);
    assert_true(count >= 1);
    assert_true(mr_tick_ns() >= 1000000 && mr_tick_ns() <= 10000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_made_up_machine),
        cmocka_unit_test(test_nothing_to_read),
        cmocka_unit_test(test_quota_version_2),
        cmocka_unit_test(test_quota_version_1),
        cmocka_unit_test(test_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
