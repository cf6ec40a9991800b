// chunks_test.c: long batches, whose records meet every border at which a kernel may cut its work:
// 1 KiB, 2 KiB … 16 KiB, with escapes of every kind, white space and records longer than that.
#include "builder.h"
#include "check_main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TEXT_BYTES_MAX ((size_t)8 << 20)
#define BATCH_BYTES    40000u // crosses every size of a chunk
// A kernel may remember how the batch before went: the same text several times over.
#ifdef MR_SANITIZED
#define TURNS 1
#define STEP  5u // of the places that a text is moved to: sanitizers are slow
#else
#define TURNS 3
#define STEP  1u
#endif

static const char *const pieces[] = {"\\n",
                                     "\\\\",
                                     "\\\"",
                                     "\\/",
                                     "\\b\\f\\r\\t",
                                     "\\u0041",
                                     "\\u00e9",
                                     "\\u20AC",
                                     "\\ud83d\\ude00",
                                     "\\ud83d\\ude00\\ud83d\\ude00\\u00e9\\n",
                                     "\\\\\\\\\\\\\\\"",
                                     "\xC3\xA9",
                                     "\xE2\x82\xAC",
                                     "\xF0\x9F\x98\x80",
                                     "{}[],:"};
#define PIECES (sizeof pieces / sizeof pieces[0])

static void check(struct mr_checker *checker, const struct mr_builder *batch, enum mr_error wanted,
                  const char *what, size_t number)
{
    for (unsigned turn = 0; turn < TURNS; turn++) {
        struct mr_result result;
        const char *complaint = mr_checker_kernels(checker, batch->bytes, batch->count, &result);
        if (complaint != NULL || result.error != wanted) {
            fail_msg("%s, %zu, turn %u: %s at %llu: %s", what, number, turn,
                     mr_error_text(result.error), (unsigned long long)result.error_offset,
                     complaint == NULL ? "" : complaint);
        }
    }
}

// The same, and the oracle is asked.
static void check_all(struct mr_checker *checker, const struct mr_builder *batch,
                      enum mr_error wanted, const char *what, size_t number)
{
    const char *complaint = mr_checker_all(checker, batch->bytes, batch->count, NULL);
    if (complaint != NULL) {
        fail_msg("%s, %zu: %s", what, number, complaint);
    }
    check(checker, batch, wanted, what, number);
}

// A record that is in no canonical layout, so that it goes through the index; `message` as it is.
static void put_spaced_record(struct mr_builder *batch, const char *message, size_t count)
{
    mr_puts(batch, "{ \"message\" : \"");
    mr_put(batch, message, count);
    mr_puts(batch, "\", \"id\": 17, \"timestamp\": 1764054335349840, \"source\": \"a\\tb\","
                   "\"kind\": \"span\", \"flags\": [\"retry\", \"partial\"], \"value\": -1.25e2}");
}

// `bytes` bytes of text from different pieces, beginning with another one each time.
static void put_mixed_record(struct mr_builder *batch, size_t number, size_t bytes)
{
    char message[512];
    size_t count = 0;
    for (size_t i = number;; i += 4) {
        size_t more = strlen(pieces[i % PIECES]);
        if (count + more > bytes) {
            break;
        }
        memcpy(message + count, pieces[i % PIECES], more);
        count += more;
    }
    put_spaced_record(batch, message, count);
}

static void begin(struct mr_builder *batch, size_t shift)
{
    mr_builder_clear(batch);
    mr_puts(batch, "[");
    mr_put_times(batch, ' ', shift);
}

static void put_mixed_records(struct mr_builder *batch, size_t first)
{
    for (size_t i = first; batch->count < BATCH_BYTES; i++) {
        mr_puts(batch, i == first ? "" : ",");
        put_mixed_record(batch, i, 40 + i * 37 % 260);
    }
}

// The text moves on byte by byte under the borders.
static void test_mixed_records(void **context)
{
    struct mr_builder batch = {0};
    for (size_t shift = 0; shift < 320; shift += STEP) {
        begin(&batch, shift);
        put_mixed_records(&batch, shift / 64);
        mr_puts(&batch, "]");
        if (shift % 16 == 0) {
            check_all(*context, &batch, MR_OK, "mixed records", shift);
        } else {
            check(*context, &batch, MR_OK, "mixed records", shift);
        }
    }
    mr_builder_fini(&batch);
}

// Every piece by itself through the first border, and through a border of the largest chunk.
static void test_pieces_at_borders(void **context)
{
    struct mr_builder batch = {0};
    for (size_t piece = 0; piece < PIECES; piece++) {
        for (size_t shift = 0; shift < 72; shift += STEP) {
            begin(&batch, 0);
            char message[1200];
            memset(message, 'x', sizeof message);
            for (size_t at = shift; at + 48 < sizeof message; at += 67) {
                memcpy(message + at, pieces[piece], strlen(pieces[piece]));
            }
            for (size_t i = 0; batch.count < BATCH_BYTES; i++) {
                mr_puts(&batch, i == 0 ? "" : ",");
                put_spaced_record(&batch, message, sizeof message - i % 5);
            }
            mr_puts(&batch, "]");
            check(*context, &batch, MR_OK, pieces[piece], shift);
        }
    }
    mr_builder_fini(&batch);
}

