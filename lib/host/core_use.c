// core_use.c: see core_use.h.
#define _GNU_SOURCE
#include "core_use.h"

#include "host_facts.h"
#include "proc.h"
#include "slurp.h"

#include <base/clock.h>
#include <base/mr_assert.h>

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint64_t mr_kernel_tick_ns(void)
{
    struct timespec step;
    int failed = clock_getres(CLOCK_MONOTONIC_COARSE, &step);
    MR_ASSERT(failed == 0);
    return (uint64_t)step.tv_sec * MR_NS_PER_S + (uint64_t)step.tv_nsec;
}

static void note_kernel_thread(const char *root, const struct mr_cores *cores, int pid,
                               struct mr_ksoftirqd *kernel)
{
    struct mr_reading_text name = mr_slurp_line("%s/proc/%d/comm", root, pid);
    static const char prefix[] = "ksoftirqd/";
    if (!name.known || strncmp(name.text, prefix, sizeof prefix - 1) != 0) {
        return;
    }
    const char *at = name.text + sizeof prefix - 1;
    uint64_t core;
    if (!mr_proc_number(&at, &core)) {
        return;
    }
    for (size_t i = 0; i < cores->count; i++) {
        if (cores->core[i] == core) {
            kernel->pid[i] = pid;
        }
    }
}

void mr_ksoftirqd_find(const char *root, const struct mr_cores *cores,
                       struct mr_ksoftirqd *kernel_out)
{
    MR_ASSERT(cores->count <= MR_CORE_USE_MAX);
    *kernel_out = (struct mr_ksoftirqd){{0}};
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/proc", root);
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return;
    }
    const struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        const char *at = entry->d_name;
        uint64_t pid;
        if (mr_proc_number(&at, &pid) && *at == '\0' && pid <= INT_MAX) {
            note_kernel_thread(root, cores, (int)pid, kernel_out);
        }
    }
    (void)closedir(folder);
}

static void apply_ticks(const struct mr_core_ticks *ticks, struct mr_core_use *use)
{
    uint64_t tick_ns = mr_tick_ns();
    use->user_ns = mr_reading_of((ticks->user + ticks->nice) * tick_ns);
    use->system_ns = mr_reading_of(ticks->system * tick_ns);
    use->idle_ns = mr_reading_of((ticks->idle + ticks->iowait) * tick_ns);
    use->irq_ns = mr_reading_of(ticks->irq * tick_ns);
    use->softirq_ns = mr_reading_of(ticks->softirq * tick_ns);
    use->steal_ns = ticks->steal;
    use->steal_ns.value *= tick_ns;
}

static void read_ticks(const char *root, const struct mr_cores *cores, struct mr_core_use *use_out)
{
    static const size_t capacity = MR_PIN_MAX_CORES;
    struct mr_core_ticks *ticks = calloc(capacity, sizeof *ticks);
    size_t count = 0;
    if (ticks == NULL || mr_core_ticks_read(root, ticks, capacity, &count) != 0) {
        count = 0;
    }
    count = count < capacity ? count : capacity;
    for (size_t i = 0; i < cores->count; i++) {
        for (size_t j = 0; j < count; j++) {
            if (ticks[j].core == cores->core[i]) {
                apply_ticks(&ticks[j], &use_out[i]);
            }
        }
    }
    free(ticks);
}

// The file has a number for each possible core, in their order. Only the root group holds every
// thread, and only there is a release_agent: a container sees a group of its own in its place.
static void read_tasks(const char *root, const struct mr_cores *cores, struct mr_core_use *use_out)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/sys/fs/cgroup/cpuacct/release_agent", root);
    char *text;
    if (access(path, F_OK) != 0 ||
        mr_slurp(&text, "%s/sys/fs/cgroup/cpuacct/cpuacct.usage_percpu", root) != 0) {
        return;
    }
    const char *at = text;
    uint64_t ns;
    for (unsigned core = 0; mr_proc_number(&at, &ns); core++) {
        for (size_t i = 0; i < cores->count; i++) {
            if (cores->core[i] == core) {
                use_out[i].tasks_ns = mr_reading_of(ns);
            }
        }
    }
    free(text);
}

static struct mr_reading exec_of(const char *root, int pid)
{
    return pid == 0 ? (struct mr_reading){0} : mr_slurp_number("%s/proc/%d/schedstat", root, pid);
}

void mr_core_use_read(const char *root, const struct mr_cores *cores,
                      const struct mr_ksoftirqd *kernel, struct mr_core_use *use_out)
{
    MR_ASSERT(cores->count <= MR_CORE_USE_MAX);
    for (size_t i = 0; i < cores->count; i++) {
        use_out[i] = (struct mr_core_use){.core = cores->core[i]};
    }
    read_tasks(root, cores, use_out);
    read_ticks(root, cores, use_out);
    for (size_t i = 0; i < cores->count; i++) {
        use_out[i].ksoftirqd_ns = exec_of(root, kernel->pid[i]);
        use_out[i].frequency_khz = mr_core_frequency_khz(root, cores->core[i]);
    }
}

void mr_core_use_since(const struct mr_core_use *earlier, const struct mr_core_use *later,
                       struct mr_core_use *use_out)
{
    MR_ASSERT(earlier->core == later->core);
    *use_out = (struct mr_core_use){
        .core = later->core,
        .user_ns = mr_reading_since(earlier->user_ns, later->user_ns),
        .system_ns = mr_reading_since(earlier->system_ns, later->system_ns),
        .idle_ns = mr_reading_since(earlier->idle_ns, later->idle_ns),
        .irq_ns = mr_reading_since(earlier->irq_ns, later->irq_ns),
        .softirq_ns = mr_reading_since(earlier->softirq_ns, later->softirq_ns),
        .steal_ns = mr_reading_since(earlier->steal_ns, later->steal_ns),
        .tasks_ns = mr_reading_since(earlier->tasks_ns, later->tasks_ns),
        .ksoftirqd_ns = mr_reading_since(earlier->ksoftirqd_ns, later->ksoftirqd_ns),
        .frequency_khz = later->frequency_khz,
    };
}

bool mr_core_irq_is_measured(const struct mr_core_use *use)
{
    uint64_t all_ns = use->user_ns.value + use->system_ns.value + use->softirq_ns.value;
    // A measured one spends a ten-thousandth at the very least on the timer alone.
    return use->irq_ns.known && use->irq_ns.value > all_ns / 10000;
}
