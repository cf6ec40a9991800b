// record_errors_test.c: reason, record and offset of rejections: the rules at the top of
// record_scalar.c, sentence by sentence, for every kernel.
#include "guard_page.h"

#include <matchrace/record.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A record that lacks only its message, with a place for it; and a whole one.
#define HEAD  "{\"id\":1,\"timestamp\":2,\"source\":\"s\",\"kind\":\"log\",\"value\":3,\"flags\":[]"
#define WHOLE HEAD ",\"message\":\"m\"}"

// A text in three parts: the fault stands where the second one begins, so that no offset has to be
// counted by hand.
struct fault {
    enum mr_error error;
    uint32_t record;
    const char *before;
    const char *at;
    size_t at_bytes; // it may hold zero bytes
};
#define FAULT(error, record, before, at)                                                           \
    {                                                                                              \
        error, record, before, at, sizeof(at) - 1                                                  \
    }

static void check(const struct fault *fault)
{
    size_t before_bytes = strlen(fault->before);
    size_t json_bytes = before_bytes + fault->at_bytes;
    struct mr_guarded text = mr_guarded_init(MR_PAD_FRONT + json_bytes + MR_PAD_BACK);
    uint8_t *json = mr_guarded_last(&text, json_bytes, MR_PAD_BACK);
    memcpy(json, fault->before, before_bytes);
    memcpy(json + before_bytes, fault->at, fault->at_bytes);
    uint8_t *records = aligned_alloc(64, (mr_records_capacity(json_bytes) + 63) / 64 * 64);
    assert_non_null(records);
    for (size_t i = 0; i < mr_kernel_count(); i++) {
        struct mr_parser *parser;
        if (!mr_kernel_by_index(i).supported) {
            continue;
        }
        assert_int_equal(mr_parser_create(mr_kernel_by_index(i).name, &parser), 0);
        struct mr_result result;
        memset(&result, 0xA5, sizeof result);
        mr_parser_parse(parser, json, json_bytes, records, &result);
        if (result.error != fault->error || result.error_record != fault->record ||
            result.error_offset != before_bytes || result.records != 0 || result.digest != 0 ||
            result.used_bytes != 0) {
            fail_msg("%s says error %u (%s), record %u, offset %llu, not %u, %u, %zu: %s%s",
                     mr_parser_kernel(parser), result.error, mr_error_text(result.error),
                     result.error_record, (unsigned long long)result.error_offset, fault->error,
                     fault->record, before_bytes, fault->before, fault->at);
        }
        mr_parser_destroy(parser);
    }
    free(records);
    mr_guarded_fini(&text);
}

#define CHECK_ALL(faults)                                                                          \
    for (size_t fault_index = 0; fault_index < sizeof(faults) / sizeof(faults)[0];                 \
         fault_index++) {                                                                          \
        check(&(faults)[fault_index]);                                                             \
    }

