// contract_totals_test.c: the totals of the contract, section 3, against values worked out by hand.
#include <matchrace/contract.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Records without text that follow each other.
static void accept(struct mr_totals *totals, const struct mr_record *records, uint32_t count,
                   uint64_t payload_bytes)
{
    mr_totals_accept(totals, records, count, mr_records_digest(records, count), payload_bytes);
}

static void test_nothing(void **context)
{
    (void)context;
    struct mr_totals totals;
    memset(&totals, 0xA5, sizeof totals);
    mr_totals_init(&totals);
    struct mr_totals zeros = {0};
    assert_memory_equal(&totals, &zeros, sizeof totals);
}

static void test_sums_and_extremes(void **context)
{
    (void)context;
    const struct mr_record records[] = {
        {.id = 1, .timestamp_us = 500, .value_bits = bits_of(2.5), .kind = 0, .flags = 0x81},
        {.id = 2, .timestamp_us = 7, .value_bits = bits_of(-3.25), .kind = 7, .flags = 0xFF},
        {.id = 3, .timestamp_us = 900, .value_bits = bits_of(0.0), .kind = 7, .flags = 0},
    };
    struct mr_totals totals;
    mr_totals_init(&totals);
    accept(&totals, records, 2, 1000);
    accept(&totals, &records[2], 1, 234);
    assert_int_equal(totals.batches_accepted, 2);
    assert_int_equal(totals.batches_rejected, 0);
    assert_int_equal(totals.records, 3);
    assert_int_equal(totals.payload_bytes, 1234);
    assert_int_equal(totals.digest, mr_records_digest(records, 3));
    const uint64_t kinds[8] = {1, 0, 0, 0, 0, 0, 0, 2};
    const uint64_t flags[8] = {2, 1, 1, 1, 1, 1, 1, 2};
    assert_memory_equal(totals.kinds, kinds, sizeof kinds);
    assert_memory_equal(totals.flags, flags, sizeof flags);
    assert_int_equal(totals.timestamp_min, 7);
    assert_int_equal(totals.timestamp_max, 900);
    assert_int_equal(totals.value_min_bits, bits_of(-3.25));
    assert_int_equal(totals.value_max_bits, bits_of(2.5));
    assert_int_equal(totals.value_sum, (uint64_t)(2560 - 3328));
}

static void test_text_bytes(void **context)
{
    (void)context;
    uint64_t place[2 * 8] = {0};
    struct mr_record head = {.source_bytes = 3, .message_bytes = 6};
    memcpy(place, &head, sizeof head);
    head = (struct mr_record){.source_bytes = 1, .message_bytes = 0};
    memcpy((uint8_t *)place + 48, &head, sizeof head);
    struct mr_totals totals;
    mr_totals_init(&totals);
    mr_totals_accept(&totals, place, 2, 0, 0);
    assert_int_equal(totals.source_bytes, 4);
    assert_int_equal(totals.message_bytes, 6);
}

// A parser's own totals are taken where it made them; else they come from its records.
static void test_result(void **context)
{
    (void)context;
    const struct mr_record record = {.timestamp_us = 5, .value_bits = bits_of(1.0), .kind = 3};
    struct mr_totals made;
    mr_totals_init(&made);
    accept(&made, &record, 1, 99);
    struct mr_result result = {.records = 1, .digest = mr_records_digest(&record, 1)};
    struct mr_totals plain;
    struct mr_totals taken;
    mr_totals_init(&plain);
    mr_totals_init(&taken);
    mr_totals_accept_result(&plain, &record, &result, 99);
    result.totals = &made;
    mr_totals_accept_result(&taken, NULL, &result, 99);
    assert_true(mr_totals_equal(&plain, &taken));
    assert_int_equal(taken.batches_accepted, 1);
    assert_int_equal(taken.kinds[3], 1);
    mr_totals_accept_result(&taken, NULL, &result, 99);
    assert_int_equal(taken.kinds[3], 2);
}

// Each value alone: truncation is toward zero, and -0.0 is below +0.0 and above nothing else.
static void test_values(void **context)
{
    (void)context;
    static const struct {
        double value;
        int64_t sum;
    } values[] = {{0.0, 0},
                  {-0.0, 0},
                  {1.0 / 1024, 1},
                  {-1.0 / 1024, -1},
                  {1.99 / 1024, 1},
                  {-1.99 / 1024, -1},
                  {0.99 / 1024, 0},
                  {-0.99 / 1024, 0},
                  {4.9e-324, 0},
                  {1e15, 1024000000000000000},
                  {-1e15, -1024000000000000000},
                  {999999999999999.875, 1023999999999999872}};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct mr_record record = {.value_bits = bits_of(values[i].value)};
        struct mr_totals totals;
        mr_totals_init(&totals);
        accept(&totals, &record, 1, 1);
        assert_int_equal((int64_t)totals.value_sum, values[i].sum);
        assert_int_equal(totals.value_min_bits, record.value_bits);
        assert_int_equal(totals.value_max_bits, record.value_bits);
    }
    const struct mr_record zeros[] = {{.value_bits = bits_of(0.0)}, {.value_bits = bits_of(-0.0)}};
    struct mr_totals totals;
    for (int swapped = 0; swapped < 2; swapped++) {
        mr_totals_init(&totals);
        accept(&totals, &zeros[swapped], 1, 1);
        accept(&totals, &zeros[1 - swapped], 1, 1);
        assert_int_equal(totals.value_min_bits, bits_of(-0.0));
        assert_int_equal(totals.value_max_bits, bits_of(0.0));
    }
}

