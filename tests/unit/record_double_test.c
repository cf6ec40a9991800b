// record_double_test.c: decimals to binary64: known bits, the C library's strtod() on seeded random
// tokens, exact midpoints and their neighbours, long digits, and no influence of the locale.
#include "eisel_lemire.h"
#include "scan_number.h"

#include "base/rng.h"

#include <matchrace/record.h>

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#ifndef MR_RANDOM_DOUBLES
#define MR_RANDOM_DOUBLES 300000
#endif

#define TOKEN_MAX 8192

// Converts the whole of `token`, which must be a JSON number.
static uint64_t convert(const char *token)
{
    static uint8_t text[MR_PAD_FRONT + TOKEN_MAX + MR_PAD_BACK];
    size_t length = strlen(token);
    assert_true(length < TOKEN_MAX);
    (void)snprintf((char *)text + MR_PAD_FRONT, TOKEN_MAX, "%s", token);
    text[MR_PAD_FRONT + length] = ','; // a number at the end of the text counts as cut
    struct mr_reader reader = {.begin = text + MR_PAD_FRONT,
                               .end = text + MR_PAD_FRONT + length + 1};
    struct mr_decimal decimal;
    const uint8_t *behind = mr_scan_decimal(&reader, reader.begin, &decimal);
    if (behind != reader.end - 1) {
        fail_msg("not read whole: %s", token);
    }
    return mr_double_from_decimal(&decimal);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void check(const char *token, uint64_t expected)
{
    uint64_t got = convert(token);
    if (got != expected) {
        fail_msg("%s: %016llx (%a), not %016llx (%a)", token, (unsigned long long)got,
                 from_bits(got), (unsigned long long)expected, from_bits(expected));
    }
}

static void check_strtod(const char *token)
{
    check(token, bits_of(strtod(token, NULL)));
}

// Bits worked out by hand or from IEEE 754 itself.
static void test_known_bits(void **context)
{
    (void)context;
    static const struct {
        const char *token;
        uint64_t bits;
    } known[] = {
        {"0", 0},
        {"-0", 0x8000000000000000},
        {"0.0e999999999999999999999", 0},
        {"-0e-1", 0x8000000000000000},
        {"1", 0x3FF0000000000000},
        {"-1.5", 0xBFF8000000000000},
        {"1e22", 0x4480F0CF064DD592},
        {"1e23", 0x44B52D02C7E14AF6},
        {"9007199254740991", 0x433FFFFFFFFFFFFF},
        {"9007199254740992", 0x4340000000000000},
        {"9007199254740993", 0x4340000000000000}, // a tie: 2^53 + 1
        {"9007199254740993.0000000000000000000000001", 0x4340000000000001},
        {"9007199254740994", 0x4340000000000001},
        {"9007199254740995", 0x4340000000000002}, // a tie the other way
        {"9007199254740996", 0x4340000000000002},
        {"4.9406564584124654e-324", 1},
        {"2.4703282292062327e-324", 0}, // a little below half of the smallest
        {"2.4703282292062328e-324", 1},
        {"2.2250738585072014e-308", 0x0010000000000000},
        {"2.2250738585072011e-308", 0x000FFFFFFFFFFFFF},
        {"2.2250738585072009e-308", 0x000FFFFFFFFFFFFF},
        {"1.7976931348623157e308", 0x7FEFFFFFFFFFFFFF},
        {"1.7976931348623158e308", 0x7FEFFFFFFFFFFFFF},
        {"1.7976931348623159e308", 0x7FF0000000000000},
        {"1e309", 0x7FF0000000000000},
        {"-1e400", 0xFFF0000000000000},
        {"1e-400", 0},
        {"-1e-400", 0x8000000000000000},
        {"123456789012345678901234567890", 0x45F8EE90FF6C373E},
        {"0.1", 0x3FB999999999999A},
        {"0.3", 0x3FD3333333333333},
        {"1000000000000000.0625", 0x430C6BF526340000}, // a tie at the limit of the contract
        {"1000000000000000.0626", 0x430C6BF526340001},
        {"18446744073709551615", 0x43F0000000000000},
        {"18446744073709551616", 0x43F0000000000000},
        {"18446744073709551617", 0x43F0000000000000},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        check(known[i].token, known[i].bits);
    }
}

// Any bits of a finite number, printed with few and with many digits.
static void test_random_bits(void **context)
{
    (void)context;
    struct mr_rng rng = mr_rng_seeded(1);
    static const int precisions[] = {16, 0, 5, 17, 18, 19, 20, 25, 40};
    for (size_t turn = 0; turn < MR_RANDOM_DOUBLES; turn++) {
        double value = from_bits(mr_rng_next(&rng));
        if (!isfinite(value)) {
            continue;
        }
        char token[128];
        (void)snprintf(token, sizeof token, "%.*e", precisions[turn % 9], value);
        check_strtod(token);
        if (turn % 9 == 0) {
            check(token, bits_of(value)); // 17 digits say which double it was
        }
    }
}

// Random digits and exponents over the whole range, and numbers of everyday size.
static void test_random_tokens(void **context)
{
    (void)context;
    struct mr_rng rng = mr_rng_seeded(2);
    for (size_t turn = 0; turn < MR_RANDOM_DOUBLES; turn++) {
        char token[128];
        uint64_t digits = mr_rng_next(&rng) >> mr_rng_below(&rng, 64);
        int exponent =
            turn % 2 == 0 ? (int)mr_rng_below(&rng, 700) - 360 : (int)mr_rng_below(&rng, 60) - 30;
        (void)snprintf(token, sizeof token, "%llu.%llue%d", (unsigned long long)digits,
                       (unsigned long long)(mr_rng_next(&rng) >> mr_rng_below(&rng, 64)), exponent);
        check_strtod(token);
        (void)snprintf(token, sizeof token, "%s%llue%d", turn % 3 == 0 ? "-" : "",
                       (unsigned long long)digits, exponent);
        check_strtod(token);
        (void)snprintf(token, sizeof token, "%.*f", (int)mr_rng_below(&rng, 12),
                       (double)(int64_t)digits / 1048576.0);
        check_strtod(token);
    }
}

// Powers of ten with all neighbours that 17 to 21 digits can name, and powers of two.
static void test_around_powers(void **context)
{
    (void)context;
    for (int exponent = -345; exponent <= 310; exponent++) {
        static const char *const significands[] = {"1",
                                                   "0.99999999999999994",
                                                   "0.99999999999999995",
                                                   "0.9999999999999999444",
                                                   "0.99999999999999994449",
                                                   "1.0000000000000001",
                                                   "1.00000000000000011102",
                                                   "1.0000000000000001110223",
                                                   "1.00000000000000022",
                                                   "9.999999999999999",
                                                   "9.9999999999999991",
                                                   "9.99999999999999911182",
                                                   "5",
                                                   "2.5",
                                                   "1.25",
                                                   "7.5"};
        for (size_t i = 0; i < sizeof significands / sizeof significands[0]; i++) {
            char token[64];
            (void)snprintf(token, sizeof token, "%se%d", significands[i], exponent);
            check_strtod(token);
        }
    }
    for (int exponent = -1074; exponent <= 1023; exponent++) {
        uint64_t power = bits_of(ldexp(1.0, exponent));
        for (uint64_t offset = 0; offset <= 4; offset++) {
            if (power + offset < 2) {
                continue;
            }
            char token[64];
            (void)snprintf(token, sizeof token, "%.16e", from_bits(power + offset - 2));
            check(token, power + offset - 2);
        }
    }
}

// Significands around 2^53, and around the largest of 19 digits, with every exponent for which
// another way of converting takes over.
static void test_around_the_ways(void **context)
{
    (void)context;
    static const uint64_t middles[] = {1ull << 53,           1ull << 54,
                                       999999999999999999u,  9999999999999999999u,
                                       1000000000000000000u, UINT64_MAX - 9};
    for (size_t i = 0; i < sizeof middles / sizeof middles[0]; i++) {
        for (uint64_t offset = 0; offset <= 18; offset++) {
            for (int exponent = -40; exponent <= 40; exponent++) {
                char token[64];
                (void)snprintf(token, sizeof token, "%llue%d",
                               (unsigned long long)(middles[i] + offset - 9), exponent);
                check_strtod(token);
            }
        }
    }
}

// The exact decimal of the midpoint between `below_bits` and the next double: at most 767
// significant digits.
static void print_midpoint(char token_out[2048], uint64_t below_bits)
{
    long double below = from_bits(below_bits);
    long double above = from_bits(below_bits + 1);
    // 64 bits of significand hold the midpoint of two 53-bit ones exactly.
    int length = snprintf(token_out, 2048, "%.800Le", (below + above) / 2);
    assert_in_range(length, 800, 1000);
}

// Puts `insert` between the digits of d.ddde±dd and its exponent, after leaving out `drop` digits.
static void edit_digits(char *token_out, const char *token, size_t drop, const char *insert)
{
    const char *exponent = strchr(token, 'e');
    (void)snprintf(token_out, TOKEN_MAX, "%.*s%s%s", (int)((size_t)(exponent - token) - drop),
                   token, insert, exponent);
}

static void check_midpoint(uint64_t below_bits)
{
    char midpoint[2048];
    char token[TOKEN_MAX];
    print_midpoint(midpoint, below_bits);
    uint64_t even = below_bits + (below_bits & 1);
    check(midpoint, even);
    // The same with zeros behind, and a little more far behind: digits 801 to 5,000 count.
    edit_digits(token, midpoint, 0, "00000");
    check(token, even);
    edit_digits(token, midpoint, 0, "1");
    check(token, below_bits + 1);
    char tail[4200];
    memset(tail, '0', sizeof tail);
    tail[4100] = '1';
    tail[4101] = '\0';
    edit_digits(token, midpoint, 0, tail);
    check(token, below_bits + 1);
    tail[4100] = '0';
    edit_digits(token, midpoint, 0, tail);
    check(token, even);
    // A little less: the last digit that is not 0 lowered, and nines behind it.
    size_t last = (size_t)(strchr(midpoint, 'e') - midpoint) - 1;
    while (midpoint[last] == '0') {
        last--;
    }
    if (midpoint[last] != '.') {
        midpoint[last]--;
        for (size_t i = last + 1; midpoint[i] != 'e'; i++) {
            midpoint[i] = '9';
        }
        check(midpoint, below_bits);
        memset(tail, '9', 4000);
        tail[4000] = '\0';
        edit_digits(token, midpoint, 0, tail);
        check(token, below_bits);
    }
}

static void test_midpoints(void **context)
{
    (void)context;
    static const uint64_t bits[] = {0,
                                    1,
                                    2,
                                    3,
                                    0x000FFFFFFFFFFFFE,
                                    0x000FFFFFFFFFFFFF,
                                    0x0010000000000000,
                                    0x0010000000000001,
                                    0x001FFFFFFFFFFFFF,
                                    0x3FEFFFFFFFFFFFFF,
                                    0x3FF0000000000000,
                                    0x430C6BF526340000,
                                    0x4340000000000000,
                                    0x7FEFFFFFFFFFFFFE};
    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        check_midpoint(bits[i]);
    }
    struct mr_rng rng = mr_rng_seeded(3);
    for (size_t turn = 0; turn < MR_RANDOM_DOUBLES / 100; turn++) {
        uint64_t any = mr_rng_next(&rng) & 0x7FFFFFFFFFFFFFFF;
        uint64_t subnormal = any >> (12 + mr_rng_below(&rng, 50));
        uint64_t everyday = bits_of((double)(any >> 10) / (double)(1ull << mr_rng_below(&rng, 50)));
        check_midpoint(subnormal);
        check_midpoint(everyday);
        if (any < 0x7FEFFFFFFFFFFFFF) {
            check_midpoint(any);
        }
    }
}

