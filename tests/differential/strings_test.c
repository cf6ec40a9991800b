// strings_test.c: strings: every kind of escape, character and fault at every place of long texts.
#include "builder.h"
#include "check_main.h"

#include "base/mr_assert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SLIDE         200 // places in a message
#define ALIGNMENTS    64
#define BACKSLASH_RUN 200

// What may stand in a string, with its length, for some hold zero bytes.
struct piece {
    const char *bytes;
    size_t count;
    bool valid;
};
#define VALID(literal)                                                                             \
    {                                                                                              \
        literal, sizeof(literal) - 1, true                                                         \
    }
#define INVALID(literal)                                                                           \
    {                                                                                              \
        literal, sizeof(literal) - 1, false                                                        \
    }

static const struct piece pieces[] = {VALID("\\\""),
                                      VALID("\\\\"),
                                      VALID("\\/"),
                                      VALID("\\b"),
                                      VALID("\\f"),
                                      VALID("\\n"),
                                      VALID("\\r"),
                                      VALID("\\t"),
                                      VALID("\\u0000"),
                                      VALID("\\u0041"),
                                      VALID("\\u007f"),
                                      VALID("\\u0080"),
                                      VALID("\\u00e9"),
                                      VALID("\\u07fF"),
                                      VALID("\\u0800"),
                                      VALID("\\u20AC"),
                                      VALID("\\ud7ff"),
                                      VALID("\\uE000"),
                                      VALID("\\uFFFE"),
                                      VALID("\\uffff"),
                                      VALID("\\ud800\\udc00"),
                                      VALID("\\uD83D\\uDE00"),
                                      VALID("\\udbff\\udfff"),
                                      VALID("\\\\u0041"),
                                      VALID("\\\\\\\""),
                                      VALID("\\ud83d\\ude00\\ud83d\\ude00"),
                                      VALID("\x7f"),
                                      VALID("\xC2\x80"),
                                      VALID("\xC3\xA9"),
                                      VALID("\xDF\xBF"),
                                      VALID("\xE0\xA0\x80"),
                                      VALID("\xE2\x82\xAC"),
                                      VALID("\xED\x9F\xBF"),
                                      VALID("\xEE\x80\x80"),
                                      VALID("\xEF\xBB\xBF"),
                                      VALID("\xEF\xBF\xBF"),
                                      VALID("\xF0\x90\x80\x80"),
                                      VALID("\xF0\x9F\x98\x80"),
                                      VALID("\xF4\x8F\xBF\xBF"),
                                      VALID("{}[],:"),
                                      VALID("'"),
                                      VALID("/"),
                                      INVALID("\""),
                                      INVALID("\\"),
                                      INVALID("\\a"),
                                      INVALID("\\x41"),
                                      INVALID("\\U0041"),
                                      INVALID("\\'"),
                                      INVALID("\\0"),
                                      INVALID("\\\n"),
                                      INVALID("\\\xA2"),
                                      INVALID("\\\xC3\xA9"),
                                      INVALID("\\\xF5"),
                                      INVALID("\\\xEE"),
                                      INVALID("\\u"),
                                      INVALID("\\u1"),
                                      INVALID("\\u12"),
                                      INVALID("\\u123"),
                                      INVALID("\\u12G4"),
                                      INVALID("\\u 123"),
                                      INVALID("\\u+123"),
                                      INVALID("\\u0_0f"),
                                      INVALID("\\u00\"0"),
                                      INVALID("\\u\xC3\xA9"),
                                      INVALID("\\u123\x10"),
                                      INVALID("\\ud800"),
                                      INVALID("\\udbff "),
                                      INVALID("\\udc00"),
                                      INVALID("\\udfff"),
                                      INVALID("\\ud800\\ud800"),
                                      INVALID("\\udc00\\ud800"),
                                      INVALID("\\ud800\\u0041"),
                                      INVALID("\\ud800\\n"),
                                      INVALID("\\ud800\\"),
                                      INVALID("\\ud800\\u"),
                                      INVALID("\\ud800\\udc"),
                                      INVALID("\\ud800\\u12g4"),
                                      INVALID("\\ud800\\\\udc00"),
                                      INVALID("\\ud800u"),
                                      INVALID("\\ud800\xED\xB0\x80"),
                                      INVALID("\x00"),
                                      INVALID("\x01"),
                                      INVALID("\x08"),
                                      INVALID("\t"),
                                      INVALID("\n"),
                                      INVALID("\r"),
                                      INVALID("\x1e"),
                                      INVALID("\x1f"),
                                      INVALID("\x80"),
                                      INVALID("\xBF"),
                                      INVALID("\xC0\x80"),
                                      INVALID("\xC1\xBF"),
                                      INVALID("\xC2"),
                                      INVALID("\xC3\x28"),
                                      INVALID("\xE0\x80\x80"),
                                      INVALID("\xE0\x9F\xBF"),
                                      INVALID("\xE2\x82"),
                                      INVALID("\xE2\x28\xA1"),
                                      INVALID("\xED\xA0\x80"),
                                      INVALID("\xED\xBF\xBF"),
                                      INVALID("\xEF\xBF"),
                                      INVALID("\xF0\x80\x80\x80"),
                                      INVALID("\xF0\x8F\xBF\xBF"),
                                      INVALID("\xF0\x9F\x98"),
                                      INVALID("\xF0\x9F"),
                                      INVALID("\xF4\x90\x80\x80"),
                                      INVALID("\xF5\x80\x80\x80"),
                                      INVALID("\xF8\x88\x80\x80\x80"),
                                      INVALID("\xFE"),
                                      INVALID("\xFF")};