static void test_around_the_array(void **context)
{
    (void)context;
    static const struct fault faults[] = {
        FAULT(MR_ERROR_EMPTY, 0, "", ""),
        FAULT(MR_ERROR_EMPTY, 0, " \t\r\n", ""),
        FAULT(MR_ERROR_BOM, 0, "", "\xEF\xBB\xBF[]"),
        FAULT(MR_ERROR_BOM, 0, "", "\xEF\xBB\xBF"),
        FAULT(MR_ERROR_SYNTAX, 0, " ", "\xEF\xBB\xBF[]"),
        FAULT(MR_ERROR_UTF8, 0, "", "\xEF\xBB"),
        FAULT(MR_ERROR_UTF8, 0, "", "\xEF\xBB[]"),
        FAULT(MR_ERROR_UTF8, 0, "", "\xFF\xFE[\x00]\x00"),
        FAULT(MR_ERROR_SYNTAX, 0, "", "\xC2\xA0[]"),
        FAULT(MR_ERROR_SYNTAX, 0, "", "\v[]"),
        FAULT(MR_ERROR_SYNTAX, 0, "", "\f[]"),
        FAULT(MR_ERROR_SYNTAX, 0, "", "\x00[]"),
        FAULT(MR_ERROR_SYNTAX, 0, "\n", "{}"),
        FAULT(MR_ERROR_SYNTAX, 0, "", "null"),
        FAULT(MR_ERROR_SYNTAX, 0, "", "]"),
        FAULT(MR_ERROR_SYNTAX, 0, "", "// []"),
        FAULT(MR_ERROR_TRUNCATED, 0, "[", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[  ", ""),
        FAULT(MR_ERROR_TRAILING, 0, "[]", "x"),
        FAULT(MR_ERROR_TRAILING, 0, "[] ", "]"),
        FAULT(MR_ERROR_TRAILING, 0, "[]\n", "[]"),
        FAULT(MR_ERROR_TRAILING, 0, "[]", ","),
        FAULT(MR_ERROR_TRAILING, 0, "[]", "\x00"),
        FAULT(MR_ERROR_TRAILING, 0, "[]", "\xC3\xA9"),
        FAULT(MR_ERROR_UTF8, 0, "[]", "\xC3"),
        FAULT(MR_ERROR_UTF8, 0, "[]", "\x80"),
        FAULT(MR_ERROR_TRAILING, 2, "[" WHOLE "," WHOLE "]", "0"),
    };
    CHECK_ALL(faults);
}

static void test_between_records(void **context)
{
    (void)context;
    static const struct fault faults[] = {
        FAULT(MR_ERROR_SYNTAX, 0, "[", ",]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[", "1]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[", "[]]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[", "null]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[", "\"x\"]"),
        FAULT(MR_ERROR_SYNTAX, 1, "[" WHOLE ",", "]"),
        FAULT(MR_ERROR_SYNTAX, 1, "[" WHOLE ", ", ",]"),
        FAULT(MR_ERROR_SYNTAX, 1, "[" WHOLE " ", WHOLE "]"),
        FAULT(MR_ERROR_SYNTAX, 1, "[" WHOLE, "}]"),
        FAULT(MR_ERROR_TRUNCATED, 1, "[" WHOLE, ""),
        FAULT(MR_ERROR_TRUNCATED, 1, "[" WHOLE " ,\n", ""),
        FAULT(MR_ERROR_UTF8, 1, "[" WHOLE, "\xE2\x82"),
        FAULT(MR_ERROR_UTF8, 1, "[" WHOLE ",", "\xA0{"),
        FAULT(MR_ERROR_SYNTAX, 1, "[" WHOLE ",", "\xE3\x80\x80{"),
    };
    CHECK_ALL(faults);
}

static void test_members(void **context)
{
    (void)context;
    static const struct fault faults[] = {
        FAULT(MR_ERROR_TRUNCATED, 0, "[{", ""),
        FAULT(MR_ERROR_KEY_MISSING, 0, "[{", "}]"),
        FAULT(MR_ERROR_KEY_MISSING, 0, "[{ ", "}]"),
        FAULT(MR_ERROR_KEY_MISSING, 0, "[" HEAD, "}]"),
        FAULT(MR_ERROR_KEY_MISSING, 1, "[" WHOLE "," HEAD " ", "}"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{", ",\"id\":1}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{", "id:1}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{", "'id':1}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[" HEAD ",", "}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[" HEAD ",", ",\"message\":\"m\"}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[" HEAD " ", "\"message\":\"m\"}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[" HEAD, "]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"id\" ", "1}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"id\":", ":1}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"id\"", "=1}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"id\"", "}]"),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"id\"", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"id\": ", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"id\":1 ", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"id\":1 ,", ""),
        FAULT(MR_ERROR_KEY_UNKNOWN, 0, "[{", "\"Id\":1}]"),
        FAULT(MR_ERROR_KEY_UNKNOWN, 0, "[{", "\"\":1}]"),
        FAULT(MR_ERROR_KEY_UNKNOWN, 0, "[{", "\"ids\""),
        FAULT(MR_ERROR_KEY_UNKNOWN, 1, "[" WHOLE ", {", "\"id\\u0000\":1}]"),
        FAULT(MR_ERROR_KEY_TWICE, 0, "[{\"id\":1,", "\"id\":1}]"),
        FAULT(MR_ERROR_KEY_TWICE, 0, "[{\"id\":1,", "\"\\u0069d\":null}]"),
        FAULT(MR_ERROR_KEY_TWICE, 0, "[{\"\\u0069\\u0064\":1, ", "\"id\" nonsense"),
        FAULT(MR_ERROR_UTF8, 0, "[{\"id\":1,", "\xF0\x9F\x98"),
    };
    CHECK_ALL(faults);
}

static void test_types(void **context)
{
    (void)context;
    static const struct fault faults[] = {
        FAULT(MR_ERROR_TYPE, 0, "[{\"id\":", "\"5\"}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"id\":", "null}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"id\":", "true}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"id\":", "false}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"id\":", "nonsense}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"timestamp\": ", "{}}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"value\":", "[1]}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"value\":", "\"1\"}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"source\":", "1}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"source\":", "-"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"kind\":", "0}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"kind\":", "[\"log\"]}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"message\":", "null}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"flags\":", "\"urgent\"}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"flags\":", "{}}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"flags\":[", "1]}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"flags\":[", "[]]}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"flags\":[\"urgent\",", "null]}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"id\":", "}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"id\":", ",}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"id\":", "\x00"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"source\":", "x}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"source\":", "'x'}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"source\":", "]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"flags\":", "]}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"flags\":[", ",]}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"flags\":[\"urgent\",", "]}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"flags\":[\"urgent\" ", "\"retry\"]}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"flags\":[\"urgent\"", "}]"),
        FAULT(MR_ERROR_UTF8, 0, "[{\"flags\":[", "\x80]}]"),
        FAULT(MR_ERROR_UTF8, 0, "[{\"value\":", "\xED\xA0\x80}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"value\":", "\xEF\xBC\x91}]"),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"flags\":", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"flags\":[", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"flags\":[\"urgent\"", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"flags\":[\"urgent\",", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"source\":", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"value\":", ""),
    };
    CHECK_ALL(faults);
}

static void test_numbers(void **context)
{
    (void)context;
    static const struct fault faults[] = {
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":", "+1}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":", ".5}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":", "NaN}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"id\":", "Infinity}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":-", "Infinity}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":-", "}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":-", ".5}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":1.", "}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":1.", "e5}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":1e", "}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":1e+", "x}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":1E-", "+2}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":0", "1}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":-0", "0}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"id\":0", "0}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"id\":0", "00000000000000000000000000}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"id\":0", "1"),
        FAULT(MR_ERROR_UTF8, 0, "[{\"value\":1.", "\xFF}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"value\":1.", "\xD9\xA1}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"value\":1.2", ".3}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"value\":1e5", ".5}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"value\":0", "x10}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"value\":1", "_0}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"value\":1 ", "0}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"value\":1", "\x00}]"),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"value\":1", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"value\":-", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"value\":1.", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"value\":1e", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"value\":1e-", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"value\":99999999999999999999", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"id\":99999999999999999999", ""),
        FAULT(MR_ERROR_TYPE, 0, "[{\"id\":", "1.0}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"id\":", "1e3}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"id\":", "1E3}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"id\":", "-1}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"id\":", "-0}]"),
        FAULT(MR_ERROR_TYPE, 0, "[{\"timestamp\":", "99999999999999999999e0}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"id\":1.", "}]"),
        FAULT(MR_ERROR_NUMBER, 0, "[{\"id\":-0", "1}]"),
        FAULT(MR_ERROR_SYNTAX, 0, "[{\"id\":1", "x}]"),
        FAULT(MR_ERROR_INTEGER_RANGE, 0, "[{\"id\":", "9223372036854775808}]"),
        FAULT(MR_ERROR_INTEGER_RANGE, 0, "[{\"id\":", "18446744073709551616}]"),
        FAULT(MR_ERROR_INTEGER_RANGE, 0, "[{\"id\":", "18446744073709551617x"),
        FAULT(MR_ERROR_INTEGER_RANGE, 0, "[{\"timestamp\":", "253402300800000000}]"),
        FAULT(MR_ERROR_VALUE_RANGE, 0, "[{\"value\":", "1e16}]"),
        FAULT(MR_ERROR_VALUE_RANGE, 0, "[{\"value\":", "-1000000000000001}]"),
        FAULT(MR_ERROR_VALUE_RANGE, 1, "[" WHOLE ",{\"value\":", "1e999x"),
    };
    CHECK_ALL(faults);
}