// Midpoints cut after every number of digits: always below the midpoint, or the tie itself when
// only zeros were cut.
static void test_cut_midpoints(void **context)
{
    (void)context;
    struct mr_rng rng = mr_rng_seeded(4);
    for (size_t turn = 0; turn < 60; turn++) {
        uint64_t below = turn % 2 == 0 ? mr_rng_next(&rng) >> 12 : mr_rng_next(&rng) >> 2;
        char midpoint[2048];
        char token[TOKEN_MAX];
        print_midpoint(midpoint, below);
        for (size_t drop = 1; drop < 799; drop++) {
            edit_digits(token, midpoint, drop, "");
            check_strtod(token);
        }
    }
}

// The same number with its point moved: 0.000ddd, ddd000, with the exponent that makes up for it.
static void test_moved_points(void **context)
{
    (void)context;
    struct mr_rng rng = mr_rng_seeded(5);
    for (size_t turn = 0; turn < MR_RANDOM_DOUBLES / 100; turn++) {
        uint64_t digits = mr_rng_next(&rng) >> mr_rng_below(&rng, 60);
        int exponent = (int)mr_rng_below(&rng, 640) - 340;
        char token[TOKEN_MAX];
        (void)snprintf(token, sizeof token, "%llue%d", (unsigned long long)digits, exponent);
        uint64_t expected = convert(token);
        for (int zeros = 1; zeros < 60; zeros += 7) {
            (void)snprintf(
                token, sizeof token, "0.%0*d%llue%d", zeros, 0, (unsigned long long)digits,
                exponent + zeros + snprintf(NULL, 0, "%llu", (unsigned long long)digits));
            check(token, expected);
            if (digits > 0) {
                (void)snprintf(token, sizeof token, "%llu%0*de%d", (unsigned long long)digits,
                               zeros, 0, exponent - zeros);
                check(token, expected);
                (void)snprintf(token, sizeof token, "%llu.%0*de%d", (unsigned long long)digits,
                               zeros, 0, exponent);
                check(token, expected);
            }
        }
    }
}

