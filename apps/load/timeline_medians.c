// timeline_medians.c: see timeline_medians.h.
#include "timeline_medians.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define UNIT_BITS 6  // values are counted in units of 64 ns
#define TOP_BITS  30 // below 2^30 units, 68 s
#define BITS_MAX  6u
#define BITS_MIN  3u

static size_t buckets_of(unsigned bits)
{
    return (size_t)(TOP_BITS - bits + 1) << bits;
}

int mr_medians_init(struct mr_medians *medians_out, size_t bins_count)
{
    unsigned bits = BITS_MAX;
    while (bits > BITS_MIN &&
           buckets_of(bits) * sizeof(uint32_t) * bins_count > MR_MEDIANS_BYTES_MAX) {
        bits--;
    }
    size_t bytes = bins_count * buckets_of(bits) * sizeof(uint32_t);
    *medians_out = (struct mr_medians){.counts = malloc(bytes),
                                       .bins_count = bins_count,
                                       .buckets_count = buckets_of(bits),
                                       .bits = bits};
    if (medians_out->counts == NULL) {
        return -ENOMEM;
    }
    mr_medians_clear(medians_out, bins_count);
    return 0;
}

void mr_medians_fini(struct mr_medians *medians)
{
    free(medians->counts);
    *medians = (struct mr_medians){0};
}

void mr_medians_clear(struct mr_medians *medians, size_t bins)
{
    MR_ASSERT(bins <= medians->bins_count);
    memset(medians->counts, 0, bins * medians->buckets_count * sizeof medians->counts[0]);
}

size_t mr_medians_bucket(const struct mr_medians *medians, uint64_t value_ns)
{
    const uint64_t most = ((uint64_t)1 << TOP_BITS) - 1;
    uint64_t units = value_ns >> UNIT_BITS;
    units = units < most ? units : most;
    uint64_t low_half = ((uint64_t)2 << medians->bits) - 1;
    unsigned top_bit = 63u - (unsigned)__builtin_clzll(units | low_half);
    unsigned shift = top_bit - medians->bits;
    return ((size_t)shift << medians->bits) + (size_t)(units >> shift);
}

uint64_t mr_medians_middle_ns(const struct mr_medians *medians, size_t bucket)
{
    size_t half = (size_t)1 << medians->bits;
    unsigned shift = bucket < 2 * half ? 0 : (unsigned)(bucket >> medians->bits) - 1;
    uint64_t units = bucket < 2 * half ? bucket : (bucket & (half - 1)) + half;
    uint64_t width_ns = (uint64_t)1 << (shift + UNIT_BITS);
    return (units << (shift + UNIT_BITS)) + width_ns / 2;
}

void mr_medians_merge(struct mr_medians *into, const struct mr_medians *from, size_t bins)
{
    MR_ASSERT(into->bits == from->bits && into->bins_count == from->bins_count &&
              bins <= from->bins_count);
    for (size_t i = 0; i < bins * from->buckets_count; i++) {
        into->counts[i] += from->counts[i];
    }
}

uint64_t mr_medians_value_ns(const struct mr_medians *medians, size_t bin)
{
    MR_ASSERT(bin < medians->bins_count);
    const uint32_t *counts = medians->counts + bin * medians->buckets_count;
    uint64_t count = 0;
    for (size_t i = 0; i < medians->buckets_count; i++) {
        count += counts[i];
    }
    uint64_t left = (count + 1) / 2;
    for (size_t i = 0; i < medians->buckets_count; i++) {
        if (left > 0 && counts[i] >= left) {
            return mr_medians_middle_ns(medians, i);
        }
        left -= counts[i];
    }
    MR_ASSERT(count == 0);
    return 0;
}

double mr_medians_error(const struct mr_medians *medians)
{
    return 1.0 / (double)((uint64_t)2 << medians->bits);
}
