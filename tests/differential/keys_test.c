// keys_test.c: keys, kinds and flags: every order, every spelling by escapes, near misses, repeats,
// and a bad record first, in the middle and last.
#include "builder.h"
#include "check_main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void check(struct mr_checker *checker, const struct mr_builder *batch, enum mr_error wanted)
{
    struct mr_result result;
    const char *complaint = mr_checker_all(checker, batch->bytes, batch->count, &result);
    if (complaint != NULL || result.error != wanted) {
        fail_msg("%s, not %s: %s in %.*s", mr_error_text(result.error), mr_error_text(wanted),
                 complaint == NULL ? "" : complaint, (int)batch->count, (const char *)batch->bytes);
    }
}

static void put_member(struct mr_builder *batch, unsigned key)
{
    mr_puts(batch, "\"");
    mr_puts(batch, mr_key_texts[key]);
    mr_puts(batch, "\":");
    mr_puts(batch, mr_value_texts[key]);
}

// The `number`-th order of the seven keys.
static void order_keys(unsigned number, unsigned order_out[MR_KEY_COUNT])
{
    unsigned left[MR_KEY_COUNT] = {0, 1, 2, 3, 4, 5, 6};
    for (unsigned place = 0, count = MR_KEY_COUNT; count > 0; place++, count--) {
        unsigned pick = number % count;
        number /= count;
        order_out[place] = left[pick];
        memmove(&left[pick], &left[pick + 1], (count - pick - 1) * sizeof left[0]);
    }
}

static void test_every_order(void **context)
{
    struct mr_builder batch = {0};
    for (unsigned number = 0; number < 5040; number++) {
        unsigned order[MR_KEY_COUNT];
        order_keys(number, order);
        mr_builder_clear(&batch);
        for (unsigned place = 0; place < MR_KEY_COUNT; place++) {
            mr_puts(&batch, place == 0 ? "[{" : ",");
            put_member(&batch, order[place]);
        }
        mr_puts(&batch, "}]");
        check(*context, &batch, MR_OK);
    }
    mr_builder_fini(&batch);
}

// One key missing, and one key twice, in every order.
static void test_missing_and_twice(void **context)
{
    struct mr_builder batch = {0};
    for (unsigned number = 0; number < 5040; number++) {
        unsigned order[MR_KEY_COUNT];
        order_keys(number, order);
        for (int twice = 0; twice < 2; twice++) {
            mr_builder_clear(&batch);
            unsigned members = twice == 0 ? MR_KEY_COUNT - 1 : MR_KEY_COUNT;
            for (unsigned place = 0; place < members; place++) {
                mr_puts(&batch, place == 0 ? "[{" : ",");
                put_member(&batch, place == 6 ? order[number % 6] : order[place]);
            }
            mr_puts(&batch, "}]");
            check(*context, &batch, twice == 0 ? MR_ERROR_KEY_MISSING : MR_ERROR_KEY_TWICE);
        }
    }
    mr_builder_fini(&batch);
}

// Appends `word` as a string in which the characters of `escaped` (bits) are \u escapes.
static void put_spelt(struct mr_builder *batch, const char *word, unsigned escaped)
{
    mr_puts(batch, "\"");
    for (unsigned i = 0; word[i] != '\0'; i++) {
        char text[8];
        (void)snprintf(text, sizeof text,
                       (escaped >> i & 1) == 0 ? "%c"
                       : i % 2                 ? "\\u%04x"
                                               : "\\u%04X",
                       word[i]);
        mr_puts(batch, text);
    }
    mr_puts(batch, "\"");
}

