// avx512_more.h: the AVX-512 intrinsics that SIMDe lacks, in plain C. What each does is said in the
// Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, under the instruction
// that stands above it.
#ifndef MR_TESTS_EMULATION_AVX512_MORE_H
#define MR_TESTS_EMULATION_AVX512_MORE_H

#include <immintrin.h>
#include <simde/x86/avx512.h>
#include <stdint.h>
#include <string.h>

typedef uint32_t emulated_u32x16 __attribute__((vector_size(64)));
typedef int64_t emulated_i64x8 __attribute__((vector_size(64)));

// VPCOMPRESSB: the bytes that the mask names, one behind the other, zeros behind them.
static inline __m512i emulated_mm512_maskz_compress_epi8(__mmask64 mask, __m512i a)
{
    uint8_t from[64];
    uint8_t to[64] = {0};
    memcpy(from, &a, sizeof from);
    for (size_t i = 0; mask != 0; mask = _blsr_u64(mask)) {
        to[i++] = from[_tzcnt_u64(mask)];
    }
    __m512i result;
    memcpy(&result, to, sizeof result);
    return result;
}

// VPEXPANDB: the first bytes of `a` to the places that the mask names, others as in `other`.
static inline __m512i emulated_mm512_mask_expand_epi8(__m512i other, __mmask64 mask, __m512i a)
{
    uint8_t from[64];
    uint8_t to[64];
    memcpy(from, &a, sizeof from);
    memcpy(to, &other, sizeof to);
    for (size_t i = 0; mask != 0; mask = _blsr_u64(mask)) {
        to[_tzcnt_u64(mask)] = from[i++];
    }
    __m512i result;
    memcpy(&result, to, sizeof result);
    return result;
}

// VALIGND: sixteen lanes of `low` and `high` behind it, from lane `count` on.
static inline __m512i emulated_mm512_alignr_epi32(__m512i high, __m512i low, unsigned count)
{
    uint32_t lanes[32];
    memcpy(lanes, &low, sizeof low);
    memcpy(lanes + 16, &high, sizeof high);
    __m512i result;
    memcpy(&result, lanes + count % 16, sizeof result);
    return result;
}

// VPCMPUD, less than.
static inline __mmask16 emulated_mm512_cmplt_epu32_mask(__m512i a, __m512i b)
{
    emulated_u32x16 less = (emulated_u32x16)((emulated_u32x16)a < (emulated_u32x16)b);
    return simde_mm512_test_epi32_mask((__m512i)less, (__m512i)less);
}

// VPMOVZXBW, VPMOVZXWD.
static inline __m512i emulated_mm512_cvtepu8_epi16(__m256i a)
{
    return simde_mm512_inserti64x4(
        simde_mm512_castsi256_si512(_mm256_cvtepu8_epi16(_mm256_castsi256_si128(a))),
        _mm256_cvtepu8_epi16(_mm256_extracti128_si256(a, 1)), 1);
}

static inline __m512i emulated_mm512_cvtepu16_epi32(__m256i a)
{
    return simde_mm512_inserti64x4(
        simde_mm512_castsi256_si512(_mm256_cvtepu16_epi32(_mm256_castsi256_si128(a))),
        _mm256_cvtepu16_epi32(_mm256_extracti128_si256(a, 1)), 1);
}

// VCVTTPD2QQ: towards zero; what does not fit, and NaN, becomes INT64_MIN.
static inline __m512i emulated_mm512_cvttpd_epi64(__m512d a)
{
    double from[8];
    int64_t to[8];
    memcpy(from, &a, sizeof from);
    for (size_t i = 0; i < 8; i++) {
        to[i] = from[i] >= -0x1p63 && from[i] < 0x1p63 ? (int64_t)from[i] : INT64_MIN;
    }
    __m512i result;
    memcpy(&result, to, sizeof result);
    return result;
}

// VPSRAQ; from 64 on the sign alone stays.
static inline __m512i emulated_mm512_srai_epi64(__m512i a, unsigned count)
{
    return (__m512i)((emulated_i64x8)a >> (count < 64 ? count : 63));
}

#endif