#define PIECES (sizeof pieces / sizeof pieces[0])

static void check(struct mr_checker *checker, const struct mr_builder *text, bool valid,
                  const char *what)
{
    struct mr_result result;
    const char *complaint = mr_checker_all(checker, text->bytes, text->count, &result);
    if (complaint != NULL) {
        fail_msg("%s: %s in %.*s", what, complaint, (int)text->count, (const char *)text->bytes);
    }
    if (valid != (result.error == MR_OK)) {
        fail_msg("%s: %s: %.*s", what, mr_error_text(result.error), (int)text->count,
                 (const char *)text->bytes);
    }
}

// A batch whose `key` is `before` plain bytes, the piece, `after` plain bytes.
static void build(struct mr_builder *batch, struct mr_builder *value, enum mr_key key,
                  const struct piece *piece, size_t before, size_t after)
{
    mr_builder_clear(value);
    mr_puts(value, "\"");
    mr_put_times(value, 'x', before);
    mr_put(value, piece->bytes, piece->count);
    mr_put_times(value, 'y', after);
    mr_puts(value, "\"");
    mr_builder_clear(batch);
    mr_puts(batch, "[");
    mr_put_record_with(batch, key, value->bytes, value->count);
    mr_puts(batch, "]");
}

// Each piece through a message, so that it meets every place of every window, with a long rest and
// with none.
static void test_pieces_in_messages(void **context)
{
    struct mr_checker *checker = *context;
    struct mr_builder batch = {0};
    struct mr_builder value = {0};
    for (size_t i = 0; i < PIECES; i++) {
        for (size_t before = 0; before <= SLIDE; before++) {
            build(&batch, &value, MR_KEY_MESSAGE, &pieces[i], before, SLIDE - before);
            check(checker, &batch, pieces[i].valid, "message");
            build(&batch, &value, MR_KEY_MESSAGE, &pieces[i], before, 0);
            check(checker, &batch, pieces[i].valid, "end of message");
        }
    }
    mr_builder_fini(&batch);
    mr_builder_fini(&value);
}

static void test_pieces_in_sources(void **context)
{
    struct mr_checker *checker = *context;
    struct mr_builder batch = {0};
    struct mr_builder value = {0};
    for (size_t i = 0; i < PIECES; i++) {
        for (size_t before = 0; before <= 52; before++) {
            build(&batch, &value, MR_KEY_SOURCE, &pieces[i], before, 52 - before);
            check(checker, &batch, pieces[i].valid, "source");
        }
    }
    mr_builder_fini(&batch);
    mr_builder_fini(&value);
}

// Two pieces at every distance up to a window's length.
static void test_pairs_of_pieces(void **context)
{
    struct mr_checker *checker = *context;
    struct mr_builder batch = {0};
    struct mr_builder value = {0};
    for (size_t first = 0; first < PIECES; first++) {
        for (size_t distance = 0; distance <= ALIGNMENTS + 2; distance++) {
            const struct piece *second = &pieces[(first * 7 + distance) % PIECES];
            mr_builder_clear(&value);
            mr_puts(&value, "\"");
            mr_put_times(&value, 'x', (first + distance) % 11);
            mr_put(&value, pieces[first].bytes, pieces[first].count);
            mr_put_times(&value, '-', distance);
            mr_put(&value, second->bytes, second->count);
            mr_puts(&value, "\"");
            mr_builder_clear(&batch);
            mr_puts(&batch, "[");
            mr_put_record_with(&batch, MR_KEY_MESSAGE, value.bytes, value.count);
            mr_puts(&batch, ",");
            mr_put_record(&batch);
            mr_puts(&batch, "]");
            const char *complaint = mr_checker_all(checker, batch.bytes, batch.count, NULL);
            if (complaint != NULL) {
                fail_msg("%s in %.*s", complaint, (int)batch.count, (const char *)batch.bytes);
            }
        }
    }
    mr_builder_fini(&batch);
    mr_builder_fini(&value);
}

