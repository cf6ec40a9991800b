// number_forms_test.c: numbers of every length from 1 to 40 with the dot and the exponent at every
// place, in records that a kernel may guess and in such that it reads by an index.
#include "builder.h"
#include "check_main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH_MAX 40u

static const char *const exponents[] = {"",      "e0",    "E+1", "e-5",        "E-17",        "e15",
                                        "e-300", "e-025", "e",   "e+00000012", "e-0000000001"};
#define EXPONENTS (sizeof exponents / sizeof exponents[0])

// Digits by a pattern: 9s, 1 and 0s, 0s and 1, or others.
static void put_digits(char *digits_out, size_t count, unsigned pattern, struct mr_rng *rng)
{
    for (size_t i = 0; i < count; i++) {
        digits_out[i] = pattern == 0   ? '9'
                        : pattern == 1 ? (i == 0 ? '1' : '0')
                        : pattern == 2 ? (i + 1 == count ? '1' : '0')
                                       : (char)('0' + mr_rng_below(rng, 10));
    }
}

static void check(struct mr_checker *checker, const struct mr_builder *batch, bool ask_oracle)
{
    const char *complaint = ask_oracle
                                ? mr_checker_all(checker, batch->bytes, batch->count, NULL)
                                : mr_checker_kernels(checker, batch->bytes, batch->count, NULL);
    if (complaint != NULL) {
        fail_msg("%s in %.*s", complaint, (int)batch->count, (const char *)batch->bytes);
    }
}

// The number in a record alone, in one with others behind, and spaced; `text_length` moves it in
// its block.
static void check_number(struct mr_checker *checker, struct mr_builder *batch, enum mr_key key,
                         const char *number, bool ask_oracle)
{
    char spaced[128];
    (void)snprintf(spaced, sizeof spaced, " %s\n", number);
    for (unsigned form = 0; form < 3; form++) {
        const char *text = form == 2 ? spaced : number;
        mr_builder_clear(batch);
        mr_puts(batch, "[");
        mr_put_record_with(batch, key, text, strlen(text));
        for (unsigned more = 0; more < (form == 0 ? 0u : 2u); more++) {
            mr_puts(batch, ",");
            mr_put_record(batch);
        }
        mr_puts(batch, "]");
        check(checker, batch, ask_oracle && form == 1);
    }
}

static void check_forms(struct mr_checker *checker, struct mr_builder *batch, const char *digits,
                        size_t count)
{
    for (size_t dot = 0; dot <= count + 1; dot++) {
        for (size_t exponent = 0; exponent < EXPONENTS; exponent++) {
            char number[128];
            // A dot at count + 1 stands for none.
            size_t whole = dot > count ? count : dot;
            (void)snprintf(number, sizeof number, "%s%.*s%s%s%s",
                           (dot + exponent + count) % 2 == 0 ? "-" : "", (int)whole, digits,
                           dot > count ? "" : ".", digits + whole, exponents[exponent]);
            check_number(checker, batch, MR_KEY_VALUE, number, exponent % 3 == 0);
        }
    }
}

static void test_every_length_and_dot(void **context)
{
    struct mr_builder batch = {0};
    struct mr_rng rng = mr_rng_seeded(40);
    for (size_t count = 1; count <= LENGTH_MAX; count++) {
        for (unsigned pattern = 0; pattern < 4; pattern++) {
            char digits[LENGTH_MAX + 1] = {0};
            put_digits(digits, count, pattern, &rng);
            check_forms(*context, &batch, digits, count);
        }
    }
    mr_builder_fini(&batch);
}

// Every character at every place of numbers of 1 to 40 digits, as each of the three numbers; once
// more with all that is behind it, for what is no digit may count for a lot.
static void test_a_wrong_character(void **context)
{
    static const char wrong[] = "./:-+eE \x01\x80\xFF,\"a";
    static const enum mr_key keys[] = {MR_KEY_ID, MR_KEY_TIMESTAMP, MR_KEY_VALUE};
    struct mr_builder batch = {0};
    for (size_t count = 1; count <= LENGTH_MAX; count++) {
        for (size_t at = 0; at < count; at++) {
            for (size_t i = 0; i < (sizeof wrong - 1) * 3; i++) {
                char number[LENGTH_MAX + 1] = {0};
                memset(number, '3', count);
                number[at] = wrong[i / 3];
                check_number(*context, &batch, keys[i % 3], number, false);
                memset(number + at, wrong[i / 3], count - at);
                check_number(*context, &batch, keys[i % 3], number, false);
            }
        }
    }
    mr_builder_fini(&batch);
}

// Integers of every length, with a zero in front and without, around each power of ten.
static void test_integers(void **context)
{
    static const enum mr_key keys[] = {MR_KEY_ID, MR_KEY_TIMESTAMP, MR_KEY_VALUE};
    struct mr_builder batch = {0};
    for (size_t count = 1; count <= LENGTH_MAX; count++) {
        for (unsigned i = 0; i < 3 * 5; i++) {
            static const char firsts[] = "01298";
            char number[LENGTH_MAX + 1] = {0};
            memset(number, i / 3 == 4 ? '9' : '0' + (char)(i / 3), count);
            number[0] = firsts[i / 3];
            check_number(*context, &batch, keys[i % 3], number, true);
        }
    }
    mr_builder_fini(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length_and_dot),
        cmocka_unit_test(test_a_wrong_character),
        cmocka_unit_test(test_integers),
    };
    return mr_check_main(tests, sizeof tests / sizeof tests[0], 4096);
}
