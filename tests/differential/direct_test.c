// direct_test.c: plain records in canonical order with one byte changed, put in or left out, or
// with another value, followed by more of them: what the kernels' guess paths look at, which
// shorter batches do not reach.
#include "builder.h"
#include "check_main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Behind colons and commas of these stand blanks or none; one to a style of write_record().
#define STYLES 4

static const char *const flags[] = {"[]", "[\"urgent\"]", "[\"urgent\",\"retry\"]"};
#define FLAGS (sizeof flags / sizeof flags[0])

// Bytes that mean something, and some that may not stand there.
static const char odd_bytes[] = "\",:{}[]\\ 0-.ex\n\x01\x7F\x80\xC3";

// A plain record; `style` & 1: blanks behind colons, & 2: behind commas (outside of texts both).
static void write_record(struct mr_builder *text, const char *some_flags, unsigned style)
{
    static const char pattern[] =
        "{\"id\":5942859575,\"timestamp\":1764054335349840,\"source\":\"sensor-11\",\"kind\":"
        "\"event\",\"value\":-268.6222,\"flags\":@,\"message\":\"india del\"}";
    for (const char *at = pattern; *at != '\0'; at++) {
        const char *piece = *at == '@' ? some_flags : at;
        size_t length = *at == '@' ? strlen(some_flags) : 1;
        for (size_t i = 0; i < length; i++) {
            mr_put(text, piece + i, 1);
            if ((piece[i] == ':' && (style & 1) != 0) || (piece[i] == ',' && (style & 2) != 0)) {
                mr_puts(text, " ");
            }
        }
    }
}

static void check(struct mr_checker *checker, const struct mr_builder *text)
{
    const char *complaint = mr_checker_all(checker, text->bytes, text->count, NULL);
    if (complaint != NULL) {
        fail_msg("%s in %.*s", complaint, (int)text->count, (const char *)text->bytes);
    }
}

// A batch whose second record has `put` in place of `cut` bytes at `at`, checked.
static void check_edit(struct mr_checker *checker, struct mr_builder *text,
                       const struct mr_builder *record, size_t at, size_t cut, const char *put,
                       unsigned style)
{
    const char *comma = (style & 2) != 0 ? ", " : ",";
    mr_builder_clear(text);
    mr_puts(text, "[");
    for (unsigned i = 0; i < 5; i++) {
        mr_puts(text, i == 0 ? "" : comma);
        bool odd = i == 1;
        mr_put(text, record->bytes, odd ? at : record->count);
        if (odd) {
            mr_put(text, put, *put == '\0' ? 0 : 1);
            mr_put(text, record->bytes + at + cut, record->count - at - cut);
        }
    }
    mr_puts(text, "]");
    check(checker, text);
}

static void test_every_edit(void **context)
{
    struct mr_builder text = {0};
    struct mr_builder record = {0};
    for (unsigned form = 0; form < STYLES * FLAGS; form++) {
        unsigned style = form % STYLES;
        mr_builder_clear(&record);
        write_record(&record, flags[form / STYLES], style);
        check_edit(*context, &text, &record, 0, 0, "", style);
        for (size_t at = 0; at < record.count; at++) {
            check_edit(*context, &text, &record, at, 1, "", style);
            for (size_t i = 0; i < sizeof odd_bytes - 1; i++) {
                check_edit(*context, &text, &record, at, 0, odd_bytes + i, style);
                check_edit(*context, &text, &record, at, 1, odd_bytes + i, style);
            }
        }
    }
    mr_builder_fini(&text);
    mr_builder_fini(&record);
}

// A text in place of the record's own one.
struct change {
    const char *own;
    const char *text;
};

#define SIXTEEN "0123456789abcdef"

