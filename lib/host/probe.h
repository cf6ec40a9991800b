// probe.h: fixed work on a core, timed: tells whether the machine still is as fast as before.
#ifndef MR_HOST_PROBE_H
#define MR_HOST_PROBE_H

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

// The rule: 40 pieces of 2 ms each, the fastest counts.
#define MR_PROBE_REPEATS 40u
#define MR_PROBE_WORK_NS 2000000u

// A fixed piece of integer work in `loops` rounds of eight independent chains, so that a busy
// hyper-thread on the same execution units slows it down. Returns what it computed: the same for
// the same loops everywhere.
uint64_t mr_probe_work(uint64_t loops);

// The fastest of `repeats` pieces of `loops` rounds in ns, on the core where the caller runs.
uint64_t mr_probe_fastest_of(uint64_t loops, unsigned repeats);

// Finds the loops that take about `work_ns` on `core`. 0, or a negative errno (−EINVAL: we may not
// run on that core).
MR_NODISCARD int mr_probe_find_loops(unsigned core, uint64_t work_ns, uint64_t *loops_out);

// What the work is and how much it varies on a machine that does nothing else.
struct mr_probe {
    uint64_t loops;      // of one piece
    unsigned repeats;    // pieces of one measurement
    uint64_t fastest_ns; // smallest measurement of the calibration
    double spread;       // (largest − smallest) / smallest of the calibration's five measurements
};

// Finds the loops that take `work_ns` on `core` and the spread of five measurements: about
// 6 · repeats · work_ns in all (0.5 s by the rule). 0, or a negative errno (−EINVAL: we may not run
// on that core).
MR_NODISCARD int mr_probe_calibrate(unsigned core, uint64_t work_ns, unsigned repeats,
                                    struct mr_probe *probe_out);

// Measures: the fastest of `repeats` pieces on `core`, in ns. 0, or a negative errno.
MR_NODISCARD int mr_probe_measure(unsigned core, const struct mr_probe *probe, uint64_t *ns_out);

// Measures on `core` while `other` idles and while it does the same work without pause: with beside
// well above alone (1.3 times and more) the two share execution units. 0, or a negative errno.
MR_NODISCARD int mr_probe_pair(unsigned core, unsigned other, const struct mr_probe *probe,
                               uint64_t *alone_ns_out, uint64_t *beside_ns_out);

#endif