// Every subset of the characters of every word as escapes.
static void test_every_spelling(void **context)
{
    struct mr_builder batch = {0};
    struct mr_builder value = {0};
    for (unsigned key = 0; key < MR_KEY_COUNT; key++) {
        for (unsigned escaped = 0; escaped < 1u << strlen(mr_key_texts[key]); escaped++) {
            mr_builder_clear(&batch);
            for (unsigned i = 0; i < MR_KEY_COUNT; i++) {
                mr_puts(&batch, i == 0 ? "[{" : ",");
                put_spelt(&batch, mr_key_texts[i], i == key ? escaped : 0);
                mr_puts(&batch, " : ");
                mr_puts(&batch, mr_value_texts[i]);
            }
            mr_puts(&batch, "}]");
            check(*context, &batch, MR_OK);
        }
    }
    for (unsigned word = 0; word < MR_KIND_COUNT + MR_FLAG_COUNT; word++) {
        bool is_kind = word < MR_KIND_COUNT;
        const char *text = is_kind ? mr_kind_names[word] : mr_flag_names[word - MR_KIND_COUNT];
        for (unsigned escaped = 0; escaped < 1u << strlen(text); escaped++) {
            mr_builder_clear(&value);
            mr_puts(&value, is_kind ? "" : "[");
            put_spelt(&value, text, escaped);
            mr_puts(&value, is_kind ? "" : "]");
            mr_builder_clear(&batch);
            mr_puts(&batch, "[");
            mr_put_record_with(&batch, is_kind ? MR_KEY_KIND : MR_KEY_FLAGS, value.bytes,
                               value.count);
            mr_puts(&batch, "]");
            check(*context, &batch, MR_OK);
        }
    }
    mr_builder_fini(&batch);
    mr_builder_fini(&value);
}

// Puts the string token `token` where the word number `word` of all keys, kinds and flags stands.
static void build_with_word(struct mr_builder *batch, unsigned word, const struct mr_builder *token)
{
    mr_builder_clear(batch);
    if (word >= MR_KEY_COUNT) {
        bool is_kind = word < MR_KEY_COUNT + MR_KIND_COUNT;
        struct mr_builder value = {0};
        mr_puts(&value, is_kind ? "" : "[");
        mr_put(&value, token->bytes, token->count);
        mr_puts(&value, is_kind ? "" : "]");
        mr_puts(batch, "[");
        mr_put_record_with(batch, is_kind ? MR_KEY_KIND : MR_KEY_FLAGS, value.bytes, value.count);
        mr_puts(batch, "]");
        mr_builder_fini(&value);
        return;
    }
    for (unsigned i = 0; i < MR_KEY_COUNT; i++) {
        mr_puts(batch, i == 0 ? "[{" : ",");
        if (i == word) {
            mr_put(batch, token->bytes, token->count);
            mr_puts(batch, ":");
            mr_puts(batch, mr_value_texts[i]);
        } else {
            put_member(batch, i);
        }
    }
    mr_puts(batch, "}]");
}

#define WORDS (MR_KEY_COUNT + MR_KIND_COUNT + MR_FLAG_COUNT)

static const char *word_text(unsigned word)
{
    return word < MR_KEY_COUNT ? mr_key_texts[word]
           : word < MR_KEY_COUNT + MR_KIND_COUNT
               ? mr_kind_names[word - MR_KEY_COUNT]
               : mr_flag_names[word - MR_KEY_COUNT - MR_KIND_COUNT];
}

static enum mr_error word_error(unsigned word)
{
    return word < MR_KEY_COUNT                   ? MR_ERROR_KEY_UNKNOWN
           : word < MR_KEY_COUNT + MR_KIND_COUNT ? MR_ERROR_KIND
                                                 : MR_ERROR_FLAG;
}

