// data_decimal_test.c: exact decimals against known digits, and nearest doubles against strtod.
#include "data_test_support.h"

#include "data_decimal.h"

#include "base/rng.h"

static struct mr_decimal decimal_of(const char *digits, int32_t exponent)
{
    struct mr_decimal decimal = {.count = (uint32_t)strlen(digits), .exponent = exponent};
    memcpy(decimal.digit, digits, decimal.count);
    return decimal;
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

// strtod of the C library rounds correctly: an independent opinion.
static uint64_t bits_by_library(const struct mr_decimal *decimal)
{
    char text[MR_DECIMAL_DIGITS_MAX + 32];
    (void)snprintf(text, sizeof text, "%.*se%d", (int)decimal->count, decimal->digit,
                   decimal->exponent);
    return bits_of(strtod(text, NULL));
}

static void assert_digits(const struct mr_decimal *decimal, const char *digits, int32_t exponent)
{
    assert_int_equal(decimal->count, strlen(digits));
    assert_memory_equal(decimal->digit, digits, decimal->count);
    assert_int_equal(decimal->exponent, exponent);
}

static void test_exact_digits(void **state)
{
    (void)state;
    struct mr_decimal decimal;
    mr_decimal_from_bits(bits_of(0.1), &decimal);
    assert_digits(&decimal, "1000000000000000055511151231257827021181583404541015625", -55);
    mr_decimal_from_bits(bits_of(1e15), &decimal);
    assert_digits(&decimal, "1000000000000000", 0);
    mr_decimal_from_bits(bits_of(-0.0) << 1, &decimal);
    assert_int_equal(decimal.count, 0);
    mr_decimal_midpoint_above(bits_of(1.0), &decimal);
    assert_digits(&decimal, "100000000000000011102230246251565404236316680908203125", -53);
    mr_decimal_from_bits(1, &decimal); // 2^-1074 has 751 digits
    assert_int_equal(decimal.count, 751);
    assert_memory_equal(decimal.digit, "494065645841246544176568792868221372365", 39);
    assert_int_equal(mr_decimal_point(&decimal), -323);
}

static void test_rounding_to_digits(void **state)
{
    (void)state;
    struct mr_decimal decimal = decimal_of("99995", -2);
    mr_decimal_round(&decimal, 4);
    assert_int_equal(decimal.count, 4);
    assert_memory_equal(decimal.digit, "1000", 4);
    assert_int_equal(decimal.exponent, 0); // 1000 × 10^0 = 999.95 in four digits
    decimal = decimal_of("12344", 3);
    mr_decimal_round(&decimal, 4);
    assert_digits(&decimal, "1234", 4);
    mr_decimal_round(&decimal, 9);
    assert_digits(&decimal, "1234", 4);
}

static void test_ties_go_to_even(void **state)
{
    (void)state;
    static const uint64_t at[] = {1,
                                  2,
                                  (1ull << 52) - 1, // the largest subnormal
                                  1ull << 52,
                                  0x3FF0000000000000ull, // 1
                                  0x3FEFFFFFFFFFFFFFull,
                                  0x430C6BF526340000ull}; // 1e15
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        struct mr_decimal midpoint;
        mr_decimal_midpoint_above(at[i], &midpoint);
        uint64_t even = at[i] + (at[i] & 1);
        assert_int_equal(mr_decimal_nearest(&midpoint), even);
        midpoint.digit[midpoint.count - 1]--; // a hair below: its last digit is 5
        assert_int_equal(mr_decimal_nearest(&midpoint), at[i]);
        midpoint.digit[midpoint.count - 1] += 2; // a hair above
        assert_int_equal(mr_decimal_nearest(&midpoint), at[i] + 1);
    }
    struct mr_decimal half_of_least = decimal_of("5", -1);
    mr_decimal_from_binary(1, -1075, &half_of_least);
    assert_int_equal(mr_decimal_nearest(&half_of_least), 0);
    half_of_least.digit[half_of_least.count++] = '1';
    half_of_least.exponent--;
    assert_int_equal(mr_decimal_nearest(&half_of_least), 1);
}

// Random digits of every length and exponent: nearest() agrees with strtod, and against() with
// both.
static void test_nearest_against_library(void **state)
{
    (void)state;
    struct mr_rng rng = mr_rng_seeded(1);
    for (int i = 0; i < 40000; i++) {
        struct mr_decimal decimal = {.count = (uint32_t)mr_rng_between(&rng, 1, 40)};
        int32_t point =
            (int32_t)mr_rng_between(&rng, 0, i % 2 == 0 ? 40 : 348) - (i % 2 == 0 ? 22 : 330);
        for (uint32_t j = 0; j < decimal.count; j++) {
            decimal.digit[j] = (char)('0' + mr_rng_between(&rng, j == 0 ? 1 : 0, 9));
        }
        decimal.exponent = point - (int32_t)decimal.count;
        uint64_t bits = mr_decimal_nearest(&decimal);
        assert_int_equal(bits, bits_by_library(&decimal));
        assert_int_equal(mr_decimal_against(&decimal, bits), 0);
        assert_int_equal(mr_decimal_against(&decimal, bits + 1), -1);
        if (bits > 0) {
            assert_int_equal(mr_decimal_against(&decimal, bits - 1), 1);
        }
    }
}

// Doubles themselves, and the digits around their midpoints.
static void test_nearest_around_doubles(void **state)
{
    (void)state;
    struct mr_rng rng = mr_rng_seeded(2);
    for (int i = 0; i < 4000; i++) {
        uint64_t bits = mr_rng_between(&rng, 0, 1023 + 48) << 52 | mr_rng_next(&rng) >> 12;
        struct mr_decimal decimal;
        mr_decimal_from_bits(bits, &decimal);
        assert_int_equal(mr_decimal_nearest(&decimal), bits);
        mr_decimal_round(&decimal, 17);
        assert_int_equal(mr_decimal_nearest(&decimal), bits);
        mr_decimal_midpoint_above(bits, &decimal);
        assert_int_equal(mr_decimal_nearest(&decimal), bits_by_library(&decimal));
        decimal.digit[decimal.count++] = '1';
        decimal.exponent--;
        assert_int_equal(mr_decimal_nearest(&decimal), bits + 1);
    }
}

static void test_order(void **state)
{
    (void)state;
    struct mr_decimal zero = {0};
    struct mr_decimal one = decimal_of("1", 0);
    struct mr_decimal one_too = decimal_of("1000", -3);
    struct mr_decimal more = decimal_of("1001", -3);
    struct mr_decimal ten = decimal_of("1", 1);
    assert_int_equal(mr_decimal_compare(&zero, &zero), 0);
    assert_int_equal(mr_decimal_compare(&zero, &one), -1);
    assert_int_equal(mr_decimal_compare(&one, &one_too), 0);
    assert_int_equal(mr_decimal_compare(&one, &more), -1);
    assert_int_equal(mr_decimal_compare(&more, &one), 1);
    assert_int_equal(mr_decimal_compare(&ten, &more), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_digits),
        cmocka_unit_test(test_rounding_to_digits),
        cmocka_unit_test(test_ties_go_to_even),
        cmocka_unit_test(test_nearest_against_library),
        cmocka_unit_test(test_nearest_around_doubles),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
