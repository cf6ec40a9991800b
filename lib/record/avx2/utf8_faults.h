// utf8_faults.h: UTF-8 of the AVX2 kernel. Keiser, Lemire, Validating UTF-8 in less than one
// instruction per byte, SPE 51 (2021).
#ifndef MR_RECORD_AVX2_UTF8_FAULTS_H
#define MR_RECORD_AVX2_UTF8_FAULTS_H

#include "block.h"

#include "../kernel_utf8.h"

#include <stdbool.h>
#include <stdint.h>

static inline __m256i both_lanes(const void *sixteen)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)sixteen));
}

// Not 0 where the 32 bytes at `at` go wrong, with the three before them.
static inline __m256i utf8_faults_32(const uint8_t *at)
{
    const __m256i half = _mm256_set1_epi8(0x0F);
    __m256i v = load32(at);
    __m256i before = load32(at - 1);
    __m256i a = _mm256_shuffle_epi8(both_lanes(utf8_first_high),
                                    _mm256_and_si256(_mm256_srli_epi16(before, 4), half));
    __m256i b = _mm256_shuffle_epi8(both_lanes(utf8_first_low), _mm256_and_si256(before, half));
    __m256i c = _mm256_shuffle_epi8(both_lanes(utf8_second_high),
                                    _mm256_and_si256(_mm256_srli_epi16(v, 4), half));
    __m256i special = _mm256_and_si256(_mm256_and_si256(a, b), c);
    __m256i third = _mm256_subs_epu8(load32(at - 2), _mm256_set1_epi8((char)(0xE0 - 0x80)));
    __m256i fourth = _mm256_subs_epu8(load32(at - 3), _mm256_set1_epi8((char)(0xF0 - 0x80)));
    // (third | fourth) & 0x80 must be what `special` says of two continuation bytes.
    __m256i must = _mm256_and_si256(_mm256_or_si256(third, fourth), _mm256_set1_epi8((char)0x80));
    return _mm256_xor_si256(must, special);
}

// Whether the block at `at` goes wrong, with the three bytes before it.
static inline bool has_utf8_faults(const uint8_t *at)
{
    __m256i faults = _mm256_or_si256(utf8_faults_32(at), utf8_faults_32(at + 32));
    return !_mm256_testz_si256(faults, faults);
}

#endif
