// guess_test.c: records in the compact layout that writers of JSON give, and their neighbours: a
// kernel may guess that layout, but must not take for it what only looks like it.
//
// Records follow the one that is changed, for a kernel guesses only far from the end of the text.
#include "builder.h"
#include "check_main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#ifdef MR_SANITIZED
#define STEP 3u // bytes of 256 and places are left out, for sanitizers are slow
#else
#define STEP 1u
#endif

// Of a record: everything but the text, which is filled up to a length.
static const struct {
    const char *before;
    const char *behind;
} shapes[] = {
    {"{\"id\":5942859575,\"timestamp\":1764054335349840,\"source\":\"sensor-1186\",\"kind\":"
     "\"event\",\"value\":-268.6222,\"flags\":[],\"message\":\"",
     "\"}"},
    {"{\"id\":0,\"timestamp\":0,\"source\":\"s\",\"kind\":\"log\",\"value\":0,\"flags\":["
     "\"urgent\"],\"message\":\"",
     "\"}"},
    {"{\"id\":9223372036854775807,\"timestamp\":253402300799999999,\"source\":\"0123456789012345678"
     "901234567\",\"kind\":\"metric\",\"value\":-0.001,\"flags\":[\"encrypted\",\"internal\"],"
     "\"message\":\"",
     "\"}"},
    {"{\"id\":71,\"timestamp\":1764054335349840,\"source\":\"sensor\",\"kind\":\"state\",\"value\":"
     "1.7976931348e5,\"flags\":[\"retry\",\"partial\",\"batched\"],\"message\":\"",
     "\"}"},
};
#define SHAPES (sizeof shapes / sizeof shapes[0])

static void check(struct mr_checker *checker, const struct mr_builder *batch)
{
    const char *complaint = mr_checker_kernels(checker, batch->bytes, batch->count, NULL);
    if (complaint != NULL) {
        fail_msg("%s in %.*s", complaint, (int)batch->count, (const char *)batch->bytes);
    }
}

static void check_all(struct mr_checker *checker, const struct mr_builder *batch,
                      enum mr_error wanted)
{
    struct mr_result result;
    const char *complaint = mr_checker_all(checker, batch->bytes, batch->count, &result);
    if (complaint != NULL || result.error != wanted) {
        fail_msg("%s in %.*s", complaint != NULL ? complaint : mr_error_text(result.error),
                 (int)batch->count, (const char *)batch->bytes);
    }
}

static void put_shape(struct mr_builder *batch, size_t shape, size_t length)
{
    mr_puts(batch, shapes[shape].before);
    size_t there = strlen(shapes[shape].before) + strlen(shapes[shape].behind);
    mr_put_times(batch, 'm', length > there ? length - there : 0);
    mr_puts(batch, shapes[shape].behind);
}

// [record, record, record] with the first of about `length` bytes. Returns where it ends.
static size_t build_three(struct mr_builder *batch, size_t shape, size_t length)
{
    mr_builder_clear(batch);
    mr_puts(batch, "[");
    put_shape(batch, shape, length);
    size_t end = batch->count;
    mr_puts(batch, ",");
    put_shape(batch, 0, 190);
    mr_puts(batch, ",");
    put_shape(batch, 1, 190);
    mr_puts(batch, "]");
    return end;
}

static void test_every_change_of_a_byte(void **context)
{
    struct mr_builder batch = {0};
    for (size_t shape = 0; shape < SHAPES; shape++) {
        size_t end = build_three(&batch, shape, 0);
        check_all(*context, &batch, MR_OK);
        // The comma behind it, and the brace behind that.
        for (size_t at = 0; at < end + 2; at += STEP) {
            uint8_t right = batch.bytes[at];
            for (unsigned byte = 0; byte < 256; byte++) {
                batch.bytes[at] = (uint8_t)byte;
                check(*context, &batch);
            }
            batch.bytes[at] = right;
        }
    }
    mr_builder_fini(&batch);
}

static void test_every_byte_left_out_or_put_in(void **context)
{
    static const char put_in[] = "\"\\{}[],:0-e. \t\x1f\x80\xFFu";
    struct mr_builder from = {0};
    struct mr_builder batch = {0};
    for (size_t shape = 0; shape < SHAPES; shape++) {
        size_t end = build_three(&from, shape, 0);
        for (size_t at = 0; at < end + 2; at += STEP) {
            mr_builder_clear(&batch);
            mr_put(&batch, from.bytes, at);
            mr_put(&batch, from.bytes + at + 1, from.count - at - 1);
            check(*context, &batch);
            for (size_t which = 0; which < sizeof put_in - 1; which++) {
                mr_builder_clear(&batch);
                mr_put(&batch, from.bytes, at);
                mr_put(&batch, &put_in[which], 1);
                mr_put(&batch, from.bytes + at, from.count - at);
                check(*context, &batch);
            }
        }
    }
    mr_builder_fini(&from);
    mr_builder_fini(&batch);
}

