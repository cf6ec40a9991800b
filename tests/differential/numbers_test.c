// numbers_test.c: number tokens in every field: grammar, limits, and the value against the oracle.
#include "builder.h"
#include "check_main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#ifndef MR_RANDOM_NUMBERS
#define MR_RANDOM_NUMBERS 300000
#endif

static const enum mr_key number_keys[] = {MR_KEY_ID, MR_KEY_TIMESTAMP, MR_KEY_VALUE};

static void check(struct mr_checker *checker, struct mr_builder *batch, const char *token,
                  struct mr_result *result_out)
{
    for (size_t i = 0; i < 3; i++) {
        mr_build_batch_with(batch, number_keys[i], token);
        const char *complaint = mr_checker_all(checker, batch->bytes, batch->count, result_out);
        if (complaint != NULL) {
            fail_msg("%s: %s in %.*s", token, complaint, (int)batch->count,
                     (const char *)batch->bytes);
        }
    }
}

static const char *const valid_values[] = {"0",
                                           "-0",
                                           "0.0",
                                           "-0.0",
                                           "0e0",
                                           "0E5",
                                           "0e-5",
                                           "0.0e+00",
                                           "1",
                                           "-1",
                                           "10",
                                           "1.0",
                                           "1.5e3",
                                           "1e0",
                                           "1e00",
                                           "1e+0",
                                           "1E-0",
                                           "123456789012345",
                                           "1e15",
                                           "-1e15",
                                           "1e-400",
                                           "-1e-400",
                                           "4.9e-324",
                                           "2.5e-324",
                                           "2.4e-324",
                                           "1e-99999999999999999999",
                                           "0e99999999999999999999",
                                           "0.1e16",
                                           "0.00000000000000000000000000000000000000001e56",
                                           "999999999999999.9",
                                           "1000000000000000.06",
                                           "1000000000000000.0625",
                                           "-1000000000000000.0625"};
static const char *const invalid_values[] = {"",
                                             "-",
                                             "+1",
                                             "1.",
                                             "-1.",
                                             ".5",
                                             "-.5",
                                             "1.e3",
                                             "1e",
                                             "1e+",
                                             "1e-",
                                             "1E+-2",
                                             "01",
                                             "-01",
                                             "00",
                                             "00.5",
                                             "0x10",
                                             "0x",
                                             "1.2.3",
                                             "1e5.5",
                                             "1e5e",
                                             "--1",
                                             "1-",
                                             "1+1",
                                             "1_0",
                                             "1,0",
                                             "1 0",
                                             "1foo",
                                             "NaN",
                                             "nan",
                                             "Inf",
                                             "-Inf",
                                             "Infinity",
                                             "-Infinity",
                                             "1f",
                                             "1d",
                                             "1L",
                                             "0b1",
                                             "\"5\"",
                                             "null",
                                             "true",
                                             "false",
                                             "[]",
                                             "{}",
                                             "1e16",
                                             "-1e16",
                                             "1e400",
                                             "1e99999999999999999999",
                                             "1000000000000000.07",
                                             "1000000000000000.0626",
                                             "\xEF\xBC\x91",
                                             "\xD9\xA1",
                                             "1\xD9\xA1",
                                             "0e",
                                             "0.e1",
                                             "1e1\x01"};

static void test_grammar(void **context)
{
    struct mr_builder batch = {0};
    for (size_t i = 0; i < sizeof valid_values / sizeof valid_values[0]; i++) {
        struct mr_result result;
        check(*context, &batch, valid_values[i], &result);
        if (result.error != MR_OK) {
            fail_msg("value %s: %s", valid_values[i], mr_error_text(result.error));
        }
    }
    for (size_t i = 0; i < sizeof invalid_values / sizeof invalid_values[0]; i++) {
        struct mr_result result;
        check(*context, &batch, invalid_values[i], &result);
        assert_int_not_equal(result.error, MR_OK);
    }
    mr_builder_fini(&batch);
}

// Every integer near a limit, and near a power of two or ten, as id, timestamp and value.
static void test_integers_around_limits(void **context)
{
    struct mr_builder batch = {0};
    for (int power = 0; power < 64 + 20; power++) {
        uint64_t middle = 1;
        for (int i = 0; i < (power < 64 ? power : power - 64); i++) {
            middle *= power < 64 ? 2u : 10u;
        }
        for (uint64_t offset = 0; offset <= 6; offset++) {
            char token[32];
            (void)snprintf(token, sizeof token, "%llu", (unsigned long long)(middle + offset - 3));
            check(*context, &batch, token, NULL);
        }
    }
    static const char *const limits[] = {
        "9223372036854775806",  "9223372036854775807",  "9223372036854775808",
        "9223372036854775809",  "18446744073709551615", "18446744073709551616",
        "18446744073709551617", "27670116110564327423", "99999999999999999999",
        "253402300799999998",   "253402300799999999",   "253402300800000000",
        "1000000000000000",     "1000000000000001",     "999999999999999"};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        check(*context, &batch, limits[i], NULL);
    }
    mr_builder_fini(&batch);
}

static void put_random_digits(struct mr_builder *token, struct mr_rng *rng, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        mr_put_times(token, (uint8_t)('0' + mr_rng_below(rng, 10)), 1);
    }
}

// A token that looks like a number, mostly a valid one, of up to 45 digits.
static void put_random_number(struct mr_builder *token, struct mr_rng *rng)
{
    mr_puts(token, mr_rng_below(rng, 2) == 0 ? "-" : "");
    if (mr_rng_below(rng, 3) == 0) {
        mr_puts(token, "0");
    } else {
        mr_put_times(token, (uint8_t)('1' + mr_rng_below(rng, 9)), 1);
        put_random_digits(token, rng, mr_rng_below(rng, mr_rng_below(rng, 4) == 0 ? 24 : 9));
    }
    if (mr_rng_below(rng, 4) != 0) {
        mr_puts(token, ".");
        put_random_digits(token, rng, mr_rng_below(rng, mr_rng_below(rng, 3) == 0 ? 30 : 7));
    }
    if (mr_rng_below(rng, 3) == 0) {
        static const char *const signs[] = {"e", "E", "e-", "E-", "e+", "E+"};
        mr_puts(token, signs[mr_rng_below(rng, 6)]);
        put_random_digits(token, rng, mr_rng_below(rng, 4));
    }
}

static void test_random_numbers(void **context)
{
    struct mr_builder batch = {0};
    struct mr_builder token = {0};
    struct mr_rng rng = mr_rng_seeded(4711);
    for (size_t turn = 0; turn < MR_RANDOM_NUMBERS; turn++) {
        mr_builder_clear(&token);
        put_random_number(&token, &rng);
        enum mr_key key = turn % 8 == 0 ? number_keys[turn / 8 % 3] : MR_KEY_VALUE;
        mr_builder_clear(&batch);
        mr_puts(&batch, "[");
        mr_put_record_with(&batch, key, token.bytes, token.count);
        mr_puts(&batch, "]");
        const char *complaint = mr_checker_all(*context, batch.bytes, batch.count, NULL);
        if (complaint != NULL) {
            fail_msg("%s in %.*s", complaint, (int)batch.count, (const char *)batch.bytes);
        }
    }
    mr_builder_fini(&batch);
    mr_builder_fini(&token);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grammar),
        cmocka_unit_test(test_integers_around_limits),
        cmocka_unit_test(test_random_numbers),
    };
    return mr_check_main(tests, sizeof tests / sizeof tests[0], 4096);
}
