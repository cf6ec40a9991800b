// mr_hist.h: a histogram of durations in HdrHistogram's layout: 3 significant digits, 1 ns to 1 h.
//
// Layout and bucket borders are those of HdrHistogram (public domain, Gil Tene) for lowest
// discernible value 1, highest trackable value 3.6e12 and 3 significant digits, so that the counts
// can be written as its V2 log or percentile file and read by its viewers. Values below 2048 ns
// have a bucket each; above, a bucket is at most 1/1024 of its value wide.
#ifndef MR_STATS_HIST_H
#define MR_STATS_HIST_H

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The largest value that is recorded: one hour in ns.
#define MR_HIST_MAX_NS 3600000000000u

// 2048 sub-buckets: the power of two at or above 2 · 10^3, which keeps 3 digits in the upper half.
#define MR_HIST_SUB_BUCKETS 2048u
#define MR_HIST_HALF        (MR_HIST_SUB_BUCKETS / 2)

// 32 buckets of doubling width reach 2^42 ns > 1 h; the first has both halves, the others one.
#define MR_HIST_BUCKETS    32u
#define MR_HIST_COUNTS_LEN ((MR_HIST_BUCKETS + 1) * MR_HIST_HALF)

// One histogram. Read the fields through the functions below; `counts` may be read by encoders.
// Thread rule: one writer, no readers meanwhile; give each thread its own and merge.
struct mr_hist {
    uint64_t *counts; // MR_HIST_COUNTS_LEN of them, owned
    uint64_t count;
    uint64_t out_of_range_count;
    uint64_t min_ns;
    uint64_t max_ns;
    uint64_t sum_high; // the exact sum is sum_high · 2^64 + sum_low, in ns
    uint64_t sum_low;
};

// An empty histogram; allocates 270 KB, the last allocation of its life. 0, or -ENOMEM; on success
// the caller ends it with mr_hist_fini().
MR_NODISCARD int mr_hist_init(struct mr_hist *hist_out);

// Frees the counts; the struct may be initialised again.
void mr_hist_fini(struct mr_hist *hist);

// Forgets everything recorded, the out-of-range count included.
void mr_hist_reset(struct mr_hist *hist);

// Records one value in ns. A value above MR_HIST_MAX_NS is not recorded: it is counted in
// out_of_range_count and false is returned, so that it is never lost silently. No allocation.
bool mr_hist_record(struct mr_hist *hist, uint64_t value_ns);

// Asks the memory for the place where `value_ns` would be recorded, so that it is there some time
// later. Nothing else happens.
void mr_hist_expect(const struct mr_hist *hist, uint64_t value_ns);

// Like mr_hist_record(), but `repeats` times the same value.
bool mr_hist_record_n(struct mr_hist *hist, uint64_t value_ns, uint64_t repeats);

// Adds the counts of `from`, out-of-range ones included. Percentiles of several trials come from
// merged counts or are shown apart; they are never averaged.
void mr_hist_merge(struct mr_hist *into, const struct mr_hist *from);

// Number of values recorded, those out of range excluded.
uint64_t mr_hist_count(const struct mr_hist *hist);

// Number of values that were too large to be recorded. Not zero: every percentile is too low.
uint64_t mr_hist_out_of_range_count(const struct mr_hist *hist);

// Smallest, largest and mean value recorded, exact (not the bucket's). 0 when nothing is recorded:
// look at mr_hist_count() first.
uint64_t mr_hist_min_ns(const struct mr_hist *hist);
uint64_t mr_hist_max_ns(const struct mr_hist *hist);
double mr_hist_mean_ns(const struct mr_hist *hist);

// The value at `percentile` (0 to 100, asserted): the top of the bucket that holds the value of
// rank ⌈percentile/100 · count⌉ (at least 1), never above the exact maximum. 0 when nothing is
// recorded.
uint64_t mr_hist_value_at_percentile(const struct mr_hist *hist, double percentile);

// Number of recorded values in buckets wholly above `value_ns`.
uint64_t mr_hist_count_above(const struct mr_hist *hist, uint64_t value_ns);

// Whether a percentile may be printed: only with at least 100/(1 − X) values, X = percentile/100
// (p50 needs 200, p99 10,000, p99.9 100,000); else the reader is told that n is too small. False
// for 100 and above: the largest value is the maximum, not a percentile. measuring rules 6 and 7.
bool mr_hist_percentile_allowed(uint64_t count, double percentile);

// One bucket that holds something, as mr_hist_next() finds it.
struct mr_hist_bucket {
    size_t index;        // in `counts`
    uint64_t low_ns;     // smallest and largest value that falls into it
    uint64_t high_ns;    //
    uint64_t count;      // values in it
    uint64_t cumulative; // values in it and below
};

// Moves to the next bucket that is not empty, upwards; false at the end. Begin with a struct of
// zeros. The histogram must not change meanwhile.
bool mr_hist_next(const struct mr_hist *hist, struct mr_hist_bucket *bucket);

// The bucket of a value (≤ MR_HIST_MAX_NS, asserted), and a bucket's smallest and largest value.
size_t mr_hist_index(uint64_t value_ns);
uint64_t mr_hist_low_ns(size_t index);
uint64_t mr_hist_high_ns(size_t index);

#endif
