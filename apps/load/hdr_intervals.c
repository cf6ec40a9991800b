// hdr_intervals.c: see hdr_intervals.h.
#include "hdr_intervals.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Begun seconds count whole.
static uint64_t intervals_in(uint64_t length_ns)
{
    return length_ns / MR_INTERVAL_NS + (length_ns % MR_INTERVAL_NS != 0);
}

uint64_t mr_intervals_bytes(uint64_t length_ns, size_t series_count)
{
    return intervals_in(length_ns) * series_count * MR_HIST_COUNTS_LEN * sizeof(uint32_t);
}

int mr_intervals_init(struct mr_intervals *intervals_out, uint64_t length_ns, size_t series_count)
{
    MR_ASSERT(length_ns > 0 && series_count > 0);
    size_t bytes = (size_t)mr_intervals_bytes(length_ns, series_count);
    *intervals_out = (struct mr_intervals){.counts = malloc(bytes)};
    if (intervals_out->counts == NULL) {
        return -ENOMEM;
    }
    memset(intervals_out->counts, 0, bytes); // touches every page
    intervals_out->count = (size_t)intervals_in(length_ns);
    intervals_out->series_count = series_count;
    return 0;
}

void mr_intervals_fini(struct mr_intervals *intervals)
{
    free(intervals->counts);
    *intervals = (struct mr_intervals){0};
}

void mr_intervals_begin(struct mr_intervals *intervals, uint64_t begin_ns)
{
    intervals->begin_ns = begin_ns;
    if (intervals->recorded > 0) {
        memset(intervals->counts, 0,
               intervals->count * intervals->series_count * MR_HIST_COUNTS_LEN * sizeof(uint32_t));
        intervals->recorded = 0;
    }
}

void mr_intervals_collect(const struct mr_intervals *intervals, size_t series, size_t interval,
                          struct mr_hist *into)
{
    MR_ASSERT(interval < intervals->count && series < intervals->series_count);
    const uint32_t *counts = intervals->counts + (interval * intervals->series_count + series) *
                                                     (size_t)MR_HIST_COUNTS_LEN;
    for (size_t i = 0; i < MR_HIST_COUNTS_LEN; i++) {
        if (counts[i] != 0) {
            bool fits = mr_hist_record_n(into, mr_hist_low_ns(i), counts[i]);
            MR_ASSERT(fits);
        }
    }
}
