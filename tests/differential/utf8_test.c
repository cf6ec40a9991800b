// utf8_test.c: every character, raw and as escapes; every pair of bytes; every lead with followers
// of each class.
#include "builder.h"
#include "check_main.h"
#include "utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SCALARS_A_RECORD 600u // at most 2,400 bytes of message

static void begin(struct mr_builder *batch)
{
    mr_builder_clear(batch);
    mr_puts(batch, "[{\"id\":1,\"timestamp\":2,\"source\":\"s\",\"kind\":\"log\",\"value\":3,"
                   "\"flags\":[],\"message\":\"");
}

static void check(struct mr_checker *checker, struct mr_builder *batch)
{
    mr_puts(batch, "\"}]");
    const char *complaint = mr_checker_all(checker, batch->bytes, batch->count, NULL);
    if (complaint != NULL) {
        fail_msg("%s in %.*s", complaint, (int)batch->count, (const char *)batch->bytes);
    }
}

static void put_escape(struct mr_builder *batch, uint32_t unit)
{
    char text[8];
    (void)snprintf(text, sizeof text, (unit & 1) != 0 ? "\\u%04x" : "\\u%04X", unit & 0xFFFF);
    mr_puts(batch, text);
}

// All scalar values from `first` on, as many as one record takes; as characters or as escapes.
static void put_scalars(struct mr_builder *batch, uint32_t first, bool escaped)
{
    for (uint32_t scalar = first; scalar < first + SCALARS_A_RECORD && scalar <= 0x10FFFF;
         scalar++) {
        if (scalar >= 0xD800 && scalar <= 0xDFFF) {
            continue;
        }
        if (escaped && scalar >= 0x10000) {
            put_escape(batch, 0xD800 + ((scalar - 0x10000) >> 10));
            put_escape(batch, 0xDC00 + (scalar & 0x3FF));
        } else if (escaped || scalar < 0x20 || scalar == '"' || scalar == '\\') {
            put_escape(batch, scalar);
        } else {
            uint8_t bytes[4];
            mr_put(batch, bytes, mr_utf8_write(scalar, bytes));
        }
    }
}

static void test_every_scalar(void **context)
{
    struct mr_checker *checker = *context;
    struct mr_builder batch = {0};
    for (int escaped = 0; escaped < 2; escaped++) {
        for (uint32_t first = 0; first <= 0x10FFFF; first += SCALARS_A_RECORD) {
            begin(&batch);
            put_scalars(&batch, first, escaped != 0);
            check(checker, &batch);
            struct mr_result result;
            (void)mr_checker_kernels(checker, batch.bytes, batch.count, &result);
            assert_int_equal(result.error, MR_OK);
        }
    }
    mr_builder_fini(&batch);
}

static void test_every_single_escape(void **context)
{
    struct mr_checker *checker = *context;
    struct mr_builder batch = {0};
    for (uint32_t unit = 0; unit <= 0xFFFF; unit++) {
        begin(&batch);
        mr_put_times(&batch, 'x', unit % 67);
        put_escape(&batch, unit);
        mr_put_times(&batch, 'y', unit % 5);
        check(checker, &batch);
    }
    mr_builder_fini(&batch);
}

static void test_every_pair_of_bytes(void **context)
{
    struct mr_checker *checker = *context;
    struct mr_builder batch = {0};
    for (uint32_t pair = 0; pair <= 0xFFFF; pair++) {
        uint8_t bytes[2] = {(uint8_t)(pair >> 8), (uint8_t)pair};
        begin(&batch);
        mr_put_times(&batch, 'x', pair % 71);
        mr_put(&batch, bytes, sizeof bytes);
        check(checker, &batch);
    }
    mr_builder_fini(&batch);
}

// Three followers of each class behind every lead, at the places around a 64-byte border.
static void test_leads_and_followers(void **context)
{
    struct mr_checker *checker = *context;
    static const uint8_t followers[] = {0x22, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F,
                                        0xA0, 0xBF, 0xC2, 0xE0, 0xF0, 0xFF};
    const size_t classes = sizeof followers;
    struct mr_builder batch = {0};
    for (unsigned lead = 0xC0; lead <= 0xFF; lead++) {
        for (size_t mix = 0; mix < classes * classes * classes; mix++) {
            uint8_t bytes[4] = {(uint8_t)lead, followers[mix % classes],
                                followers[mix / classes % classes],
                                followers[mix / classes / classes]};
            begin(&batch);
            // 87 bytes stand before the message.
            mr_put_times(&batch, 'x', 128 - 87 - 3 + mix % 6);
            mr_put(&batch, bytes, sizeof bytes);
            check(checker, &batch);
        }
    }
    mr_builder_fini(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_scalar),
        cmocka_unit_test(test_every_single_escape),
        cmocka_unit_test(test_every_pair_of_bytes),
        cmocka_unit_test(test_leads_and_followers),
    };
    return mr_check_main(tests, sizeof tests / sizeof tests[0], 65536);
}
