// host_proc_test.c: what is read about living processes, against what they did.
#define _GNU_SOURCE
#include <host/proc.h>
#include <host/proc_files.h>

#include <base/clock.h>
#include <base/pin.h>

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#define MIB (1u << 20)

static uint64_t clock_of(clockid_t clock)
{
    struct timespec time;
    assert_int_equal(clock_gettime(clock, &time), 0);
    return (uint64_t)time.tv_sec * MR_NS_PER_S + (uint64_t)time.tv_nsec;
}

static uint64_t ns_of(struct timeval time)
{
    return (uint64_t)time.tv_sec * MR_NS_PER_S + (uint64_t)time.tv_usec * MR_NS_PER_US;
}

static void burn(uint64_t ns)
{
    uint64_t until_ns = clock_of(CLOCK_THREAD_CPUTIME_ID) + ns;
    while (clock_of(CLOCK_THREAD_CPUTIME_ID) < until_ns) {
    }
}

static struct mr_proc_usage usage_of(pid_t pid)
{
    struct mr_proc_usage usage;
    assert_int_equal(mr_proc_usage_read(pid, &usage), 0);
    return usage;
}

static void test_own_cpu_time(void **state)
{
    (void)state;
    uint64_t before_ns = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    struct mr_proc_usage usage = usage_of(getpid());
    uint64_t after_ns = clock_of(CLOCK_PROCESS_CPUTIME_ID);
    assert_true(usage.exec_ns.known);
    assert_in_range(usage.exec_ns.value, before_ns, after_ns);
    assert_true(usage.user_ns.known && usage.system_ns.known);
    burn(60 * MR_NS_PER_MS);
    struct mr_proc_usage later = usage_of(getpid());
    assert_true(mr_reading_since(usage.exec_ns, later.exec_ns).value >= 60 * MR_NS_PER_MS);
    uint64_t ticks_ns = mr_reading_since(usage.user_ns, later.user_ns).value +
                        mr_reading_since(usage.system_ns, later.system_ns).value;
    assert_true(ticks_ns >= 60 * MR_NS_PER_MS - 3 * mr_tick_ns());
    assert_true(later.at_ns >= usage.at_ns + 60 * MR_NS_PER_MS);
    assert_int_equal(usage.start_ticks.value, later.start_ticks.value);
    assert_true(usage.start_ticks.value > 0);
}

// User and system time as getrusage() has them, to the step of /proc.
static void test_own_split(void **state)
{
    (void)state;
    volatile uint64_t turns = 0;
    struct rusage before;
    struct rusage after;
    do { // how ticks fall is chance: until enough of them have fallen on our side
        for (int i = 0; i < 1000000; i++) {
            turns = turns + 1;
        }
        assert_int_equal(getrusage(RUSAGE_SELF, &before), 0);
    } while (ns_of(before.ru_utime) < 30 * MR_NS_PER_MS);
    struct mr_proc_usage usage = usage_of(getpid());
    assert_int_equal(getrusage(RUSAGE_SELF, &after), 0);
    assert_in_range(usage.user_ns.value, ns_of(before.ru_utime) - mr_tick_ns(),
                    ns_of(after.ru_utime) + mr_tick_ns());
    assert_true(usage.system_ns.value <= ns_of(after.ru_stime) + mr_tick_ns());
    assert_true(usage.system_ns.value + mr_tick_ns() >= ns_of(before.ru_stime));
}

static void *burn_thread(void *context)
{
    (void)context;
    burn(40 * MR_NS_PER_MS);
    return NULL;
}

// A thread that has ended stays in the process's time and leaves the sum of the living.
static void test_ended_threads_count(void **state)
{
    (void)state;
    struct mr_proc_usage before = usage_of(getpid());
    if (!before.threads_exec_ns.known) {
        skip();
    }
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, burn_thread, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    struct mr_proc_usage after = usage_of(getpid());
    assert_true(mr_reading_since(before.exec_ns, after.exec_ns).value >= 40 * MR_NS_PER_MS);
    assert_true(mr_reading_since(before.threads_exec_ns, after.threads_exec_ns).value <
                40 * MR_NS_PER_MS);
}