// Two quotes too many, or one too many and one too few: their number is even, as it should be.
static void test_pairs_of_quotes(void **context)
{
    struct mr_builder from = {0};
    struct mr_builder batch = {0};
    for (size_t shape = 0; shape < SHAPES; shape++) {
        size_t end = build_three(&from, shape, 0);
        for (size_t first = 1; first < end; first += STEP) {
            for (size_t second = first; second < end; second += STEP) {
                mr_builder_clear(&batch);
                mr_put(&batch, from.bytes, from.count);
                // Each place becomes a quote, or stops being one.
                batch.bytes[first] = from.bytes[first] == '"' ? 'q' : '"';
                batch.bytes[second] = from.bytes[second] == '"' ? 'q' : '"';
                check(*context, &batch);
            }
        }
    }
    mr_builder_fini(&from);
    mr_builder_fini(&batch);
}

static void put_flags_record(struct mr_builder *batch, unsigned first, unsigned count,
                             const char *between)
{
    mr_puts(batch, "{\"id\":1,\"timestamp\":2,\"source\":\"s\",\"kind\":\"audit\",\"value\":1,"
                   "\"flags\":[");
    for (unsigned i = 0; i < count; i++) {
        mr_puts(batch, i == 0 ? "\"" : between);
        mr_puts(batch, mr_flag_names[(first + i * (count < 8 ? 3 : 1)) % 8]);
        mr_puts(batch, "\"");
    }
    mr_puts(batch, "],\"message\":\"text of some length\"}");
}

// No flag to nine, each as the first, with the comma right and wrong.
static void test_flags(void **context)
{
    static const char *const betweens[] = {",\"", "\"", ":\"", ", \"", " ,\"", ",,\"", "\",\""};
    struct mr_builder batch = {0};
    for (unsigned count = 0; count <= 9; count++) {
        for (unsigned first = 0; first < 8; first++) {
            for (size_t i = 0; i < sizeof betweens / sizeof betweens[0]; i++) {
                mr_builder_clear(&batch);
                mr_puts(&batch, "[");
                put_flags_record(&batch, first, count, betweens[i]);
                mr_puts(&batch, ",");
                put_shape(&batch, 0, 200);
                mr_puts(&batch, ",");
                put_shape(&batch, 0, 200);
                mr_puts(&batch, "]");
                check(*context, &batch);
                if (i == 0) {
                    check_all(*context, &batch, count <= 8 ? MR_OK : MR_ERROR_FLAG_TWICE);
                }
            }
        }
    }
    mr_builder_fini(&batch);
}

// Every pair of flags: two that are the same are refused.
static void test_pairs_of_flags(void **context)
{
    struct mr_builder batch = {0};
    for (unsigned i = 0; i < 64; i++) {
        char flags[64];
        (void)snprintf(flags, sizeof flags, "[\"%s\",\"%s\"]", mr_flag_names[i % 8],
                       mr_flag_names[i / 8]);
        mr_builder_clear(&batch);
        mr_puts(&batch, "[");
        mr_put_record_with(&batch, MR_KEY_FLAGS, flags, strlen(flags));
        for (unsigned more = 0; more < 3; more++) {
            mr_puts(&batch, ",");
            mr_put_record(&batch);
        }
        mr_puts(&batch, "]");
        check_all(*context, &batch, i % 8 == i / 8 ? MR_ERROR_FLAG_TWICE : MR_OK);
    }
    mr_builder_fini(&batch);
}

// What looks like structure, in the texts.
static void test_structure_in_texts(void **context)
{
    static const char *const looks[] = {"]", "[]", "],", "}",   "},{", ",", ":",
                                        "[", "{",  "'",  "],'", "]}",  " ", "\x7f"};
    struct mr_builder batch = {0};
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        for (size_t place = 0; place < 2 * 60; place++) {
            char text[128];
            memset(text, 'x', sizeof text);
            text[0] = '"';
            memcpy(text + 1 + place % 60, looks[i], strlen(looks[i]));
            text[63] = '"';
            mr_builder_clear(&batch);
            mr_puts(&batch, "[");
            mr_put_record_with(&batch, place < 60 ? MR_KEY_SOURCE : MR_KEY_MESSAGE, text, 64);
            mr_puts(&batch, ",");
            put_shape(&batch, 0, 210);
            mr_puts(&batch, ",");
            put_shape(&batch, 1, 210);
            mr_puts(&batch, "]");
            check_all(*context, &batch, MR_OK);
        }
    }
    mr_builder_fini(&batch);
}

