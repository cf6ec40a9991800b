// big_integer.h: unsigned integers of a few thousand bits, for decimals that only exact arithmetic
// can round.
#ifndef MR_RECORD_BIG_INTEGER_H
#define MR_RECORD_BIG_INTEGER_H

#include <stddef.h>
#include <stdint.h>

// 3,072 bits. The largest number of mr_exact_round_up() has 2,730: 801 digits against a midpoint
// times 5^1125.
#define MR_BIG_LIMBS 48u

// An unsigned integer: `count` limbs, least significant first, the last one not 0. Limbs from
// `count` on mean nothing.
struct mr_big {
    size_t count;
    uint64_t limb[MR_BIG_LIMBS];
};

// The number `value`.
void mr_big_set(struct mr_big *number, uint64_t value);

// *number = *number * factor + addend. Must fit (asserted).
void mr_big_multiply_add(struct mr_big *number, uint64_t factor, uint64_t addend);

// *number *= 5^exponent. Must fit (asserted).
void mr_big_multiply_power_of_five(struct mr_big *number, uint32_t exponent);

// *number *= 2^exponent. Must fit (asserted).
void mr_big_shift_left(struct mr_big *number, uint32_t exponent);

// Below, equal to or above 0 as `left` is less than, equal to or greater than `right`.
int mr_big_compare(const struct mr_big *left, const struct mr_big *right);

#endif
