// random_test.c: batches put together at random, valid ones and such with a few wrong tokens, each
// with its own white space, against the oracle. Seeded: the same every time.
#include "builder.h"
#include "check_main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#ifndef MR_RANDOM_BATCHES
#define MR_RANDOM_BATCHES 60000
#endif

// A generator's state: `wrong_in` means one token of so many is drawn from the wrong ones.
struct maker {
    struct mr_rng rng;
    struct mr_builder text;
    uint64_t wrong_in;
};

static uint64_t draw(struct maker *maker, uint64_t bound)
{
    return mr_rng_below(&maker->rng, bound);
}

static void put_space(struct maker *maker)
{
    static const char *const spaces[] = {" ", "\n", "\t", "\r\n", "    ", "\n        "};
    if (draw(maker, 4) == 0) {
        mr_puts(&maker->text, spaces[draw(maker, 6)]);
    }
}

// With the chance of `wrong_in`, puts a token that is often out of place.
static bool put_wrong(struct maker *maker)
{
    static const char *const tokens[] = {
        "null",   "true", "{}",       "[]",     "[[]]", "\"\"",        "\"x\"",
        "0",      "-0",   "1.0",      "1e3",    "01",   "1e999",       "18446744073709551616",
        "",       ",",    ":",        "}",      "]",    "\"\\ud800\"", "\"\\\"",
        "\xFF",   "\x0B", "\"\xC3\"", "\"\t\"", "NaN",  "\"metric\"",  "\"urgent\"",
        "\"id\"", "-1"};
    if (draw(maker, maker->wrong_in) != 0) {
        return false;
    }
    mr_puts(&maker->text, tokens[draw(maker, sizeof tokens / sizeof tokens[0])]);
    return true;
}

static void put_byte(struct maker *maker, uint8_t byte)
{
    mr_put(&maker->text, &byte, 1);
}

static void put_string(struct maker *maker, uint64_t length_max)
{
    static const char *const parts[] = {"\\\"",
                                        "\\\\",
                                        "\\/",
                                        "\\b",
                                        "\\f",
                                        "\\n",
                                        "\\r",
                                        "\\t",
                                        "\\u0000",
                                        "\\u00e9",
                                        "\\u20aC",
                                        "\\ud83d\\ude00",
                                        "\xC3\xA9",
                                        "\xE2\x82\xAC",
                                        "\xF0\x9F\x98\x80",
                                        "{",
                                        "]",
                                        ",",
                                        ":"};
    put_byte(maker, '"');
    uint64_t special_in = draw(maker, 3) == 0 ? 2 : 1 + draw(maker, 60);
    for (uint64_t length = draw(maker, length_max + 1); length > 0; length--) {
        if (draw(maker, special_in) == 0) {
            mr_puts(&maker->text, parts[draw(maker, sizeof parts / sizeof parts[0])]);
        } else {
            put_byte(maker, (uint8_t)('a' + draw(maker, 26)));
        }
    }
    put_byte(maker, '"');
}

// A word, now and then with one of its characters spelt as an escape.
static void put_word(struct maker *maker, const char *word)
{
    size_t escaped = draw(maker, 20) == 0 ? draw(maker, strlen(word)) : SIZE_MAX;
    put_byte(maker, '"');
    for (size_t i = 0; word[i] != '\0'; i++) {
        char text[8];
        (void)snprintf(text, sizeof text, i == escaped ? "\\u%04x" : "%c", word[i]);
        mr_puts(&maker->text, text);
    }
    put_byte(maker, '"');
}

static void put_flags(struct maker *maker)
{
    put_byte(maker, '[');
    put_space(maker);
    bool first = true;
    for (unsigned flag = 0; flag < MR_FLAG_COUNT; flag++) {
        if (draw(maker, 4) != 0) {
            continue;
        }
        if (!first) {
            put_byte(maker, ',');
            put_space(maker);
        }
        first = false;
        if (!put_wrong(maker)) {
            put_word(maker, mr_flag_names[draw(maker, 50) == 0 ? 0 : flag]);
        }
        put_space(maker);
    }
    put_byte(maker, ']');
}

