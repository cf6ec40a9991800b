// serve_describe_test.c: the JSON of WELCOME, STATS_REPLY and KEPT_REPLY, letter by letter.
#include "fake_contestant.h"

#include <serve/describe.h>

#include <gnu/libc-version.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static char *welcome_of(const struct mr_contestant *contestant)
{
    struct mr_welcome welcome = {.contestant = contestant, .mode = MR_MODE_FRESH, .threads = 3};
    char *text = NULL;
    size_t bytes = 0;
    assert_int_equal(mr_describe_welcome(&welcome, &text, &bytes), 0);
    assert_int_equal(strlen(text), bytes);
    return text;
}

static void test_welcome(void **state)
{
    (void)state;
    char wanted[1024];
    (void)snprintf(wanted, sizeof wanted,
                   "{\"contestant\":\"fake\",\"version\":\"1.2\",\"language\":\"C\","
                   "\"runtime\":\"glibc %s\",\"mode\":\"fresh\",\"threads\":3,\"pid\":%ld,"
                   "\"kernel\":\"fake\",\"build_flags\":\"-O0\",\"libraries\":[{\"name\":"
                   "\"a \\\"quoted\\\" one\",\"version\":\"1\",\"path\":\"/tmp/\\\\x\"}],"
                   "\"knobs\":{}}",
                   gnu_get_libc_version(), (long)getpid());
    char *text = welcome_of(&fake_contestant);
    assert_string_equal(text, wanted);
    free(text);
}

// Longer than any buffer that could have been thought of.
static void test_long_welcome(void **state)
{
    (void)state;
    enum { FLAGS_BYTES = 100000 };
    char *flags = malloc(FLAGS_BYTES + 1);
    assert_non_null(flags);
    memset(flags, 'f', FLAGS_BYTES);
    flags[FLAGS_BYTES] = '\0';
    struct mr_contestant contestant = fake_contestant;
    contestant.build_flags = flags;
    char *text = welcome_of(&contestant);
    assert_non_null(strstr(text, flags));
    const char *last = "\"knobs\":{}}";
    assert_string_equal(text + strlen(text) - strlen(last), last);
    free(text);
    free(flags);
}

#define ZERO  "\"0000000000000000\""
#define ZEROS "[" ZERO "," ZERO "," ZERO "," ZERO "," ZERO "," ZERO "," ZERO "," ZERO "]"
#define NATIVE                                                                                     \
    "\"runtime\":{\"gc_pause_ns\":null,\"gc_collections\":null,\"allocated_bytes\":null,"          \
    "\"compiled_methods\":null}}"

static void test_stats_of_nothing(void **state)
{
    (void)state;
    struct mr_totals totals;
    mr_totals_init(&totals);
    char text[MR_STATS_TEXT_BYTES];
    size_t bytes = mr_describe_stats(&totals, text);
    assert_string_equal(text,
                        "{\"totals\":{\"batches_accepted\":" ZERO ",\"batches_rejected\":" ZERO
                        ",\"records\":" ZERO ",\"payload_bytes\":" ZERO ",\"digest\":" ZERO
                        ",\"kinds\":" ZEROS ",\"flags\":" ZEROS ",\"source_bytes\":" ZERO
                        ",\"message_bytes\":" ZERO ",\"timestamp_min\":null,"
                        "\"timestamp_max\":null,\"value_min\":null,\"value_max\":null,"
                        "\"value_sum\":" ZERO "}," NATIVE);
    assert_int_equal(bytes, strlen(text));
}

static void test_stats_of_one(void **state)
{
    (void)state;
    struct mr_totals totals;
    mr_totals_init(&totals);
    totals.batches_accepted = UINT64_MAX; // the widest of everything fits
    totals.batches_rejected = 0x10;
    totals.records = 1;
    totals.payload_bytes = 0xABCDEF;
    totals.digest = 0x954A84D7A74FBBB4;
    totals.kinds[1] = 1;
    totals.flags[0] = 1;
    totals.source_bytes = 11;
    totals.message_bytes = 23;
    totals.timestamp_min = 5;
    totals.timestamp_max = 6;
    totals.value_min_bits = 1ull << 63;
    totals.value_max_bits = 0;
    totals.value_sum = (uint64_t)-274;
    char text[MR_STATS_TEXT_BYTES];
    (void)mr_describe_stats(&totals, text);
    const char *parts[] = {
        "\"batches_accepted\":\"ffffffffffffffff\"",   "\"batches_rejected\":\"0000000000000010\"",
        "\"payload_bytes\":\"0000000000abcdef\"",      "\"digest\":\"954a84d7a74fbbb4\"",
        "\"kinds\":[" ZERO ",\"0000000000000001\"",    "\"flags\":[\"0000000000000001\"," ZERO,
        "\"source_bytes\":\"000000000000000b\"",       "\"message_bytes\":\"0000000000000017\"",
        "\"timestamp_min\":\"0000000000000005\"",      "\"timestamp_max\":\"0000000000000006\"",
        "\"value_min\":\"8000000000000000\"",          "\"value_max\":" ZERO,
        "\"value_sum\":\"fffffffffffffeee\"}," NATIVE,
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        assert_non_null(strstr(text, parts[i]));
    }
}

static void test_kept(void **state)
{
    (void)state;
    struct mr_kept kept = {.batches = 64, .records = 16384, .digest = UINT64_MAX};
    char text[MR_KEPT_TEXT_BYTES];
    size_t bytes = mr_describe_kept(&kept, text);
    assert_string_equal(text, "{\"batches\":\"0000000000000040\",\"records\":\"0000000000004000\","
                              "\"digest\":\"ffffffffffffffff\"}");
    assert_int_equal(bytes, strlen(text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_welcome),
        cmocka_unit_test(test_long_welcome),
        cmocka_unit_test(test_stats_of_nothing),
        cmocka_unit_test(test_stats_of_one),
        cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
