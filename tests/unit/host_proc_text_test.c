// host_proc_text_test.c: texts of /proc as kernels write them, and broken ones.
#include <host/cpu_quota.h>
#include <host/proc_text.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void assert_reading(struct mr_reading reading, uint64_t value)
{
    assert_true(reading.known);
    assert_int_equal(reading.value, value);
}

#define STAT_AFTER_NAME                                                                            \
    " S 1 4242 4242 0 -1 4194560 8931 77 12 3 1234 567 8 9 20 -5 17 0 987654 3000000 401 "         \
    "18446744073709551615 1 2 3 4 5 0 0 0 0 0 0 0 17 3 0 0 0 0 0\n"

static void check_stat(const char *text, const char *name)
{
    struct mr_proc_stat stat;
    assert_true(mr_proc_stat_parse(text, &stat));
    assert_string_equal(stat.name, name);
    assert_int_equal(stat.state, 'S');
    assert_int_equal(stat.minor_faults, 8931);
    assert_int_equal(stat.major_faults, 12);
    assert_int_equal(stat.user_ticks, 1234);
    assert_int_equal(stat.system_ticks, 567);
    assert_int_equal(stat.threads_count, 17);
    assert_int_equal(stat.start_ticks, 987654);
    assert_reading(stat.core, 3);
}

static void test_stat(void **state)
{
    (void)state;
    check_stat("4242 (c-tuned)" STAT_AFTER_NAME, "c-tuned");
    check_stat("4242 (.NET TP Worker)" STAT_AFTER_NAME, ".NET TP Worker");
    check_stat("4242 ((sd-pam))" STAT_AFTER_NAME, "(sd-pam)");
    check_stat("4242 (a) S 9 (b) 1 2)" STAT_AFTER_NAME, "a) S 9 (b) 1 2");
    check_stat("4242 ()" STAT_AFTER_NAME, "");
    check_stat("4242 (two\nlines)" STAT_AFTER_NAME, "two\nlines");
}

static void test_broken_stat(void **state)
{
    (void)state;
    static const char *const broken[] = {
        "",
        "4242",
        "4242 (name",
        "4242 name) S 1 2",
        ")(",
        "4242 (name)",
        "4242 (name) ",
        "4242 (name) S",
        "4242 (name) S 1 2 3 4",
        "4242 (name) S 1 4242 4242 0 -1 4194560 8931 77 twelve 3 1234 567 8 9 20 0 17 0 987654",
        "4242 (name) S 1 4242 4242 0 -1 4194560 8931 77 12 3 99999999999999999999 567 8 9 20 0 17"};
    struct mr_proc_stat stat;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        assert_false(mr_proc_stat_parse(broken[i], &stat));
    }
    // An old kernel's line may end early; the core is unavailable then, not core 0.
    assert_true(
        mr_proc_stat_parse("1 (x) R 1 2 3 0 -1 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20", &stat));
    assert_false(stat.core.known);
    assert_int_equal(stat.threads_count, 17);
    assert_int_equal(stat.start_ticks, 19);
}

static void test_long_name_is_cut(void **state)
{
    (void)state;
    char text[400];
    (void)snprintf(text, sizeof text, "1 (%0100d)" STAT_AFTER_NAME, 7);
    struct mr_proc_stat stat;
    assert_true(mr_proc_stat_parse(text, &stat));
    assert_int_equal(strlen(stat.name), MR_PROC_NAME_MAX - 1);
}

static void test_status(void **state)
{
    (void)state;
    struct mr_proc_status status;
    mr_proc_status_parse("Name:\tVmRSS: 5 kB\\nThreads:\t9\n"
                         "Umask:\t0022\n"
                         "VmPeak:\t  999999 kB\n"
                         "VmHWM:\t   20480 kB\n"
                         "VmRSS:\t   10240 kB\n"
                         "RssAnon:\t    8000 kB\n"
                         "RssFile:\t    2200 kB\n"
                         "RssShmem:\t      40 kB\n"
                         "VmSwap:\t       0 kB\n"
                         "Threads:\t3\n"
                         "voluntary_ctxt_switches:\t150\n"
                         "nonvoluntary_ctxt_switches:\t5\n",
                         &status);
    assert_reading(status.peak_bytes, 20480 * 1024);
    assert_reading(status.resident_bytes, 10240 * 1024);
    assert_reading(status.anon_bytes, 8000 * 1024);
    assert_reading(status.file_bytes, 2200 * 1024);
    assert_reading(status.shared_bytes, 40 * 1024);
    assert_reading(status.swapped_bytes, 0);
    assert_reading(status.threads_count, 3);
    assert_reading(status.voluntary_switches, 150);
    assert_reading(status.involuntary_switches, 5);
}

