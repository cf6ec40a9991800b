// conform_clock.c: see conform_clock.h.
#include "conform_clock.h"

#include "base/clock.h"
#include "host/family.h"
#include "host/proc.h"

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

// How long a process and its descendants have waited for a core, as far as living threads tell.
static uint64_t delay_of(pid_t pid)
{
    struct mr_family family;
    mr_family_read(pid, &family);
    uint64_t sum_ns = 0;
    for (size_t i = 0; i < family.count; i++) {
        struct mr_proc_usage usage;
        sum_ns += mr_proc_usage_read(family.pid[i], &usage) == 0 ? value_of(usage.run_delay_ns) : 0;
    }
    return sum_ns;
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
    for (size_t i = 0; i < state.count; i++) {
        delay_ns += grown(&state.watched[i].delay_ns, delay_of(state.watched[i].pid));
    }
    if (state.looked_ns != 0) {
        uint64_t passed_ns = wall_ns - state.looked_ns;
        uint64_t most_ns = passed_ns - passed_ns * PASSES_OF_TEN / 10;
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
        state.watched[state.count++] = (struct watched){.pid = pid, .delay_ns = delay_of(pid)};
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
