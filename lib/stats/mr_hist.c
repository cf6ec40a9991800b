// mr_hist.c: see mr_hist.h.
#include "mr_hist.h"

#include <base/mr_assert.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// log2 of MR_HIST_HALF: a value's bucket is the number of bits that it has beyond 11.
#define HALF_BITS 10

_Static_assert(1u << HALF_BITS == MR_HIST_HALF, "HALF_BITS belongs to MR_HIST_HALF");
_Static_assert(((uint64_t)MR_HIST_SUB_BUCKETS << (MR_HIST_BUCKETS - 1)) > MR_HIST_MAX_NS,
               "the last bucket must hold the largest value");

__extension__ typedef unsigned __int128 wide;

static void set_empty(struct mr_hist *hist)
{
    hist->count = 0;
    hist->out_of_range_count = 0;
    hist->min_ns = UINT64_MAX;
    hist->max_ns = 0;
    hist->sum_high = 0;
    hist->sum_low = 0;
}

static void add_sum(struct mr_hist *hist, wide more)
{
    wide sum = ((wide)hist->sum_high << 64 | hist->sum_low) + more;
    hist->sum_high = (uint64_t)(sum >> 64);
    hist->sum_low = (uint64_t)sum;
}

static void add_count(uint64_t *count, uint64_t more)
{
    bool overflow = __builtin_add_overflow(*count, more, count);
    MR_ASSERT(!overflow);
}

int mr_hist_init(struct mr_hist *hist_out)
{
    *hist_out = (struct mr_hist){.counts = calloc(MR_HIST_COUNTS_LEN, sizeof(uint64_t))};
    set_empty(hist_out);
    return hist_out->counts == NULL ? -ENOMEM : 0;
}

void mr_hist_fini(struct mr_hist *hist)
{
    free(hist->counts);
    *hist = (struct mr_hist){0};
}

void mr_hist_reset(struct mr_hist *hist)
{
    MR_ASSERT(hist->counts != NULL);
    memset(hist->counts, 0, MR_HIST_COUNTS_LEN * sizeof hist->counts[0]);
    set_empty(hist);
}

size_t mr_hist_index(uint64_t value_ns)
{
    MR_ASSERT(value_ns <= MR_HIST_MAX_NS);
    unsigned top_bit = 63u - (unsigned)__builtin_clzll(value_ns | (MR_HIST_SUB_BUCKETS - 1));
    unsigned bucket = top_bit - HALF_BITS;
    return ((size_t)bucket << HALF_BITS) + (size_t)(value_ns >> bucket);
}

uint64_t mr_hist_low_ns(size_t index)
{
    MR_ASSERT(index < MR_HIST_COUNTS_LEN);
    if (index < MR_HIST_SUB_BUCKETS) {
        return index;
    }
    unsigned bucket = (unsigned)(index >> HALF_BITS) - 1;
    return (uint64_t)((index & (MR_HIST_HALF - 1)) + MR_HIST_HALF) << bucket;
}

uint64_t mr_hist_high_ns(size_t index)
{
    unsigned bucket = index < MR_HIST_SUB_BUCKETS ? 0 : (unsigned)(index >> HALF_BITS) - 1;
    return mr_hist_low_ns(index) + ((uint64_t)1 << bucket) - 1;
}

bool mr_hist_record_n(struct mr_hist *hist, uint64_t value_ns, uint64_t repeats)
{
    if (value_ns > MR_HIST_MAX_NS) {
        add_count(&hist->out_of_range_count, repeats);
        return false;
    }
    if (repeats == 0) {
        return true;
    }
    add_count(&hist->count, repeats);
    hist->counts[mr_hist_index(value_ns)] += repeats;
    add_sum(hist, (wide)value_ns * repeats);
    hist->min_ns = value_ns < hist->min_ns ? value_ns : hist->min_ns;
    hist->max_ns = value_ns > hist->max_ns ? value_ns : hist->max_ns;
    return true;
}

bool mr_hist_record(struct mr_hist *hist, uint64_t value_ns)
{
    return mr_hist_record_n(hist, value_ns, 1);
}

