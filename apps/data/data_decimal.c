// data_decimal.c: see data_decimal.h.
#include "data_decimal.h"

#include "base/mr_assert.h"

#include <stdbool.h>
#include <string.h>

#define FRACTION_BITS 52
#define FRACTION_MASK ((1ull << FRACTION_BITS) - 1)
#define EXPONENT_BIAS                                                                              \
    1075              // of the significand as an integer: value = significand × 2^(field - 1075)
#define LIMBS_MAX 44u // 55 bits × 5^1078 has 2,559 bits

#define FIVE_TO_27  7450580596923828125ull
#define TEN_TO_19   10000000000000000000ull
#define STEPS_LIMIT 64

__extension__ typedef unsigned __int128 mr_wide;

// A natural number, least limb first; the top limb is not zero.
struct natural {
    size_t count;
    uint64_t limb[LIMBS_MAX];
};

static const uint64_t powers_of_ten[20] = {1,
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
                                           10000000000000000,
                                           100000000000000000,
                                           1000000000000000000,
                                           TEN_TO_19};

static void natural_multiply(struct natural *natural, uint64_t factor)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < natural->count; i++) {
        mr_wide product = (mr_wide)natural->limb[i] * factor + carry;
        natural->limb[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
    if (carry != 0) {
        MR_ASSERT(natural->count < LIMBS_MAX);
        natural->limb[natural->count++] = carry;
    }
}

// Divides by `divisor` and returns the remainder.
static uint64_t natural_divide(struct natural *natural, uint64_t divisor)
{
    uint64_t rest = 0;
    for (size_t i = natural->count; i > 0; i--) {
        mr_wide part = (mr_wide)rest << 64 | natural->limb[i - 1];
        natural->limb[i - 1] = (uint64_t)(part / divisor);
        rest = (uint64_t)(part % divisor);
    }
    while (natural->count > 0 && natural->limb[natural->count - 1] == 0) {
        natural->count--;
    }
    return rest;
}

// Writes the digits of `natural`, which becomes zero, and sets decimal->count.
static void natural_digits(struct natural *natural, struct mr_decimal *decimal)
{
    char reversed[LIMBS_MAX * 20];
    uint32_t count = 0;
    while (natural->count > 0) {
        uint64_t chunk = natural_divide(natural, TEN_TO_19);
        for (int i = 0; i < 19 && (natural->count > 0 || chunk > 0); i++) {
            reversed[count++] = (char)('0' + chunk % 10);
            chunk /= 10;
        }
    }
    decimal->count = count;
    for (uint32_t i = 0; i < count; i++) {
        decimal->digit[i] = reversed[count - 1 - i];
    }
}

void mr_decimal_from_binary(uint64_t significand, int32_t exponent2, struct mr_decimal *decimal_out)
{
    MR_ASSERT(significand > 0 && exponent2 >= -1078);
    int32_t zeros = __builtin_ctzll(significand);
    significand >>= zeros;
    exponent2 += zeros;
    struct natural natural = {.count = 1, .limb = {significand}};
    decimal_out->exponent = 0;
    if (exponent2 >= 0) {
        MR_ASSERT(exponent2 < __builtin_clzll(significand) + 1);
        natural.limb[0] <<= exponent2;
    } else {
        // x / 2^k = x × 5^k / 10^k
        decimal_out->exponent = exponent2;
        int32_t fives = -exponent2;
        for (; fives >= 27; fives -= 27) {
            natural_multiply(&natural, FIVE_TO_27);
        }
        for (; fives > 0; fives--) {
            natural_multiply(&natural, 5);
        }
    }
    natural_digits(&natural, decimal_out);
}

// A binary64 ≥ 0 as significand × 2^exponent2.
static void split_bits(uint64_t bits, uint64_t *significand_out, int32_t *exponent2_out)
{
    int32_t field = (int32_t)(bits >> FRACTION_BITS);
    MR_ASSERT(field <= EXPONENT_BIAS + 10);
    *significand_out = (bits & FRACTION_MASK) | (field > 0 ? 1ull << FRACTION_BITS : 0);
    *exponent2_out = (field > 0 ? field : 1) - EXPONENT_BIAS;
}

void mr_decimal_from_bits(uint64_t bits, struct mr_decimal *decimal_out)
{
    uint64_t significand;
    int32_t exponent2;
    split_bits(bits, &significand, &exponent2);
    if (significand == 0) {
        decimal_out->count = 0;
        decimal_out->exponent = 0;
        return;
    }
    mr_decimal_from_binary(significand, exponent2, decimal_out);
}

void mr_decimal_midpoint_above(uint64_t bits, struct mr_decimal *decimal_out)
{
    uint64_t significand;
    int32_t exponent2;
    split_bits(bits, &significand, &exponent2);
    mr_decimal_from_binary(2 * significand + 1, exponent2 - 1, decimal_out);
}

int mr_decimal_compare(const struct mr_decimal *left, const struct mr_decimal *right)
{
    if (left->count == 0 || right->count == 0) {
        return (left->count > 0) - (right->count > 0);
    }
    int32_t left_point = mr_decimal_point(left);
    int32_t right_point = mr_decimal_point(right);
    if (left_point != right_point) {
        return left_point < right_point ? -1 : 1;
    }
    uint32_t most = left->count > right->count ? left->count : right->count;
    for (uint32_t i = 0; i < most; i++) {
        int left_digit = i < left->count ? left->digit[i] : '0';
        int right_digit = i < right->count ? right->digit[i] : '0';
        if (left_digit != right_digit) {
            return left_digit < right_digit ? -1 : 1;
        }
    }
    return 0;
}

void mr_decimal_round(struct mr_decimal *decimal, uint32_t count)
{
    MR_ASSERT(count >= 1);
    if (decimal->count <= count) {
        return;
    }
    bool up = decimal->digit[count] >= '5';
    decimal->exponent += (int32_t)(decimal->count - count);
    decimal->count = count;
    while (up && count > 0) {
        count--;
        up = decimal->digit[count] == '9';
        if (up) {
            decimal->digit[count] = '0';
        } else {
            decimal->digit[count]++;
        }
    }
    if (up) { // all were nines
        decimal->digit[0] = '1';
        decimal->exponent++;
    }
}

// Compares with the midpoint between the binary64 and its smaller neighbour; there must be one.
static int compare_midpoint_below(const struct mr_decimal *decimal, uint64_t bits)
{
    struct mr_decimal midpoint;
    mr_decimal_midpoint_above(bits - 1, &midpoint);
    return mr_decimal_compare(decimal, &midpoint);
}

int mr_decimal_against(const struct mr_decimal *decimal, uint64_t bits)
{
    bool even = (bits & 1) == 0;
    struct mr_decimal above;
    mr_decimal_midpoint_above(bits, &above);
    int order = mr_decimal_compare(decimal, &above);
    if (order > 0 || (order == 0 && !even)) {
        return 1;
    }
    if (bits == 0) {
        return 0;
    }
    order = compare_midpoint_below(decimal, bits);
    return order < 0 || (order == 0 && !even) ? -1 : 0;
}

// The first (at most 19) digits as an integer; *exponent_out: the power of ten that they stand at.
static uint64_t first_digits(const struct mr_decimal *decimal, int32_t *exponent_out)
{
    uint32_t taken = decimal->count < 19 ? decimal->count : 19;
    uint64_t number = 0;
    for (uint32_t i = 0; i < taken; i++) {
        number = number * 10 + (uint64_t)(decimal->digit[i] - '0');
    }
    *exponent_out = decimal->exponent + (int32_t)(decimal->count - taken);
    return number;
}

// Bits of a number near `decimal`, from its first digits in 64-bit arithmetic.
static uint64_t estimate(const struct mr_decimal *decimal)
{
    int32_t exponent10;
    uint64_t number = first_digits(decimal, &exponent10);
    int32_t exponent2 = 0;
    while (exponent10 != 0) {
        int32_t step = exponent10 > 0 ? exponent10 : -exponent10;
        step = step < 19 ? step : 19;
        uint64_t power = powers_of_ten[step];
        int shift = __builtin_clzll(number);
        number <<= shift;
        exponent2 -= shift;
        mr_wide wide;
        if (exponent10 > 0) {
            wide = (mr_wide)number * power;
            exponent10 -= step;
        } else {
            wide = ((mr_wide)number << 64) / power;
            exponent2 -= 64;
            exponent10 += step;
        }
        int high = wide >> 64 == 0 ? 0 : 64 - __builtin_clzll((uint64_t)(wide >> 64));
        number = (uint64_t)(wide >> high);
        exponent2 += high;
    }
    int shift = __builtin_clzll(number);
    number <<= shift;
    int32_t field = exponent2 - shift + 11 + EXPONENT_BIAS;
    if (field >= 1) {
        return ((uint64_t)(field - 1) << FRACTION_BITS) + (number >> 11) + (number >> 10 & 1);
    }
    return 12 - field > 63 ? 0 : number >> (12 - field);
}

// number / 10^power to nearest, ties to even: the quotient in at least 55 bits, and whether
// anything is left. number ≥ 1; both below 10^19.
static uint64_t round_quotient(uint64_t number, int32_t power)
{
    uint64_t divisor = powers_of_ten[power];
    int shift = 55 + __builtin_clzll(number) - __builtin_clzll(divisor);
    shift = shift > 0 ? shift : 0;
    mr_wide dividend = (mr_wide)number << shift;
    uint64_t quotient = (uint64_t)(dividend / divisor);
    bool rest = dividend % divisor != 0;

    int drop = 64 - __builtin_clzll(quotient) - (FRACTION_BITS + 1);
    int32_t field = drop - shift + EXPONENT_BIAS;
    MR_ASSERT(drop > 0);
    uint64_t kept = quotient >> drop;
    uint64_t dropped = quotient & ((1ull << drop) - 1);
    uint64_t half = 1ull << (drop - 1);
    bool up = dropped > half || (dropped == half && (rest || (kept & 1) != 0));
    return ((uint64_t)(field - 1) << FRACTION_BITS) + kept + (up ? 1 : 0);
}

uint64_t mr_decimal_nearest(const struct mr_decimal *decimal)
{
    if (decimal->count == 0) {
        return 0;
    }
    int32_t point = mr_decimal_point(decimal);
    MR_ASSERT(point <= 18);
    if (point < -330) { // below half of the smallest number above zero, 2^-1075
        return 0;
    }
    if (decimal->count <= 18 && decimal->exponent >= -19) {
        int32_t exponent10;
        uint64_t number = first_digits(decimal, &exponent10);
        return exponent10 < 0 ? round_quotient(number, -exponent10)
                              : round_quotient(number * powers_of_ten[exponent10], 0);
    }
    uint64_t bits = estimate(decimal);
    for (int step = 0; step < STEPS_LIMIT; step++) {
        int order = mr_decimal_against(decimal, bits);
        if (order == 0) {
            return bits;
        }
        bits = order > 0 ? bits + 1 : bits - 1;
    }
    MR_ASSERT(false && "the estimate is never that far off");
    return 0;
}
