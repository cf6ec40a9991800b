// load_medians_test.c: the timeline's coarse histograms: how coarse, what they hold, how they
// merge.
#include <timeline.h>
#include <timeline_medians.h>

#include <base/rng.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MS 1000000ull

// The middle of a value's bucket is within the error that is stated, or within 32 ns.
static void expect_close(const struct mr_medians *medians, uint64_t value_ns)
{
    size_t bucket = mr_medians_bucket(medians, value_ns);
    assert_true(bucket < medians->buckets_count);
    double middle_ns = (double)mr_medians_middle_ns(medians, bucket);
    double off_ns =
        middle_ns > (double)value_ns ? middle_ns - (double)value_ns : (double)value_ns - middle_ns;
    assert_true(off_ns <= 32 || off_ns <= mr_medians_error(medians) * (double)value_ns);
}

static void test_how_coarse(void **state)
{
    (void)state;
    // Bins of 100 ms: a minute, half an hour, an hour, three hours.
    static const size_t bins[] = {600, 18000, 36000, 108000};
    static const double error[] = {1.0 / 128, 1.0 / 64, 1.0 / 32, 1.0 / 16};
    for (size_t i = 0; i < 4; i++) {
        struct mr_medians medians;
        assert_int_equal(mr_medians_init(&medians, bins[i]), 0);
        assert_true(mr_medians_error(&medians) == error[i]);
        struct mr_rng rng = mr_rng_seeded(3);
        size_t before = 0;
        for (uint64_t value_ns = 0; value_ns < 68000 * MS;
             value_ns += 1 + mr_rng_below(&rng, 1 + value_ns / 50)) {
            expect_close(&medians, value_ns);
            size_t bucket = mr_medians_bucket(&medians, value_ns);
            assert_true(bucket >= before);
            before = bucket;
        }
        assert_int_equal(mr_medians_bucket(&medians, UINT64_MAX), medians.buckets_count - 1);
        mr_medians_fini(&medians);
    }
}

// Bins keep apart; odd and even counts have the value of rank ⌈n/2⌉.
static void test_ranks(void **state)
{
    (void)state;
    struct mr_medians medians;
    assert_int_equal(mr_medians_init(&medians, 3), 0);
    assert_int_equal(mr_medians_value_ns(&medians, 0), 0);
    static const uint64_t values[] = {900 * MS, 1 * MS, 30 * MS, 30 * MS, 5000};
    static const uint64_t expected[] = {900 * MS, 1 * MS, 30 * MS, 30 * MS, 30 * MS};
    for (size_t i = 0; i < 5; i++) {
        mr_medians_add(&medians, 1, values[i]);
        assert_int_equal(mr_medians_bucket(&medians, mr_medians_value_ns(&medians, 1)),
                         mr_medians_bucket(&medians, expected[i]));
    }
    assert_int_equal(mr_medians_value_ns(&medians, 0), 0);
    assert_int_equal(mr_medians_value_ns(&medians, 2), 0);
    mr_medians_clear(&medians, 2);
    assert_int_equal(mr_medians_value_ns(&medians, 1), 0);
    mr_medians_fini(&medians);
}

static void answer(struct mr_timeline *timeline, uint64_t reply_ns, uint64_t value_ns)
{
    mr_timeline_answered(timeline,
                         &(struct mr_timeline_answer){.reply_ns = reply_ns, .value_ns = value_ns});
}

// One thread has five slow answers, another three fast ones: the median of all eight is slow.
static void test_merge_adds(void **state)
{
    (void)state;
    struct mr_timeline slow;
    struct mr_timeline fast;
    assert_int_equal(mr_timeline_init(&slow, 400 * MS), 0);
    assert_int_equal(mr_timeline_init(&fast, 400 * MS), 0);
    mr_timeline_begin(&slow, 1000 * MS);
    mr_timeline_begin(&fast, 1000 * MS);
    for (int i = 0; i < 5; i++) {
        answer(&slow, 1100 * MS, 70 * MS);
        if (i < 3) {
            answer(&fast, 1199 * MS, 2 * MS);
        }
    }
    answer(&fast, 1200 * MS, 90 * MS); // the next bin's
    mr_timeline_merge(&slow, &fast);
    uint64_t median_ns = mr_medians_value_ns(&slow.medians, 1);
    assert_in_range(median_ns, 70 * MS * 127 / 128, 70 * MS * 129 / 128);
    assert_int_equal(slow.bin[1].batches, 8);
    assert_int_equal(slow.bin[1].max_ns, 70 * MS);
    assert_int_equal(slow.bin[2].max_ns, 90 * MS);
    mr_timeline_begin(&slow, 2000 * MS); // forgets
    assert_int_equal(mr_medians_value_ns(&slow.medians, 1), 0);
    assert_int_equal(slow.bin[2].max_ns, 0);
    mr_timeline_fini(&slow);
    mr_timeline_fini(&fast);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_how_coarse),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_merge_adds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
