// timeline_medians.h: small histograms, one for each bin of the timeline, for medians only.
//
// Log-linear like mr_hist, but coarse: 64 buckets for each doubling, so that the middle of a bucket
// is within 1/128 (0.8 %) of what fell into it, or 32 ns; up to 68 s, above that one bucket. A bin
// takes 6.4 KB. Where so many bins would take more than 64 MiB (a run of 17 minutes) a doubling has
// 32 buckets, then 16, at last 8.
#ifndef MR_LOAD_TIMELINE_MEDIANS_H
#define MR_LOAD_TIMELINE_MEDIANS_H

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

#define MR_MEDIANS_BYTES_MAX (64u << 20)

// `bins_count` histograms of the same layout.
struct mr_medians {
    uint32_t *counts; // owned: of bin, bucket
    size_t bins_count;
    size_t buckets_count; // of a bin
    unsigned bits;        // a doubling has 2^bits buckets
};

// All zero, prefaulted. 0 or -ENOMEM.
MR_NODISCARD int mr_medians_init(struct mr_medians *medians_out, size_t bins_count);
void mr_medians_fini(struct mr_medians *medians);

// Forgets what the first `bins` bins hold.
void mr_medians_clear(struct mr_medians *medians, size_t bins);

// The bucket of a value, and its middle.
size_t mr_medians_bucket(const struct mr_medians *medians, uint64_t value_ns);
uint64_t mr_medians_middle_ns(const struct mr_medians *medians, size_t bucket);

// Counts a value in bin `bin`. No allocation.
static inline void mr_medians_add(struct mr_medians *medians, size_t bin, uint64_t value_ns)
{
    medians->counts[bin * medians->buckets_count + mr_medians_bucket(medians, value_ns)]++;
}

// Asks the memory for the place of a value.
static inline void mr_medians_expect(const struct mr_medians *medians, size_t bin,
                                     uint64_t value_ns)
{
    __builtin_prefetch(
        &medians->counts[bin * medians->buckets_count + mr_medians_bucket(medians, value_ns)], 1);
}

// Adds the counts of the first `bins` bins of `from`, which has the same layout (asserted).
void mr_medians_merge(struct mr_medians *into, const struct mr_medians *from, size_t bins);

// The middle of the bucket that holds the value of rank ⌈n/2⌉ of a bin; 0 where it is empty.
uint64_t mr_medians_value_ns(const struct mr_medians *medians, size_t bin);

// How far a median may be off, as a share of it: 1/128 where bits is 6.
double mr_medians_error(const struct mr_medians *medians);

#endif