// A zombie or a kernel thread has no memory lines: unavailable, never zero.
static void test_status_without_memory(void **state)
{
    (void)state;
    struct mr_proc_status status;
    mr_proc_status_parse("Name:\tkworker/0:1\nState:\tI (idle)\nThreads:\t1\n"
                         "VmRSS:\tmany kB\nVmHWM:\t18446744073709551615 kB\n",
                         &status);
    assert_false(status.peak_bytes.known);
    assert_false(status.resident_bytes.known);
    assert_false(status.anon_bytes.known);
    assert_false(status.voluntary_switches.known);
    assert_reading(status.threads_count, 1);
}

static void test_schedstat(void **state)
{
    (void)state;
    struct mr_proc_schedstat schedstat;
    assert_true(mr_proc_schedstat_parse("28005776 6783629 76\n", &schedstat));
    assert_int_equal(schedstat.exec_ns, 28005776);
    assert_int_equal(schedstat.run_delay_ns, 6783629);
    assert_int_equal(schedstat.slices_count, 76);
    assert_false(mr_proc_schedstat_parse("28005776 6783629", &schedstat));
    assert_false(mr_proc_schedstat_parse("", &schedstat));
    assert_false(mr_proc_schedstat_parse("-1 0 0", &schedstat));
}

static const char host_stat[] = "cpu  2932 1 1721 98041 694 2 30 13 0 0\n"
                                "cpu0 688 1 649 50328 27 0 6 5 0 0\n"
                                "cpu2 2243 0 1071 47712 666 2 24 8 4 0\n"
                                "intr 129645 0 cpu1 5\n"
                                "ctxt 7\n";

static void test_core_ticks(void **state)
{
    (void)state;
    struct mr_core_ticks cores[3] = {0};
    assert_int_equal(mr_core_ticks_parse(host_stat, cores, 3), 2);
    assert_int_equal(cores[0].core, 0);
    assert_int_equal(cores[0].user, 688);
    assert_int_equal(cores[0].nice, 1);
    assert_int_equal(cores[0].system, 649);
    assert_int_equal(cores[0].idle, 50328);
    assert_int_equal(cores[0].iowait, 27);
    assert_int_equal(cores[0].irq, 0);
    assert_int_equal(cores[0].softirq, 6);
    assert_reading(cores[0].steal, 5);
    assert_int_equal(cores[1].core, 2);
    assert_reading(cores[1].steal, 8);
    // Room for one: the count still tells that there are two.
    cores[1].core = 99;
    assert_int_equal(mr_core_ticks_parse(host_stat, cores, 1), 2);
    assert_int_equal(cores[1].core, 99);
    assert_int_equal(mr_core_ticks_parse("cpu0 1 2 3 4 5 6 7\n", cores, 1), 1);
    assert_false(cores[0].steal.known);
    assert_int_equal(mr_core_ticks_parse("cpu0 1 2 3 4 5 6\n", cores, 1), 0);
    assert_int_equal(mr_core_ticks_parse("", cores, 1), 0);
}

static void test_keys(void **state)
{
    (void)state;
    const char *text =
        "MemTotal:       16384 kB\nMemFree: 7 kB\npswpin 12\npswpin_other 13\nlast 5";
    assert_reading(mr_proc_key(text, "MemTotal"), 16384 * 1024);
    assert_reading(mr_proc_key(text, "pswpin"), 12);
    assert_reading(mr_proc_key(text, "pswpin_other"), 13);
    assert_reading(mr_proc_key(text, "last"), 5);
    assert_false(mr_proc_key(text, "Mem").known);
    assert_false(mr_proc_key(text, "emTotal").known);
    assert_false(mr_proc_key("", "x").known);
}

static void test_brackets(void **state)
{
    (void)state;
    char word[8];
    assert_true(mr_bracketed_word("always [madvise] never\n", word, sizeof word));
    assert_string_equal(word, "madvise");
    assert_true(mr_bracketed_word("[a-long-word]", word, sizeof word));
    assert_string_equal(word, "a-long-");
    assert_false(mr_bracketed_word("never", word, sizeof word));
    assert_false(mr_bracketed_word("] [never", word, sizeof word));
}

