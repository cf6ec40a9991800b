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

// 1 where the token begins with a minus, else 0. Arithmetic, for of a comparison gcc 12 keeps one
// byte in memory and loads eight back, which waits until the store has left the processor.
static inline uint64_t is_negative(struct token token)
{
    return ((uint64_t)(*token.at ^ '-') - 1) >> 63;
}

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

// A number as its first digits, 19 at most: `more` is not 0 where others but zeros were cut off.
struct long_decimal {
    uint64_t significand;
    int64_t exponent;
    uint64_t more;
};

// The number that a decimal says, with its sign, as long as binary64 can be told from its first 19
// digits; else the specification reads the token. False as read_any_value().
static inline bool finish_long_value(const struct token *token, const struct long_decimal *decimal,
                                     const uint8_t *text_end, uint64_t *bits_out)
{
    uint64_t bits = mr_eisel_lemire(decimal->significand, decimal->exponent);
    if (decimal->more != 0 &&
        mr_eisel_lemire(decimal->significand + 1, decimal->exponent) != bits) {
        return read_any_value(token, text_end, bits_out);
    }
    double magnitude;
    memcpy(&magnitude, &bits, sizeof magnitude);
    *bits_out = bits | is_negative(*token) << 63;
    return magnitude <= MR_VALUE_LIMIT;
}

// The value of a significand whose dot stands at `dot` of a lane of sixteen digits: both numbers
// are exact, so one division rounds rightly (Clinger 1990).
static inline uint64_t divide_by_power(uint64_t significand, unsigned dot)
{
    // 10^(15 - dot).
    static const double powers[16] = {1e15, 1e14, 1e13, 1e12, 1e11, 1e10, 1e9, 1e8,
                                      1e7,  1e6,  1e5,  1e4,  1e3,  1e2,  1e1, 1e0};
    double quotient = (double)(int64_t)significand / powers[dot];
    uint64_t bits;
    memcpy(&bits, &quotient, sizeof bits);
    return bits;
}

#endif
