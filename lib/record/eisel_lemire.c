// eisel_lemire.c: see eisel_lemire.h.
//
// Lemire, Number parsing at a gigabyte per second, SPE 51 (2021); that no significand below 2^64
// needs a second look: Mushtak, Lemire, Fast number parsing without fallback, SPE 53 (2023).
//
// w, shifted so that its top bit is set, times the 128 leading bits of 5^q gives the leading bits
// of w * 5^q; 10^q = 5^q * 2^q only adds to the exponent. 55 of those bits (53 to keep, one to
// round by, one because the product's top bit may be clear) decide the result.
#include "eisel_lemire.h"

#include "power_table.h"
#include "uint128.h"

#define SIGNIFICAND_BITS  52                 // stored ones
#define INFINITY_EXPONENT 0x7FF              // as stored
#define EXPONENT_BIAS     1023               // of the stored exponent
#define BELOW_55_BITS     (UINT64_MAX >> 55) // what the high word holds below those 55 bits
#define HIDDEN_BIT        (1ull << SIGNIFICAND_BITS)

// floor(log2(10^q)) + 63 for the exponents of the table: 217706 / 2^16 is log2(10), close enough.
static int64_t binary_exponent(int64_t exponent)
{
    return ((217706 * exponent) >> 16) + 63;
}

// The 128 leading bits of w * 5^q, as far as the result may depend on them: the low half of the
// power is looked at only where it could carry into the 55 bits.
static mr_uint128 product_of(uint64_t significand, int64_t exponent)
{
    const struct mr_power *power = &mr_powers_of_five[exponent - MR_POWER_MIN];
    mr_uint128 product = (mr_uint128)significand * power->high;
    if (((uint64_t)(product >> 64) & BELOW_55_BITS) == BELOW_55_BITS) {
        product += ((mr_uint128)significand * power->low) >> 64;
    }
    return product;
}

// Drops the lowest bit of `bits`, rounding to nearest; what a tie needs was done before.
static uint64_t round_off_one_bit(uint64_t bits)
{
    return (bits + (bits & 1)) >> 1;
}

// `bits`: 54 bits of which the lowest rounds; `stored_exponent` <= 0. A tie cannot happen here: it
// would need a significand that is divisible by 5^300.
static uint64_t subnormal(uint64_t bits, int64_t stored_exponent)
{
    int64_t shift = 1 - stored_exponent;
    if (shift >= 64) {
        return 0;
    }
    // Rounding up to HIDDEN_BIT gives the smallest normal number, and its stored form.
    return round_off_one_bit(bits >> shift);
}

uint64_t mr_eisel_lemire(uint64_t significand, int64_t exponent)
{
    if (significand == 0 || exponent < MR_POWER_MIN) {
        return 0; // below 2^64 * 10^-343, less than half of the smallest subnormal
    }
    if (exponent > MR_POWER_MAX) {
        return (uint64_t)INFINITY_EXPONENT << SIGNIFICAND_BITS;
    }
    int leading_zeros = __builtin_clzll(significand);
    mr_uint128 product = product_of(significand << leading_zeros, exponent);
    uint64_t high = (uint64_t)(product >> 64);
    int top_bit = (int)(high >> 63);
    int shift = top_bit + 64 - SIGNIFICAND_BITS - 3;
    uint64_t bits = high >> shift;
    int64_t stored_exponent = binary_exponent(exponent) + top_bit - leading_zeros + EXPONENT_BIAS;
    if (stored_exponent <= 0) {
        return subnormal(bits, stored_exponent);
    }
    // Exactly halfway with an even neighbour below: only where 5^|q| fits the words, and everything
    // below the rounding bit is zero (up to the rounding of the table in the lowest place).
    if ((uint64_t)product <= 1 && exponent >= -4 && exponent <= 23 && (bits & 3) == 1 &&
        bits << shift == high) {
        bits--;
    }
    bits = round_off_one_bit(bits);
    if (bits == 2 * HIDDEN_BIT) {
        bits = HIDDEN_BIT;
        stored_exponent++;
    }
    if (stored_exponent >= INFINITY_EXPONENT) {
        return (uint64_t)INFINITY_EXPONENT << SIGNIFICAND_BITS;
    }
    return (uint64_t)stored_exponent << SIGNIFICAND_BITS | (bits & (HIDDEN_BIT - 1));
}