// Records of 80 to 340 bytes, followed by none to three others of as many lengths: the last record
// comes near to the end of the text and of readable memory in every way.
static void test_lengths_and_ends(void **context)
{
    struct mr_builder batch = {0};
    for (size_t shape = 0; shape < SHAPES; shape++) {
        for (size_t length = 80; length < 340; length++) {
            for (unsigned more = 0; more < 4; more++) {
                mr_builder_clear(&batch);
                mr_puts(&batch, "[");
                put_shape(&batch, shape, length);
                for (unsigned i = 0; i < more; i++) {
                    mr_puts(&batch, ",");
                    put_shape(&batch, i % 2, 110 + (length * 7 + i) % 40);
                }
                mr_puts(&batch, length % 3 == 0 ? "]\n" : "]");
                check_all(*context, &batch, MR_OK);
                // Cut off: within the last record, behind it, behind the comma.
                batch.count -= 1 + length % 130;
                check(*context, &batch);
            }
        }
    }
    mr_builder_fini(&batch);
}

// Copies the text with a blank behind every colon or comma that is outside of strings, as writers
// of JSON may put it: bit 0 of `style` for colons, bit 1 for commas.
static void put_styled(struct mr_builder *batch, const char *text, unsigned style)
{
    bool in_string = false;
    for (const char *at = text; *at != '\0'; at++) {
        mr_put(batch, at, 1);
        in_string ^= *at == '"';
        if (!in_string && ((*at == ':' && (style & 1) != 0) || (*at == ',' && (style & 2) != 0))) {
            mr_puts(batch, " ");
        }
    }
}

// The records of test_lengths_and_ends() in every style; with one blank too many somewhere, too.
static void test_styles(void **context)
{
    struct mr_builder plain = {0};
    struct mr_builder batch = {0};
    for (size_t length = 80; length < 400; length++) {
        for (unsigned i = 0; i < 4 * 4 * SHAPES; i++) {
            mr_builder_clear(&plain);
            mr_puts(&plain, "[");
            for (unsigned more = 0; more < i / 4 % 4; more++) {
                put_shape(&plain, more % 2, 110 + (length * 7 + more) % 40);
                mr_puts(&plain, ",");
            }
            put_shape(&plain, i / 16, length);
            mr_put(&plain, "]", 2);
            mr_builder_clear(&batch);
            put_styled(&batch, (const char *)plain.bytes, i % 4);
            check_all(*context, &batch, MR_OK);
            // A blank where another style has one, and a blank that becomes something else.
            size_t at = length * 31 % batch.count;
            batch.bytes[at] = batch.bytes[at] == ' ' ? '\t' : ' ';
            check(*context, &batch);
        }
    }
    mr_builder_fini(&plain);
    mr_builder_fini(&batch);
}

// Every byte of the records of each style becomes each of what could stand there.
static void test_styles_changed(void **context)
{
    static const char put_in[] = "\"\\{}[],:0-e. \t\x1f\x80\xFFu";
    struct mr_builder plain = {0};
    struct mr_builder batch = {0};
    for (unsigned i = 0; i < 4 * SHAPES; i++) {
        (void)build_three(&plain, i / 4, 0);
        mr_put(&plain, "", 1);
        mr_builder_clear(&batch);
        put_styled(&batch, (const char *)plain.bytes, i % 4);
        for (size_t at = 0; at < 300 && at < batch.count; at += STEP) {
            uint8_t right = batch.bytes[at];
            for (size_t which = 0; which < sizeof put_in - 1; which++) {
                batch.bytes[at] = (uint8_t)put_in[which];
                check(*context, &batch);
            }
            batch.bytes[at] = right;
        }
    }
    mr_builder_fini(&plain);
    mr_builder_fini(&batch);
}

// The text cut to `cut` bytes, with what was cut off right behind it.
static void check_cut(struct mr_checker *checker, const struct mr_builder *batch, size_t cut)
{
    struct mr_result result;
    assert_null(mr_checker_kernels(checker, batch->bytes, cut, &result));
    assert_int_not_equal(result.error, MR_OK);
    uint8_t *place = mr_guarded_last(&checker->text, cut, MR_PAD_BACK);
    size_t behind = batch->count - cut < MR_PAD_BACK ? batch->count - cut : MR_PAD_BACK;
    memcpy(place + cut, batch->bytes + cut, behind);
    const char *complaint = mr_checker_same(checker, place, cut, &result);
    if (complaint != NULL) {
        fail_msg("%s, cut to %zu bytes: %.*s", complaint, cut, (int)batch->count,
                 (const char *)batch->bytes);
    }
}