// Words with something put at the end or the front, which make no word.
static void test_affixes(void **context)
{
    static const char *const affixes[] = {"x",     " ",        "\\u0000",  "\\\"",
                                          "\\\\",  "\\n",      "\xC3\xA9", "\\u0020",
                                          "\\\"x", "\\\"\\\"", "0"};
    struct mr_builder batch = {0};
    struct mr_builder token = {0};
    for (unsigned word = 0; word < WORDS; word++) {
        for (size_t i = 0; i < sizeof affixes / sizeof affixes[0]; i++) {
            for (int in_front = 0; in_front < 2; in_front++) {
                mr_builder_clear(&token);
                mr_puts(&token, "\"");
                mr_puts(&token, in_front ? affixes[i] : word_text(word));
                mr_puts(&token, in_front ? word_text(word) : affixes[i]);
                mr_puts(&token, "\"");
                build_with_word(&batch, word, &token);
                check(*context, &batch, word_error(word));
            }
        }
    }
    mr_builder_fini(&batch);
    mr_builder_fini(&token);
}

// Every proper prefix of a word, and the word with each of its bytes changed by each bit.
static void test_near_misses(void **context)
{
    struct mr_builder batch = {0};
    struct mr_builder token = {0};
    for (unsigned word = 0; word < WORDS; word++) {
        const char *text = word_text(word);
        for (size_t length = 0; length < strlen(text); length++) {
            mr_builder_clear(&token);
            mr_puts(&token, "\"");
            mr_put(&token, text, length);
            mr_puts(&token, "\"");
            build_with_word(&batch, word, &token);
            check(*context, &batch, word_error(word));
        }
        for (size_t i = 0; i < strlen(text); i++) {
            for (unsigned bit = 0; bit < 7; bit++) {
                uint8_t changed = (uint8_t)text[i] ^ (uint8_t)(1u << bit);
                if (changed < 0x20 || changed == '"' || changed == '\\') {
                    continue;
                }
                mr_builder_clear(&token);
                mr_puts(&token, "\"");
                mr_put(&token, text, i);
                mr_put(&token, &changed, 1);
                mr_puts(&token, text + i + 1);
                mr_puts(&token, "\"");
                build_with_word(&batch, word, &token);
                check(*context, &batch, word_error(word));
            }
        }
    }
    mr_builder_fini(&batch);
    mr_builder_fini(&token);
}

// Unknown words of every length to 130, plain, with an escape at the end, and with a word and an
// escaped quote in front.
static void test_unknown_words(void **context)
{
    struct mr_builder batch = {0};
    struct mr_builder token = {0};
    for (unsigned word = 0; word < WORDS; word++) {
        for (size_t length = 0; length <= 130; length++) {
            for (int form = 0; form < 3; form++) {
                mr_builder_clear(&token);
                mr_puts(&token, "\"");
                if (form == 2) {
                    mr_puts(&token, word_text(word));
                    mr_puts(&token, "\\\"");
                }
                mr_put_times(&token, (uint8_t)word_text(word)[0], length);
                mr_puts(&token, form == 1 ? "\\t\"" : "\"");
                build_with_word(&batch, word, &token);
                check(*context, &batch, word_error(word));
            }
        }
    }
    mr_builder_fini(&batch);
    mr_builder_fini(&token);
}

// Every pair of flags, plain and spelt by escapes; the same one twice is a fault.
static void test_pairs_of_flags(void **context)
{
    struct mr_builder batch = {0};
    struct mr_builder value = {0};
    for (unsigned pair = 0; pair < MR_FLAG_COUNT * MR_FLAG_COUNT * 4; pair++) {
        unsigned first = pair / 4 % MR_FLAG_COUNT;
        unsigned second = pair / 4 / MR_FLAG_COUNT;
        mr_builder_clear(&value);
        mr_puts(&value, "[ ");
        put_spelt(&value, mr_flag_names[first], pair & 1);
        mr_puts(&value, "\t,\n");
        put_spelt(&value, mr_flag_names[second], pair & 2);
        mr_puts(&value, "\r]");
        mr_builder_clear(&batch);
        mr_puts(&batch, "[");
        mr_put_record_with(&batch, MR_KEY_FLAGS, value.bytes, value.count);
        mr_puts(&batch, "]");
        check(*context, &batch, first == second ? MR_ERROR_FLAG_TWICE : MR_OK);
    }
    mr_builder_fini(&batch);
    mr_builder_fini(&value);
}

