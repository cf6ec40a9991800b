// stats_hist_v2_test.c: the V2 encoding, byte for byte as worked out by hand from the format.
#include <stats/mr_hist_v2.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void expect_number(int64_t value, const char *bytes, size_t size)
{
    uint8_t got[MR_HIST_V2_LEB128_BYTES];
    assert_int_equal(mr_hist_v2_number(value, got), size);
    assert_memory_equal(got, bytes, size);
}

static void test_numbers(void **state)
{
    (void)state;
    expect_number(0, "\x00", 1);
    expect_number(-1, "\x01", 1);
    expect_number(1, "\x02", 1);
    expect_number(63, "\x7e", 1);
    expect_number(-64, "\x7f", 1);
    expect_number(64, "\x80\x01", 2);
    expect_number(300, "\xd8\x04", 2);
    expect_number(-11169, "\xc1\xae\x01", 3);
    expect_number((int64_t)1 << 54, "\x80\x80\x80\x80\x80\x80\x80\x40", 8);
    expect_number((int64_t)1 << 55, "\x80\x80\x80\x80\x80\x80\x80\x80\x01", 9);
    expect_number(INT64_MAX, "\xfe\xff\xff\xff\xff\xff\xff\xff\xff", 9);
    expect_number(INT64_MIN, "\xff\xff\xff\xff\xff\xff\xff\xff\xff", 9);
}

// The header of (1, 3.6e12, 3 digits), then the counts.
static void expect_counts(const struct mr_hist *hist, const char *counts, size_t size)
{
    static const uint8_t head[MR_HIST_V2_HEAD_BYTES] = {
        0x1c, 0x84, 0x93, 0x13, 0,    0,    0, 0, 0, 0, 0,    0,    0,    0,
        0,    3,    0,    0,    0,    0,    0, 0, 0, 1, 0x00, 0x00, 0x03, 0x46,
        0x30, 0xb8, 0xa0, 0x00, 0x3f, 0xf0, 0, 0, 0, 0, 0,    0};
    static uint8_t got[MR_HIST_V2_BYTES_MAX];
    uint8_t expected[MR_HIST_V2_HEAD_BYTES];
    memcpy(expected, head, sizeof expected);
    expected[7] = (uint8_t)size;
    assert_int_equal(mr_hist_v2_encode(hist, got), MR_HIST_V2_HEAD_BYTES + size);
    assert_memory_equal(got, expected, sizeof expected);
    assert_memory_equal(got + MR_HIST_V2_HEAD_BYTES, counts, size);
}

static void test_histograms(void **state)
{
    (void)state;
    struct mr_hist hist;
    assert_int_equal(mr_hist_init(&hist), 0);
    expect_counts(&hist, "\x00", 1);
    assert_true(mr_hist_record(&hist, 5));
    expect_counts(&hist, "\x09\x02", 2); // five zeros, one
    assert_true(mr_hist_record_n(&hist, 7, 64));
    expect_counts(&hist, "\x09\x02\x00\x80\x01", 5); // a zero alone is itself
    mr_hist_reset(&hist);
    assert_true(mr_hist_record_n(&hist, 0, 2));
    assert_true(mr_hist_record_n(&hist, 2049, 3)); // bucket 2048, of 2048 and 2049
    expect_counts(&hist, "\x04\xfd\x1f\x06", 4);   // 2047 zeros
    mr_hist_reset(&hist);
    assert_true(mr_hist_record(&hist, 1000000)); // bucket 11169
    expect_counts(&hist, "\xc1\xae\x01\x02", 4);
    mr_hist_fini(&hist);
}

// Every bucket full of the longest number fits into the room that is asked for.
static void test_room(void **state)
{
    (void)state;
    struct mr_hist hist;
    uint8_t *bytes = malloc(MR_HIST_V2_BYTES_MAX);
    assert_non_null(bytes);
    assert_int_equal(mr_hist_init(&hist), 0);
    for (size_t i = 0; i < MR_HIST_COUNTS_LEN; i++) {
        hist.counts[i] = INT64_MAX;
    }
    hist.max_ns = MR_HIST_MAX_NS;
    size_t used = mr_hist_index(MR_HIST_MAX_NS) + 1;
    assert_int_equal(mr_hist_v2_encode(&hist, bytes), MR_HIST_V2_HEAD_BYTES + 9 * used);
    mr_hist_fini(&hist);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_histograms),
        cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
