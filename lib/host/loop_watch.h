// loop_watch.h: the host's pauses as a loop sees them that has work of its own: the watch of a
// machine without a spare core.
//
// A loop that spins knows how much wall time passed between two of its turns and, by its thread's
// CPU clock, how much of that it really ran. The difference is no work of its own: somebody else
// ran, or nobody. Where the kernel does not take the hypervisor's time off the CPU clock (no
// steal accounting), a turn that moved no byte has nothing to explain it, and its whole gap counts.
#ifndef MR_HOST_LOOP_WATCH_H
#define MR_HOST_LOOP_WATCH_H

#include "pause_watch.h"
#include "reading.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stdint.h>

// The CPU clock is a system call: it is read for gaps above the threshold, and so often otherwise,
// so that what is put down to a gap is of its near past.
#define MR_LOOP_WATCH_CHECK_NS 1000000u

// A sleep may end late by what a wake-up costs; from here on the host did not let us run.
#define MR_LOOP_WATCH_OVERSLEEP_NS 1000000u

// The watch of one thread. Pauses count with the length that is unexplained.
struct mr_loop_watch {
    struct mr_pauses pauses; // last_ns: the turn before
    uint64_t check_ns;       // wall clock and thread's CPU clock were read together
    uint64_t check_cpu_ns;
    int delay_fd;        // of the thread's schedstat; −1: the kernel has none
    uint64_t delay_ns;   // its wait for a core when that was last read
    uint64_t counted_ns; // pauses counted since then, which may be the same wait
};

// Gets ready on the thread that is watched, before anything is timed; ended by
// mr_loop_watch_fini().
void mr_loop_watch_init(struct mr_loop_watch *watch_out);
void mr_loop_watch_fini(struct mr_loop_watch *watch);

// Begins now, on the same thread.
void mr_loop_watch_begin(struct mr_loop_watch *watch, uint64_t now_ns, uint64_t threshold_ns);

// What the loop says of a turn.
struct mr_loop_turn {
    uint64_t now_ns;   // its end
    uint64_t sleep_ns; // it meant to sleep for so long at most; 0: it did not sleep
    bool moved;        // it did something that takes time
};

// What the kernel says of the thread at the end of a turn.
struct mr_loop_clocks {
    uint64_t cpu_ns;
    struct mr_reading run_delay_ns; // read for long turns with a sleep only
};

// Judges a turn with given clocks: pure. Returns the pause that was found, 0 when there was none.
uint64_t mr_loop_watch_judge(struct mr_loop_watch *watch, const struct mr_loop_turn *turn,
                             const struct mr_loop_clocks *clocks);

// Whether the turn must be judged: a long gap, a sleep, or a while since the last time. Cheap.
static inline bool mr_loop_watch_wants(const struct mr_loop_watch *watch,
                                       const struct mr_loop_turn *turn)
{
    return turn->sleep_ns > 0 ||
           turn->now_ns - watch->pauses.last_ns >= watch->pauses.threshold_ns ||
           turn->now_ns - watch->check_ns >= MR_LOOP_WATCH_CHECK_NS;
}

// Reads the clocks and judges.
uint64_t mr_loop_watch_check(struct mr_loop_watch *watch, const struct mr_loop_turn *turn);

// Notes a turn. Returns the pause that was found in it, 0 when there was none.
static inline uint64_t mr_loop_watch_turn(struct mr_loop_watch *watch,
                                          const struct mr_loop_turn *turn)
{
    uint64_t pause_ns = mr_loop_watch_wants(watch, turn) ? mr_loop_watch_check(watch, turn) : 0;
    watch->pauses.last_ns = turn->now_ns;
    return pause_ns;
}

#endif
