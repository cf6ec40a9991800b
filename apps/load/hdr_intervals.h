// hdr_intervals.h: the counts of each second of a window, made beforehand, for the interval log.
//
// A series keeps 132 KiB for each second of window and drain: all 33,792 buckets of mr_hist as 32
// bits. That is much for what mostly holds zeros, but recording is one addition at a computed
// place: nothing is encoded, moved or cleared while timed.
#ifndef MR_LOAD_HDR_INTERVALS_H
#define MR_LOAD_HDR_INTERVALS_H

#include "stats/mr_hist.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

#define MR_INTERVAL_NS 1000000000u

// Intervals are [begin + k s, begin + (k + 1) s[; what comes before the first or after the last one
// is counted in it. One writer, no readers meanwhile.
struct mr_intervals {
    uint64_t begin_ns;
    size_t count;        // intervals; 0: nothing is kept
    size_t series_count; // in each
    uint32_t *counts;    // owned: of interval, series, bucket
    uint64_t recorded;   // values, since mr_intervals_begin()
};

// Bytes that `length_ns` with `series_count` series take.
uint64_t mr_intervals_bytes(uint64_t length_ns, size_t series_count);

// Room for `length_ns`, prefaulted, all zero. 0 or -ENOMEM.
MR_NODISCARD int mr_intervals_init(struct mr_intervals *intervals_out, uint64_t length_ns,
                                   size_t series_count);
void mr_intervals_fini(struct mr_intervals *intervals);

// Forgets everything; the first interval begins at `begin_ns`.
void mr_intervals_begin(struct mr_intervals *intervals, uint64_t begin_ns);

// Counts `value_ns`, known at `at_ns`, in series `series` < series_count. A value above
// MR_HIST_MAX_NS is left out: the whole run's histogram counts it as out of range. No allocation.
static inline void mr_intervals_add(struct mr_intervals *intervals, size_t series, uint64_t at_ns,
                                    uint64_t value_ns)
{
    if (intervals->count == 0 || value_ns > MR_HIST_MAX_NS) {
        return;
    }
    uint64_t offset_ns = at_ns > intervals->begin_ns ? at_ns - intervals->begin_ns : 0;
    uint64_t interval = offset_ns / MR_INTERVAL_NS;
    interval = interval < intervals->count ? interval : intervals->count - 1;
    size_t place = ((size_t)interval * intervals->series_count + series) * MR_HIST_COUNTS_LEN;
    intervals->counts[place + mr_hist_index(value_ns)]++;
    intervals->recorded++;
}

// Adds what one interval holds of a series to `into`. Values come back as the smallest of their
// bucket: counts are exact, minimum, maximum and mean are not.
void mr_intervals_collect(const struct mr_intervals *intervals, size_t series, size_t interval,
                          struct mr_hist *into);

#endif