static void test_strings(void **context)
{
    (void)context;
    static const struct fault faults[] = {
        FAULT(MR_ERROR_CONTROL, 0, "[{\"source\":\"ab", "\n\"}]"),
        FAULT(MR_ERROR_CONTROL, 0, "[{\"source\":\"", "\x00\"}]"),
        FAULT(MR_ERROR_CONTROL, 0, "[{\"i", "\x1F\":1}]"),
        FAULT(MR_ERROR_CONTROL, 0, "[{\"kind\":\"log", "\t\"}]"),
        FAULT(MR_ERROR_CONTROL, 0, "[{\"flags\":[\"urgent", "\r\"]}]"),
        FAULT(MR_ERROR_UTF8, 0, "[{\"message\":\"ab", "\xFF\"}]"),
        FAULT(MR_ERROR_UTF8, 0, "[{\"message\":\"abcdefghij", "\xE2\x82\"}]"),
        FAULT(MR_ERROR_UTF8, 0, "[{\"message\":\"", "\xE2\x82\x41\"}]"),
        FAULT(MR_ERROR_UTF8, 0, "[{\"message\":\"", "\xED\xA0\x80\"}]"),
        FAULT(MR_ERROR_UTF8, 0, "[{\"message\":\"\xC3\xA9", "\xA9\"}]"),
        FAULT(MR_ERROR_UTF8, 0, "[{\"", "\xC0\x80\":1}]"),
        FAULT(MR_ERROR_UTF8, 0, "[{\"message\":\"", "\xF4\x90"),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"message\":\"\xF4\x8F", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"message\":\"\xC3", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"message\":\"abc", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"message\":\"", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"id", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"message\":\"\\", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"message\":\"\\u", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"message\":\"\\u12", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"message\":\"\\ud800", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"message\":\"\\ud800\\", ""),
        FAULT(MR_ERROR_TRUNCATED, 0, "[{\"message\":\"\\ud800\\udc0", ""),
        FAULT(MR_ERROR_ESCAPE, 0, "[{\"message\":\"\\", "x41\"}]"),
        FAULT(MR_ERROR_ESCAPE, 0, "[{\"message\":\"\\", "\n\"}]"),
        FAULT(MR_ERROR_ESCAPE, 0, "[{\"message\":\"\\", "\x00\"}]"),
        FAULT(MR_ERROR_ESCAPE, 0, "[{\"message\":\"\\", "\xC3\xA9\"}]"),
        FAULT(MR_ERROR_UTF8, 0, "[{\"message\":\"\\", "\xE2\"}]"),
        FAULT(MR_ERROR_UTF8, 0, "[{\"message\":\"\\u00", "\xE2\"}]"),
        FAULT(MR_ERROR_ESCAPE, 0, "[{\"message\":\"\\u", "\"\"}]"),
        FAULT(MR_ERROR_ESCAPE, 0, "[{\"message\":\"\\u12", "G4\"}]"),
        FAULT(MR_ERROR_ESCAPE, 0, "[{\"message\":\"\\u", "+123\"}]"),
        FAULT(MR_ERROR_ESCAPE, 0, "[{\"\\u006", "\":1}]"),
        FAULT(MR_ERROR_SURROGATE, 0, "[{\"message\":\"ab", "\\udc00\"}]"),
        FAULT(MR_ERROR_SURROGATE, 0, "[{\"message\":\"ab", "\\ud800\"}]"),
        FAULT(MR_ERROR_SURROGATE, 0, "[{\"message\":\"ab", "\\ud800x\"}]"),
        FAULT(MR_ERROR_SURROGATE, 0, "[{\"message\":\"ab", "\\ud800\\n\"}]"),
        FAULT(MR_ERROR_SURROGATE, 0, "[{\"message\":\"ab", "\\ud800\\ud800\"}]"),
        FAULT(MR_ERROR_SURROGATE, 0, "[{\"message\":\"ab", "\\ud800\\u0041\"}]"),
        FAULT(MR_ERROR_SURROGATE, 0, "[{\"message\":\"ab", "\\ud800\xFF\"}]"),
        FAULT(MR_ERROR_SURROGATE, 0, "[{\"", "\\udfff\":1}]"),
        FAULT(MR_ERROR_ESCAPE, 0, "[{\"message\":\"ab\\ud800\\u12", "g4\"}]"),
        FAULT(MR_ERROR_SURROGATE, 0, "[{\"message\":\"\\ud83d\\ude00", "\\ude00\"}]"),
    };
    CHECK_ALL(faults);
}

