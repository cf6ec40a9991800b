// load_stats_reply_test.c: the server's JSON is read as the contract writes it, and nothing else.
#include <stats_reply.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define H8                                                                                         \
    "[\"0000000000000001\",\"0000000000000002\",\"0000000000000003\",\"0000000000000004\","        \
    "\"0000000000000005\",\"0000000000000006\",\"0000000000000007\",\"0000000000000008\"]"
#define COUNTS(records)                                                                            \
    "\"batches_accepted\":\"0000000000000002\",\"batches_rejected\":\"0000000000000001\","         \
    "\"records\":\"" records "\",\"payload_bytes\":\"00000000000003e8\","                          \
    "\"digest\":\"ffffffffffffffff\",\"kinds\":" H8 ",\"flags\":" H8 ","                           \
    "\"source_bytes\":\"0000000000000009\",\"message_bytes\":\"000000000000000a\","                \
    "\"value_sum\":\"fffffffffffffffe\""
#define EXTREMES                                                                                   \
    ",\"timestamp_min\":\"0000000000000005\",\"timestamp_max\":\"0000000000000006\","              \
    "\"value_min\":\"bff0000000000000\",\"value_max\":\"3ff0000000000000\""
#define NONE          ",\"timestamp_min\":null,\"timestamp_max\":null,\"value_min\":null,\"value_max\":null"
#define REPLY(totals) "{\"totals\":{" totals "},\"runtime\":{\"gc_pause_ns\":null}}"

static bool read_stats(const char *json, struct mr_totals *totals, struct mr_reply_fault *fault)
{
    return mr_stats_reply_totals((const uint8_t *)json, strlen(json), totals, fault);
}

static void test_stats(void **state)
{
    (void)state;
    struct mr_totals totals;
    struct mr_reply_fault fault;
    assert_true(read_stats(REPLY(COUNTS("0000000000000003") EXTREMES), &totals, &fault));
    assert_int_equal(totals.batches_accepted, 2);
    assert_int_equal(totals.batches_rejected, 1);
    assert_int_equal(totals.records, 3);
    assert_int_equal(totals.payload_bytes, 1000);
    assert_true(totals.digest == UINT64_MAX);
    assert_int_equal(totals.kinds[7], 8);
    assert_int_equal(totals.flags[0], 1);
    assert_int_equal(totals.source_bytes, 9);
    assert_int_equal(totals.message_bytes, 10);
    assert_int_equal(totals.timestamp_min, 5);
    assert_int_equal(totals.timestamp_max, 6);
    assert_true(totals.value_min_bits == 0xbff0000000000000u);
    assert_true(totals.value_max_bits == 0x3ff0000000000000u);
    assert_true(totals.value_sum == UINT64_MAX - 1);
    struct mr_totals nothing;
    mr_totals_init(&nothing);
    assert_true(read_stats(REPLY(COUNTS("0000000000000000") NONE), &totals, &fault));
    assert_int_equal(totals.records, 0);
    assert_true(totals.timestamp_min == nothing.timestamp_min);
}

static void test_bad_stats(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"", "the reply is no JSON object"},
        {"[]", "the reply is no JSON object"},
        {"{\"totals\":", "the reply is no JSON object"},
        {"{}", "batches_accepted is not"},
        {REPLY(COUNTS("3")), "records is not"},
        {REPLY(COUNTS("000000000000000A") EXTREMES), "records is not"},
        {REPLY(COUNTS("000000000000000 ") EXTREMES), "records is not"},
        {REPLY(COUNTS("0000000000000003") NONE), "timestamp_min is not a string"},
        {REPLY(COUNTS("0000000000000000") EXTREMES), "timestamp_min is not null"},
        {"{\"totals\":{" COUNTS("0000000000000003") EXTREMES "}}", "runtime is no object"},
        {"{\"totals\":{\"batches_accepted\":2}}", "batches_accepted is not"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct mr_totals totals;
        struct mr_reply_fault fault;
        assert_false(read_stats(bad[i][0], &totals, &fault));
        assert_non_null(strstr(fault.text, bad[i][1]));
    }
}

static void test_short_arrays(void **state)
{
    (void)state;
    char json[2048];
    struct mr_totals totals;
    struct mr_reply_fault fault;
    (void)snprintf(json, sizeof json, "%s", REPLY(COUNTS("0000000000000003") EXTREMES));
    char *last = strstr(json, ",\"0000000000000008\"");
    memset(last, ' ', strlen(",\"0000000000000008\""));
    assert_false(read_stats(json, &totals, &fault));
    assert_string_equal(fault.text, "kinds is not an array of 8");
}

static void test_kept_and_welcome(void **state)
{
    (void)state;
    struct mr_kept kept;
    struct mr_reply_fault fault;
    enum mr_mode mode = MR_MODE_DRAIN;
    const char *json = "{\"batches\":\"0000000000000040\",\"records\":\"0000000000004000\","
                       "\"digest\":\"00000000000000ff\"}";
    assert_true(mr_kept_reply((const uint8_t *)json, strlen(json), &kept, &fault));
    assert_int_equal(kept.batches, 64);
    assert_int_equal(kept.records, 16384);
    assert_int_equal(kept.digest, 255);
    json = "{\"batches\":64}";
    assert_false(mr_kept_reply((const uint8_t *)json, strlen(json), &kept, &fault));
    json = "{\"mode\":\"fresh\",\"contestant\":\"x\"}";
    assert_true(mr_welcome_mode((const uint8_t *)json, strlen(json), &mode, &fault));
    assert_int_equal(mode, MR_MODE_FRESH);
    json = "{\"mode\":\"fast\"}";
    assert_false(mr_welcome_mode((const uint8_t *)json, strlen(json), &mode, &fault));
    json = "{\"mode\":3}";
    assert_false(mr_welcome_mode((const uint8_t *)json, strlen(json), &mode, &fault));
}

static uint64_t compiled(const char *json)
{
    static uint8_t room[4096];
    assert_true(mr_stats_reply_room_bytes(strlen(json)) <= sizeof room);
    return mr_stats_reply_compiled_methods(json, strlen(json), room);
}

static void test_compiled_methods(void **state)
{
    (void)state;
    assert_int_equal(compiled("{\"totals\":{},\"runtime\":{\"compiled_methods\":"
                              "\"00000000000003e8\",\"pauses\":[[\"1\",\"2\"]]}}"),
                     1000);
    assert_int_equal(compiled("{\"runtime\":{\"compiled_methods\":null}}"), 0);
    assert_int_equal(compiled("{\"runtime\":{\"compiled_methods\":1000}}"), 0);
    assert_int_equal(compiled("{\"compiled_methods\":\"00000000000003e8\"}"), 0);
    assert_int_equal(compiled("{\"runtime\":"), 0);
    assert_int_equal(compiled("["), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compiled_methods), cmocka_unit_test(test_stats),
        cmocka_unit_test(test_bad_stats),        cmocka_unit_test(test_short_arrays),
        cmocka_unit_test(test_kept_and_welcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
