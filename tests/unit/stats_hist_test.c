// stats_hist_test.c: the histogram's layout, ranks and counts against values worked out by hand.
#include <stats/mr_hist.h>

#include <base/rng.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static int make(void **state)
{
    struct mr_hist *hist = malloc(sizeof *hist);
    *state = hist;
    return hist == NULL ? -1 : mr_hist_init(hist);
}

static int drop(void **state)
{
    mr_hist_fini(*state);
    free(*state);
    return 0;
}

// Borders as HdrHistogram gives them for (1, 3.6e12, 3): 33 · 1024 counts; units up to 2047, pairs
// up to 4095; 10^6 falls into 999,936 … 1,000,447 and 10^8 into 99,942,400 … 100,007,935.
static void test_layout(void **state)
{
    (void)state;
    assert_int_equal(MR_HIST_COUNTS_LEN, 33792);
    assert_int_equal(mr_hist_index(0), 0);
    assert_int_equal(mr_hist_index(2047), 2047);
    assert_int_equal(mr_hist_index(2048), 2048);
    assert_int_equal(mr_hist_index(2049), 2048);
    assert_int_equal(mr_hist_index(2050), 2049);
    assert_int_equal(mr_hist_index(4095), 3071);
    assert_int_equal(mr_hist_index(4096), 3072);
    assert_int_equal(mr_hist_index(1000000), 11169);
    assert_int_equal(mr_hist_low_ns(11169), 999936);
    assert_int_equal(mr_hist_high_ns(11169), 1000447);
    assert_int_equal(mr_hist_low_ns(mr_hist_index(100000000)), 99942400);
    assert_int_equal(mr_hist_high_ns(mr_hist_index(100000000)), 100007935);
    assert_true(mr_hist_index(MR_HIST_MAX_NS) < MR_HIST_COUNTS_LEN);
}

// Buckets follow each other without gap or overlap, and none is wider than 1/1024 of its value.
static void test_buckets_touch(void **state)
{
    (void)state;
    assert_int_equal(mr_hist_low_ns(0), 0);
    for (size_t i = 0; i < MR_HIST_COUNTS_LEN; i++) {
        uint64_t low = mr_hist_low_ns(i);
        uint64_t high = mr_hist_high_ns(i);
        assert_true(low <= high && (high - low) * 1024 <= low);
        if (high <= MR_HIST_MAX_NS) {
            assert_int_equal(mr_hist_index(low), i);
            assert_int_equal(mr_hist_index(high), i);
        }
        if (i + 1 < MR_HIST_COUNTS_LEN) {
            assert_int_equal(mr_hist_low_ns(i + 1), high + 1);
        }
    }
}

static void test_empty(void **state)
{
    struct mr_hist *hist = *state;
    struct mr_hist_bucket bucket = {0};
    assert_int_equal(mr_hist_count(hist), 0);
    assert_int_equal(mr_hist_min_ns(hist), 0);
    assert_int_equal(mr_hist_max_ns(hist), 0);
    assert_true(mr_hist_mean_ns(hist) == 0);
    assert_int_equal(mr_hist_value_at_percentile(hist, 50), 0);
    assert_false(mr_hist_next(hist, &bucket));
}

static void test_ranks(void **state)
{
    struct mr_hist *hist = *state;
    for (uint64_t value = 1; value <= 1000; value++) {
        assert_true(mr_hist_record(hist, value));
    }
    assert_int_equal(mr_hist_value_at_percentile(hist, 0), 1);
    assert_int_equal(mr_hist_value_at_percentile(hist, 0.1), 1);
    assert_int_equal(mr_hist_value_at_percentile(hist, 0.11), 2);
    assert_int_equal(mr_hist_value_at_percentile(hist, 50), 500);
    assert_int_equal(mr_hist_value_at_percentile(hist, 50.01), 501);
    assert_int_equal(mr_hist_value_at_percentile(hist, 99.9), 999);
    assert_int_equal(mr_hist_value_at_percentile(hist, 99.91), 1000);
    assert_int_equal(mr_hist_value_at_percentile(hist, 100), 1000);
    assert_true(mr_hist_mean_ns(hist) == 500.5);
    assert_int_equal(mr_hist_count_above(hist, 250), 750);
    assert_int_equal(mr_hist_count_above(hist, 0), 1000);
    assert_int_equal(mr_hist_count_above(hist, 1000), 0);
}

