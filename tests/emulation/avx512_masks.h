// avx512_masks.h: comparisons and tests of the 64 bytes, to masks: those that SIMDe lacks, and
// those that it makes bit by bit, with which the tests took three times as long.
//
// What each does is said in the Intel 64 and IA-32 Architectures Software Developer's Manual,
// volume 2, under the instruction that stands above it.
#ifndef MR_TESTS_EMULATION_AVX512_MASKS_H
#define MR_TESTS_EMULATION_AVX512_MASKS_H

#include <immintrin.h>
#include <simde/x86/avx512.h>
#include <stdint.h>

// VPMOVB2M: the top bit of each byte.
static inline __mmask64 emulated_mm512_movepi8_mask(__m512i a)
{
    uint32_t low = (uint32_t)_mm256_movemask_epi8(simde_mm512_castsi512_si256(a));
    uint32_t high = (uint32_t)_mm256_movemask_epi8(simde_mm512_extracti64x4_epi64(a, 1));
    return (uint64_t)high << 32 | low;
}

// VPCMPB, not equal.
static inline __mmask64 emulated_mm512_cmpneq_epi8_mask(__m512i a, __m512i b)
{
    return ~simde_mm512_cmpeq_epi8_mask(a, b);
}

static inline __mmask64 emulated_mm512_mask_cmpneq_epi8_mask(__mmask64 mask, __m512i a, __m512i b)
{
    return mask & emulated_mm512_cmpneq_epi8_mask(a, b);
}

// VPCMPB, less than, of signed bytes.
static inline __mmask64 emulated_mm512_cmplt_epi8_mask(__m512i a, __m512i b)
{
    return emulated_mm512_cmpneq_epi8_mask(simde_mm512_min_epi8(a, b), b);
}

// VPCMPUB, of unsigned bytes: at most, more than, less than.
static inline __mmask64 emulated_mm512_cmple_epu8_mask(__m512i a, __m512i b)
{
    return simde_mm512_cmpeq_epi8_mask(simde_mm512_min_epu8(a, b), a);
}

static inline __mmask64 emulated_mm512_mask_cmple_epu8_mask(__mmask64 mask, __m512i a, __m512i b)
{
    return mask & emulated_mm512_cmple_epu8_mask(a, b);
}

static inline __mmask64 emulated_mm512_cmpgt_epu8_mask(__m512i a, __m512i b)
{
    return ~emulated_mm512_cmple_epu8_mask(a, b);
}

static inline __mmask64 emulated_mm512_cmplt_epu8_mask(__m512i a, __m512i b)
{
    return emulated_mm512_cmpgt_epu8_mask(b, a);
}

// VPTESTNMB: the bytes that have no bit in common.
static inline __mmask64 emulated_mm512_testn_epi8_mask(__m512i a, __m512i b)
{
    return simde_mm512_cmpeq_epi8_mask(simde_mm512_and_si512(a, b), simde_mm512_setzero_si512());
}

static inline __mmask64 emulated_mm512_mask_testn_epi8_mask(__mmask64 mask, __m512i a, __m512i b)
{
    return mask & emulated_mm512_testn_epi8_mask(a, b);
}

// VPTESTMB: the bytes that have one.
static inline __mmask64 emulated_mm512_test_epi8_mask(__m512i a, __m512i b)
{
    return ~emulated_mm512_testn_epi8_mask(a, b);
}

static inline __mmask64 emulated_mm512_mask_test_epi8_mask(__mmask64 mask, __m512i a, __m512i b)
{
    return mask & emulated_mm512_test_epi8_mask(a, b);
}

// VPCMPB of 128 bits, equal.
static inline __mmask16 emulated_mm_cmpeq_epi8_mask(__m128i a, __m128i b)
{
    return (__mmask16)_mm_movemask_epi8(_mm_cmpeq_epi8(a, b));
}

// KANDQ, KORQ.
static inline __mmask64 emulated_kand_mask64(__mmask64 a, __mmask64 b)
{
    return a & b;
}

static inline __mmask64 emulated_kor_mask64(__mmask64 a, __mmask64 b)
{
    return a | b;
}

#endif
