// digests_test.c: the digest of canonical forms of every length that a record can have, 33 to 4,192
// bytes, against xxHash: kernels may have XXH3 code of their own for short ones.
#include "builder.h"
#include "check_main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void put_random_text(struct mr_builder *text, struct mr_rng *rng, size_t count)
{
    mr_puts(text, "\"");
    for (size_t i = 0; i < count; i++) {
        // From '#' on, without the backslash.
        uint8_t byte = (uint8_t)('#' + mr_rng_below(rng, 92));
        mr_put_times(text, byte == '\\' ? '!' : byte, 1);
    }
    mr_puts(text, "\"");
}

// A record with texts of these lengths; `spaced` keeps it from being guessed.
static void put_record_of(struct mr_builder *batch, struct mr_rng *rng, size_t source_bytes,
                          size_t message_bytes, bool spaced)
{
    char head[128];
    (void)snprintf(
        head, sizeof head, "{%s\"id\":%llu,\"timestamp\":%llu,\"source\":", spaced ? " " : "",
        (unsigned long long)(mr_rng_next(rng) >> 1), (unsigned long long)(mr_rng_next(rng) >> 7));
    mr_puts(batch, head);
    put_random_text(batch, rng, source_bytes);
    mr_puts(batch, ",\"kind\":\"state\",\"value\":-12.75,\"flags\":[\"replayed\"],\"message\":");
    put_random_text(batch, rng, message_bytes);
    mr_puts(batch, "}");
}

// The oracle digests with xxHash.
static void check(struct mr_checker *checker, const struct mr_builder *batch)
{
    struct mr_result result;
    const char *complaint = mr_checker_all(checker, batch->bytes, batch->count, &result);
    if (complaint != NULL || result.error != MR_OK) {
        fail_msg("%s in %.*s", complaint != NULL ? complaint : mr_error_text(result.error),
                 (int)batch->count, (const char *)batch->bytes);
    }
}

static void test_every_length(void **context)
{
    struct mr_builder batch = {0};
    struct mr_rng rng = mr_rng_seeded(33);
    for (size_t bytes = 33; bytes <= 32 + 64 + 4096; bytes++) {
        size_t text = bytes - 32;
        size_t sources[] = {1, text < 64 ? text : 64, text < 64 ? (text + 1) / 2 : 17};
        mr_builder_clear(&batch);
        for (unsigned i = 0; i < 3; i++) {
            size_t source = text - sources[i] > 4096 ? 64 : sources[i];
            mr_puts(&batch, i == 0 ? "[" : ",");
            put_record_of(&batch, &rng, source, text - source, i == 1);
        }
        mr_puts(&batch, "]");
        check(*context, &batch);
    }
    mr_builder_fini(&batch);
}

// Short ones again and again, and many of them in a batch.
static void test_many_short_ones(void **context)
{
    struct mr_builder batch = {0};
    struct mr_rng rng = mr_rng_seeded(96);
    for (unsigned turn = 0; turn < 300; turn++) {
        mr_builder_clear(&batch);
        for (unsigned i = 0; i < 70; i++) {
            mr_puts(&batch, i == 0 ? "[" : ",");
            put_record_of(&batch, &rng, 1 + mr_rng_below(&rng, 64), mr_rng_below(&rng, 90),
                          turn % 2 == 0);
        }
        mr_puts(&batch, "]");
        check(*context, &batch);
    }
    mr_builder_fini(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_length),
        cmocka_unit_test(test_many_short_ones),
    };
    return mr_check_main(tests, sizeof tests / sizeof tests[0], 65536);
}