// HdrHistogram's own example: ten thousand times 1000 and once 10^8. A percentile never lies above
// the exact maximum, whatever the bucket's top.
static void test_one_wild_value(void **state)
{
    struct mr_hist *hist = *state;
    assert_true(mr_hist_record_n(hist, 1000, 10000));
    assert_true(mr_hist_record(hist, 100000000));
    assert_int_equal(mr_hist_value_at_percentile(hist, 30), 1000);
    assert_int_equal(mr_hist_value_at_percentile(hist, 99.99), 1000);
    assert_int_equal(mr_hist_value_at_percentile(hist, 99.999), 100000000);
    assert_true(fabs(mr_hist_mean_ns(hist) - 110000000.0 / 10001) < 1e-6);
    assert_true(mr_hist_record(hist, 3000000000u));
    assert_int_equal(mr_hist_value_at_percentile(hist, 99.99), 100007935);
    assert_int_equal(mr_hist_max_ns(hist), 3000000000u);
    assert_int_equal(mr_hist_min_ns(hist), 1000);
}

static void test_out_of_range_is_counted(void **state)
{
    struct mr_hist *hist = *state;
    assert_true(mr_hist_record(hist, MR_HIST_MAX_NS));
    assert_false(mr_hist_record(hist, MR_HIST_MAX_NS + 1));
    assert_false(mr_hist_record_n(hist, UINT64_MAX, 7));
    assert_int_equal(mr_hist_count(hist), 1);
    assert_int_equal(mr_hist_out_of_range_count(hist), 8);
    assert_int_equal(mr_hist_max_ns(hist), MR_HIST_MAX_NS);
    mr_hist_reset(hist);
    assert_int_equal(mr_hist_out_of_range_count(hist), 0);
    assert_int_equal(mr_hist_count(hist), 0);
    assert_int_equal(mr_hist_value_at_percentile(hist, 100), 0);
}

// Two halves merged are the whole, in every count; the sum is exact beyond 64 bits.
static void test_merge(void **state)
{
    struct mr_hist *whole = *state;
    struct mr_hist half[2];
    assert_int_equal(mr_hist_init(&half[0]), 0);
    assert_int_equal(mr_hist_init(&half[1]), 0);
    struct mr_rng rng = mr_rng_seeded(7);
    for (int i = 0; i < 20000; i++) {
        uint64_t value = mr_rng_next(&rng) >> mr_rng_between(&rng, 21, 60);
        (void)mr_hist_record(whole, value);
        (void)mr_hist_record(&half[i % 2], value);
    }
    assert_true(mr_hist_record_n(whole, MR_HIST_MAX_NS, 20000000));
    assert_true(mr_hist_record_n(&half[1], MR_HIST_MAX_NS, 20000000));
    assert_true(mr_hist_out_of_range_count(whole) > 0);
    mr_hist_merge(&half[0], &half[1]);
    assert_memory_equal(half[0].counts, whole->counts, MR_HIST_COUNTS_LEN * sizeof(uint64_t));
    struct mr_hist merged = half[0];
    assert_int_equal(merged.count, whole->count);
    assert_int_equal(merged.out_of_range_count, whole->out_of_range_count);
    assert_int_equal(merged.min_ns, whole->min_ns);
    assert_int_equal(merged.max_ns, whole->max_ns);
    assert_int_equal(merged.sum_low, whole->sum_low);
    assert_int_equal(merged.sum_high, whole->sum_high);
    assert_true(whole->sum_high >= 3);
    assert_true(mr_hist_mean_ns(whole) > 3.59e12 && mr_hist_mean_ns(whole) < 3.6e12);
    mr_hist_fini(&half[0]);
    mr_hist_fini(&half[1]);
}

