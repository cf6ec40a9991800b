// kernel_numbers.h: numbers of the vector kernels: what is plain arithmetic.
#ifndef MR_RECORD_KERNEL_NUMBERS_H
#define MR_RECORD_KERNEL_NUMBERS_H

#include "double_from_decimal.h"
#include "eisel_lemire.h"
#include "kernel_chunk.h"
#include "scan_number.h"
#include "swar.h"

#include <matchrace/contract.h>

// A token: [at, end) in the text.
struct token {
    const uint8_t *at;
    const uint8_t *end;
};

// A value of at most sixteen bytes and without exponent, as its digits: the dot is squeezed out.
struct short_value {
    __m128i bytes;
    uint32_t digits; // mask of the sixteen bytes
    uint32_t places; // behind the dot
    bool negative;
    bool taken; // false: it is longer, or has an exponent, or is no number
};

// The value of a number of any length, read by the specification. False: it is no number, or out of
// range.
__attribute__((noinline)) static bool read_any_value(const struct token *token,
                                                     const uint8_t *text_end, uint64_t *bits_out)
{
    struct mr_reader reader = {.begin = token->at, .end = text_end};
    struct mr_decimal decimal;
    const uint8_t *behind = mr_scan_decimal(&reader, token->at, &decimal);
    if (behind != token->end) {
        return false;
    }
    *bits_out = mr_double_from_decimal(&decimal);
    double value;
    memcpy(&value, bits_out, sizeof value);
    return value >= -MR_VALUE_LIMIT && value <= MR_VALUE_LIMIT;
}

// Reads an exponent: what stands between the letter and `end`. False: it is none, or of more than
// eight digits.
static inline bool read_exponent(const uint8_t *at, const uint8_t *end, int64_t *exponent_out)
{
    bool negative = *at == '-';
    at += negative || *at == '+';
    uint64_t digits = (uint64_t)(end - at);
    if (digits - 1 >= 8) {
        return false;
    }
    uint64_t zeros = MR_SWAR_EACH('0');
    uint64_t mask = UINT64_MAX << (64 - 8 * digits);
    uint64_t word = (mr_swar_load(end - 8) & mask) | (zeros & ~mask);
    int64_t number = (int64_t)mr_swar_number(word);
    *exponent_out = negative ? -number : number;
    return mr_swar_all_digits(word);
}

// Digits of a number of up to 32 bytes, as a decimal: `more` is not 0 where digits were cut off.
struct long_decimal {
    uint64_t significand;
    int64_t exponent;
    uint64_t more;
};

// Makes at most 19 digits of 32: the upper sixteen and the lower sixteen.
static inline struct long_decimal join_digits(uint64_t upper, uint64_t lower)
{
    static const uint64_t powers[17] = {1,
                                        10,
                                        100,
                                        1000,
                                        10000,
                                        100000,
                                        1000000,
                                        10000000,
                                        100000000,
                                        1000000000,
                                        10000000000,
                                        100000000000,
                                        1000000000000,
                                        10000000000000,
                                        100000000000000,
                                        1000000000000000,
                                        10000000000000000};
    unsigned cut = 0;
    while (upper >= powers[3 + cut]) {
        cut++;
    }
    struct long_decimal decimal = {.exponent = cut};
    decimal.significand = upper * powers[16 - cut] + lower / powers[cut];
    decimal.more = lower % powers[cut];
    return decimal;
}

// Each kernel's own: the mantissa [at, end) of at most 32 bytes, without sign. False: it is none.
static inline bool read_mantissa(const uint8_t *at, const uint8_t *end, struct long_decimal *out);

// A number of at most 32 bytes, of any form. False as read_any_value().
__attribute__((noinline)) static bool read_long_value(const struct token *token,
                                                      const uint8_t *text_end, uint64_t *bits_out)
{
    const uint8_t *at = token->at + (*token->at == '-');
    uint64_t length = (uint64_t)(token->end - at);
    if (length - 1 >= 32) {
        return read_any_value(token, text_end, bits_out);
    }
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(token->end - 32));
    __m256i lower = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
    uint32_t letter =
        (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(lower, _mm256_set1_epi8('e'))) &
        (uint32_t)(0xFFFFFFFF00000000u >> length);
    const uint8_t *end = letter == 0 ? token->end : token->end - 1 - __builtin_clz(letter);
    int64_t exponent = 0;
    struct long_decimal decimal;
    if ((letter != 0 && !read_exponent(end + 1, token->end, &exponent)) ||
        !read_mantissa(at, end, &decimal)) {
        return read_any_value(token, text_end, bits_out);
    }
    exponent += decimal.exponent;
    uint64_t bits = mr_eisel_lemire(decimal.significand, exponent);
    if (decimal.more != 0 && mr_eisel_lemire(decimal.significand + 1, exponent) != bits) {
        return read_any_value(token, text_end, bits_out);
    }
    double magnitude;
    memcpy(&magnitude, &bits, sizeof magnitude);
    *bits_out = bits | (uint64_t)(*token->at == '-') << 63;
    return magnitude <= MR_VALUE_LIMIT;
}

// A short value from its significand.
static inline bool finish_short_value(const struct short_value *value, uint64_t significand,
                                      uint64_t *bits_out)
{
    static const double powers[16] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t bits;
    if (__builtin_expect(significand <= 1ull << 53, 1)) {
        double quotient = (double)(int64_t)significand / powers[value->places];
        memcpy(&bits, &quotient, sizeof bits);
    } else {
        bits = mr_eisel_lemire(significand, -(int64_t)value->places);
    }
    double magnitude;
    memcpy(&magnitude, &bits, sizeof magnitude);
    *bits_out = bits | (uint64_t)value->negative << 63;
    return magnitude <= MR_VALUE_LIMIT;
}

#endif
