// contract_schema_test.c: names of the contract, mode names, the sentences about errors, and that
// the parser's words are the contract's.
#include "words.h"

#include <matchrace/contract.h>
#include <matchrace/result.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_names_by_code(void **context)
{
    (void)context;
    // Written out once more, from docs/PROTOCOL.md, section 1.
    static const char *const kinds[] = {"metric", "event", "log",  "trace",
                                        "alert",  "audit", "span", "state"};
    static const char *const flags[] = {"urgent",    "sampled", "retry",   "internal",
                                        "encrypted", "batched", "partial", "replayed"};
    for (size_t i = 0; i < 8; i++) {
        assert_string_equal(mr_kind_names[i], kinds[i]);
        assert_string_equal(mr_flag_names[i], flags[i]);
    }
}

static void test_modes(void **context)
{
    (void)context;
    assert_int_equal(mr_mode_by_name("drain"), MR_MODE_DRAIN);
    assert_int_equal(mr_mode_by_name("totals"), MR_MODE_TOTALS);
    assert_int_equal(mr_mode_by_name("keep"), MR_MODE_KEEP);
    assert_int_equal(mr_mode_by_name("fresh"), MR_MODE_FRESH);
    assert_int_equal(mr_mode_by_name("Keep"), -1);
    assert_int_equal(mr_mode_by_name(""), -1);
    assert_int_equal(mr_mode_by_name("kee"), -1);
    assert_int_equal(mr_mode_by_name("keeper"), -1);
}

static void check_word(const struct mr_words *words, int index, const char *name)
{
    uint8_t text[32] = {0};
    (void)snprintf((char *)text, sizeof text, "%s\"", name);
    const uint8_t *end = text + strlen(name) + 1;
    assert_int_equal(mr_word_at(words, text, end), index);
    // Not when the quote stands behind the end, whatever follows there.
    assert_int_equal(mr_word_at(words, text, end - 1), MR_WORD_NONE);
    assert_int_equal(mr_word_at(words, text, text), MR_WORD_NONE);
    assert_int_equal(words->word[index].bytes, strlen(name) + 1);
}

static void test_the_parsers_words(void **context)
{
    (void)context;
    static const char *const keys[] = {"id",    "timestamp", "source", "kind",
                                       "value", "flags",     "message"};
    for (int i = 0; i < (int)MR_KEY_COUNT; i++) {
        check_word(&mr_key_words, i, keys[i]);
    }
    for (int i = 0; i < 8; i++) {
        check_word(&mr_kind_words, i, mr_kind_names[i]);
        check_word(&mr_flag_words, i, mr_flag_names[i]);
    }
}

static void test_every_error_has_its_own_sentence(void **context)
{
    (void)context;
    const uint32_t last = MR_ERROR_MEMORY;
    for (uint32_t error = 0; error <= last; error++) {
        assert_non_null(mr_error_text(error));
        assert_true(strlen(mr_error_text(error)) > 5);
        for (uint32_t other = 0; other < error; other++) {
            assert_string_not_equal(mr_error_text(error), mr_error_text(other));
        }
    }
    for (uint32_t unknown = last + 1; unknown != 0; unknown = unknown < 1000 ? unknown + 1 : 0) {
        assert_string_equal(mr_error_text(unknown), mr_error_text(UINT32_MAX));
    }
    assert_string_not_equal(mr_error_text(last + 1), mr_error_text(last));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_by_code),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_the_parsers_words),
        cmocka_unit_test(test_every_error_has_its_own_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
