// foreign.c: see foreign.h.
#include "foreign.h"

#include <base/mr_assert.h>

#include <math.h>

// Counters of /proc/stat that go into the figure of a core, each a step out at most at either end.
#define TICK_COUNTERS 5

static double value_of(struct mr_reading reading)
{
    return reading.known ? (double)reading.value : NAN;
}

// The kernel thread may be invisible; then its time counts as foreign, which is on the safe side.
static double seen(struct mr_reading reading)
{
    return reading.known ? (double)reading.value : 0.0;
}

static double busy_by_tasks(const struct mr_foreign_parts *parts, double *network_out)
{
    double ns = 0;
    *network_out = 0;
    for (size_t i = 0; i < parts->cores_count; i++) {
        ns += value_of(parts->cores[i].tasks_ns);
        *network_out += seen(parts->cores[i].ksoftirqd_ns);
    }
    return ns;
}

static double busy_by_ticks(const struct mr_foreign_parts *parts, double *network_out)
{
    double ns = 0;
    *network_out = 0;
    for (size_t i = 0; i < parts->cores_count; i++) {
        const struct mr_core_use *core = &parts->cores[i];
        ns += (double)parts->wall_ns - value_of(core->idle_ns) - value_of(core->steal_ns);
        *network_out += parts->irq_is_measured ? value_of(core->softirq_ns) + value_of(core->irq_ns)
                                               : seen(core->ksoftirqd_ns);
    }
    return ns;
}

// What the steps can make of a figure that is 0.
static double slack_ns(const struct mr_foreign_parts *parts, enum mr_foreign_source source)
{
    double steps = source == MR_FOREIGN_TASKS ? (double)parts->tasks_step_ns
                                              : (double)parts->stat_step_ns * TICK_COUNTERS;
    return steps * (double)parts->cores_count;
}

static bool try_source(const struct mr_foreign_parts *parts, enum mr_foreign_source source,
                       struct mr_foreign *foreign_out)
{
    double network_ns;
    double busy_ns = source == MR_FOREIGN_TASKS ? busy_by_tasks(parts, &network_ns)
                                                : busy_by_ticks(parts, &network_ns);
    double ns = busy_ns - network_ns - value_of(parts->own_ns);
    double step_ns =
        source == MR_FOREIGN_TASKS ? (double)parts->tasks_step_ns : (double)parts->stat_step_ns;
    if (isnan(ns) || ns < -slack_ns(parts, source)) {
        return false;
    }
    *foreign_out = (struct mr_foreign){
        .source = source,
        .ns = fmax(ns, 0.0),
        .share = fmax(ns, 0.0) / ((double)parts->wall_ns * (double)parts->cores_count),
        .network_ns = network_ns,
        .signed_ns = ns,
        .step_share = step_ns / (double)parts->wall_ns,
    };
    return true;
}

void mr_foreign_work_out(const struct mr_foreign_parts *parts, struct mr_foreign *foreign_out)
{
    *foreign_out = (struct mr_foreign){.source = MR_FOREIGN_UNAVAILABLE,
                                       .ns = NAN,
                                       .share = NAN,
                                       .network_ns = NAN,
                                       .signed_ns = NAN,
                                       .step_share = NAN};
    if (parts->wall_ns > 0 && parts->cores_count > 0 &&
        !try_source(parts, MR_FOREIGN_TASKS, foreign_out)) {
        (void)try_source(parts, MR_FOREIGN_TICKS, foreign_out);
    }
}

const char *mr_foreign_source_name(enum mr_foreign_source source)
{
    static const char *const names[] = {"unavailable", "cpuacct", "ticks"};
    MR_ASSERT((size_t)source < sizeof names / sizeof names[0]);
    return names[source];
}