static void test_sockstat(void **state)
{
    (void)state;
    assert_reading(mr_sockstat_tcp_pages("sockets: used 12\n"
                                         "TCP: inuse 1 orphan 0 tw 4 alloc 1 mem 207\n"
                                         "UDP: inuse 0 mem 3\n"),
                   207);
    assert_false(mr_sockstat_tcp_pages("TCP: inuse 1\nUDP: inuse 0 mem 3\n").known);
    assert_false(mr_sockstat_tcp_pages("UDP: inuse 0 mem 3\n").known);
}

static void expect_file(const char **at, const char *path)
{
    const char *found;
    size_t length;
    assert_true(mr_maps_next_file(at, &found, &length));
    assert_int_equal(length, strlen(path));
    assert_memory_equal(found, path, length);
}

static void test_maps(void **state)
{
    (void)state;
    const char *at =
        "55d0-55d1 r--p 00000000 fe:00 12                         /opt/a name/c-tuned\n"
        "55d2-55d3 rw-p 00000000 00:00 0                          [heap]\n"
        "55d4-55d5 rw-p 00000000 00:00 0 \n"
        "7f00-7f01 r-xp 00001000 fe:00 13    /usr/lib/libyyjson.so.0.12.0 (deleted)\n"
        "7f02-7f03 rw-s 00000000 00:01 99    /dev/zero (deleted)\n"
        "7f04-7f05 r--p 00000000 fe:00 14    /lib/x.so";
    const char *path;
    size_t length;
    expect_file(&at, "/opt/a name/c-tuned");
    expect_file(&at, "/usr/lib/libyyjson.so.0.12.0");
    expect_file(&at, "/dev/zero");
    expect_file(&at, "/lib/x.so");
    assert_false(mr_maps_next_file(&at, &path, &length));
    at = "";
    assert_false(mr_maps_next_file(&at, &path, &length));
}

static bool is_library(const char *path)
{
    return mr_is_library(path, strlen(path));
}

static void test_is_library(void **state)
{
    (void)state;
    assert_true(is_library("/lib/libc.so.6"));
    assert_true(is_library("/lib/plugin.so"));
    assert_true(is_library("/usr/lib/dotnet/System.Text.Json.dll"));
    assert_false(is_library("/usr/bin/server"));
    assert_false(is_library("/usr/lib.so.d/server"));
    assert_false(is_library("/etc/ld.so"
                            "-cache"));
    assert_false(is_library("/lib/.so"));
    assert_false(is_library("/data/thing.social"));
}

static void check_max(const char *text, bool good, uint64_t millicores)
{
    uint64_t found = 1;
    assert_int_equal(mr_cpu_max_parse(text, &found), good);
    if (good) {
        assert_true(found == millicores);
    }
}

static void test_cpu_max(void **state)
{
    (void)state;
    check_max("max 100000\n", true, MR_QUOTA_NONE);
    check_max("150000 100000\n", true, 1500);
    check_max("50000 100000", true, 500);
    check_max("100000 30000", true, 3333);
    check_max("100000 0", false, 0);
    check_max("100000", false, 0);
    check_max("max", false, 0);
    check_max("", false, 0);
    check_max("18446744073709551615 1", false, 0);
}

static void test_difference(void **state)
{
    (void)state;
    assert_reading(mr_reading_since(mr_reading_of(3), mr_reading_of(10)), 7);
    assert_reading(mr_reading_since(mr_reading_of(3), mr_reading_of(3)), 0);
    assert_false(mr_reading_since(mr_reading_of(4), mr_reading_of(3)).known);
    assert_false(mr_reading_since((struct mr_reading){0}, mr_reading_of(3)).known);
    assert_false(mr_reading_since(mr_reading_of(3), (struct mr_reading){.value = 9}).known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stat),
        cmocka_unit_test(test_broken_stat),
        cmocka_unit_test(test_long_name_is_cut),
        cmocka_unit_test(test_status),
        cmocka_unit_test(test_status_without_memory),
        cmocka_unit_test(test_schedstat),
        cmocka_unit_test(test_core_ticks),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_brackets),
        cmocka_unit_test(test_sockstat),
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_is_library),
        cmocka_unit_test(test_cpu_max),
        cmocka_unit_test(test_difference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
