// data_decimal.h: decimals and binary64 compared exactly, in integers.
//
// The emitter knows the value of every number that it writes from here: the nearest binary64 is the
// one between whose midpoints with its two neighbours the decimal lies. Nothing is shared with
// lib/record, whose answers are compared with these.
#ifndef MR_DATA_DECIMAL_H
#define MR_DATA_DECIMAL_H

#include <stdint.h>

#define MR_DECIMAL_DIGITS_MAX 1280u

// A number ≥ 0: its digits read as an integer, × 10^exponent. No leading zeros; zero has no digits.
struct mr_decimal {
    uint32_t count;
    int32_t exponent;
    char digit[MR_DECIMAL_DIGITS_MAX]; // '0'..'9', `count` of them
};

// The decimal point's place: the number is 0.d1d2… × 10^this. Only for numbers above zero.
static inline int32_t mr_decimal_point(const struct mr_decimal *decimal)
{
    return (int32_t)decimal->count + decimal->exponent;
}

// `significand` × 2^exponent2 in all its digits, without trailing zeros behind the point.
// significand ≥ 1, -1078 ≤ exponent2; a number of 2^64 and more is our bug.
void mr_decimal_from_binary(uint64_t significand, int32_t exponent2,
                            struct mr_decimal *decimal_out);

// The exact decimal of the binary64 ≥ 0 with these bits, below 2^63.
void mr_decimal_from_bits(uint64_t bits, struct mr_decimal *decimal_out);

// Midpoint between the binary64 ≥ 0 with these bits and the next larger one, below 2^62.
void mr_decimal_midpoint_above(uint64_t bits, struct mr_decimal *decimal_out);

// Below, equal or above: -1, 0 or 1.
int mr_decimal_compare(const struct mr_decimal *left, const struct mr_decimal *right);

// Rounds to `count` ≥ 1 digits, to nearest (ties up); a shorter one stays as it is.
void mr_decimal_round(struct mr_decimal *decimal, uint32_t count);

// Where `decimal` rounds (nearest, ties to even) compared with the binary64 ≥ 0 of these bits:
// -1 below it, 0 to it, 1 above it. Below 2^62.
int mr_decimal_against(const struct mr_decimal *decimal, uint64_t bits);

// Bits of the binary64 that `decimal` rounds to (nearest, ties to even). Below 10^18.
uint64_t mr_decimal_nearest(const struct mr_decimal *decimal);

#endif
