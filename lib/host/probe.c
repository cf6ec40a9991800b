// probe.c: see probe.h.
#define _GNU_SOURCE
#include "probe.h"

#include "core_thread.h"

#include <base/clock.h>
#include <base/mr_assert.h>

#include <stdatomic.h>
#include <stdbool.h>

#define CHAINS                   8
#define CALIBRATION_MEASUREMENTS 5

// Long enough to be timed well, short enough to be waited for.
#define FIRST_LOOPS 1000u

uint64_t mr_probe_work(uint64_t loops)
{
    uint64_t chain[CHAINS];
    for (unsigned i = 0; i < CHAINS; i++) {
        chain[i] = i + 1;
    }
    for (uint64_t loop = 0; loop < loops; loop++) {
        for (unsigned i = 0; i < CHAINS; i++) {
            chain[i] = (chain[i] ^ (chain[i] >> 29)) * 0xBF58476D1CE4E5B9u + loop;
        }
    }
    uint64_t result = 0;
    for (unsigned i = 0; i < CHAINS; i++) {
        result ^= chain[i];
    }
    return result;
}

// The compiler may know neither how many loops come, before the first reading of the clock, nor
// that nobody uses the result, before the second.
static uint64_t time_one(uint64_t loops)
{
    uint64_t begin_ns = mr_clock_ns();
    __asm__ volatile("" : "+r"(loops) : : "memory");
    uint64_t result = mr_probe_work(loops);
    __asm__ volatile("" : "+r"(result) : : "memory");
    return mr_clock_ns() - begin_ns;
}

uint64_t mr_probe_fastest_of(uint64_t loops, unsigned repeats)
{
    uint64_t fastest_ns = UINT64_MAX;
    for (unsigned i = 0; i < repeats; i++) {
        uint64_t ns = time_one(loops);
        fastest_ns = ns < fastest_ns ? ns : fastest_ns;
    }
    return fastest_ns;
}

// What a thread on the core does for each of the public functions.
struct task {
    uint64_t loops;
    unsigned repeats;
    uint64_t work_ns;
    uint64_t fastest_ns;
    uint64_t slowest_ns; // of the calibration's measurements
};

static void *measure(void *context)
{
    struct task *task = context;
    task->fastest_ns = mr_probe_fastest_of(task->loops, task->repeats);
    return NULL;
}

static void *find_loops(void *context)
{
    struct task *task = context;
    task->loops = FIRST_LOOPS;
    uint64_t ns = mr_probe_fastest_of(task->loops, 3);
    while (ns < task->work_ns / 4) {
        task->loops *= 2;
        ns = mr_probe_fastest_of(task->loops, 3);
    }
    ns = ns == 0 ? 1 : ns;
    task->loops = (uint64_t)((double)task->loops * (double)task->work_ns / (double)ns);
    task->loops = task->loops == 0 ? 1 : task->loops;
    return NULL;
}

static void *calibrate(void *context)
{
    struct task *task = context;
    (void)find_loops(task);
    uint64_t ns;
    (void)mr_probe_fastest_of(task->loops, task->repeats); // warms up: clock frequency, caches
    task->fastest_ns = UINT64_MAX;
    for (unsigned i = 0; i < CALIBRATION_MEASUREMENTS; i++) {
        ns = mr_probe_fastest_of(task->loops, task->repeats);
        task->fastest_ns = ns < task->fastest_ns ? ns : task->fastest_ns;
        task->slowest_ns = ns > task->slowest_ns ? ns : task->slowest_ns;
    }
    return NULL;
}

static int run_on(unsigned core, mr_core_work *work, struct task *task)
{
    pthread_t thread;
    int result = mr_core_thread_start(&thread, core, work, task);
    if (result == 0) {
        mr_core_thread_join(thread);
    }
    return result;
}

int mr_probe_calibrate(unsigned core, uint64_t work_ns, unsigned repeats,
                       struct mr_probe *probe_out)
{
    MR_ASSERT(work_ns > 0 && repeats > 0);
    struct task task = {.work_ns = work_ns, .repeats = repeats};
    int result = run_on(core, calibrate, &task);
    if (result != 0) {
        return result;
    }
    *probe_out = (struct mr_probe){
        .loops = task.loops,
        .repeats = repeats,
        .fastest_ns = task.fastest_ns,
        .spread = (double)(task.slowest_ns - task.fastest_ns) / (double)task.fastest_ns,
    };
    return 0;
}

int mr_probe_find_loops(unsigned core, uint64_t work_ns, uint64_t *loops_out)
{
    MR_ASSERT(work_ns > 0);
    struct task task = {.work_ns = work_ns};
    int result = run_on(core, find_loops, &task);
    *loops_out = task.loops;
    return result;
}

int mr_probe_measure(unsigned core, const struct mr_probe *probe, uint64_t *ns_out)
{
    MR_ASSERT(probe->loops > 0 && probe->repeats > 0);
    struct task task = {.loops = probe->loops, .repeats = probe->repeats};
    int result = run_on(core, measure, &task);
    *ns_out = task.fastest_ns;
    return result;
}

struct neighbour {
    uint64_t loops;
    atomic_bool busy;
    atomic_bool stop;
};

static void *keep_busy(void *context)
{
    struct neighbour *neighbour = context;
    while (!atomic_load(&neighbour->stop)) {
        (void)time_one(neighbour->loops);
        atomic_store(&neighbour->busy, true);
    }
    return NULL;
}

int mr_probe_pair(unsigned core, unsigned other, const struct mr_probe *probe,
                  uint64_t *alone_ns_out, uint64_t *beside_ns_out)
{
    MR_ASSERT(core != other);
    int result = mr_probe_measure(core, probe, alone_ns_out);
    if (result != 0) {
        return result;
    }
    struct neighbour neighbour = {.loops = probe->loops};
    pthread_t thread;
    result = mr_core_thread_start(&thread, other, keep_busy, &neighbour);
    if (result != 0) {
        return result;
    }
    while (!atomic_load(&neighbour.busy)) {
        mr_clock_sleep_until(mr_clock_ns() + MR_NS_PER_MS);
    }
    result = mr_probe_measure(core, probe, beside_ns_out);
    atomic_store(&neighbour.stop, true);
    mr_core_thread_join(thread);
    return result;
}