void mr_hist_expect(const struct mr_hist *hist, uint64_t value_ns)
{
    if (value_ns <= MR_HIST_MAX_NS) {
        __builtin_prefetch(&hist->counts[mr_hist_index(value_ns)], 1);
    }
}

void mr_hist_merge(struct mr_hist *into, const struct mr_hist *from)
{
    MR_ASSERT(into != from);
    add_count(&into->count, from->count);
    add_count(&into->out_of_range_count, from->out_of_range_count);
    for (size_t i = 0; i < MR_HIST_COUNTS_LEN; i++) {
        into->counts[i] += from->counts[i];
    }
    add_sum(into, (wide)from->sum_high << 64 | from->sum_low);
    into->min_ns = from->min_ns < into->min_ns ? from->min_ns : into->min_ns;
    into->max_ns = from->max_ns > into->max_ns ? from->max_ns : into->max_ns;
}

uint64_t mr_hist_count(const struct mr_hist *hist)
{
    return hist->count;
}

uint64_t mr_hist_out_of_range_count(const struct mr_hist *hist)
{
    return hist->out_of_range_count;
}

uint64_t mr_hist_min_ns(const struct mr_hist *hist)
{
    return hist->count == 0 ? 0 : hist->min_ns;
}

uint64_t mr_hist_max_ns(const struct mr_hist *hist)
{
    return hist->max_ns;
}

double mr_hist_mean_ns(const struct mr_hist *hist)
{
    if (hist->count == 0) {
        return 0;
    }
    return (ldexp((double)hist->sum_high, 64) + (double)hist->sum_low) / (double)hist->count;
}

// ⌈percentile/100 · count⌉, where a product that ought to be whole but came out a rounding error
// above it still counts as whole; within 1 … count.
static uint64_t rank_of(double percentile, uint64_t count)
{
    double exact = percentile / 100 * (double)count;
    double rank = ceil(exact - exact * 1e-12);
    if (rank < 1) {
        return 1;
    }
    return rank >= (double)count ? count : (uint64_t)rank;
}

uint64_t mr_hist_value_at_percentile(const struct mr_hist *hist, double percentile)
{
    MR_ASSERT(percentile >= 0 && percentile <= 100);
    uint64_t rank = rank_of(percentile, hist->count);
    struct mr_hist_bucket bucket = {0};
    while (mr_hist_next(hist, &bucket)) {
        if (bucket.cumulative >= rank) {
            return bucket.high_ns < hist->max_ns ? bucket.high_ns : hist->max_ns;
        }
    }
    MR_ASSERT(hist->count == 0);
    return 0;
}

uint64_t mr_hist_count_above(const struct mr_hist *hist, uint64_t value_ns)
{
    struct mr_hist_bucket bucket = {0};
    uint64_t up_to = 0;
    while (mr_hist_next(hist, &bucket) && bucket.low_ns <= value_ns) {
        up_to = bucket.cumulative;
    }
    return hist->count - up_to;
}

bool mr_hist_percentile_allowed(uint64_t count, double percentile)
{
    if (!(percentile >= 0 && percentile < 100)) {
        return false;
    }
    // 100/(1 − X) = 10^4/(100 − percentile); the slack makes up for 99.9 not being a double.
    return (double)count * (100 - percentile) >= 1e4 * (1 - 1e-9);
}

bool mr_hist_next(const struct mr_hist *hist, struct mr_hist_bucket *bucket)
{
    // A bucket of zeros is the beginning: one that was found has a count.
    size_t index = bucket->count == 0 ? 0 : bucket->index + 1;
    while (bucket->cumulative < hist->count && index < MR_HIST_COUNTS_LEN) {
        if (hist->counts[index] != 0) {
            bucket->index = index;
            bucket->low_ns = mr_hist_low_ns(index);
            bucket->high_ns = mr_hist_high_ns(index);
            bucket->count = hist->counts[index];
            bucket->cumulative += bucket->count;
            return true;
        }
        index++;
    }
    return false;
}
