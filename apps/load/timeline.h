// timeline.h: what happened in each 100 ms of a run, warm-up and drain included; for pictures and
// for judging whether a contestant was warm.
#ifndef MR_LOAD_TIMELINE_H
#define MR_LOAD_TIMELINE_H

#include "timeline_medians.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

#define MR_TIMELINE_BIN_NS 100000000u

struct mr_timeline_bin {
    uint64_t batches; // answered
    uint64_t records;
    uint64_t payload_bytes; // JSON bytes of the answered ones
    uint64_t in_flight;     // at the bin's end, batches
    uint64_t max_ns;        // slowest of the answered ones, exact
};

// Bins from start_ns on. What comes after the last one is counted in it.
struct mr_timeline {
    uint64_t start_ns;
    struct mr_timeline_bin *bin; // owned
    size_t bins_count;
    size_t used_count;
    struct mr_medians medians; // of the same bins
    uint64_t in_flight;        // now
    size_t current;            // the bin of now; earlier ones have their in_flight
};

// Bins for `length_ns` and two more, prefaulted: 6.5 KB for each 100 ms (see timeline_medians.h). 0
// or -ENOMEM.
MR_NODISCARD int mr_timeline_init(struct mr_timeline *timeline_out, uint64_t length_ns);
void mr_timeline_fini(struct mr_timeline *timeline);

// Forgets everything; time 0 is `start_ns`.
void mr_timeline_begin(struct mr_timeline *timeline, uint64_t start_ns);

// Batches in flight are `in_flight` from `now_ns` on. `now_ns` never goes back by more than a bin
// that is closed already (then the current bin is meant).
void mr_timeline_in_flight(struct mr_timeline *timeline, uint64_t now_ns, uint64_t in_flight);

// A batch was answered at reply_ns: adds its figures to the bin.
struct mr_timeline_answer {
    uint64_t reply_ns;
    uint64_t records;
    uint64_t payload_bytes;
    uint64_t value_ns; // latency, or round trip in a closed loop
};
void mr_timeline_answered(struct mr_timeline *timeline, const struct mr_timeline_answer *answer);

// Asks the memory for the place of an answer.
void mr_timeline_expect(const struct mr_timeline *timeline, uint64_t reply_ns, uint64_t value_ns);

// Adds the bins of `from`, which began at the same time.
void mr_timeline_merge(struct mr_timeline *into, const struct mr_timeline *from);

#endif