// Eisel-Lemire alone against the long way round: 19 and 20 digits of zeros behind make the other
// path necessary.
static void test_both_ways_agree(void **context)
{
    (void)context;
    struct mr_rng rng = mr_rng_seeded(6);
    for (size_t turn = 0; turn < MR_RANDOM_DOUBLES; turn++) {
        uint64_t significand = mr_rng_next(&rng) >> mr_rng_below(&rng, 64);
        int exponent = (int)mr_rng_below(&rng, 680) - 350;
        char token[128];
        (void)snprintf(token, sizeof token, "%llu.00000000000000000000e%d",
                       (unsigned long long)significand, exponent);
        check(token, mr_eisel_lemire(significand, exponent));
    }
}

// Makes a locale whose decimal point is a comma (few machines have one installed) in a folder of
// its own, and enters it.
static int enter_comma_locale(void **context)
{
    static char folder[] = "/tmp/matchrace-locale-XXXXXX";
    char command[256];
    if (mkdtemp(folder) == NULL) {
        return -1;
    }
    *context = folder;
    (void)snprintf(command, sizeof command,
                   "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >%s/log 2>&1", folder, folder);
    if (system(command) == 0 && setenv("LOCPATH", folder, 1) == 0) {
        (void)setlocale(LC_ALL, "de_DE.UTF-8");
    }
    return 0;
}