static void test_merge_of_empty_keeps_min(void **state)
{
    struct mr_hist *hist = *state;
    struct mr_hist empty;
    assert_int_equal(mr_hist_init(&empty), 0);
    assert_true(mr_hist_record(hist, 5));
    mr_hist_merge(hist, &empty);
    assert_int_equal(mr_hist_min_ns(hist), 5);
    mr_hist_merge(&empty, hist);
    assert_int_equal(mr_hist_min_ns(&empty), 5);
    assert_int_equal(mr_hist_max_ns(&empty), 5);
    mr_hist_fini(&empty);
}

static void test_iteration(void **state)
{
    struct mr_hist *hist = *state;
    assert_true(mr_hist_record_n(hist, 0, 2));
    assert_true(mr_hist_record_n(hist, 1000000, 3));
    assert_true(mr_hist_record(hist, 1000447));
    assert_true(mr_hist_record(hist, 1000448));
    struct mr_hist_bucket bucket = {0};
    assert_true(mr_hist_next(hist, &bucket));
    assert_int_equal(bucket.index, 0);
    assert_int_equal(bucket.count, 2);
    assert_true(mr_hist_next(hist, &bucket));
    assert_int_equal(bucket.low_ns, 999936);
    assert_int_equal(bucket.count, 4);
    assert_int_equal(bucket.cumulative, 6);
    assert_true(mr_hist_next(hist, &bucket));
    assert_int_equal(bucket.low_ns, 1000448);
    assert_int_equal(bucket.cumulative, 7);
    assert_false(mr_hist_next(hist, &bucket));
}

// The value of rank r in a sorted array lies in the bucket that the percentile names.
static void test_against_sorted_values(void **state)
{
    struct mr_hist *hist = *state;
    enum { COUNT = 5000 };
    uint64_t value[COUNT];
    struct mr_rng rng = mr_rng_seeded(11);
    for (size_t i = 0; i < COUNT; i++) {
        value[i] = mr_rng_next(&rng) >> mr_rng_between(&rng, 24, 63);
        assert_true(mr_hist_record(hist, value[i]));
        for (size_t j = i; j > 0 && value[j - 1] > value[j]; j--) {
            uint64_t kept = value[j];
            value[j] = value[j - 1];
            value[j - 1] = kept;
        }
    }
    for (size_t rank = 1; rank < COUNT; rank += 7) {
        double percentile = 100.0 * (double)rank / (double)COUNT;
        uint64_t found = mr_hist_value_at_percentile(hist, percentile);
        assert_int_equal(found, mr_hist_high_ns(mr_hist_index(value[rank - 1])));
    }
    assert_int_equal(mr_hist_value_at_percentile(hist, 100), value[COUNT - 1]);
}

static void test_percentile_allowed(void **state)
{
    (void)state;
    assert_false(mr_hist_percentile_allowed(199, 50));
    assert_true(mr_hist_percentile_allowed(200, 50));
    assert_false(mr_hist_percentile_allowed(999, 90));
    assert_true(mr_hist_percentile_allowed(1000, 90));
    assert_false(mr_hist_percentile_allowed(9999, 99));
    assert_true(mr_hist_percentile_allowed(10000, 99));
    assert_false(mr_hist_percentile_allowed(99999, 99.9));
    assert_true(mr_hist_percentile_allowed(100000, 99.9));
    assert_false(mr_hist_percentile_allowed(999999, 99.99));
    assert_true(mr_hist_percentile_allowed(1000000, 99.99));
    assert_false(mr_hist_percentile_allowed(UINT64_MAX, 100));
    assert_false(mr_hist_percentile_allowed(UINT64_MAX, -1));
    assert_false(mr_hist_percentile_allowed(UINT64_MAX, (double)NAN));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_buckets_touch),
        cmocka_unit_test_setup_teardown(test_empty, make, drop),
        cmocka_unit_test_setup_teardown(test_ranks, make, drop),
        cmocka_unit_test_setup_teardown(test_one_wild_value, make, drop),
        cmocka_unit_test_setup_teardown(test_out_of_range_is_counted, make, drop),
        cmocka_unit_test_setup_teardown(test_merge, make, drop),
        cmocka_unit_test_setup_teardown(test_merge_of_empty_keeps_min, make, drop),
        cmocka_unit_test_setup_teardown(test_iteration, make, drop),
        cmocka_unit_test_setup_teardown(test_against_sorted_values, make, drop),
        cmocka_unit_test(test_percentile_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
