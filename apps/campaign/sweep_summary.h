// sweep_summary.h: the repeats of a point together: medians and ranges, never averages.
#ifndef MR_CAMPAIGN_SWEEP_SUMMARY_H
#define MR_CAMPAIGN_SWEEP_SUMMARY_H

#include "sweep.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Over the trials that count; all NAN where one of them has no such figure (n too small), or none
// counts.
struct mr_sweep_spread {
    double median;
    double low;
    double high;
};

struct mr_sweep_series_spread {
    uint64_t n_min; // of the trial with the fewest
    struct mr_sweep_spread p50_ns;
    struct mr_sweep_spread p90_ns;
    struct mr_sweep_spread p99_ns;
    struct mr_sweep_spread p99_9_ns;
    struct mr_sweep_spread max_ns;
};

struct mr_sweep_summary {
    size_t counted;  // trials
    size_t excluded; // attempts
    uint64_t rate_per_s;
    uint64_t window_ns;
    bool overloaded; // more than half of those that count
    size_t overloaded_count;
    struct mr_sweep_spread achieved_per_s;
    struct mr_sweep_spread backlog_begin;
    struct mr_sweep_spread backlog_end;
    uint64_t censored; // of all that count
    struct mr_sweep_series_spread latency;
    struct mr_sweep_series_spread service_time;
    struct mr_sweep_spread lateness_p99_ns;
    size_t gate_failed[MR_GATE_COUNT]; // trials that count all the same: the gate only marks
};

// Of the closed loop (load ignored) or of one load.
struct mr_sweep_summary mr_sweep_summarise(const struct mr_sweep *sweep, enum mr_sweep_phase phase,
                                           size_t entry, size_t load);

// Trials of a point that count are wanted, and missing: repeats less counted; 0 for a contestant
// that is out.
size_t mr_sweep_missing(const struct mr_sweep *sweep, enum mr_sweep_phase phase, size_t entry,
                        size_t load);

// Whether the rate that keeps the limit was asked for and not found, for want of trials or batches.
bool mr_sweep_limit_missing(const struct mr_sweep *sweep, size_t entry);

// Whether everything that was asked for was measured: no point misses a repeat, every search found
// something out.
bool mr_sweep_is_whole(const struct mr_sweep *sweep);

#endif
