// conform_clock.c: see conform_clock.h.
#define _GNU_SOURCE
#include "conform_clock.h"

#include "base/clock.h"
#include "host/family.h"
#include "host/proc.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

#define WATCHED_MAX   8
#define LOOK_NS       (100 * MR_NS_PER_MS)
#define PASSES_OF_TEN 1 // of any ten ns

static struct {
    struct watched {
        pid_t pid;
        uint64_t delay_ns; // as last seen
        uint64_t ran_ns;
    } watched[WATCHED_MAX];
    size_t count;
    uint64_t own_delay_ns;
    uint64_t looked_ns; // of mr_clock_ns(); 0: never
    uint64_t stood_ns;  // in all
} state;

static uint64_t value_of(struct mr_reading reading)
{
    return reading.known ? reading.value : 0;
}

// What a process and its descendants did, as far as living ones tell.
struct sums {
    uint64_t delay_ns; // waited for a core
    uint64_t ran_ns;   // on cores
};

static struct sums sums_of(pid_t pid)
{
    struct mr_family family;
    mr_family_read(pid, &family);
    struct sums sums = {0};
    for (size_t i = 0; i < family.count; i++) {
        struct mr_proc_usage usage;
        if (mr_proc_usage_read(family.pid[i], &usage) == 0) {
            sums.delay_ns += value_of(usage.run_delay_ns);
            sums.ran_ns += value_of(usage.exec_ns);
        }
    }
    return sums;
}

// How many cores a process may run on.
static uint64_t cores_of(pid_t pid)
{
    cpu_set_t cores;
    if (sched_getaffinity(pid, sizeof cores, &cores) != 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        return online > 0 ? (uint64_t)online : 1;
    }
    return (uint64_t)CPU_COUNT(&cores);
}

// What was added since; a sum becomes less when threads end.
static uint64_t grown(uint64_t *last_io, uint64_t now)
{
    uint64_t before = *last_io;
    *last_io = now;
    return now > before ? now - before : 0;
}

static void look(uint64_t wall_ns)
{
    uint64_t delay_ns = grown(&state.own_delay_ns, value_of(mr_proc_run_delay_ns(getpid())));
    uint64_t ran_ns = 0; // of all cores that it may run on
    for (size_t i = 0; i < state.count; i++) {
        struct watched *watched = &state.watched[i];
        struct sums sums = sums_of(watched->pid);
        delay_ns += grown(&watched->delay_ns, sums.delay_ns);
        ran_ns += grown(&watched->ran_ns, sums.ran_ns) / cores_of(watched->pid);
    }
    if (state.looked_ns != 0) {
        uint64_t passed_ns = wall_ns - state.looked_ns;
        uint64_t least_ns = passed_ns * PASSES_OF_TEN / 10;
        least_ns = ran_ns > least_ns ? ran_ns : least_ns;
        uint64_t most_ns = passed_ns > least_ns ? passed_ns - least_ns : 0;
        state.stood_ns += delay_ns < most_ns ? delay_ns : most_ns;
    }
    state.looked_ns = wall_ns;
}

uint64_t mr_conform_now_ns(void)
{
    uint64_t wall_ns = mr_clock_ns();
    if (wall_ns - state.looked_ns >= LOOK_NS) {
        look(wall_ns);
    }
    return wall_ns - state.stood_ns;
}

uint64_t mr_conform_wall_ns(uint64_t deadline_ns)
{
    uint64_t now_ns = mr_conform_now_ns();
    return mr_clock_ns() + (deadline_ns > now_ns ? deadline_ns - now_ns : 0);
}

void mr_conform_clock_watch(pid_t pid)
{
    if (state.count < WATCHED_MAX) {
        struct sums sums = sums_of(pid);
        state.watched[state.count++] =
            (struct watched){.pid = pid, .delay_ns = sums.delay_ns, .ran_ns = sums.ran_ns};
    }
}

void mr_conform_clock_forget(pid_t pid)
{
    for (size_t i = 0; i < state.count; i++) {
        if (state.watched[i].pid == pid) {
            state.watched[i] = state.watched[--state.count];
            return;
        }
    }
}
