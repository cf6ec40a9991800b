// host_window_watch_test.c: windows over living processes that do what we know: this program
// started again as a child.
#define _GNU_SOURCE
#include <host/process.h>
#include <host/window_watch.h>

#include <base/clock.h>
#include <base/pin.h>

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#define MIB         (1u << 20)
#define TOUCH_MIB   300u
#define FILE_MIB    512u
#define RUNNER_MIB  700u
#define BURN_NS     (60 * MR_NS_PER_MS)
#define WAIT_NS     (60 * MR_NS_PER_S)
#define PAGE_BYTES  4096u
#define FILE_FORMAT "%s/host_window_watch_file_%d"

static struct mr_cores usable;
static struct mr_window_watch watch;
static struct mr_window_use use;

// What the child does. Each job begins with a byte on its standard input and ends with one on its
// output.

static void *burn(void *context)
{
    (void)context;
    struct timespec used;
    do {
        (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    } while ((uint64_t)used.tv_nsec < BURN_NS && used.tv_sec == 0);
    return NULL;
}

static void touch(size_t bytes)
{
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        _exit(1);
    }
    memset(memory, 1, bytes);
    (void)munmap(memory, bytes);
}

static void map_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const volatile char *bytes = mmap(NULL, (size_t)FILE_MIB * MIB, PROT_READ, MAP_SHARED, fd, 0);
    if (bytes == MAP_FAILED) {
        _exit(1);
    }
    for (size_t at = 0; at < (size_t)FILE_MIB * MIB; at += PAGE_BYTES) {
        (void)bytes[at];
    }
}

static void read_file(const char *path)
{
    static char part[MIB];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    while (read(fd, part, sizeof part) > 0) {
    }
}

static void do_job(const char *job, const char *path)
{
    pthread_t thread;
    if (strcmp(job, "thread") == 0 && pthread_create(&thread, NULL, burn, NULL) == 0) {
        (void)pthread_join(thread, NULL);
    } else if (strcmp(job, "touch") == 0) {
        touch((size_t)TOUCH_MIB * MIB);
    } else if (strcmp(job, "map") == 0) {
        map_file(path);
    } else if (strcmp(job, "read") == 0) {
        read_file(path);
    }
}

static int be_child(const char *job, const char *path)
{
    char byte;
    if (strcmp(job, "spin") == 0) {
        for (;;) {
        }
    }
    while (read(STDIN_FILENO, &byte, 1) == 1) {
        do_job(job, path);
        if (write(STDOUT_FILENO, "x", 1) != 1) {
            return 1;
        }
    }
    return 0;
}

// The tests' side.

static struct mr_process start(const char *job, const char *path, unsigned core)
{
    const char *words[] = {"/proc/self/exe", job, path, NULL};
    struct mr_cores cores = {.core = {core}, .count = 1};
    struct mr_process_plan plan = {.argv = words,
                                   .cores = &cores,
                                   .in = {.kind = MR_STREAM_PIPE},
                                   .out = {.kind = MR_STREAM_PIPE}};
    struct mr_process process;
    assert_int_equal(mr_process_start(&process, &plan, NULL), 0);
    return process;
}

static void ask(struct mr_process *process)
{
    struct mr_patience patience = mr_patience_for(WAIT_NS);
    char byte;
    assert_int_equal(mr_process_write(process, "x", 1, &patience), 0);
    assert_int_equal(mr_patience_poll(&patience, process->out, POLLIN), 0);
    assert_int_equal(read(process->out, &byte, 1), 1);
}

static int find_cores(void **state)
{
    (void)state;
    return mr_pin_allowed(&usable);
}

static struct mr_cores one_core(size_t index)
{
    return (struct mr_cores){.core = {usable.core[index % usable.count]}, .count = 1};
}

// The generator of these windows is a child that waits.
static void begin(struct mr_process *server, struct mr_process *generator)
{
    struct mr_cores first = one_core(0);
    struct mr_cores second = usable.count > 1 ? one_core(1) : (struct mr_cores){.count = 0};
    mr_window_watch_init(&watch, "", &first, &second);
    mr_window_watch_begin(&watch, server->pid, generator->pid);
}

static void end(void)
{
    mr_window_watch_end(&watch);
    mr_window_watch_use(&watch, &use);
}

// The figure is what its parts give, where it comes from the cores' threads.
static void check_sum(double own_ns)
{
    double ns = -own_ns;
    for (size_t i = 0; i < use.cores_count; i++) {
        ns += (double)use.cores[i].tasks_ns.value - (double)use.cores[i].ksoftirqd_ns.value;
    }
    if (use.foreign.source == MR_FOREIGN_TASKS) {
        double off_ns = use.foreign.signed_ns - ns;
        assert_true(off_ns > -1000 && off_ns < 1000);
    }
}