static void *wait_thread(void *context)
{
    atomic_int *go = context;
    (void)pthread_setname_np(pthread_self(), "a (b) c");
    atomic_fetch_add(go, 1);
    burn(20 * MR_NS_PER_MS);
    for (int i = 0; i < 5; i++) {
        mr_clock_sleep_until(mr_clock_ns() + MR_NS_PER_MS / 4);
    }
    atomic_fetch_add(go, 1);
    while (atomic_load(go) != 3) {
        mr_clock_sleep_until(mr_clock_ns() + MR_NS_PER_MS);
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    atomic_int go = 0;
    pthread_t thread;
    struct mr_proc_usage before = usage_of(getpid());
    assert_int_equal(pthread_create(&thread, NULL, wait_thread, &go), 0);
    while (atomic_load(&go) != 2) {
        mr_clock_sleep_until(mr_clock_ns() + MR_NS_PER_MS);
    }
    struct mr_proc_usage usage = usage_of(getpid());
    struct mr_proc_thread threads[8];
    size_t count;
    assert_int_equal(mr_proc_threads_read(getpid(), threads, 8, &count), 0);
    assert_int_equal(count, before.threads_count.value + 1);
    assert_int_equal(usage.threads_count.value, count);
    assert_int_equal(threads[0].tid, getpid());
    const struct mr_proc_thread *named = &threads[count - 1];
    assert_string_equal(named->name, "a (b) c");
    assert_true(named->exec_ns.known && named->exec_ns.value >= 20 * MR_NS_PER_MS);
    assert_true(named->run_delay_ns.known);
    assert_true(named->voluntary_switches.known && named->voluntary_switches.value >= 5);
    assert_true(named->involuntary_switches.known);
    assert_true(named->core.known);
    assert_true(usage.voluntary_switches.value >= before.voluntary_switches.value + 5);
    assert_true(usage.busiest_thread_exec_ns.value >= 20 * MR_NS_PER_MS);
    assert_true(usage.busiest_thread_exec_ns.value < usage.threads_exec_ns.value);
    // The count is whole even where the caller has less room.
    memset(threads, 0, sizeof threads);
    assert_int_equal(mr_proc_threads_read(getpid(), threads, 1, &count), 0);
    assert_int_equal(count, usage.threads_count.value);
    assert_int_equal(threads[1].tid, 0);
    atomic_fetch_add(&go, 1);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static unsigned char *touch(size_t size_bytes)
{
    unsigned char *bytes =
        mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(bytes != MAP_FAILED);
    for (size_t i = 0; i < size_bytes; i += 4096) {
        bytes[i] = 1;
    }
    return bytes;
}

// 64 MiB come and go: the peak keeps them, until it is reset. Slack: what the kernel counts in
// batches, and what else happens meanwhile.
static void test_peak_memory(void **state)
{
    (void)state;
    assert_int_equal(mr_proc_reset_peak(getpid()), 0);
    struct mr_proc_usage before = usage_of(getpid());
    assert_true(before.memory.peak_bytes.known && before.memory.resident_bytes.known);
    unsigned char *bytes = touch(64 * MIB);
    struct mr_proc_usage with = usage_of(getpid());
    assert_true(with.memory.anon_bytes.value >= before.memory.anon_bytes.value + 60 * MIB);
    assert_true(with.minor_faults.value > before.minor_faults.value);
    assert_int_equal(munmap(bytes, 64 * MIB), 0);
    struct mr_proc_usage after = usage_of(getpid());
    assert_true(after.memory.resident_bytes.value < before.memory.resident_bytes.value + 8 * MIB);
    assert_true(after.memory.peak_bytes.value >= before.memory.resident_bytes.value + 60 * MIB);
    assert_int_equal(mr_proc_reset_peak(getpid()), 0);
    struct mr_proc_usage reset = usage_of(getpid());
    assert_true(reset.memory.peak_bytes.value < before.memory.resident_bytes.value + 16 * MIB);
}

// Two that want the same core wait for each other: the child spins where we do for 100 ms.
static void test_run_delay(void **state)
{
    (void)state;
    struct mr_cores usable;
    assert_int_equal(mr_pin_allowed(&usable), 0);
    const struct mr_cores one = {.core = {usable.core[0]}, .count = 1};
    assert_int_equal(mr_pin_self(&one), 0);
    pid_t child = fork();
    if (child == 0) {
        for (;;) {
        }
    }
    assert_true(child > 0);
    struct mr_reading before = mr_proc_run_delay_ns(getpid());
    uint64_t end_ns = mr_clock_ns() + 100 * MR_NS_PER_MS;
    while (mr_clock_ns() < end_ns) {
    }
    struct mr_reading waited = mr_reading_since(before, mr_proc_run_delay_ns(getpid()));
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(mr_pin_self(&usable), 0);
    assert_true(!before.known || waited.value >= 10 * MR_NS_PER_MS); // no schedstat: unavailable
    assert_false(mr_proc_run_delay_ns(child).known);
}

static void test_no_such_process(void **state)
{
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        _exit(0);
    }
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    struct mr_proc_usage usage;
    struct mr_proc_files files;
    struct mr_proc_thread thread;
    size_t count;
    assert_int_equal(mr_proc_usage_read(pid, &usage), -ESRCH);
    assert_int_equal(mr_proc_threads_read(pid, &thread, 1, &count), -ESRCH);
    assert_int_equal(mr_proc_files_read(pid, &files), -ESRCH);
    assert_int_equal(mr_proc_reset_peak(pid), -ESRCH);
}

// Ended but not reaped: its CPU time can be read, memory is unavailable, not zero.
static void test_zombie(void **state)
{
    (void)state;
    pid_t pid = fork();
    if (pid == 0) {
        burn(20 * MR_NS_PER_MS);
        _exit(0);
    }
    siginfo_t info;
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    struct mr_proc_usage usage = usage_of(pid);
    assert_false(usage.memory.peak_bytes.known);
    assert_false(usage.memory.resident_bytes.known);
    assert_true(usage.user_ns.known);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_files(void **state)
{
    (void)state;
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    assert_true(length > 0);
    program[length] = '\0';
    struct mr_proc_files files;
    assert_int_equal(mr_proc_files_read(getpid(), &files), 0);
    assert_true(files.count >= 3);
    assert_string_equal(files.path[0], program);
    size_t cmocka = 0;
    for (size_t i = 1; i < files.count; i++) {
        cmocka += strstr(files.path[i], "/libcmocka.so") != NULL;
        assert_true(mr_is_library(files.path[i], strlen(files.path[i])));
        for (size_t j = 0; j < i; j++) {
            assert_string_not_equal(files.path[i], files.path[j]);
        }
    }
    assert_int_equal(cmocka, 1);
    mr_proc_files_fini(&files);
    assert_int_equal(files.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_cpu_time),
        cmocka_unit_test(test_own_split),
        cmocka_unit_test(test_ended_threads_count),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_peak_memory),
        cmocka_unit_test(test_run_delay),
        cmocka_unit_test(test_no_such_process),
        cmocka_unit_test(test_zombie),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
