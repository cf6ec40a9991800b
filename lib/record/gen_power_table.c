// gen_power_table.c: prints power_table.c: the powers of five that lib/record/eisel_lemire.c needs,
// computed at build time by long arithmetic.
//
// Entry q holds the 128 leading bits of 5^q, the first of them always set. Positive powers are cut
// off. Negative ones are cut off as well, except for q >= -27: those are rounded up, because a
// significand below 2^64 can be divisible by so small a power of five, and its exact quotient must
// not come out as …111. Lemire, Number parsing at a gigabyte per second, SPE 51 (2021), section 5.
#include "power_table.h"
#include "uint128.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define ROUNDED_UP_FROM (-27)
#define LIMBS           28u // 896 bits: 5^342 has 795

// An unsigned integer, least significant limb first, always LIMBS long.
struct big {
    uint32_t limb[LIMBS];
};

static void multiply(struct big *number, uint32_t factor)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < LIMBS; i++) {
        carry += (uint64_t)number->limb[i] * factor;
        number->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

static struct big power_of_five(int exponent)
{
    struct big power = {{1}};
    for (int i = 0; i < exponent; i++) {
        multiply(&power, 5);
    }
    return power;
}

static int bit_length(const struct big *number)
{
    int length = 0;
    for (int bit = 0; bit < (int)LIMBS * 32; bit++) {
        if ((number->limb[bit / 32] >> (bit % 32) & 1u) != 0) {
            length = bit + 1;
        }
    }
    return length;
}

static bool at_least(const struct big *left, const struct big *right)
{
    for (size_t i = LIMBS; i-- > 0;) {
        if (left->limb[i] != right->limb[i]) {
            return left->limb[i] > right->limb[i];
        }
    }
    return true;
}

static void subtract(struct big *from, const struct big *what)
{
    int64_t borrow = 0;
    for (size_t i = 0; i < LIMBS; i++) {
        borrow += (int64_t)from->limb[i] - what->limb[i];
        from->limb[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
}

// The 128 leading bits of `number`.
static mr_uint128 leading_bits(const struct big *number)
{
    mr_uint128 bits = 0;
    for (int taken = 0, bit = bit_length(number) - 1; taken < 128; taken++, bit--) {
        uint32_t set = bit < 0 ? 0 : number->limb[bit / 32] >> (bit % 32) & 1u;
        bits = bits << 1 | set;
    }
    return bits;
}

// The 128 leading bits of 1 / `divisor` (no power of two), by long division in base two.
static mr_uint128 leading_bits_of_inverse(const struct big *divisor)
{
    struct big rest = {{1}};
    mr_uint128 bits = 0;
    for (bool started = false; !(started && bits >> 127 != 0);) {
        multiply(&rest, 2);
        bool set = at_least(&rest, divisor);
        if (set) {
            subtract(&rest, divisor);
        }
        started = started || set;
        bits = bits << 1 | (set ? 1u : 0u);
    }
    return bits;
}

int main(void)
{
    printf("// power_table.c: written by gen_power_table.c; see there.\n"
           "#include \"power_table.h\"\n\n"
           "const struct mr_power mr_powers_of_five[MR_POWER_MAX - MR_POWER_MIN + 1] = {\n");
    for (int exponent = MR_POWER_MIN; exponent <= MR_POWER_MAX; exponent++) {
        struct big power = power_of_five(exponent < 0 ? -exponent : exponent);
        mr_uint128 bits = exponent < 0 ? leading_bits_of_inverse(&power) : leading_bits(&power);
        if (exponent < 0 && exponent >= ROUNDED_UP_FROM) {
            bits++;
        }
        printf("    {0x%016" PRIx64 "u, 0x%016" PRIx64 "u}, // 5^%d\n", (uint64_t)(bits >> 64),
               (uint64_t)bits, exponent);
    }
    printf("};\n");
    return ferror(stdout) != 0 || fflush(stdout) != 0;
}
