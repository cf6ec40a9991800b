// probe_set.h: the same fixed work on several cores at once, before a trial and after it.
#ifndef MR_HOST_PROBE_SET_H
#define MR_HOST_PROBE_SET_H

#include "probe.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

// Cores that are probed together at most.
#define MR_PROBE_SET_MAX 16

// What the work is, and what it took on each core while all of them did it.
struct mr_probe_set {
    unsigned core[MR_PROBE_SET_MAX];
    size_t count;
    uint64_t loops;   // of one piece, the same on all
    unsigned repeats; // pieces of one measurement
    double spread;    // largest over the cores of (largest − smallest) / smallest measurement
};

// One measurement: the fastest piece of each core, in ns.
struct mr_probe_times {
    uint64_t ns[MR_PROBE_SET_MAX];
};

// Finds the loops that take `work_ns` on the first core and the spread of five measurements on all
// at once: about 7 · repeats · work_ns (0.6 s by the rule). 0, or a negative errno (−EINVAL: we may
// not run on one of the cores).
MR_NODISCARD int mr_probe_set_calibrate(struct mr_probe_set *set_out, const unsigned *cores,
                                        size_t count, uint64_t work_ns, unsigned repeats);

// Measures on all cores at once: repeats · work_ns. 0, or a negative errno.
MR_NODISCARD int mr_probe_set_measure(const struct mr_probe_set *set,
                                      struct mr_probe_times *times_out);

// The largest over the cores of |after / before − 1|.
double mr_probe_change(const struct mr_probe_set *set, const struct mr_probe_times *before,
                       const struct mr_probe_times *after);

#endif
