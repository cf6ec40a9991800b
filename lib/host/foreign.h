// foreign.h: CPU time on a trial's cores that was neither the trial's nor its network work's.
#ifndef MR_HOST_FOREIGN_H
#define MR_HOST_FOREIGN_H

#include "core_use.h"

#include <stdbool.h>
#include <stddef.h>

// Which counter the figure comes from, the finest that can be read.
enum mr_foreign_source {
    MR_FOREIGN_UNAVAILABLE,
    MR_FOREIGN_TASKS, // CPU time of all threads of each core (root cpuacct group), exact
    MR_FOREIGN_TICKS, // what /proc/stat leaves of the wall clock when idle and steal are taken away
};

// What the figure is worked out from: growth in a window of `wall_ns`.
struct mr_foreign_parts {
    uint64_t wall_ns;
    const struct mr_core_use *cores;
    size_t cores_count;
    struct mr_reading own_ns; // CPU time of the trial's own processes
    bool irq_is_measured;     // mr_core_irq_is_measured() of the cores
    uint64_t stat_step_ns;    // mr_tick_ns()
    uint64_t tasks_step_ns;   // mr_kernel_tick_ns()
};

struct mr_foreign {
    enum mr_foreign_source source;
    double ns;         // ≥ 0; NAN where unavailable
    double share;      // of the cores' time, wall × cores
    double network_ns; // what was taken off as the network's work
    double signed_ns;  // before what is below 0 by less than the steps was taken for 0
    double step_share; // the counter's step as a share of the window
};

// Works it out. By threads: tasks − ksoftirqd − own; steal and idle never are in it. By ticks: wall
// − idle − steal − own − network, where the network's work (softirq, with hard interrupts) counts
// only where the kernel measures it: where it samples, it runs inside the threads' own CPU time and
// would be taken off twice, so that only ksoftirqd is. A figure further below 0 than the steps
// explain shows that the kernel counts otherwise: unavailable, and so where a part is missing.
void mr_foreign_work_out(const struct mr_foreign_parts *parts, struct mr_foreign *foreign_out);

// "unavailable", "cpuacct", "ticks"; constant.
const char *mr_foreign_source_name(enum mr_foreign_source source);

#endif
