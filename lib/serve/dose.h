// dose.h: a planted slowness: a thread spins in proportion to the CPU time that it used otherwise.
//
// A campaign plants doses of known size to see what it would find (measuring rule 14). The thread's
// whole CPU time counts as its work, system calls included, so that a server that is the limit
// answers less by the dose, whatever part of its time the parser takes. CPU clocks leave out what
// others ran, so a busy machine does not change the size of a dose.
#ifndef MR_SERVE_DOSE_H
#define MR_SERVE_DOSE_H

#include <stdint.h>

#define MR_DOSE_PPM_MAX 1000000u

// What --help says of --dose-ppm.
#define MR_DOSE_HELP                                                                               \
    "A control of a campaign: spin so many millionths of the CPU time used on top of it (default " \
    "0)."

// Used by one thread.
struct mr_dose {
    uint64_t ppm;        // spun for a million of work; 0: nothing is done
    uint64_t settled_ns; // of mr_clock_ns(): when the debt was paid last
    uint64_t cpu_ns;     // of the thread's CPU clock, then
    uint64_t work_ns;    // CPU time so far but for the spinning
    uint64_t spun_ns;    // CPU time spun so far
};

// A dose of `ppm` millionths (at most MR_DOSE_PPM_MAX, asserted) for the calling thread, whose work
// counts from now on.
void mr_dose_init(struct mr_dose *dose_out, uint64_t ppm);

// To be called between pieces of work: spins what is owed, every half a millisecond at most, so
// that reading the CPU clock costs nothing to speak of. What is spun too much is owed less the next
// time.
void mr_dose_settle(struct mr_dose *dose);

#endif
