// bytes_test.c: valid batches with one byte changed, left out, put in or doubled, and with pieces
// swapped, against the oracle.
#include "builder.h"
#include "check_main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#ifndef MR_RANDOM_EDITS
#define MR_RANDOM_EDITS 200000
#endif

static const char *const batches[] = {
    "[]",
    "[{\"id\":5942859575,\"timestamp\":1764054335349840,\"source\":\"sensor-1186\",\"kind\":"
    "\"event\",\"value\":-268.6222,\"flags\":[\"urgent\"],\"message\":\"india delta alpha "
    "bravo\"}]",
    " [ { \"message\" : \"a\\n\\u00e9\\ud83d\\ude00\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\\\\\" ,\r\n"
    "\"flags\" : [ \"batched\" , \"encrypted\" ] ,\t\"value\" : 1.25E+2 , \"kind\" : \"log\" , "
    "\"source\" : \"\\\"\" , \"timestamp\" : 0 , \"id\" : 9223372036854775807 } ] ",
    "[{\"id\":0,\"timestamp\":253402300799999999,\"source\":\"s\",\"kind\":\"audit\",\"value\":0,"
    "\"flags\":[],\"message\":\"\"},{\"value\":-0.0e-5,\"id\":1,\"timestamp\":2,\"flags\":["
    "\"urgent\",\"sampled\",\"retry\",\"internal\",\"encrypted\",\"batched\",\"partial\","
    "\"replayed\"],\"message\":\"x\",\"kind\":\"span\",\"\\u0073ource\":\"t\"}]"};
#define BATCHES (sizeof batches / sizeof batches[0])

static void check(struct mr_checker *checker, const struct mr_builder *text)
{
    const char *complaint = mr_checker_all(checker, text->bytes, text->count, NULL);
    if (complaint != NULL) {
        fail_msg("%s in %.*s", complaint, (int)text->count, (const char *)text->bytes);
    }
}

static void test_the_batches_are_valid(void **context)
{
    for (size_t i = 0; i < BATCHES; i++) {
        struct mr_result result;
        assert_null(
            mr_checker_all(*context, (const uint8_t *)batches[i], strlen(batches[i]), &result));
        assert_int_equal(result.error, MR_OK);
    }
}

static void test_every_change_of_a_byte(void **context)
{
    struct mr_builder text = {0};
    for (size_t i = 0; i < BATCHES; i++) {
        for (size_t at = 0; at < strlen(batches[i]); at++) {
            for (unsigned byte = 0; byte < 256; byte++) {
                mr_builder_clear(&text);
                mr_puts(&text, batches[i]);
                text.bytes[at] = (uint8_t)byte;
                check(*context, &text);
            }
        }
    }
    mr_builder_fini(&text);
}

static void test_every_byte_left_out_or_put_in(void **context)
{
    static const uint8_t put_in[] =
        "\"\\{}[],:-+.0123456789eE \t\n\r\v\f\x1f\x7f\x80\xC3\xFFxutfn/*#'";
    struct mr_builder text = {0};
    for (size_t i = 0; i < BATCHES; i++) {
        for (size_t at = 0; at <= strlen(batches[i]); at++) {
            mr_builder_clear(&text);
            mr_put(&text, batches[i], at);
            mr_puts(&text, batches[i] + at + (batches[i][at] == '\0' ? 0 : 1));
            check(*context, &text);
            for (size_t which = 0; which < sizeof put_in; which++) {
                mr_builder_clear(&text);
                mr_put(&text, batches[i], at);
                mr_put(&text, &put_in[which], 1);
                mr_puts(&text, batches[i] + at);
                check(*context, &text);
            }
        }
    }
    mr_builder_fini(&text);
}

// Some pieces of some batches one after the other: seeded, the same every time.
static void test_random_edits(void **context)
{
    struct mr_builder text = {0};
    struct mr_rng rng = mr_rng_seeded(77);
    for (size_t turn = 0; turn < MR_RANDOM_EDITS; turn++) {
        const char *from = batches[mr_rng_below(&rng, BATCHES)];
        size_t length = strlen(from);
        mr_builder_clear(&text);
        mr_puts(&text, from);
        for (uint64_t edits = mr_rng_between(&rng, 1, 3); edits > 0; edits--) {
            size_t at = mr_rng_below(&rng, length);
            size_t other = mr_rng_below(&rng, length);
            size_t count = mr_rng_below(&rng, 12);
            count = at + count > length ? length - at : count;
            count = other + count > length ? length - other : count;
            memmove(text.bytes + at, text.bytes + other, count);
        }
        check(*context, &text);
    }
    mr_builder_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_batches_are_valid),
        cmocka_unit_test(test_every_change_of_a_byte),
        cmocka_unit_test(test_every_byte_left_out_or_put_in),
        cmocka_unit_test(test_random_edits),
    };
    return mr_check_main(tests, sizeof tests / sizeof tests[0], 4096);
}
