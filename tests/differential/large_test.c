// large_test.c: the largest batches, the longest tokens and the deepest nesting that a frame can
// hold. All of it must be linear; the test's time limit notices when it is not.
#include "builder.h"
#include "check_main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PAYLOAD_MAX ((size_t)16 << 20)
#define MILLION     1000000u

static void check(struct mr_checker *checker, const struct mr_builder *batch, enum mr_error wanted)
{
    struct mr_result result;
    const char *complaint = mr_checker_all(checker, batch->bytes, batch->count, &result);
    if (complaint != NULL || result.error != wanted) {
        fail_msg("%s at %llu, not %s: %s", mr_error_text(result.error),
                 (unsigned long long)result.error_offset, mr_error_text(wanted),
                 complaint == NULL ? "" : complaint);
    }
}

static void build_records(struct mr_builder *batch, size_t count)
{
    mr_builder_clear(batch);
    for (size_t i = 0; i < count; i++) {
        mr_puts(batch, i == 0 ? "[" : ",");
        mr_put_record(batch);
    }
    mr_puts(batch, "]");
}

static void test_most_records(void **context)
{
    struct mr_builder batch = {0};
    build_records(&batch, MR_BATCH_RECORDS_MAX);
    check(*context, &batch, MR_OK);
    struct mr_result result;
    assert_null(mr_checker_kernels(*context, batch.bytes, batch.count, &result));
    assert_int_equal(result.records, 65535);
    mr_builder_fini(&batch);
}

// One too many at the end of the text, and with more behind it, where a kernel may guess.
static void test_records_too_many(void **context)
{
    struct mr_builder batch = {0};
    for (size_t more = 1; more <= 4; more += 3) {
        build_records(&batch, MR_BATCH_RECORDS_MAX + more);
        check(*context, &batch, MR_ERROR_RECORDS_MAX);
        struct mr_result result;
        assert_null(mr_checker_kernels(*context, batch.bytes, batch.count, &result));
        assert_int_equal(result.error_record, 65535);
        size_t record_bytes = (batch.count - 1 - 65535 - more) / (65535 + more);
        assert_int_equal(result.error_offset, 1 + 65535 * (record_bytes + 1));
    }
    mr_builder_fini(&batch);
}

static void test_full_payload(void **context)
{
    struct mr_builder batch = {0};
    struct mr_builder message = {0};
    mr_puts(&message, "\"");
    for (size_t i = 0; i < MR_MESSAGE_BYTES_MAX / 4; i++) {
        mr_puts(&message, i % 3 == 0   ? "\\ud83d\\ude00"
                          : i % 3 == 1 ? "\xF0\x9F\x98\x80"
                                       : "a\\n\\\"z");
    }
    mr_puts(&message, "\"");
    mr_puts(&batch, "[");
    mr_put_record(&batch);
    while (batch.count + message.count + 200 < PAYLOAD_MAX) {
        mr_puts(&batch, ",");
        mr_put_record_with(&batch, MR_KEY_MESSAGE, message.bytes, message.count);
    }
    mr_puts(&batch, "]");
    mr_put_times(&batch, ' ', PAYLOAD_MAX - batch.count);
    check(*context, &batch, MR_OK);
    mr_builder_fini(&batch);
    mr_builder_fini(&message);
}

static void test_mostly_white_space(void **context)
{
    struct mr_builder batch = {0};
    mr_puts(&batch, "[");
    for (size_t i = 0; i < PAYLOAD_MAX / 4 - 100; i++) {
        mr_puts(&batch, " \n\r\t");
    }
    mr_put_record(&batch);
    mr_puts(&batch, "]");
    mr_put_times(&batch, '\n', PAYLOAD_MAX - batch.count);
    check(*context, &batch, MR_OK);
    mr_builder_clear(&batch);
    mr_put_times(&batch, '\t', PAYLOAD_MAX);
    check(*context, &batch, MR_ERROR_EMPTY);
    mr_builder_fini(&batch);
}

// Makes a batch whose value is `before`, `count` times `digit`, `after`.
static void build_long_number(struct mr_builder *batch, const char *before, uint8_t digit,
                              size_t count, const char *after)
{
    struct mr_builder token = {0};
    mr_puts(&token, before);
    mr_put_times(&token, digit, count);
    mr_puts(&token, after);
    mr_builder_clear(batch);
    mr_puts(batch, "[");
    mr_put_record_with(batch, MR_KEY_VALUE, token.bytes, token.count);
    mr_puts(batch, "]");
    mr_builder_fini(&token);
}

// `before`, a million times `digit`, `after`.
static const struct {
    const char *before;
    const char *after;
    uint8_t digit;
    enum mr_error wanted;
} long_numbers[] = {
    {"", "", '1', MR_ERROR_VALUE_RANGE},
    {"-", "", '9', MR_ERROR_VALUE_RANGE},
    {"", "e-999990", '1', MR_OK},
    {"", "e-999985", '9', MR_OK},
    {"", "e-999984", '9', MR_ERROR_VALUE_RANGE},
    {"1", "e-1000000", '0', MR_OK},
    {"1", ".5e-999985", '0', MR_OK},
    {"0.", "", '0', MR_OK},
    {"-0.", "1", '0', MR_OK},
    {"0.", "1e1000001", '0', MR_OK},
    {"0.", "123456789012345678901e1000015", '0', MR_OK},
    {"0.", "123456789012345678901e1000017", '0', MR_ERROR_VALUE_RANGE},
    {"0.", "", '3', MR_OK},
    {"4503599627370497.5", "", '0', MR_ERROR_VALUE_RANGE},
    {"562949953421312.0625", "", '0', MR_OK}, // a tie
    {"562949953421312.0625", "1", '0', MR_OK},
    {"562949953421312.1875", "", '0', MR_OK}, // a tie the other way
    {"562949953421312.1874", "", '9', MR_OK},
    {"1e", "5", '0', MR_OK},
    {"1e-", "", '9', MR_OK},
    {"1e", "", '9', MR_ERROR_VALUE_RANGE},
    {"0e", "", '9', MR_OK},
    {"1000000000000000.0625", "", '0', MR_OK},
    {"1000000000000000.0625", "1", '0', MR_ERROR_VALUE_RANGE},
    {"0", "", '0', MR_ERROR_NUMBER},
    {"1.", "x", '5', MR_ERROR_SYNTAX},
};

