// sleep_cost.c: see sleep_cost.h.
#define _GNU_SOURCE
#include "sleep_cost.h"

#include "core_thread.h"

#include <base/clock.h>

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>

#define ROUNDS 8
#define CALLS  2000
#define SLEEPS 200

struct task {
    struct mr_sleep_cost cost;
    int result;
};

static double clock_cost_ns(void)
{
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t begin_ns = mr_clock_ns();
        uint64_t end_ns = begin_ns;
        for (int call = 0; call < CALLS; call++) {
            end_ns = mr_clock_ns();
        }
        double mean = (double)(end_ns - begin_ns) / CALLS;
        best = mean < best ? mean : best;
    }
    return best;
}

static int compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left;
    uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

static struct mr_overshoot overshoot_of(uint64_t spin_ns)
{
    uint64_t late_ns[SLEEPS];
    for (int i = 0; i < SLEEPS; i++) {
        uint64_t due_ns = mr_clock_ns() + MR_SLEEP_COST_SLEEP_NS;
        mr_clock_sleep_until(due_ns - spin_ns);
        uint64_t now_ns = mr_clock_ns();
        while (now_ns < due_ns) {
            now_ns = mr_clock_ns();
        }
        late_ns[i] = now_ns - due_ns;
    }
    qsort(late_ns, SLEEPS, sizeof late_ns[0], compare);
    return (struct mr_overshoot){.p50_ns = late_ns[SLEEPS / 2],
                                 .p99_ns = late_ns[SLEEPS * 99 / 100],
                                 .max_ns = late_ns[SLEEPS - 1]};
}

static void *measure(void *context)
{
    struct task *task = context;
    if (prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL) != 0) {
        task->result = -errno;
        return NULL;
    }
    task->cost = (struct mr_sleep_cost){.clock_ns = clock_cost_ns(),
                                        .sleep = overshoot_of(0),
                                        .spin = overshoot_of(MR_SLEEP_COST_SPIN_NS),
                                        .sleeps = SLEEPS};
    return NULL;
}

int mr_sleep_cost_measure(unsigned core, struct mr_sleep_cost *cost_out)
{
    struct task task = {.result = 0};
    pthread_t thread;
    int result = mr_core_thread_start(&thread, core, measure, &task);
    if (result == 0) {
        mr_core_thread_join(thread);
        result = task.result;
    }
    *cost_out = task.cost;
    return result;
}