// A fault in one record somewhere: it must be the one that is reported, with its place.
static void test_faults_at_borders(void **context)
{
    static const struct {
        const char *message;
        enum mr_error wanted;
    } faults[] = {{"\\ud83dx", MR_ERROR_SURROGATE}, {"\\x", MR_ERROR_ESCAPE},
                  {"\x01", MR_ERROR_CONTROL},       {"\xE2\x82", MR_ERROR_UTF8},
                  {"\\u12g4", MR_ERROR_ESCAPE},     {"\xFF", MR_ERROR_UTF8}};
    struct mr_builder batch = {0};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        for (size_t before = 0; before < 180; before += STEP) {
            begin(&batch, before % 7);
            for (size_t record = 0; record < before; record++) {
                put_mixed_record(&batch, record, 40 + (record * 29 + i) % 200);
                mr_puts(&batch, ",");
            }
            put_spaced_record(&batch, faults[i].message, strlen(faults[i].message));
            mr_puts(&batch, ",");
            put_mixed_record(&batch, before, 200);
            mr_puts(&batch, "]");
            check(*context, &batch, faults[i].wanted, faults[i].message, before);
        }
    }
    mr_builder_fini(&batch);
}

// Records whose closing brace stands right before, at and behind a border, followed by others or
// by nothing.
static void test_records_of_exact_length(void **context)
{
    static const char tail[] =
        "\"value\":1,\"id\":2,\"timestamp\":3,\"source\":\"s\",\"kind\":\"log\","
        "\"flags\":[\"urgent\"],\"message\":\"\\u00e9\"}";
    struct mr_builder batch = {0};
    for (size_t size = 1024; size <= 32768; size *= 2) {
        for (size_t length = size - 70; length <= size + 70; length += STEP) {
            for (unsigned behind = 0; behind < 3; behind++) {
                begin(&batch, 0);
                mr_puts(&batch, "{");
                mr_put_times(&batch, length % 2 == 0 ? ' ' : '\n', length - sizeof tail);
                mr_puts(&batch, tail);
                mr_put_times(&batch, '\t', behind == 2 ? 70 : 0);
                if (behind > 0) {
                    mr_puts(&batch, ",");
                    mr_put_record(&batch);
                    mr_puts(&batch, ",");
                    put_spaced_record(&batch, "x", 1);
                }
                mr_puts(&batch, "]");
                check(*context, &batch, MR_OK, "exact length", length);
            }
        }
    }
    mr_builder_fini(&batch);
}

// Messages of the greatest length, all of it escapes: longer in the text than any chunk.
static void test_full_messages(void **context)
{
    static const struct {
        const char *unit;
        size_t bytes;
    } units[] = {{"\\n", 1},  {"\\u0041", 1}, {"\\u00e9", 2}, {"\\u20ac", 3}, {"\\ud83d\\ude00", 4},
                 {"\\\\", 1}, {"\\\"", 1}};
    struct mr_builder batch = {0};
    struct mr_builder message = {0};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        mr_builder_clear(&message);
        for (size_t bytes = 0; bytes + units[i].bytes <= MR_MESSAGE_BYTES_MAX;
             bytes += units[i].bytes) {
            mr_puts(&message, units[i].unit);
        }
        mr_put_times(&message, 'z', MR_MESSAGE_BYTES_MAX % units[i].bytes);
        for (size_t shift = 0; shift < 66; shift += STEP) {
            begin(&batch, shift);
            mr_put_record(&batch);
            mr_puts(&batch, ",");
            put_spaced_record(&batch, (const char *)message.bytes, message.count);
            mr_puts(&batch, ",");
            put_mixed_records(&batch, shift);
            mr_puts(&batch, ",");
            put_spaced_record(&batch, (const char *)message.bytes, message.count);
            mr_puts(&batch, "]");
            check(*context, &batch, MR_OK, units[i].unit, shift);
        }
        check_all(*context, &batch, MR_OK, units[i].unit, 0);
        // One byte more is one too many.
        mr_puts(&message, "y");
        begin(&batch, 0);
        put_spaced_record(&batch, (const char *)message.bytes, message.count);
        mr_puts(&batch, "]");
        check_all(*context, &batch, MR_ERROR_LENGTH, units[i].unit, 1);
    }
    mr_builder_fini(&batch);
    mr_builder_fini(&message);
}

// Megabytes of white space at one place of a batch of three records, each place in turn.
static void test_much_white_space(void **context)
{
    static const char three[] =
        "[{ \"id\":1,\"timestamp\":2,\"source\":\"s\",\"kind\":\"log\",\"value\":3.5,\"flags\":["
        "\"urgent\",\"retry\"],\"message\":\"\\u00e9\"},{\"flags\":[],\"timestamp\":2,\"source\":"
        "\"s\",\"kind\":\"log\",\"value\":-0.0,\"id\":1,\"message\":\"m\"}]";
    struct mr_builder batch = {0};
    bool in_string = false;
    for (size_t at = 0; at <= sizeof three - 1; at++) {
        bool is_quote = at > 0 && three[at - 1] == '"';
        in_string ^= is_quote;
        bool between = at == 0 || strchr("[]{},:\"", three[at - 1]) != NULL ||
                       strchr("[]{},:\"", three[at]) != NULL;
        if (in_string || !between) {
            continue;
        }
        for (size_t bytes = 20000; bytes <= 3000000; bytes = bytes * 12 + 77) {
            mr_builder_clear(&batch);
            mr_put(&batch, three, at);
            mr_put_times(&batch, (uint8_t) " \t\r\n"[at % 4], bytes);
            mr_puts(&batch, three + at);
            check(*context, &batch, MR_OK, "white space", at);
        }
    }
    mr_builder_fini(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixed_records),     cmocka_unit_test(test_pieces_at_borders),
        cmocka_unit_test(test_faults_at_borders), cmocka_unit_test(test_records_of_exact_length),
        cmocka_unit_test(test_full_messages),     cmocka_unit_test(test_much_white_space),
    };
    return mr_check_main(tests, sizeof tests / sizeof tests[0], TEXT_BYTES_MAX);
}
