// contract_digest_test.c: the canonical form and the digest of records and batches.
#include <matchrace/contract.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Writes a record of the given texts to `place`; the bytes of its padding are `padding`.
static size_t put_record(uint8_t *place, struct mr_record head, const char *source,
                         const char *message, uint8_t padding)
{
    head.source_bytes = (uint16_t)strlen(source);
    head.message_bytes = (uint32_t)strlen(message);
    memset(place, padding, mr_record_stride(&head));
    memcpy(place, &head, sizeof head);
    memcpy(place + sizeof head, source, head.source_bytes);
    memcpy(place + sizeof head + head.source_bytes, message, head.message_bytes);
    return mr_record_stride(&head);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// The example of the contract, sections 1 and 2.
static const struct mr_record example = {
    .id = 5942859575, .timestamp_us = 1764054335349840, .kind = 1, .flags = 1};
#define EXAMPLE_DIGEST 0x954a84d7a74fbbb4u

static void test_the_example_of_the_contract(void **context)
{
    (void)context;
    struct mr_record head = example;
    head.value_bits = bits_of(-268.6222);
    uint64_t place[16];
    put_record((uint8_t *)place, head, "sensor-1186", "india delta alpha bravo", 0);
    assert_int_equal(mr_record_digest((const struct mr_record *)place), EXAMPLE_DIGEST);
    assert_int_equal(mr_records_digest(place, 1), EXAMPLE_DIGEST);
    assert_int_equal(mr_record_bytes((const struct mr_record *)place), 32 + 11 + 23);
    assert_int_equal(mr_record_stride((const struct mr_record *)place), 72);
}

static void test_nothing_has_digest_zero(void **context)
{
    (void)context;
    assert_int_equal(mr_records_digest(NULL, 0), 0);
}

// The sum over records of all residues of the stride, with padding that must not matter.
static void test_batches_are_sums(void **context)
{
    (void)context;
    static const char text[] = "abcdefghijklmnopqrstuvwxyz";
    uint64_t place[64 * 16];
    for (int padding = 0; padding < 256; padding += 85) {
        uint8_t *at = (uint8_t *)place;
        uint64_t sum = 0;
        uint32_t count = 0;
        for (size_t length = 0; length < 20; length++) {
            char message[32] = "";
            memcpy(message, text, length);
            struct mr_record head = {.id = length, .value_bits = bits_of((double)length)};
            size_t stride = put_record(at, head, "s", message, (uint8_t)padding);
            assert_int_equal(stride % 8, 0);
            sum += mr_record_digest((const struct mr_record *)(const void *)at);
            at += stride;
            count++;
            assert_int_equal(mr_records_digest(place, count), sum);
        }
    }
}

// Every field and every byte of text changes the digest.
static void test_every_field_counts(void **context)
{
    (void)context;
    uint64_t place[16];
    uint8_t *bytes = (uint8_t *)place;
    struct mr_record head = example;
    put_record(bytes, head, "sensor", "india", 0);
    uint64_t before = mr_record_digest((const struct mr_record *)place);
    for (size_t i = 0; i < 32 + 11; i++) {
        if (i >= 26 && i < 32) {
            continue; // lengths: another amount of text would be read
        }
        bytes[i] ^= 1;
        assert_int_not_equal(mr_record_digest((const struct mr_record *)place), before);
        bytes[i] ^= 1;
    }
    // The border between source and message counts, too.
    head = example;
    put_record(bytes, head, "sensori", "ndia", 0);
    assert_int_not_equal(mr_record_digest((const struct mr_record *)place), before);
}

// The capacity covers the densest records that JSON can hold (docs of mr_records_capacity()).
static void test_capacity(void **context)
{
    (void)context;
    static const char shortest[] = "{\"id\":0,\"timestamp\":0,\"source\":\"x\",\"kind\":\"log\","
                                   "\"value\":0,\"flags\":[],\"message\":\"\"}";
    for (size_t count = 1; count < 1000; count++) {
        size_t json_bytes = 1 + count * (sizeof shortest - 1 + 1);
        struct mr_record record = {.source_bytes = 1};
        assert_true(count * mr_record_stride(&record) + MR_RECORDS_SLACK <=
                    mr_records_capacity(json_bytes));
    }
    assert_int_equal(mr_records_capacity(0), MR_RECORDS_SLACK);
}

static void test_value_order(void **context)
{
    (void)context;
    static const double ascending[] = {-1e15, -2.0,     -1.0, -4.9e-324, -0.0,
                                       0.0,   4.9e-324, 0.5,  1.0,       1e15};
    for (size_t i = 1; i < sizeof ascending / sizeof ascending[0]; i++) {
        assert_true(mr_value_order(bits_of(ascending[i - 1])) <
                    mr_value_order(bits_of(ascending[i])));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_example_of_the_contract),
        cmocka_unit_test(test_nothing_has_digest_zero),
        cmocka_unit_test(test_batches_are_sums),
        cmocka_unit_test(test_every_field_counts),
        cmocka_unit_test(test_capacity),
        cmocka_unit_test(test_value_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
