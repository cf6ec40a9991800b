// big_integer.c: see big_integer.h.
#include "big_integer.h"

#include "base/mr_assert.h"
#include "uint128.h"

#define POWER_STEP 27u // 5^27 is the largest power of five below 2^64
#define FIVE_TO_27 7450580596923828125u

void mr_big_set(struct mr_big *number, uint64_t value)
{
    number->count = value == 0 ? 0 : 1;
    number->limb[0] = value;
}

static void append(struct mr_big *number, uint64_t limb)
{
    MR_ASSERT(number->count < MR_BIG_LIMBS);
    number->limb[number->count++] = limb;
}

void mr_big_multiply_add(struct mr_big *number, uint64_t factor, uint64_t addend)
{
    uint64_t carry = addend;
    for (size_t i = 0; i < number->count; i++) {
        mr_uint128 product = (mr_uint128)number->limb[i] * factor + carry;
        number->limb[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
    if (carry != 0) {
        append(number, carry);
    }
}

void mr_big_multiply_power_of_five(struct mr_big *number, uint32_t exponent)
{
    for (; exponent >= POWER_STEP; exponent -= POWER_STEP) {
        mr_big_multiply_add(number, FIVE_TO_27, 0);
    }
    uint64_t rest = 1;
    for (; exponent > 0; exponent--) {
        rest *= 5;
    }
    mr_big_multiply_add(number, rest, 0);
}

void mr_big_shift_left(struct mr_big *number, uint32_t exponent)
{
    if (number->count == 0) {
        return;
    }
    mr_big_multiply_add(number, 1ull << (exponent % 64), 0);
    size_t limbs = exponent / 64;
    MR_ASSERT(number->count + limbs <= MR_BIG_LIMBS);
    for (size_t i = number->count; i-- > 0;) {
        number->limb[i + limbs] = number->limb[i];
    }
    for (size_t i = 0; i < limbs; i++) {
        number->limb[i] = 0;
    }
    number->count += limbs;
}

int mr_big_compare(const struct mr_big *left, const struct mr_big *right)
{
    if (left->count != right->count) {
        return left->count < right->count ? -1 : 1;
    }
    for (size_t i = left->count; i-- > 0;) {
        if (left->limb[i] != right->limb[i]) {
            return left->limb[i] < right->limb[i] ? -1 : 1;
        }
    }
    return 0;
}