static int leave_comma_locale(void **context)
{
    char command[256];
    (void)setlocale(LC_ALL, "C");
    (void)unsetenv("LOCPATH");
    (void)snprintf(command, sizeof command, "rm -r %s", (const char *)*context);
    return system(command);
}

static void test_under_a_comma_locale(void **context)
{
    (void)context;
    if (strcmp(localeconv()->decimal_point, ",") != 0) {
        printf("no locale with a decimal comma can be made here\n");
        skip();
    }
    assert_int_equal(convert("0.1"), 0x3FB999999999999A);
    assert_int_equal(convert("-268.6222"), bits_of(-268.6222));
    assert_int_equal(convert("9007199254740993.0000000000000000000000001"), 0x4340000000000001);
    assert_int_equal(convert("1234567890123456789012.5e-3"), bits_of(1234567890123456789.0125));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_bits),
        cmocka_unit_test(test_random_bits),
        cmocka_unit_test(test_random_tokens),
        cmocka_unit_test(test_around_powers),
        cmocka_unit_test(test_around_the_ways),
        cmocka_unit_test(test_midpoints),
        cmocka_unit_test(test_cut_midpoints),
        cmocka_unit_test(test_moved_points),
        cmocka_unit_test(test_both_ways_agree),
        cmocka_unit_test_setup_teardown(test_under_a_comma_locale, enter_comma_locale,
                                        leave_comma_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
