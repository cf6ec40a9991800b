// totals_test.c: the totals that kernels make on their way, by eights: extremes at every place of a
// group, every kind and flag, batches that end in the middle of one.
#include "builder.h"
#include "check_main.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#define RECORDS_MAX 40u

static const char *const values[] = {"0",    "-0.0",  "-1e15",  "1e15",    "-0.001",
                                     "7.25", "-7.25", "5e-324", "-5e-324", "123456.789"};
static const char *const timestamps[] = {"0", "1", "1764000000000209", "253402300799999999"};
static const char *const flag_lists[] = {
    "", "\"encrypted\"", "\"replayed\",\"batched\"",
    "\"urgent\",\"sampled\",\"retry\",\"internal\",\"encrypted\",\"replayed\",\"batched\""};

static void put_record(struct mr_builder *batch, struct mr_rng *rng, const char *value)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "{\"id\":%u,\"timestamp\":%s,\"source\":\"%.*s\",\"kind\":\"%s\",\"value\":%s,"
                   "\"flags\":[%s],\"message\":\"%.*s\"}",
                   (unsigned)(mr_rng_below(rng, 1000)), timestamps[mr_rng_below(rng, 4)],
                   (int)(mr_rng_below(rng, 9)) + 1, "sensor-99",
                   mr_kind_names[mr_rng_below(rng, 8)], value, flag_lists[mr_rng_below(rng, 4)],
                   (int)(mr_rng_below(rng, 20)), "nineteen characters");
    mr_puts(batch, text);
}

// Records of one value but for the one at `odd`, so that the extreme is its.
static void test_extremes(void **context)
{
    struct mr_builder batch = {0};
    struct mr_rng rng = mr_rng_seeded(1);
    for (unsigned count = 1; count <= RECORDS_MAX; count++) {
        for (unsigned odd = 0; odd < count; odd++) {
            const char *usual = values[mr_rng_below(&rng, 10)];
            const char *other = values[mr_rng_below(&rng, 10)];
            mr_builder_clear(&batch);
            for (unsigned i = 0; i < count; i++) {
                mr_puts(&batch, i == 0 ? "[" : ",");
                put_record(&batch, &rng, i == odd ? other : usual);
            }
            mr_puts(&batch, "]");
            struct mr_result result;
            const char *complaint = mr_checker_kernels(*context, batch.bytes, batch.count, &result);
            if (complaint != NULL || result.records != count) {
                fail_msg("%u records, odd one %u: %s", count, odd, complaint);
            }
        }
    }
    mr_builder_fini(&batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_extremes)};
    return mr_check_main(tests, sizeof tests / sizeof tests[0], 1 << 16);
}