static void test_million_digits(void **context)
{
    struct mr_builder batch = {0};
    for (size_t i = 0; i < sizeof long_numbers / sizeof long_numbers[0]; i++) {
        build_long_number(&batch, long_numbers[i].before, long_numbers[i].digit, MILLION,
                          long_numbers[i].after);
        check(*context, &batch, long_numbers[i].wanted);
    }
    // As an id, and one that fills the payload.
    mr_builder_clear(&batch);
    mr_puts(&batch, "[{\"id\":");
    mr_put_times(&batch, '7', PAYLOAD_MAX - 100);
    mr_puts(&batch, "}]");
    check(*context, &batch, MR_ERROR_INTEGER_RANGE);
    mr_builder_fini(&batch);
}

// Tens of thousands of numbers, half of which only long arithmetic can round.
static void test_many_ties(void **context)
{
    struct mr_builder batch = {0};
    mr_puts(&batch, "[");
    for (size_t i = 0; i < 60000; i++) {
        char value[64];
        (void)snprintf(value, sizeof value, "56294995342%04zu.%04zu%s", i % 10000,
                       i % 2 == 0 ? (size_t)625 : (size_t)1875, "00000000000000000000");
        mr_puts(&batch, i == 0 ? "" : ",");
        mr_put_record_with(&batch, MR_KEY_VALUE, value, strlen(value));
    }
    mr_puts(&batch, "]");
    check(*context, &batch, MR_OK);
    mr_builder_fini(&batch);
}

static void test_deep_nesting(void **context)
{
    static const struct {
        const char *before;
        const char *unit;
        enum mr_error wanted;
    } nests[] = {
        {"", "[", MR_ERROR_SYNTAX},
        {"", "{", MR_ERROR_SYNTAX},
        {"[", "{\"id\":", MR_ERROR_TYPE},
        {"[{\"flags\":", "[", MR_ERROR_TYPE},
        {"[{\"message\":", "[", MR_ERROR_TYPE},
        {"[{\"value\":", "{\"a\":", MR_ERROR_TYPE},
        {"[{\"deeper\":", "[", MR_ERROR_KEY_UNKNOWN},
    };
    struct mr_builder batch = {0};
    for (size_t i = 0; i < sizeof nests / sizeof nests[0]; i++) {
        for (int closed = 0; closed < 2; closed++) {
            mr_builder_clear(&batch);
            mr_puts(&batch, nests[i].before);
            for (size_t depth = 0; depth < MILLION; depth++) {
                mr_puts(&batch, nests[i].unit);
            }
            mr_put_times(&batch, ']', closed ? MILLION : 0);
            check(*context, &batch, nests[i].wanted);
        }
    }
    mr_builder_fini(&batch);
}

// Strings that fill the payload, closed and open, plain and of escapes, in every place of a string.
static void test_long_strings(void **context)
{
    static const struct {
        const char *before;
        enum mr_error wanted;
    } places[] = {
        {"[{\"", MR_ERROR_KEY_UNKNOWN},        {"[{\"source\":\"", MR_ERROR_LENGTH},
        {"[{\"message\":\"", MR_ERROR_LENGTH}, {"[{\"kind\":\"", MR_ERROR_KIND},
        {"[{\"flags\":[\"", MR_ERROR_FLAG},
    };
    static const char *const units[] = {"x", "\\n", "\\u00e9", "\\\\", "\xF0\x9F\x98\x80"};
    struct mr_builder batch = {0};
    for (size_t place = 0; place < sizeof places / sizeof places[0]; place++) {
        for (size_t unit = 0; unit < sizeof units / sizeof units[0]; unit++) {
            mr_builder_clear(&batch);
            mr_puts(&batch, places[place].before);
            // A message waits behind room for a source, and words are unescaped behind it.
            while (batch.count < PAYLOAD_MAX / 2) {
                mr_puts(&batch, units[unit]);
            }
            mr_puts(&batch, "\"");
            check(*context, &batch, places[place].wanted);
            batch.count--;
            check(*context, &batch, MR_ERROR_TRUNCATED);
        }
    }
    mr_builder_fini(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_most_records),   cmocka_unit_test(test_records_too_many),
        cmocka_unit_test(test_full_payload),   cmocka_unit_test(test_mostly_white_space),
        cmocka_unit_test(test_million_digits), cmocka_unit_test(test_many_ties),
        cmocka_unit_test(test_deep_nesting),   cmocka_unit_test(test_long_strings),
    };
    return mr_check_main(tests, sizeof tests / sizeof tests[0], PAYLOAD_MAX);
}
