// double_from_decimal.c: see double_from_decimal.h.
//
// Three ways, the cheapest that is exact:
// 1. Clinger: significand and power of ten are both exact in binary64, so one operation rounds
// once.
// 2. Eisel-Lemire for all other significands of up to 19 digits.
// 3. More digits: the decimal lies between w and w + 1 (in units of its 19th digit). If both round
//    to the same number, that is it. Else they round to two neighbours, and long arithmetic tells
//    on which side of the midpoint between these the decimal lies.
#include "double_from_decimal.h"

#include "base/mr_assert.h"
#include "big_integer.h"
#include "eisel_lemire.h"

#include <string.h>

#define SIGN_BIT         (1ull << 63)
#define SIGNIFICAND_BITS 52
#define HIDDEN_BIT       (1ull << SIGNIFICAND_BITS)
#define EXPONENT_BIAS    1075 // of the stored exponent, for the significand as an integer

// The midpoint between two neighbours has at most 767 significant digits; digits further behind
// can only tell that the decimal is a little larger than what was read.
#define DIGITS_MAX 800

#define CLINGER_EXPONENT_MAX 22 // 5^22 < 2^53

static const double powers_of_ten[CLINGER_EXPONENT_MAX + 1] = {
    1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool is_clinger(const struct mr_decimal *decimal)
{
    return !decimal->digits_cut && decimal->significand <= 1ull << 53 &&
           decimal->exponent >= -CLINGER_EXPONENT_MAX && decimal->exponent <= CLINGER_EXPONENT_MAX;
}

static uint64_t clinger(uint64_t significand, int64_t exponent)
{
    double value = (double)significand;
    value = exponent < 0 ? value / powers_of_ten[-exponent] : value * powers_of_ten[exponent];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Reads the digits of `decimal` from the text into *digits_out, at most DIGITS_MAX and a last 1 if
// any other digit follows. Returns the number of digits that *digits_out stands for.
static int64_t read_digits(const struct mr_decimal *decimal, struct mr_big *digits_out)
{
    mr_big_set(digits_out, 0);
    int64_t count = 0;
    uint64_t chunk = 0;
    uint64_t chunk_power = 1;
    const uint8_t *at = decimal->digits;
    for (; at < decimal->digits_end && count < DIGITS_MAX; at++) {
        if (*at == '.') {
            continue;
        }
        chunk = chunk * 10 + (uint64_t)(*at - '0');
        chunk_power *= 10;
        count++;
        if (chunk_power == 10000000000000000000u) {
            mr_big_multiply_add(digits_out, chunk_power, chunk);
            chunk = 0;
            chunk_power = 1;
        }
    }
    mr_big_multiply_add(digits_out, chunk_power, chunk);
    while (at < decimal->digits_end && (*at == '0' || *at == '.')) {
        at++;
    }
    if (at < decimal->digits_end) {
        mr_big_multiply_add(digits_out, 10, 1);
        count++;
    }
    return count;
}

// Whether the decimal, which lies between the neighbours `below_bits` and `below_bits` + 1, rounds
// to the upper one: compares it with the midpoint, both made whole by the same factor.
static bool rounds_up(const struct mr_decimal *decimal, uint64_t below_bits)
{
    struct mr_big digits;
    int64_t count = read_digits(decimal, &digits);
    int64_t power_of_ten = decimal->exponent + MR_SIGNIFICAND_DIGITS - count;

    uint64_t stored_exponent = below_bits >> SIGNIFICAND_BITS;
    uint64_t significand = below_bits & (HIDDEN_BIT - 1);
    if (stored_exponent == 0) {
        stored_exponent = 1;
    } else {
        significand |= HIDDEN_BIT;
    }
    struct mr_big midpoint;
    mr_big_set(&midpoint, 2 * significand + 1);
    int64_t power_of_two = (int64_t)stored_exponent - EXPONENT_BIAS - 1;

    // digits * 10^p against midpoint * 2^k: five goes where p's sign says, two to the other side.
    if (power_of_ten >= 0) {
        mr_big_multiply_power_of_five(&digits, (uint32_t)power_of_ten);
    } else {
        mr_big_multiply_power_of_five(&midpoint, (uint32_t)-power_of_ten);
    }
    int64_t shift = power_of_two - power_of_ten;
    if (shift >= 0) {
        mr_big_shift_left(&midpoint, (uint32_t)shift);
    } else {
        mr_big_shift_left(&digits, (uint32_t)-shift);
    }
    int order = mr_big_compare(&digits, &midpoint);
    return order > 0 || (order == 0 && (below_bits & 1) != 0);
}

uint64_t mr_double_from_decimal(const struct mr_decimal *decimal)
{
    uint64_t sign = decimal->negative ? SIGN_BIT : 0;
    if (is_clinger(decimal)) {
        return sign | clinger(decimal->significand, decimal->exponent);
    }
    uint64_t bits = mr_eisel_lemire(decimal->significand, decimal->exponent);
    if (!decimal->digits_cut) {
        return sign | bits;
    }
    uint64_t above = mr_eisel_lemire(decimal->significand + 1, decimal->exponent);
    if (above != bits) {
        MR_ASSERT(above == bits + 1);
        bits += rounds_up(decimal, bits) ? 1 : 0;
    }
    return sign | bits;
}
