// block.h: 64 bytes of text as two AVX2 registers, and masks of them, one bit a byte.
#ifndef MR_RECORD_AVX2_BLOCK_H
#define MR_RECORD_AVX2_BLOCK_H

#include "../kernel_chunk.h"
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

// Shuffles that put the first eight bytes of sixteen, of which so many count, and the last eight
// together.
static const uint8_t join_halves[9][16] = {{8, 9, 10, 11, 12, 13, 14, 15, 8, 8, 8, 8, 8, 8, 8, 8},
                                           {0, 8, 9, 10, 11, 12, 13, 14, 15, 8, 8, 8, 8, 8, 8, 8},
                                           {0, 1, 8, 9, 10, 11, 12, 13, 14, 15, 8, 8, 8, 8, 8, 8},
                                           {0, 1, 2, 8, 9, 10, 11, 12, 13, 14, 15, 8, 8, 8, 8, 8},
                                           {0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15, 8, 8, 8, 8},
                                           {0, 1, 2, 3, 4, 8, 9, 10, 11, 12, 13, 14, 15, 8, 8, 8},
                                           {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15, 8, 8},
                                           {0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15, 8},
                                           {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}};

// The numbers of the bits that are set in sixteen, as indices for a shuffle of sixteen bytes.
static inline __m128i load_set_bits(uint16_t sixteen)
{
    const __m128i upper = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8, 8, 8, 8, 8);
    uint8_t first = (uint8_t)sixteen;
    __m128d bits = _mm_castsi128_pd(load8(mr_set_bits[first]));
    bits = _mm_loadh_pd(bits, (const double *)(const void *)mr_set_bits[sixteen >> 8]);
    return _mm_shuffle_epi8(_mm_add_epi8(_mm_castpd_si128(bits), upper),
                            load16(join_halves[_mm_popcnt_u32(first)]));
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
