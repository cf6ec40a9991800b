// utf8_faults.h: UTF-8 of the AVX2 kernel. Keiser, Lemire, Validating UTF-8 in less than one
// instruction per byte, SPE 51 (2021).
#ifndef MR_RECORD_AVX2_UTF8_FAULTS_H
#define MR_RECORD_AVX2_UTF8_FAULTS_H

#include "block.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    TOO_SHORT = 1,
    TOO_LONG = 2,
    OVERLONG_3 = 4,
    TOO_LARGE = 8,
    SURROGATE = 16,
    OVERLONG_2 = 32,
    TOO_LARGE_1000 = 64,
    OVERLONG_4 = 64,
    TWO_CONTS = 128,
    CARRY = TOO_SHORT | TOO_LONG | TWO_CONTS
};

// What each half of a byte and of the one behind it speaks for; a fault is what all three name.
static const int8_t utf8_first_high[16] = {TOO_LONG,
                                           TOO_LONG,
                                           TOO_LONG,
                                           TOO_LONG,
                                           TOO_LONG,
                                           TOO_LONG,
                                           TOO_LONG,
                                           TOO_LONG,
                                           (int8_t)TWO_CONTS,
                                           (int8_t)TWO_CONTS,
                                           (int8_t)TWO_CONTS,
                                           (int8_t)TWO_CONTS,
                                           TOO_SHORT | OVERLONG_2,
                                           TOO_SHORT,
                                           TOO_SHORT | OVERLONG_3 | SURROGATE,
                                           TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4};
static const int8_t utf8_first_low[16] = {(int8_t)(CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4),
                                          (int8_t)(CARRY | OVERLONG_2),
                                          (int8_t)CARRY,
                                          (int8_t)CARRY,
                                          (int8_t)(CARRY | TOO_LARGE),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000 | SURROGATE),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000),
                                          (int8_t)(CARRY | TOO_LARGE | TOO_LARGE_1000)};
static const int8_t utf8_second_high[16] = {
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    (int8_t)(TOO_LONG | OVERLONG_2 | TWO_CONTS | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4),
    (int8_t)(TOO_LONG | OVERLONG_2 | TWO_CONTS | OVERLONG_3 | TOO_LARGE),
    (int8_t)(TOO_LONG | OVERLONG_2 | TWO_CONTS | SURROGATE | TOO_LARGE),
    (int8_t)(TOO_LONG | OVERLONG_2 | TWO_CONTS | SURROGATE | TOO_LARGE),
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT,
    TOO_SHORT};

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
