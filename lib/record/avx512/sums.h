// sums.h: what eight records add to the totals, at once: their heads as four registers, so that a
// field of all of them is summed or compared by one instruction.
#ifndef MR_RECORD_AVX512_SUMS_H
#define MR_RECORD_AVX512_SUMS_H

#include "../kernel_sums.h"

#include <immintrin.h>

// Eight 64-bit elements each. `least` and `most`: timestamps in the lower four, values in the upper
// four as numbers that order them. Counts of kinds and flags are bytes, one for each code.
struct sums {
    __m512i least, most;
    __m512i values;
    __m512i texts; // source_bytes + 2^16 · message_bytes
    __m512i messages;
    __m512i kinds, flags;
    __m512i kinds_seen;
    uint64_t eights;
};

// A byte may count so many eights: each adds one to it.
#define SUMS_EIGHTS_MAX 255u

static inline void begin_sums(struct sums *sums)
{
    __m512i zero = _mm512_setzero_si512();
    *sums = (struct sums){
        .least = _mm512_set1_epi64(INT64_MAX),
        .most = _mm512_set1_epi64(INT64_MIN),
        .values = zero,
        .texts = zero,
        .messages = zero,
        .kinds = zero,
        .flags = zero,
        .kinds_seen = zero,
    };
}

// Values as signed numbers of the same order; timestamps stay what they are. Its own inverse.
static inline __m512i ordered(__m512i bits)
{
    return _mm512_xor_si512(bits, _mm512_srli_epi64(_mm512_srai_epi64(bits, 63), 1));
}

// The heads at `a` and `b`.
static inline __m512i two_heads(const uint8_t *a, const uint8_t *b)
{
    __m512i head = _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)a));
    return _mm512_inserti64x4(head, _mm256_loadu_si256((const __m256i *)(const void *)b), 1);
}

// Of eight heads, four in the lower half each, timestamps and values.
static inline void add_large_fields(struct sums *sums, __m512i low, __m512i high)
{
    __m512i order_low = ordered(low);
    __m512i order_high = ordered(high);
    sums->least = _mm512_min_epi64(sums->least, _mm512_min_epi64(order_low, order_high));
    sums->most = _mm512_max_epi64(sums->most, _mm512_max_epi64(order_low, order_high));
    // The values alone: timestamps are subnormal as numbers, and multiplying those takes hundreds
    // of cycles. Each product is exact and fits (docs/PROTOCOL.md, section 3).
    __m512d values = _mm512_castsi512_pd(_mm512_shuffle_i64x2(low, high, 0xEE));
    __m512i scaled = _mm512_cvttpd_epi64(_mm512_mul_pd(values, _mm512_set1_pd(1024.0)));
    sums->values = _mm512_add_epi64(sums->values, scaled);
}

// Of eight heads kind, flags and lengths, which are one element each.
static inline void add_small_fields(struct sums *sums, __m512i small)
{
    sums->texts = _mm512_add_epi64(sums->texts, _mm512_srli_epi64(small, 16));
    sums->messages = _mm512_add_epi64(sums->messages, _mm512_srli_epi64(small, 32));
    sums->kinds_seen = _mm512_or_si512(sums->kinds_seen, small);
    const __m512i one = _mm512_set1_epi64(1);
    __m512i kind = _mm512_and_si512(_mm512_slli_epi64(small, 3), _mm512_set1_epi64(0x38));
    sums->kinds = _mm512_add_epi8(sums->kinds, _mm512_sllv_epi64(one, kind));
    // Byte i of each element becomes the eight bits from bit 8 + i on.
    const __m512i shifts = _mm512_set1_epi64(0x0F0E0D0C0B0A0908);
    __m512i flags =
        _mm512_and_si512(_mm512_multishift_epi64_epi8(shifts, small), _mm512_set1_epi8(1));
    sums->flags = _mm512_add_epi8(sums->flags, flags);
}

// Adds the records at the eight places.
static inline void add_eight(struct sums *sums, const uint8_t *const place[8])
{
    __m512i ab = two_heads(place[0], place[1]);
    __m512i cd = two_heads(place[2], place[3]);
    __m512i ef = two_heads(place[4], place[5]);
    __m512i gh = two_heads(place[6], place[7]);
    const __m512i large = _mm512_setr_epi64(1, 5, 9, 13, 2, 6, 10, 14);
    add_large_fields(sums, _mm512_permutex2var_epi64(ab, large, cd),
                     _mm512_permutex2var_epi64(ef, large, gh));
    const __m512i where = _mm512_setr_epi64(3, 7, 11, 15, 3, 7, 11, 15);
    __m512i low = _mm512_permutex2var_epi64(ab, where, cd);
    __m512i high = _mm512_permutex2var_epi64(ef, where, gh);
    add_small_fields(sums, _mm512_mask_mov_epi64(low, 0xF0, high));
    sums->eights++;
}

// Empties the counts of kinds and flags into `totals`.
static inline void empty_counts(struct sums *sums, struct mr_totals *totals)
{
    uint64_t kinds[8];
    uint64_t flags[8];
    _mm512_storeu_si512(kinds, sums->kinds);
    _mm512_storeu_si512(flags, sums->flags);
    for (size_t i = 0; i < 8; i++) {
        add_byte_counts(totals->kinds, kinds[i]);
        add_byte_counts(totals->flags, flags[i]);
    }
    sums->kinds = _mm512_setzero_si512();
    sums->flags = _mm512_setzero_si512();
}

// As kernel_batch.h says.
static inline void add_sums(struct sums *sums, const uint8_t *const place[8],
                            struct mr_totals *totals)
{
    add_eight(sums, place);
    if (sums->eights % SUMS_EIGHTS_MAX == 0) {
        empty_counts(sums, totals);
    }
}

// As kernel_batch.h says.
static inline void end_sums(struct sums *sums, struct mr_totals *totals)
{
    empty_counts(sums, totals);
    struct sums_columns columns;
    _mm512_storeu_si512(columns.least, sums->least);
    _mm512_storeu_si512(columns.most, sums->most);
    _mm512_storeu_si512(columns.values, sums->values);
    _mm512_storeu_si512(columns.texts, sums->texts);
    _mm512_storeu_si512(columns.messages, sums->messages);
    _mm512_storeu_si512(columns.kinds_seen, sums->kinds_seen);
    write_columns(&columns, 8 * sums->eights, totals);
}

#endif