// Values at the bounds of what the guess paths read themselves, on both sides.
static const struct change changes[] = {
    {"5942859575", ""},
    {"5942859575", "0"},
    {"5942859575", "01"},
    {"5942859575", "123456789012345"},
    {"5942859575", "1234567890123456"},
    {"5942859575", "0234567890123456"},
    {"5942859575", "12345678901234567"},
    {"1764054335349840", "176405433534984"},
    {"1764054335349840", "0764054335349840"},
    {"1764054335349840", "17640543353498401"},
    {"1764054335349840", "0"},
    {"-268.6222", "0"},
    {"-268.6222", "-0"},
    {"-268.6222", "0.0"},
    {"-268.6222", "-0.5"},
    {"-268.6222", "00.5"},
    {"-268.6222", "01"},
    {"-268.6222", ".5"},
    {"-268.6222", "5."},
    {"-268.6222", "-.5"},
    {"-268.6222", "-5."},
    {"-268.6222", "-"},
    {"-268.6222", "."},
    {"-268.6222", "1.2.3"},
    {"-268.6222", "1e3"},
    {"-268.6222", "12345678901234"},
    {"-268.6222", "123456789012345"},
    {"-268.6222", "1234567890123456"},
    {"-268.6222", "12345678901234.5"},
    {"-268.6222", "1234567890123.5"},
    {"-268.6222", "0.1234567890123"},
    {"-268.6222", "-123456789012345"},
    {"sensor-11", ""},
    {"sensor-11", SIXTEEN "0123456789abcde"},
    {"sensor-11", SIXTEEN SIXTEEN},
    {"sensor-11", SIXTEEN SIXTEEN "x"},
    {"sensor-11", SIXTEEN SIXTEEN SIXTEEN SIXTEEN},
    {"sensor-11", SIXTEEN SIXTEEN SIXTEEN SIXTEEN "x"},
    {"sensor-11", "a,b"},
    {"sensor-11", "x\",\"kind\":\"y"},
    {"\"event\"", "\"event\" \"x\""},
    {"\"event\"", "\"event\"\""},
    {"india del", ""},
    {"india del", "}"},
    {"india del", "a } b"},
    {"india del", "a\"} b"},
    {"india del", "a\\\"} b"},
    {"india del", "a\x7F} b"},
    {"india del", "a\"} , {"},
    {"india del", SIXTEEN SIXTEEN SIXTEEN "0123456789abcde"},
    {"india del", SIXTEEN SIXTEEN SIXTEEN SIXTEEN},
    {"india del", SIXTEEN SIXTEEN SIXTEEN SIXTEEN "x"},
    {"india del", SIXTEEN SIXTEEN SIXTEEN SIXTEEN "\xC3"},
    {"india del", SIXTEEN SIXTEEN SIXTEEN SIXTEEN "\\\""},
    {"india del", SIXTEEN SIXTEEN SIXTEEN SIXTEEN "\" "},
    {"india del", SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN},
    {"[]", "[\"urgent\",\"urgent\"]"},
    {"[]", "[\"urgent\" , \"retry\"]"},
    {"[]", "[\"urgent\",]"},
    {"[]", "[,\"urgent\"]"},
    {"[]", "[\"urgent\",\"retry\",\"partial\"]"},
};

static void put_changed(struct mr_builder *text, const struct mr_builder *record,
                        const struct change *change)
{
    const char *bytes = (const char *)record->bytes;
    size_t own = strlen(change->own);
    size_t at = 0;
    while (memcmp(bytes + at, change->own, own) != 0) {
        at++;
        assert_true(at + own <= record->count);
    }
    mr_put(text, bytes, at);
    mr_puts(text, change->text);
    mr_put(text, bytes + at + own, record->count - at - own);
}

static void test_every_change(void **context)
{
    struct mr_builder text = {0};
    struct mr_builder record = {0};
    for (unsigned style = 0; style < STYLES; style++) {
        mr_builder_clear(&record);
        write_record(&record, "[]", style);
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
            mr_builder_clear(&text);
            for (unsigned j = 0; j < 6; j++) {
                mr_puts(&text, j == 0 ? "[" : (style & 2) != 0 ? ", " : ",");
                if (j == 1) {
                    put_changed(&text, &record, &changes[i]);
                } else {
                    mr_put(&text, record.bytes, record.count);
                }
            }
            mr_puts(&text, "]");
            check(*context, &text);
        }
    }
    mr_builder_fini(&text);
    mr_builder_fini(&record);
}

// Records that go on to the end of what may be looked at, and do not end there.
static void test_far_ends(void **context)
{
    static const char letters[] = SIXTEEN SIXTEEN SIXTEEN SIXTEEN SIXTEEN;
    static const char *const ends[] = {"\"}", "\" }", "\"\"}", "\"", "}"};
    struct mr_builder text = {0};
    for (unsigned form = 0; form < 5 * 8 * 20; form++) {
        unsigned source = 25 + form / 5 % 8;
        unsigned message = 50 + form / 40;
        mr_builder_clear(&text);
        mr_puts(&text,
                "[{\"id\": 123456789012345, \"timestamp\": 1764054335349840, \"source\": \"");
        mr_put(&text, letters, source);
        mr_puts(&text, "\", \"kind\": \"metric\", \"value\": -123456789012345, \"flags\": "
                       "[\"encrypted\", \"replayed\"], \"message\": \"");
        mr_put(&text, letters, message);
        mr_puts(&text, ends[form % 5]);
        for (unsigned i = 0; i < 4; i++) {
            mr_puts(&text, ", ");
            write_record(&text, "[]", 3);
        }
        mr_puts(&text, "]");
        check(*context, &text);
    }
    mr_builder_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_edit),
                                       cmocka_unit_test(test_every_change),
                                       cmocka_unit_test(test_far_ends)};
    return mr_check_main(tests, sizeof tests / sizeof tests[0], 4096);
}