// What stands behind the text goes on as the record would: it must not be taken for a part of it.
static void test_text_that_goes_on(void **context)
{
    struct mr_builder plain = {0};
    struct mr_builder batch = {0};
    for (unsigned i = 0; i < 4 * SHAPES; i++) {
        (void)build_three(&plain, i / 4, 230);
        mr_put(&plain, "", 1);
        mr_builder_clear(&batch);
        put_styled(&batch, (const char *)plain.bytes, i % 4);
        for (size_t cut = 190; cut < batch.count; cut++) {
            check_cut(*context, &batch, cut);
        }
    }
    mr_builder_fini(&plain);
    mr_builder_fini(&batch);
}

// Plain records with sources of every length, the first too short and the last too long.
static void test_sources(void **context)
{
    char source[80];
    struct mr_builder plain = {0};
    struct mr_builder batch = {0};
    for (unsigned i = 0; i < 4 * 70; i++) {
        size_t length = i / 4;
        memset(source, 's', sizeof source);
        source[0] = '"';
        source[length + 1] = '"';
        mr_builder_clear(&plain);
        mr_puts(&plain, "[");
        mr_put_record_with(&plain, MR_KEY_SOURCE, source, length + 2);
        for (unsigned more = 0; more < 3; more++) {
            mr_puts(&plain, ",");
            mr_put_record(&plain);
        }
        mr_put(&plain, "]", 2);
        mr_builder_clear(&batch);
        put_styled(&batch, (const char *)plain.bytes, i % 4);
        check_all(*context, &batch, length - 1 < MR_SOURCE_BYTES_MAX ? MR_OK : MR_ERROR_LENGTH);
    }
    mr_builder_fini(&plain);
    mr_builder_fini(&batch);
}

// A plain record, then `record`, both styled, cut at each place where no more of the second one may
// be looked at than up to there.
static void check_cuts_behind(struct mr_checker *checker, struct mr_builder *batch,
                              const char *record, unsigned style)
{
    struct mr_builder plain = {0};
    mr_puts(&plain, "[");
    mr_put_record(&plain);
    mr_put(&plain, ",", 2);
    mr_builder_clear(batch);
    put_styled(batch, (const char *)plain.bytes, style);
    size_t begin = batch->count;
    put_styled(batch, record, style);
    for (size_t cut = begin + 186; cut < begin + 200; cut++) {
        check_cut(checker, batch, cut);
    }
    mr_builder_fini(&plain);
}

// What stands behind the text, with sources that are too long by more and more: the keys that a
// kernel looks for next stand behind all that may be read. A guess needs a plain record before.
static void test_keys_behind_the_text(void **context)
{
    static const char *const flags[] = {"", "\"retry\"", "\"encrypted\",\"replayed\""};
    char source[160];
    char record[512];
    memset(source, 's', sizeof source);
    struct mr_builder batch = {0};
    for (unsigned i = 0; i < 3 * 4 * 120; i++) {
        (void)snprintf(
            record, sizeof record,
            "{\"id\":5942859575,\"timestamp\":1764054335349840,\"source\":\"%.*s\","
            "\"kind\":\"event\",\"value\":-268.6222,\"flags\":[%s],\"message\":\"text\"},"
            "{\"id\":1,\"timestamp\":2}]",
            20 + (int)i / 12, source, flags[i / 4 % 3]);
        check_cuts_behind(*context, &batch, record, i % 4);
    }
    mr_builder_fini(&batch);
}

// A message that begins where nothing more may be looked at, or goes on to there and beyond: the
// value moves it along, and what stands behind the text goes on with it.
static void test_messages_behind_the_text(void **context)
{
    char source[33];
    char decimals[65];
    char message[301];
    char record[640];
    (void)snprintf(source, sizeof source, "%032d", 0);
    (void)snprintf(decimals, sizeof decimals, "%064d", 0);
    (void)snprintf(message, sizeof message, "%0300d", 0);
    struct mr_builder batch = {0};
    for (unsigned i = 0; i < 4 * 50; i++) {
        (void)snprintf(record, sizeof record,
                       "{\"id\":123456789012345,\"timestamp\":1764054335349840,\"source\":\"%s\","
                       "\"kind\":\"metric\",\"value\":1.%.*s,\"flags\":[],\"message\":\"%s\"}]",
                       source, 1 + (int)i / 4, decimals, message);
        check_cuts_behind(*context, &batch, record, i % 4);
    }
    mr_builder_fini(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_change_of_a_byte),
        cmocka_unit_test(test_every_byte_left_out_or_put_in),
        cmocka_unit_test(test_pairs_of_quotes),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_pairs_of_flags),
        cmocka_unit_test(test_structure_in_texts),
        cmocka_unit_test(test_lengths_and_ends),
        cmocka_unit_test(test_text_that_goes_on),
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_keys_behind_the_text),
        cmocka_unit_test(test_messages_behind_the_text),
        cmocka_unit_test(test_styles),
        cmocka_unit_test(test_styles_changed),
    };
    return mr_check_main(tests, sizeof tests / sizeof tests[0], 4096);
}
