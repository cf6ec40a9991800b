// double_from_decimal.h: the binary64 nearest to a decimal of any length.
#ifndef MR_RECORD_DOUBLE_FROM_DECIMAL_H
#define MR_RECORD_DOUBLE_FROM_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_SIGNIFICAND_DIGITS 19 // so many always fit 64 bits

// A decimal as scan_number.c takes it from a token: its value is digits * 10^exponent, where
// `significand` holds all digits, or the first MR_SIGNIFICAND_DIGITS of them from the first that is
// not 0 on. In the latter case `digits_cut` is set, `exponent` counts from the digits held, and
// the exact digits stand in the text.
struct mr_decimal {
    uint64_t significand;
    int64_t exponent;
    bool negative;
    bool digits_cut;
    const uint8_t *digits;     // if cut: the first digit that is not 0
    const uint8_t *digits_end; // if cut: behind the last digit; one '.' may stand between
};

// Bits of the binary64 nearest to `decimal`, ties to even, with its sign (also of zero); infinity
// on overflow, subnormals and zero on underflow. Linear in the number of digits. Thread-safe;
// independent of locale.
uint64_t mr_double_from_decimal(const struct mr_decimal *decimal);

#endif