static void test_whole_strings(void **context)
{
    (void)context;
    static const struct fault faults[] = {
        FAULT(MR_ERROR_KIND, 0, "[{\"kind\":", "\"Log\"}]"),
        FAULT(MR_ERROR_KIND, 0, "[{\"kind\": ", "\"\"}]"),
        FAULT(MR_ERROR_KIND, 0, "[{\"kind\":", "\"metrics\""),
        FAULT(MR_ERROR_FLAG, 0, "[{\"flags\":[", "\"metric\"]}]"),
        FAULT(MR_ERROR_FLAG, 0, "[{\"flags\":[\"urgent\", ", "\"\"]}]"),
        FAULT(MR_ERROR_FLAG_TWICE, 0, "[{\"flags\":[\"urgent\",", "\"urgent\"]}]"),
        FAULT(MR_ERROR_FLAG_TWICE, 0, "[{\"flags\":[\"retry\",\"urgent\",", "\"\\u0072etry\"]}]"),
        FAULT(MR_ERROR_LENGTH, 0, "[{\"source\":", "\"\"}]"),
        FAULT(MR_ERROR_LENGTH, 0, "[{\"source\":",
              "\"12345678901234567890123456789012345678901234567890123456789012345\"}]"),
        // Faults inside come first, however long the string is.
        FAULT(
            MR_ERROR_CONTROL, 0,
            "[{\"source\":\"123456789012345678901234567890123456789012345678901234567890123456789",
            "\x01\"}]"),
        FAULT(MR_ERROR_ESCAPE, 0, "[{\"kind\":\"nonsense\\", "q\"}]"),
        FAULT(MR_ERROR_ESCAPE, 0, "[{\"nonsense\\", "q\":1}]"),
    };
    CHECK_ALL(faults);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_around_the_array), cmocka_unit_test(test_between_records),
        cmocka_unit_test(test_members),          cmocka_unit_test(test_types),
        cmocka_unit_test(test_numbers),          cmocka_unit_test(test_strings),
        cmocka_unit_test(test_whole_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