// Batches of every size around multiples of 255 and 256, in which every record has the same kind
// and flags, or each its own: the counts are those of counting one by one.
static void test_many_records(void **context)
{
    (void)context;
    static struct mr_record records[1100];
    for (unsigned mixed = 0; mixed < 2; mixed++) {
        for (unsigned i = 0; i < 1100; i++) {
            records[i] = (struct mr_record){.kind = (uint8_t)(mixed == 0 ? 7 : i % 8),
                                            .flags = (uint8_t)(mixed == 0 ? 0xFF : i),
                                            .timestamp_us = 5000 - i,
                                            .value_bits = bits_of(i - 300.0)};
        }
        for (uint32_t count = 1; count <= 1100; count++) {
            struct mr_totals expected = {.batches_accepted = 1, .records = count};
            for (uint32_t i = 0; i < count; i++) {
                expected.kinds[records[i].kind]++;
                for (unsigned bit = 0; bit < 8; bit++) {
                    expected.flags[bit] += records[i].flags >> bit & 1;
                }
                expected.value_sum += (uint64_t)(((int64_t)i - 300) * 1024);
            }
            expected.timestamp_min = 5000 - (count - 1);
            expected.timestamp_max = 5000;
            expected.value_min_bits = bits_of(-300.0);
            expected.value_max_bits = bits_of((double)count - 301);
            struct mr_totals totals;
            mr_totals_init(&totals);
            mr_totals_accept(&totals, records, count, 0, 0);
            assert_true(mr_totals_equal(&totals, &expected));
        }
    }
}

// The sum wraps around at 2^64 and goes on.
static void test_sum_wraps(void **context)
{
    (void)context;
    struct mr_record record = {.value_bits = bits_of(1e15)};
    struct mr_totals totals;
    mr_totals_init(&totals);
    uint64_t expected = 0;
    for (int i = 0; i < 40; i++) {
        accept(&totals, &record, 1, 1);
        expected += 1024000000000000000u;
    }
    assert_int_equal(totals.value_sum, expected);
    assert_int_equal(expected, 4066511852580896768u); // 40.96e18 - 2 * 2^64
}

static void test_other_batches(void **context)
{
    (void)context;
    struct mr_totals totals;
    mr_totals_init(&totals);
    mr_totals_accept(&totals, NULL, 0, 0, 2);
    mr_totals_reject(&totals);
    mr_totals_reject(&totals);
    mr_totals_drain(&totals, 10);
    struct mr_totals expected = {.batches_accepted = 2, .batches_rejected = 2, .payload_bytes = 12};
    assert_true(mr_totals_equal(&totals, &expected));
}

// The same records in any grouping over any number of totals.
static void test_merge(void **context)
{
    (void)context;
    struct mr_record records[60];
    for (unsigned i = 0; i < 60; i++) {
        records[i] = (struct mr_record){.id = i,
                                        .timestamp_us = (i * 7919) % 1000 + 3,
                                        .value_bits = bits_of(((int)i - 30) * 1.5),
                                        .kind = (uint8_t)(i % 8),
                                        .flags = (uint8_t)(i * 37)};
    }
    struct mr_totals whole;
    mr_totals_init(&whole);
    for (unsigned i = 0; i < 60; i += 5) {
        accept(&whole, &records[i], 5, i);
    }
    mr_totals_reject(&whole);
    for (unsigned parts = 1; parts <= 4; parts++) {
        struct mr_totals part[4];
        struct mr_totals sum;
        mr_totals_init(&sum);
        for (unsigned p = 0; p < parts; p++) {
            mr_totals_init(&part[p]);
        }
        for (unsigned i = 0; i < 60; i += 5) {
            accept(&part[i % parts], &records[i], 5, i);
        }
        mr_totals_reject(&part[parts - 1]);
        for (unsigned p = parts; p-- > 0;) {
            mr_totals_merge(&sum, &part[p]);
        }
        assert_true(mr_totals_equal(&sum, &whole));
    }
    // Nothing changes nothing, in either direction.
    struct mr_totals nothing;
    mr_totals_init(&nothing);
    struct mr_totals copy = whole;
    mr_totals_merge(&copy, &nothing);
    assert_true(mr_totals_equal(&copy, &whole));
    mr_totals_merge(&nothing, &whole);
    assert_true(mr_totals_equal(&nothing, &whole));
}

// A difference in any field that means something is seen, and extremes of nothing mean nothing.
static void test_equal(void **context)
{
    (void)context;
    struct mr_totals left = {.records = 1};
    for (size_t i = 0; i < sizeof left; i++) {
        struct mr_totals right = left;
        ((uint8_t *)&right)[i] ^= 0x10;
        assert_false(mr_totals_equal(&left, &right));
    }
    left.records = 0;
    struct mr_totals right = {
        .timestamp_min = 1, .timestamp_max = 2, .value_min_bits = 3, .value_max_bits = 4};
    assert_true(mr_totals_equal(&left, &right));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),    cmocka_unit_test(test_sums_and_extremes),
        cmocka_unit_test(test_text_bytes), cmocka_unit_test(test_result),
        cmocka_unit_test(test_values),     cmocka_unit_test(test_many_records),
        cmocka_unit_test(test_sum_wraps),  cmocka_unit_test(test_other_batches),
        cmocka_unit_test(test_merge),      cmocka_unit_test(test_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