// Runs of backslashes, odd and even, beginning at every alignment.
static void test_backslash_runs(void **context)
{
    struct mr_checker *checker = *context;
    struct mr_builder batch = {0};
    struct mr_builder value = {0};
    for (size_t run = 0; run <= BACKSLASH_RUN; run++) {
        for (size_t before = 0; before < ALIGNMENTS; before++) {
            mr_builder_clear(&value);
            mr_puts(&value, "\"");
            mr_put_times(&value, 'x', before);
            mr_put_times(&value, '\\', run);
            // An odd run escapes the n; the even one leaves it alone.
            mr_puts(&value, "n,\"");
            mr_builder_clear(&batch);
            mr_puts(&batch, "[");
            mr_put_record_with(&batch, MR_KEY_MESSAGE, value.bytes, value.count);
            mr_puts(&batch, "]");
            check(checker, &batch, true, "backslashes");
        }
    }
    mr_builder_fini(&batch);
    mr_builder_fini(&value);
}

// A run of backslashes right before the closing quote: an odd one leaves the string open.
static void test_backslashes_before_the_quote(void **context)
{
    struct mr_checker *checker = *context;
    struct mr_builder batch = {0};
    struct mr_builder value = {0};
    for (size_t run = 0; run <= BACKSLASH_RUN; run++) {
        mr_builder_clear(&value);
        mr_puts(&value, "\"");
        mr_put_times(&value, '\\', run);
        mr_puts(&value, "\"");
        mr_builder_clear(&batch);
        mr_puts(&batch, "[");
        mr_put_record_with(&batch, MR_KEY_MESSAGE, value.bytes, value.count);
        mr_puts(&batch, "]");
        check(checker, &batch, run % 2 == 0, "backslashes before the quote");
    }
    mr_builder_fini(&batch);
    mr_builder_fini(&value);
}

// Lengths around every limit, in plain bytes, escapes and characters, source and message in either
// order.
static void test_lengths(void **context)
{
    struct mr_checker *checker = *context;
    static const struct piece units[] = {VALID("x"), VALID("\\n"), VALID("\\u0041"),
                                         VALID("\xC3\xA9"), VALID("\\ud83d\\ude00")};
    static const size_t unit_bytes[] = {1, 1, 1, 2, 4};
    struct mr_builder batch = {0};
    for (size_t unit = 0; unit < sizeof units / sizeof units[0]; unit++) {
        for (size_t count = 0; count <= 4100; count += count < 270 || count > 1018 ? 1 : 17) {
            for (int swapped = 0; swapped < 2; swapped++) {
                size_t bytes = count * unit_bytes[unit];
                mr_builder_clear(&batch);
                mr_puts(&batch,
                        "[{\"id\":1,\"timestamp\":2,\"kind\":\"log\",\"value\":3,\"flags\":[]");
                const char *const source = ",\"source\":\"somewhere\"";
                mr_puts(&batch, swapped ? "" : source);
                mr_puts(&batch, ",\"message\":\"");
                for (size_t i = 0; i < count; i++) {
                    mr_put(&batch, units[unit].bytes, units[unit].count);
                }
                mr_puts(&batch, "\"");
                mr_puts(&batch, swapped ? source : "");
                mr_puts(&batch, "}]");
                check(checker, &batch, bytes <= MR_MESSAGE_BYTES_MAX, "message length");
            }
            if (count > 100) {
                continue;
            }
            mr_builder_clear(&batch);
            mr_puts(&batch, "[{\"id\":1,\"timestamp\":2,\"kind\":\"log\",\"value\":3,\"flags\":[],"
                            "\"message\":\"first\",\"source\":\"");
            for (size_t i = 0; i < count; i++) {
                mr_put(&batch, units[unit].bytes, units[unit].count);
            }
            mr_puts(&batch, "\"}]");
            size_t bytes = count * unit_bytes[unit];
            check(checker, &batch, bytes >= 1 && bytes <= MR_SOURCE_BYTES_MAX, "source length");
        }
    }
    mr_builder_fini(&batch);
}

// Texts of blanks, whole blocks of them, with a line end among them, which may not stand there raw:
// a kernel that has lost where strings begin would take all of it for white space.
static void test_blank_texts(void **context)
{
    struct mr_builder batch = {0};
    for (size_t length = 0; length < 3 * ALIGNMENTS; length++) {
        for (size_t at = 0; at <= length; at++) {
            mr_builder_clear(&batch);
            mr_puts(&batch, "[{\"id\":1,\"timestamp\":2,\"kind\":\"log\",\"value\":3,\"flags\":[],"
                            "\"source\":\"somewhere\",\"message\":\"");
            mr_put_times(&batch, ' ', length);
            if (at < length) {
                batch.bytes[batch.count - 1 - at] = '\n';
            }
            mr_puts(&batch, "\"}]");
            check(*context, &batch, at == length, "blanks");
        }
    }
    mr_builder_fini(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_in_messages),
        cmocka_unit_test(test_pieces_in_sources),
        cmocka_unit_test(test_pairs_of_pieces),
        cmocka_unit_test(test_backslash_runs),
        cmocka_unit_test(test_backslashes_before_the_quote),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_blank_texts),
    };
    return mr_check_main(tests, sizeof tests / sizeof tests[0], 65536);
}
