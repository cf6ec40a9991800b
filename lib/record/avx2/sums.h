// sums.h: what records add to the totals, four at once: their heads as columns, a field a register.
#ifndef MR_RECORD_AVX2_SUMS_H
#define MR_RECORD_AVX2_SUMS_H

#include "../kernel_sums.h"
#include "block.h"

// Four 64-bit elements each. Counts of kinds and flags are bytes, one for each code.
struct sums {
    __m256i timestamp_min, timestamp_max;
    __m256i value_min, value_max; // as numbers that order them
    __m256i texts;                // source_bytes + 2^16 · message_bytes
    __m256i messages;
    __m256i kinds, flags;
    __m256i kinds_seen;
    uint64_t value_sum;
    uint64_t eights;
};

// A byte may count so many eights: each adds two to it.
#define SUMS_EIGHTS_MAX 127u

static inline void begin_sums(struct sums *sums)
{
    __m256i zero = _mm256_setzero_si256();
    *sums = (struct sums){
        .timestamp_min = _mm256_set1_epi64x(INT64_MAX),
        .timestamp_max = _mm256_set1_epi64x(INT64_MIN),
        .value_min = _mm256_set1_epi64x(INT64_MAX),
        .value_max = _mm256_set1_epi64x(INT64_MIN),
        .texts = zero,
        .messages = zero,
        .kinds = zero,
        .flags = zero,
        .kinds_seen = zero,
    };
}

static inline void widen(__m256i *min_io, __m256i *max_io, __m256i numbers)
{
    __m256i less = _mm256_cmpgt_epi64(*min_io, numbers);
    __m256i more = _mm256_cmpgt_epi64(numbers, *max_io);
    *min_io = _mm256_blendv_epi8(*min_io, numbers, less);
    *max_io = _mm256_blendv_epi8(*max_io, numbers, more);
}

// Each product is exact and fits (docs/PROTOCOL.md, section 3).
static inline uint64_t scaled_sum(__m256i bits)
{
    __m256d scaled = _mm256_mul_pd(_mm256_castsi256_pd(bits), _mm256_set1_pd(1024.0));
    __m128d low = _mm256_castpd256_pd128(scaled);
    __m128d high = _mm256_extractf128_pd(scaled, 1);
    return (uint64_t)_mm_cvttsd_si64(low) + (uint64_t)_mm_cvttsd_si64(high) +
           (uint64_t)_mm_cvttsd_si64(_mm_unpackhi_pd(low, low)) +
           (uint64_t)_mm_cvttsd_si64(_mm_unpackhi_pd(high, high));
}

static inline void add_values(struct sums *sums, __m256i bits)
{
    __m256i negative = _mm256_cmpgt_epi64(_mm256_setzero_si256(), bits);
    widen(&sums->value_min, &sums->value_max,
          _mm256_xor_si256(bits, _mm256_srli_epi64(negative, 1)));
    sums->value_sum += scaled_sum(bits);
}

// Of four heads kind, flags and lengths, which are one element each.
static inline void add_small_fields(struct sums *sums, __m256i small)
{
    sums->texts = _mm256_add_epi64(sums->texts, _mm256_srli_epi64(small, 16));
    sums->messages = _mm256_add_epi64(sums->messages, _mm256_srli_epi64(small, 32));
    sums->kinds_seen = _mm256_or_si256(sums->kinds_seen, small);
    __m256i kind = _mm256_and_si256(_mm256_slli_epi64(small, 3), _mm256_set1_epi64x(0x38));
    sums->kinds = _mm256_add_epi8(sums->kinds, _mm256_sllv_epi64(_mm256_set1_epi64x(1), kind));
    // Each of an element's bytes gets the flags and keeps one of them.
    const __m256i everywhere = _mm256_setr_epi64x(0x0101010101010101, 0x0909090909090909,
                                                  0x0101010101010101, 0x0909090909090909);
    const __m256i own = _mm256_set1_epi64x((long long)0x8040201008040201u);
    __m256i flags = _mm256_and_si256(_mm256_shuffle_epi8(small, everywhere), own);
    sums->flags = _mm256_sub_epi8(sums->flags, _mm256_cmpeq_epi8(flags, own));
}

// Adds the records at the four places.
static inline void add_four(struct sums *sums, const uint8_t *const place[4])
{
    __m256i a = load32(place[0]);
    __m256i b = load32(place[1]);
    __m256i c = load32(place[2]);
    __m256i d = load32(place[3]);
    __m256i id_value_ab = _mm256_unpacklo_epi64(a, b);
    __m256i id_value_cd = _mm256_unpacklo_epi64(c, d);
    __m256i others_ab = _mm256_unpackhi_epi64(a, b);
    __m256i others_cd = _mm256_unpackhi_epi64(c, d);
    widen(&sums->timestamp_min, &sums->timestamp_max,
          _mm256_permute2x128_si256(others_ab, others_cd, 0x20));
    add_values(sums, _mm256_permute2x128_si256(id_value_ab, id_value_cd, 0x31));
    add_small_fields(sums, _mm256_permute2x128_si256(others_ab, others_cd, 0x31));
}

// Empties the counts of kinds and flags into `totals`.
static inline void empty_counts(struct sums *sums, struct mr_totals *totals)
{
    uint64_t kinds[4];
    uint64_t flags[4];
    store32((uint8_t *)kinds, sums->kinds);
    store32((uint8_t *)flags, sums->flags);
    for (size_t i = 0; i < 4; i++) {
        add_byte_counts(totals->kinds, kinds[i]);
        add_byte_counts(totals->flags, flags[i]);
    }
    sums->kinds = _mm256_setzero_si256();
    sums->flags = _mm256_setzero_si256();
}

// As kernel_batch.h says.
static inline void add_sums(struct sums *sums, const uint8_t *const place[8],
                            struct mr_totals *totals)
{
    add_four(sums, place);
    add_four(sums, place + 4);
    sums->eights++;
    if (sums->eights % SUMS_EIGHTS_MAX == 0) {
        empty_counts(sums, totals);
    }
}

// As kernel_batch.h says.
static inline void end_sums(struct sums *sums, struct mr_totals *totals)
{
    empty_counts(sums, totals);
    struct sums_columns columns = {.values = {sums->value_sum}};
    store32((uint8_t *)columns.least, sums->timestamp_min);
    store32((uint8_t *)(columns.least + 4), sums->value_min);
    store32((uint8_t *)columns.most, sums->timestamp_max);
    store32((uint8_t *)(columns.most + 4), sums->value_max);
    store32((uint8_t *)columns.texts, sums->texts);
    store32((uint8_t *)columns.messages, sums->messages);
    store32((uint8_t *)columns.kinds_seen, sums->kinds_seen);
    write_columns(&columns, 8 * sums->eights, totals);
}

#endif