// A hog beside the server is foreign; server and generator are not.
static void test_hog(void **state)
{
    (void)state;
    struct mr_process server = start("spin", "", one_core(0).core[0]);
    struct mr_process generator = start("spin", "", one_core(1).core[0]);
    struct mr_process hog = start("spin", "", one_core(0).core[0]);
    begin(&server, &generator);
    struct mr_reading hog_before = mr_proc_exec_ns(hog.pid);
    mr_clock_sleep_until(mr_clock_ns() + 400 * MR_NS_PER_MS);
    struct mr_reading hog_ns = mr_reading_since(hog_before, mr_proc_exec_ns(hog.pid));
    end();
    assert_true(use.process[MR_WATCHED_SERVER].exec_ns.value > 0);
    assert_true(use.process[MR_WATCHED_GENERATOR].exec_ns.value > 0);
    if (use.foreign.source == MR_FOREIGN_UNAVAILABLE) {
        skip();
    }
    double slack_ns = 2.0 * (double)use.cores_count * (double)mr_tick_ns();
    assert_true(use.foreign.ns + slack_ns >= (double)hog_ns.value);
    double own_ns = (double)use.process[MR_WATCHED_SERVER].exec_ns.value +
                    (double)use.process[MR_WATCHED_GENERATOR].exec_ns.value;
    assert_true(use.foreign.ns + own_ns <=
                (double)use.wall_ns * (double)use.cores_count + slack_ns);
    check_sum(own_ns);
    assert_true(use.foreign.share > 0 && use.foreign.share < 1);
    mr_process_fini(&hog);
    mr_process_fini(&generator);
    mr_process_fini(&server);
}

// What a thread used that lived and ended inside the window is in the process's time.
static void test_ended_thread(void **state)
{
    (void)state;
    struct mr_process server = start("thread", "", one_core(0).core[0]);
    struct mr_process generator = start("none", "", one_core(1).core[0]);
    ask(&generator);
    begin(&server, &generator);
    ask(&server);
    end();
    const struct mr_process_use *did = &use.process[MR_WATCHED_SERVER];
    assert_true(did->exec_ns.known && did->exec_ns.value >= BURN_NS);
    assert_true(use.wall_ns >= BURN_NS);
    if (did->threads.exec_ns.known) {
        assert_true(did->threads.exec_ns.value < BURN_NS);
        assert_int_equal(did->threads.count, 1);
    }
    assert_true(use.process[MR_WATCHED_GENERATOR].exec_ns.value < BURN_NS);
    mr_process_fini(&generator);
    mr_process_fini(&server);
}

// A server that is gone at the window's end: its figures are unavailable, not zero.
static void test_server_gone(void **state)
{
    (void)state;
    struct mr_process server = start("none", "", one_core(0).core[0]);
    struct mr_process generator = start("none", "", one_core(1).core[0]);
    begin(&server, &generator);
    mr_process_fini(&server);
    end();
    const struct mr_process_use *did = &use.process[MR_WATCHED_SERVER];
    assert_false(did->exec_ns.known || did->user_ns.known || did->major_faults.known);
    assert_false(did->threads.known || did->memory.peak_bytes.known || did->peak_own_bytes.known);
    assert_int_equal(use.foreign.source, MR_FOREIGN_UNAVAILABLE);
    assert_true(use.process[MR_WATCHED_GENERATOR].exec_ns.known);
    mr_process_fini(&generator);
}

// A runner that touched 700 MB, and holds them, does not show in a small server's peak; nor does
// what the server itself used before the window.
static void test_large_runner(void **state)
{
    (void)state;
    size_t bytes = (size_t)RUNNER_MIB * MIB;
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    memset(memory, 1, bytes);
    struct mr_process server = start("touch", "", one_core(0).core[0]);
    struct mr_process generator = start("none", "", one_core(1).core[0]);
    struct mr_proc_usage fresh;
    assert_int_equal(mr_proc_process_read(server.pid, &fresh), 0);
    assert_true(fresh.memory.peak_bytes.known && fresh.memory.peak_bytes.value < 64 * MIB);
    ask(&server);
    begin(&server, &generator);
    end();
    const struct mr_process_use *did = &use.process[MR_WATCHED_SERVER];
    assert_true(did->peak_reset && did->memory.peak_bytes.known);
    assert_true(did->memory.peak_bytes.value < 64 * MIB);
    begin(&server, &generator);
    ask(&server);
    end();
    assert_true(did->memory.peak_bytes.value >= TOUCH_MIB * MIB);
    assert_true(did->peak_own_bytes.value >= (TOUCH_MIB - 16) * MIB);
    assert_true(did->memory.resident_bytes.value < 64 * MIB);
    assert_true(did->minor_faults.value > 0);
    mr_process_fini(&generator);
    mr_process_fini(&server);
    assert_int_equal(munmap(memory, bytes), 0);
}

