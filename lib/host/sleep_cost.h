// sleep_cost.h: what waiting costs here: a look at the clock, and how late a sleep ends.
#ifndef MR_HOST_SLEEP_COST_H
#define MR_HOST_SLEEP_COST_H

#include <matchrace/attributes.h>

#include <stdint.h>

// Of one way to wait, in ns behind the deadline.
struct mr_overshoot {
    uint64_t p50_ns;
    uint64_t p99_ns;
    uint64_t max_ns;
};

struct mr_sleep_cost {
    double clock_ns;           // one call of mr_clock_ns(), the smallest of several means
    struct mr_overshoot sleep; // clock_nanosleep to the deadline, slack 1 ns
    struct mr_overshoot spin;  // the same to MR_SLEEP_COST_SPIN_NS before it, then spinning
    unsigned sleeps;           // of each
};

#define MR_SLEEP_COST_SLEEP_NS 500000u
#define MR_SLEEP_COST_SPIN_NS  100000u

// Measures on a thread of its own on `core`: about 0.3 s. 0, or a negative errno (−EINVAL: we may
// not run there).
MR_NODISCARD int mr_sleep_cost_measure(unsigned core, struct mr_sleep_cost *cost_out);

#endif
