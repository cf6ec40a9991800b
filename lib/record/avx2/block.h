// block.h: 64 bytes of text as two AVX2 registers, and masks of them, one bit a byte.
#ifndef MR_RECORD_AVX2_BLOCK_H
#define MR_RECORD_AVX2_BLOCK_H

#include "../schema_tables.h"
#include "../set_bits.h"

#include <immintrin.h>
#include <stdint.h>

struct block {
    __m256i low, high;
};

static inline __m256i load32(const uint8_t *at)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)at);
}

static inline __m128i load8(const uint8_t *at)
{
    return _mm_loadl_epi64((const __m128i *)(const void *)at);
}

// The numbers of the bits that are set in each of two bytes, of the second from 8 on, as indices
// for a shuffle of sixteen bytes: from the lower and from the upper half on.
static inline __m128i load_set_bits(uint8_t first, uint8_t second)
{
    const __m128i upper = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8);
    __m128d bits = _mm_castsi128_pd(load8(mr_set_bits[first]));
    bits = _mm_loadh_pd(bits, (const double *)(const void *)mr_set_bits[second]);
    return _mm_add_epi8(_mm_castpd_si128(bits), upper);
}

// Eight bytes at any place: what the compiler's own _mm_storel_pd() and _mm_storeh_pd() are, but
// that they promise a place aligned for a double.
typedef double anywhere __attribute__((aligned(1), may_alias));

static inline void store_low8(uint8_t *at, __m128d v)
{
    *(anywhere *)(void *)at = v[0];
}

static inline void store_high8(uint8_t *at, __m128d v)
{
    *(anywhere *)(void *)at = v[1];
}

static inline void store32(uint8_t *at, __m256i v)
{
    _mm256_storeu_si256((__m256i *)(void *)at, v);
}

static inline struct block load_block(const uint8_t *at)
{
    return (struct block){load32(at), load32(at + 32)};
}

// The top bits of 64 bytes.
static inline uint64_t join_masks(__m256i low, __m256i high)
{
    return (uint64_t)(uint32_t)_mm256_movemask_epi8(low) |
           (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

static inline uint64_t equal_to(struct block v, uint8_t byte)
{
    __m256i wanted = _mm256_set1_epi8((char)byte);
    return join_masks(_mm256_cmpeq_epi8(v.low, wanted), _mm256_cmpeq_epi8(v.high, wanted));
}

// A row of mr_all.
static inline __m256i all_of(unsigned row)
{
    return load32(mr_all[row]);
}

// Of the 64 bytes at `at` those that are the byte of `row` of mr_all.
static inline uint64_t equal_to_all(const uint8_t *at, unsigned row)
{
    __m256i wanted = all_of(row);
    return join_masks(_mm256_cmpeq_epi8(load32(at), wanted),
                      _mm256_cmpeq_epi8(load32(at + 32), wanted));
}

// The bytes that `table` has at the place of their lower half. Bytes >= 0x80 are none: there the
// shuffle gives 0.
static inline uint64_t equal_to_own(struct block v, __m256i table)
{
    return join_masks(_mm256_cmpeq_epi8(v.low, _mm256_shuffle_epi8(table, v.low)),
                      _mm256_cmpeq_epi8(v.high, _mm256_shuffle_epi8(table, v.high)));
}

#endif