static void put_number(struct maker *maker, enum mr_key key)
{
    char text[64];
    uint64_t bits = mr_rng_next(&maker->rng) >> draw(maker, 64);
    double value = (double)(int64_t)bits / 1000.0;
    static const char *const formats[] = {"%.0f", "%.1f", "%.4f", "%.17g", "%.3e", "%.25g"};
    if (key == MR_KEY_VALUE) {
        (void)snprintf(text, sizeof text, formats[draw(maker, 6)], value);
    } else {
        (void)snprintf(text, sizeof text, "%llu",
                       (unsigned long long)(bits >> (key == MR_KEY_ID ? 1 : 7)));
    }
    mr_puts(&maker->text, text);
}

static void put_value(struct maker *maker, enum mr_key key)
{
    if (put_wrong(maker)) {
        return;
    }
    switch (key) {
    case MR_KEY_SOURCE:
        put_string(maker, 24);
        break;
    case MR_KEY_MESSAGE:
        put_string(maker, draw(maker, 10) == 0 ? 3000 : 90);
        break;
    case MR_KEY_KIND:
        put_word(maker, mr_kind_names[draw(maker, MR_KIND_COUNT)]);
        break;
    case MR_KEY_FLAGS:
        put_flags(maker);
        break;
    case MR_KEY_ID:
    case MR_KEY_TIMESTAMP:
    case MR_KEY_VALUE:
        put_number(maker, key);
        break;
    }
}

static void put_record(struct maker *maker)
{
    unsigned keys[MR_KEY_COUNT] = {0, 1, 2, 3, 4, 5, 6};
    if (draw(maker, 2) == 0) {
        for (unsigned i = 0; i < MR_KEY_COUNT; i++) {
            unsigned other = (unsigned)draw(maker, MR_KEY_COUNT);
            unsigned key = keys[i];
            keys[i] = keys[other];
            keys[other] = key;
        }
    }
    put_byte(maker, '{');
    for (unsigned i = 0; i < MR_KEY_COUNT; i++) {
        if (i > 0) {
            put_byte(maker, ',');
        }
        put_space(maker);
        if (!put_wrong(maker)) {
            put_word(maker, mr_key_texts[keys[i]]);
        }
        put_space(maker);
        put_byte(maker, ':');
        put_space(maker);
        put_value(maker, (enum mr_key)keys[i]);
        put_space(maker);
    }
    put_byte(maker, '}');
}

static void test_random_batches(void **context)
{
    struct maker maker = {.rng = mr_rng_seeded(31337)};
    unsigned accepted = 0;
    for (unsigned turn = 0; turn < MR_RANDOM_BATCHES; turn++) {
        mr_builder_clear(&maker.text);
        maker.wrong_in = turn % 2 == 0 ? UINT64_MAX : 60;
        put_space(&maker);
        put_byte(&maker, '[');
        put_space(&maker);
        for (uint64_t records = draw(&maker, 6); records > 0; records--) {
            put_record(&maker);
            put_space(&maker);
            mr_puts(&maker.text, records > 1 ? "," : "");
            put_space(&maker);
        }
        put_byte(&maker, ']');
        put_space(&maker);
        struct mr_result result;
        const char *complaint =
            mr_checker_all(*context, maker.text.bytes, maker.text.count, &result);
        if (complaint != NULL) {
            fail_msg("%s in %.*s", complaint, (int)maker.text.count,
                     (const char *)maker.text.bytes);
        }
        accepted += result.error == MR_OK ? 1 : 0;
    }
    // Both verdicts must be met often, or the batches test less than they should.
    assert_in_range(accepted, MR_RANDOM_BATCHES / 5, MR_RANDOM_BATCHES / 5 * 4);
    mr_builder_fini(&maker.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_batches)};
    return mr_check_main(tests, sizeof tests / sizeof tests[0], 1 << 20);
}