static void watch_file(const char *job, const char *path)
{
    struct mr_process server = start(job, path, one_core(0).core[0]);
    struct mr_process generator = start("none", "", one_core(1).core[0]);
    begin(&server, &generator);
    ask(&server);
    end();
    mr_process_fini(&generator);
    mr_process_fini(&server);
}

// A server that has 512 MB of a file before it shows them as page cache only.
static void test_large_file(void **state)
{
    (void)state;
    char path[512];
    (void)snprintf(path, sizeof path, FILE_FORMAT, MR_BUILD_DIR, getpid());
    int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, (off_t)FILE_MIB * MIB), 0);
    const struct mr_process_use *did = &use.process[MR_WATCHED_SERVER];
    watch_file("map", path);
    assert_true(did->memory.file_bytes.known && did->memory.anon_bytes.known);
    uint64_t cache_bytes = did->memory.file_bytes.value + did->memory.shared_bytes.value;
    assert_true(cache_bytes >= (FILE_MIB - 16) * MIB);
    assert_true(did->memory.anon_bytes.value < 64 * MIB);
    assert_true(did->memory.peak_bytes.value >= (FILE_MIB - 16) * MIB);
    if (did->memory.shared_bytes.value < 64 * MIB) { // else the build folder lies in memory
        assert_true(did->peak_own_bytes.known && did->peak_own_bytes.value < 64 * MIB);
    }
    watch_file("read", path);
    assert_true(did->memory.peak_bytes.value < 64 * MIB);
    (void)close(fd);
    assert_int_equal(unlink(path), 0);
}

static struct mr_reading known(uint64_t value)
{
    return mr_reading_of(value);
}

// Without a generator, and with others that run in turn: 900 ms of the core's second were threads',
// 500 of them ours, 390 those of the others, 10 foreign.
static void test_others_in_turn(void **state)
{
    (void)state;
    memset(&watch, 0, sizeof watch);
    watch.cores = (struct mr_cores){.core = {0}, .count = 1};
    watch.server_cores_count = 1;
    watch.pid[MR_WATCHED_SERVER] = getpid();
    watch.begin.cores[0] = (struct mr_core_use){.tasks_ns = known(0), .ksoftirqd_ns = known(0)};
    watch.end.cores[0] =
        (struct mr_core_use){.tasks_ns = known(900 * MR_NS_PER_MS), .ksoftirqd_ns = known(0)};
    watch.end.at_ns = MR_NS_PER_S;
    watch.begin.exec_ns[MR_WATCHED_SERVER] = known(7);
    watch.end.exec_ns[MR_WATCHED_SERVER] = known(7 + 500 * MR_NS_PER_MS);
    watch.begin.others_exec_ns = known(3);
    watch.end.others_exec_ns = known(3 + 390 * MR_NS_PER_MS);
    mr_window_watch_use(&watch, &use);
    assert_int_equal(use.foreign.source, MR_FOREIGN_TASKS);
    assert_true(use.foreign.share > 0.00999 && use.foreign.share < 0.01001);
    assert_false(use.process[MR_WATCHED_GENERATOR].exec_ns.known);
    watch.end.others_exec_ns = (struct mr_reading){0}; // one of them is gone
    mr_window_watch_use(&watch, &use);
    assert_int_equal(use.foreign.source, MR_FOREIGN_UNAVAILABLE);
    watch.end.others_exec_ns = known(3 + 390 * MR_NS_PER_MS);
    watch.pid[MR_WATCHED_GENERATOR] = getpid(); // there is one, and it cannot be read
    mr_window_watch_use(&watch, &use);
    assert_int_equal(use.foreign.source, MR_FOREIGN_UNAVAILABLE);
}

int main(int argc, char **argv)
{
    if (argc > 2) {
        return be_child(argv[1], argv[2]);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hog),         cmocka_unit_test(test_ended_thread),
        cmocka_unit_test(test_server_gone), cmocka_unit_test(test_large_runner),
        cmocka_unit_test(test_large_file),  cmocka_unit_test(test_others_in_turn),
    };
    return cmocka_run_group_tests(tests, find_cores, NULL);
}
