// probe_set.c: see probe_set.h.
#define _GNU_SOURCE
#include "probe_set.h"

#include "core_thread.h"

#include <base/mr_assert.h>

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#define MEASUREMENTS 5

struct task {
    const struct mr_probe_set *set;
    const atomic_bool *go;
    uint64_t fastest_ns;
};

static void *measure(void *context)
{
    struct task *task = context;
    while (!atomic_load(task->go)) {
    }
    task->fastest_ns = mr_probe_fastest_of(task->set->loops, task->set->repeats);
    return NULL;
}

int mr_probe_set_measure(const struct mr_probe_set *set, struct mr_probe_times *times_out)
{
    MR_ASSERT(set->count > 0 && set->count <= MR_PROBE_SET_MAX && set->loops > 0);
    struct task task[MR_PROBE_SET_MAX];
    pthread_t thread[MR_PROBE_SET_MAX];
    atomic_bool go = false;
    size_t started = 0;
    int result = 0;
    while (started < set->count && result == 0) {
        task[started] = (struct task){.set = set, .go = &go};
        result =
            mr_core_thread_start(&thread[started], set->core[started], measure, &task[started]);
        started += result == 0;
    }
    atomic_store(&go, true);
    for (size_t i = 0; i < started; i++) {
        mr_core_thread_join(thread[i]);
        times_out->ns[i] = task[i].fastest_ns;
    }
    return result;
}

static double spread_of(const struct mr_probe_times *times, size_t core)
{
    uint64_t fastest_ns = UINT64_MAX;
    uint64_t slowest_ns = 0;
    for (size_t i = 0; i < MEASUREMENTS; i++) {
        uint64_t ns = times[i].ns[core];
        fastest_ns = ns < fastest_ns ? ns : fastest_ns;
        slowest_ns = ns > slowest_ns ? ns : slowest_ns;
    }
    return (double)(slowest_ns - fastest_ns) / (double)(fastest_ns == 0 ? 1 : fastest_ns);
}

int mr_probe_set_calibrate(struct mr_probe_set *set_out, const unsigned *cores, size_t count,
                           uint64_t work_ns, unsigned repeats)
{
    MR_ASSERT(count > 0 && count <= MR_PROBE_SET_MAX);
    *set_out = (struct mr_probe_set){.count = count, .repeats = repeats};
    memcpy(set_out->core, cores, count * sizeof *cores);
    int result = mr_probe_find_loops(cores[0], work_ns, &set_out->loops);
    struct mr_probe_times times[MEASUREMENTS];
    struct mr_probe_times warm; // clock frequency, caches
    if (result == 0) {
        result = mr_probe_set_measure(set_out, &warm);
    }
    for (size_t i = 0; i < MEASUREMENTS && result == 0; i++) {
        result = mr_probe_set_measure(set_out, &times[i]);
    }
    for (size_t core = 0; core < count && result == 0; core++) {
        set_out->spread = fmax(set_out->spread, spread_of(times, core));
    }
    return result;
}

double mr_probe_change(const struct mr_probe_set *set, const struct mr_probe_times *before,
                       const struct mr_probe_times *after)
{
    double largest = 0;
    for (size_t i = 0; i < set->count; i++) {
        largest = fmax(largest, fabs((double)after->ns[i] / (double)before->ns[i] - 1.0));
    }
    return largest;
}
