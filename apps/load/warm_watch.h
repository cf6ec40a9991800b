// warm_watch.h: whether a server that compiles its code while it runs has come to its steady speed.
//
// Looks a second apart: how many methods its runtime had compiled, and the throughput since three
// looks. A look apart is no proof: a runtime that sees one processor waits for a second without new
// code before it counts calls, twice on the way to its final code, and throughput is flat
// meanwhile.
#ifndef MR_LOAD_WARM_WATCH_H
#define MR_LOAD_WARM_WATCH_H

#include "timeline.h"

#include "base/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_WARM_LOOK_NS   MR_NS_PER_S
#define MR_WARM_LOOKS     3u // without a method compiled, and flat over all of them
#define MR_WARM_BINS      (MR_WARM_LOOKS * MR_WARM_LOOK_NS / MR_TIMELINE_BIN_NS)
#define MR_WARM_SLOPE_MAX 0.02
#define MR_WARM_NOISE_MAX 0.10 // where the interval holds 0

// Zeroed: nothing was seen.
struct mr_warm_watch {
    uint64_t methods[MR_WARM_LOOKS + 1]; // a ring
    size_t looks;
    double x[MR_WARM_BINS];
    double y[MR_WARM_BINS];
    double sorted[MR_WARM_BINS];
    double slopes[MR_WARM_BINS * (MR_WARM_BINS - 1) / 2];
};

// A look: the runtime had compiled `methods` (any constant where it doesn't tell).
void mr_warm_watch_look(struct mr_warm_watch *watch, uint64_t methods);

// Whether nothing was compiled between the last looks, and the records in the MR_WARM_BINS bins
// that were closed before `now_ns` show no change: a slope of MR_WARM_SLOPE_MAX at most over all of
// them, or one of MR_WARM_NOISE_MAX at most whose 95 % interval holds 0: of throughput that is too
// unsteady to show a rise nobody knows that there is none. No allocation.
bool mr_warm_watch_is_warm(struct mr_warm_watch *watch, const struct mr_timeline *timeline,
                           uint64_t now_ns);

#endif
