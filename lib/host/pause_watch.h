// pause_watch.h: gaps in which a loop that never stops did not run: the host's pauses.
#ifndef MR_HOST_PAUSE_WATCH_H
#define MR_HOST_PAUSE_WATCH_H

#include <matchrace/attributes.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

// A turn of a spinning loop takes well below a microsecond; a longer gap than this was no turn.
#define MR_PAUSE_THRESHOLD_NS 20000u

// Gaps between calls of mr_pauses_note(). A loop that spins anyway (the generator's) keeps one
// itself where no core is spare.
struct mr_pauses {
    uint64_t threshold_ns; // shorter gaps do not count
    uint64_t begin_ns;     // of the watch
    uint64_t last_ns;
    uint64_t count;
    uint64_t total_ns;
    uint64_t longest_ns;
    uint64_t longest_at_ns; // when the longest began
};

// An empty record that begins at `now_ns` of mr_clock_ns().
static inline struct mr_pauses mr_pauses_from(uint64_t now_ns, uint64_t threshold_ns)
{
    return (struct mr_pauses){.threshold_ns = threshold_ns, .begin_ns = now_ns, .last_ns = now_ns};
}

// Notes that the loop runs at `now_ns`, which never goes back.
static inline void mr_pauses_note(struct mr_pauses *pauses, uint64_t now_ns)
{
    uint64_t gap_ns = now_ns - pauses->last_ns;
    if (gap_ns >= pauses->threshold_ns) {
        pauses->count++;
        pauses->total_ns += gap_ns;
        if (gap_ns > pauses->longest_ns) {
            pauses->longest_ns = gap_ns;
            pauses->longest_at_ns = pauses->last_ns;
        }
    }
    pauses->last_ns = now_ns;
}

// Starting a thread takes some 100 us; who runs later than this after it was asked to was kept from
// it.
#define MR_PAUSE_START_NS 1000000u

// A thread that spins on one core and notes its gaps.
struct mr_pause_watch {
    pthread_t thread;
    atomic_bool stop;
    uint64_t asked_ns; // to start
    struct mr_pauses pauses;
};

// The record of a spinner that runs for the first time at `now_ns`: where it was kept from running,
// it begins when it was asked to, so that the gap will count.
struct mr_pauses mr_pauses_of_start(uint64_t asked_ns, uint64_t now_ns, uint64_t threshold_ns);

// Notes that `pauses` ended at `stop_ns`: that the loop did not run just before counts, too.
void mr_pauses_end(struct mr_pauses *pauses, uint64_t stop_ns);

// Starts spinning on `core`, which nobody else should use. 0, or a negative errno. The struct must
// stay where it is until mr_pause_watch_stop(), which has to follow.
MR_NODISCARD int mr_pause_watch_start(struct mr_pause_watch *watch_out, unsigned core,
                                      uint64_t threshold_ns);

// Ends the thread and hands out what it saw, from the start to this call.
void mr_pause_watch_stop(struct mr_pause_watch *watch, struct mr_pauses *pauses_out);

#endif
