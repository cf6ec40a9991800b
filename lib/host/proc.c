// proc.c: see proc.h.
#define _GNU_SOURCE
#include "proc.h"

#include "slurp.h"

#include <base/clock.h>
#include <base/mr_assert.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint64_t mr_tick_ns(void)
{
    long ticks_per_s = sysconf(_SC_CLK_TCK);
    MR_ASSERT(ticks_per_s > 0);
    return MR_NS_PER_S / (uint64_t)ticks_per_s;
}

// ENOENT: the folder is gone; ESRCH: it went while a file in it was open.
static bool is_gone(int result)
{
    return result == -ENOENT || result == -ESRCH;
}

static void apply_stat(const struct mr_proc_stat *stat, struct mr_proc_thread *thread)
{
    memcpy(thread->name, stat->name, sizeof thread->name);
    thread->user_ns = mr_reading_of(stat->user_ticks * mr_tick_ns());
    thread->system_ns = mr_reading_of(stat->system_ticks * mr_tick_ns());
    thread->core = stat->core;
}

// False: the thread has ended. What cannot be read otherwise stays unavailable.
static bool read_thread(pid_t pid, pid_t tid, struct mr_proc_thread *thread)
{
    *thread = (struct mr_proc_thread){.tid = tid};
    char *text;
    int result = mr_slurp(&text, "/proc/%d/task/%d/stat", pid, tid);
    struct mr_proc_stat stat;
    if (result == 0 && mr_proc_stat_parse(text, &stat)) {
        apply_stat(&stat, thread);
    }
    free(text);
    if (is_gone(result)) {
        return false;
    }
    struct mr_proc_schedstat schedstat;
    if (mr_slurp(&text, "/proc/%d/task/%d/schedstat", pid, tid) == 0 &&
        mr_proc_schedstat_parse(text, &schedstat)) {
        thread->exec_ns = mr_reading_of(schedstat.exec_ns);
        thread->run_delay_ns = mr_reading_of(schedstat.run_delay_ns);
    }
    free(text);
    struct mr_proc_status status;
    result = mr_slurp(&text, "/proc/%d/task/%d/status", pid, tid);
    if (result == 0) {
        mr_proc_status_parse(text, &status);
        thread->voluntary_switches = status.voluntary_switches;
        thread->involuntary_switches = status.involuntary_switches;
    }
    free(text);
    return !is_gone(result);
}

typedef void visit_thread(const struct mr_proc_thread *thread, void *context);

static int each_thread(pid_t pid, visit_thread *visit, void *context)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return errno == ENOENT ? -ESRCH : -errno;
    }
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        const char *at = entry->d_name;
        uint64_t tid;
        struct mr_proc_thread thread;
        if (mr_proc_number(&at, &tid) && read_thread(pid, (pid_t)tid, &thread)) {
            visit(&thread, context);
        }
    }
    (void)closedir(folder);
    return 0;
}

struct list {
    struct mr_proc_thread *threads;
    size_t capacity;
    size_t count;
};

static void append(const struct mr_proc_thread *thread, void *context)
{
    struct list *list = context;
    if (list->count < list->capacity) {
        list->threads[list->count] = *thread;
    }
    list->count++;
}

int mr_proc_threads_read(pid_t pid, struct mr_proc_thread *threads, size_t capacity,
                         size_t *count_out)
{
    struct list list = {.threads = threads, .capacity = capacity};
    int result = each_thread(pid, append, &list);
    if (result == 0 && list.count == 0) {
        result = -ESRCH;
    }
    *count_out = list.count;
    return result;
}

// A sum is available only while every part was.
static void add(struct mr_reading *sum, struct mr_reading part)
{
    sum->known &= part.known;
    sum->value += part.value;
}

static void add_thread(const struct mr_proc_thread *thread, void *context)
{
    struct mr_proc_usage *usage = context;
    add(&usage->threads_exec_ns, thread->exec_ns);
    add(&usage->run_delay_ns, thread->run_delay_ns);
    add(&usage->voluntary_switches, thread->voluntary_switches);
    add(&usage->involuntary_switches, thread->involuntary_switches);
    usage->busiest_thread_exec_ns.known &= thread->exec_ns.known;
    if (thread->exec_ns.value > usage->busiest_thread_exec_ns.value) {
        usage->busiest_thread_exec_ns.value = thread->exec_ns.value;
    }
}

struct mr_reading mr_proc_run_delay_ns(pid_t pid)
{
    char *text;
    struct mr_proc_schedstat schedstat;
    struct mr_reading delay = {0};
    if (mr_slurp(&text, "/proc/%d/schedstat", pid) == 0 &&
        mr_proc_schedstat_parse(text, &schedstat)) {
        delay = mr_reading_of(schedstat.run_delay_ns);
    }
    free(text);
    return delay;
}

struct mr_reading mr_proc_exec_ns(pid_t pid)
{
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &time) != 0) {
        return (struct mr_reading){0};
    }
    return mr_reading_of((uint64_t)time.tv_sec * MR_NS_PER_S + (uint64_t)time.tv_nsec);
}

static int read_stat(pid_t pid, struct mr_proc_usage *usage)
{
    char *text;
    struct mr_proc_stat stat;
    int result = mr_slurp(&text, "/proc/%d/stat", pid);
    if (result == 0 && mr_proc_stat_parse(text, &stat)) {
        usage->user_ns = mr_reading_of(stat.user_ticks * mr_tick_ns());
        usage->system_ns = mr_reading_of(stat.system_ticks * mr_tick_ns());
        usage->minor_faults = mr_reading_of(stat.minor_faults);
        usage->major_faults = mr_reading_of(stat.major_faults);
        usage->threads_count = mr_reading_of(stat.threads_count);
        usage->start_ticks = mr_reading_of(stat.start_ticks);
    }
    free(text);
    return is_gone(result) ? -ESRCH : result;
}

int mr_proc_process_read(pid_t pid, struct mr_proc_usage *usage_out)
{
    *usage_out = (struct mr_proc_usage){.at_ns = mr_clock_ns()};
    usage_out->exec_ns = mr_proc_exec_ns(pid);
    int result = read_stat(pid, usage_out);
    if (result != 0) {
        return result;
    }
    char *text;
    if (mr_slurp(&text, "/proc/%d/status", pid) == 0) {
        mr_proc_status_parse(text, &usage_out->memory);
    }
    free(text);
    return 0;
}

int mr_proc_usage_read(pid_t pid, struct mr_proc_usage *usage_out)
{
    int result = mr_proc_process_read(pid, usage_out);
    if (result != 0) {
        return result;
    }
    struct mr_reading *const sums[] = {
        &usage_out->threads_exec_ns, &usage_out->busiest_thread_exec_ns, &usage_out->run_delay_ns,
        &usage_out->voluntary_switches, &usage_out->involuntary_switches};
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        *sums[i] = mr_reading_of(0);
    }
    if (each_thread(pid, add_thread, usage_out) != 0) {
        for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
            *sums[i] = (struct mr_reading){0};
        }
    }
    return 0;
}

int mr_proc_reset_peak(pid_t pid)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/clear_refs", pid);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno == ENOENT ? -ESRCH : -errno;
    }
    int result = write(fd, "5", 1) == 1 ? 0 : -errno;
    (void)close(fd);
    return result;
}
