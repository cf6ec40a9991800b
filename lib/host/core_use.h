// core_use.h: what each core did in a window: two readings of its counters, and their differences.
#ifndef MR_HOST_CORE_USE_H
#define MR_HOST_CORE_USE_H

#include "reading.h"

#include <matchrace/attributes.h>
#include <base/pin.h>

#include <stdint.h>

// At most so many cores are watched; a trial has eight at most, their siblings sixteen.
#define MR_CORE_USE_MAX 32

// Counters of one core since boot, or their growth in a window. Those of /proc/stat have the step
// of mr_tick_ns(). `idle_ns` is measured, not sampled, where the kernel stops its tick when idle.
struct mr_core_use {
    unsigned core;
    struct mr_reading user_ns; // nice included; a sample, as all of /proc/stat but idle may be
    struct mr_reading system_ns;
    struct mr_reading idle_ns; // iowait included
    struct mr_reading irq_ns;
    struct mr_reading softirq_ns;
    struct mr_reading steal_ns; // the hypervisor gave it to others while we wanted it
    // CPU time of all threads of the machine on this core, kernel threads included, exact to ns but
    // for what runs at the moment of the reading (then one tick of the kernel behind, at most).
    struct mr_reading tasks_ns;
    struct mr_reading ksoftirqd_ns;  // the kernel thread that catches up with the network's work
    struct mr_reading frequency_khz; // now; of a difference: the later reading's
};

// Kernel threads ksoftirqd/N of the cores: found once, read often. 0: not visible.
struct mr_ksoftirqd {
    int pid[MR_CORE_USE_MAX]; // in the order of the cores
};

// Looks through all of /proc for them. `root` is put before /proc and /sys: "" for this machine.
void mr_ksoftirqd_find(const char *root, const struct mr_cores *cores,
                       struct mr_ksoftirqd *kernel_out);

// Reads the counters of `cores` (MR_CORE_USE_MAX at most, asserted) into use_out, one each in their
// order; what cannot be read, for example of a core that is offline, is unavailable.
void mr_core_use_read(const char *root, const struct mr_cores *cores,
                      const struct mr_ksoftirqd *kernel, struct mr_core_use *use_out);

// later − earlier of one core (the same one, asserted).
void mr_core_use_since(const struct mr_core_use *earlier, const struct mr_core_use *later,
                       struct mr_core_use *use_out);

// Whether the kernel measures interrupts instead of sampling them: then they are in no thread's CPU
// time. A kernel that samples at its tick sees no hard interrupt, since the tick is one. `use` is
// since boot.
MR_NODISCARD bool mr_core_irq_is_measured(const struct mr_core_use *use);

// How far `tasks_ns` may be behind: the length of the kernel's own tick.
uint64_t mr_kernel_tick_ns(void);

#endif
