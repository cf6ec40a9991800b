// direct_test.c: plain records in canonical order with one byte changed, put in or left out,
// followed by more of them: what the kernels' guess paths look at, which shorter batches do not
// reach.
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_edit)};
    return mr_check_main(tests, sizeof tests / sizeof tests[0], 4096);
}