// A fault in the first, a middle or the last of many records: the batch is rejected, whole, and the
// right record is named.
static void test_place_of_the_bad_record(void **context)
{
    struct mr_builder batch = {0};
    for (unsigned bad = 0; bad <= 300; bad += bad % 50 == 0 ? 1 : 7) {
        mr_builder_clear(&batch);
        for (unsigned i = 0; i <= 300; i++) {
            mr_puts(&batch, i == 0 ? "[" : ",");
            if (i == bad) {
                mr_put_record_with(&batch, MR_KEY_KIND, "\"events\"", 8);
            } else {
                mr_put_record(&batch);
            }
        }
        mr_puts(&batch, "]");
        struct mr_result result;
        assert_null(mr_checker_all(*context, batch.bytes, batch.count, &result));
        assert_int_equal(result.error, MR_ERROR_KIND);
        assert_int_equal(result.error_record, bad);
        assert_memory_equal(batch.bytes + result.error_offset, "\"events\"", 8);
    }
    mr_builder_fini(&batch);
}

// Words of the schema with something behind a quote that belongs to the text: `id"x…` is not `id`,
// however long it gets, whether its quote and its letters are escapes or not.
static void test_words_that_go_on(void **context)
{
    static const struct {
        const char *before, *word, *behind;
        enum mr_error wanted;
    } places[] = {
        {"[{\"", "id", "\":5,", MR_ERROR_KEY_UNKNOWN},
        {"[{\"", "timestamp", "\":5,", MR_ERROR_KEY_UNKNOWN},
        {"[{\"id\":1,\"kind\":\"", "log", "\",", MR_ERROR_KIND},
        {"[{\"id\":1,\"kind\":\"", "metric", "\",", MR_ERROR_KIND},
        {"[{\"id\":1,\"flags\":[\"", "retry", "\"],", MR_ERROR_FLAG},
        {"[{\"id\":1,\"flags\":[\"", "encrypted", "\"],", MR_ERROR_FLAG},
    };
    static const char *const quotes[] = {"\\\"", "\\u0022", "\\u0022\\u0000", "\\\"\\\""};
    static const char *const rest = "\"timestamp\":2,\"source\":\"s\",\"value\":3,\"message\":\"\"";
    struct mr_builder batch = {0};
    for (size_t i = 0; i < 6 * 4 * 150; i++) {
        size_t place = i % 6;
        mr_builder_clear(&batch);
        mr_puts(&batch, places[place].before);
        mr_puts(&batch, places[place].word);
        mr_puts(&batch, quotes[i / 6 % 4]);
        mr_put_times(&batch, 'x', i / 24);
        mr_puts(&batch, places[place].behind);
        mr_puts(&batch, rest);
        // What the word would have been for is there, so that nothing else is wrong.
        mr_puts(&batch, place < 2   ? ",\"kind\":\"log\",\"flags\":[]"
                        : place < 4 ? ",\"flags\":[]"
                                    : ",\"kind\":\"log\"");
        mr_puts(&batch, "}]");
        struct mr_result result;
        const char *complaint = mr_checker_all(*context, batch.bytes, batch.count, &result);
        if (complaint != NULL || result.error != places[place].wanted) {
            fail_msg("%s in %.*s", complaint, (int)batch.count, (const char *)batch.bytes);
        }
    }
    mr_builder_fini(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_order),      cmocka_unit_test(test_missing_and_twice),
        cmocka_unit_test(test_every_spelling),   cmocka_unit_test(test_affixes),
        cmocka_unit_test(test_near_misses),      cmocka_unit_test(test_unknown_words),
        cmocka_unit_test(test_pairs_of_flags),   cmocka_unit_test(test_place_of_the_bad_record),
        cmocka_unit_test(test_words_that_go_on),
    };
    return mr_check_main(tests, sizeof tests / sizeof tests[0], 65536);
}
