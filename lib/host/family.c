// family.c: see family.h.
#define _GNU_SOURCE
#include "family.h"

#include "proc.h"
#include "slurp.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Calls `visit` with each thread of `pid` until it returns true; whether one did.
static bool each_thread(pid_t pid, bool (*visit)(pid_t pid, pid_t tid, void *context),
                        void *context)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *tasks = opendir(path);
    if (tasks == NULL) {
        return false;
    }
    bool found = false;
    const struct dirent *entry;
    while (!found && (entry = readdir(tasks)) != NULL) {
        long tid = strtol(entry->d_name, NULL, 10);
        found = tid > 0 && visit(pid, (pid_t)tid, context);
    }
    (void)closedir(tasks);
    return found;
}

static bool add_children(pid_t pid, pid_t tid, void *context)
{
    struct mr_family *family = context;
    char *list;
    if (mr_slurp(&list, "/proc/%d/task/%d/children", (int)pid, (int)tid) != 0) {
        return false;
    }
    char *at = list;
    for (;;) {
        char *end;
        long child = strtol(at, &end, 10);
        if (end == at || child <= 0) {
            break;
        }
        at = end;
        if (family->count == MR_FAMILY_MAX) {
            family->whole = false;
            break;
        }
        family->pid[family->count++] = (pid_t)child;
    }
    free(list);
    return false;
}

void mr_family_read(pid_t pid, struct mr_family *family_out)
{
    *family_out = (struct mr_family){.pid = {pid}, .count = pid > 0 ? 1 : 0, .whole = true};
    for (size_t i = 0; i < family_out->count; i++) {
        (void)each_thread(family_out->pid[i], add_children, family_out);
    }
}

struct mr_reading mr_family_exec_ns(const struct mr_family *family)
{
    uint64_t sum_ns = 0;
    for (size_t i = 0; i < family->count; i++) {
        struct mr_reading one = mr_proc_exec_ns(family->pid[i]);
        if (!one.known) {
            return (struct mr_reading){0};
        }
        sum_ns += one.value;
    }
    return family->whole && family->count > 0 ? mr_reading_of(sum_ns) : (struct mr_reading){0};
}

struct stray_search {
    const struct mr_cores *cores;
    struct mr_stray *stray;
};

static bool is_one_of(const struct mr_cores *cores, unsigned core)
{
    for (size_t i = 0; i < cores->count; i++) {
        if (cores->core[i] == core) {
            return true;
        }
    }
    return false;
}

static bool strays(pid_t pid, pid_t tid, void *context)
{
    struct stray_search *search = context;
    cpu_set_t allowed[MR_PIN_MAX_CORES / CPU_SETSIZE];
    struct mr_stray stray = {.pid = pid, .tid = tid};
    bool found = false;
    if (sched_getaffinity(tid, sizeof allowed, allowed) != 0) {
        return false;
    }
    for (unsigned core = 0; core < MR_PIN_MAX_CORES; core++) {
        if (CPU_ISSET_S(core, sizeof allowed, allowed)) {
            stray.cores.core[stray.cores.count++] = core;
            found = found || !is_one_of(search->cores, core);
        }
    }
    if (found) {
        *search->stray = stray;
    }
    return found;
}

bool mr_family_strays(const struct mr_family *family, const struct mr_cores *cores,
                      struct mr_stray *stray_out)
{
    struct stray_search search = {.cores = cores, .stray = stray_out};
    for (size_t i = 0; i < family->count; i++) {
        if (each_thread(family->pid[i], strays, &search)) {
            return true;
        }
    }
    return false;
}
