// load_hdr_intervals_test.c: each value counts in one second, none is lost at a border, threads add
// up, and recording allocates nothing.
#include "counting_alloc.h"

#include <hdr_intervals.h>
#include <recorder.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define S  1000000000ull
#define MS 1000000ull

static uint64_t count_of(const struct mr_intervals *intervals, size_t series, size_t interval)
{
    struct mr_hist hist;
    assert_int_equal(mr_hist_init(&hist), 0);
    mr_intervals_collect(intervals, series, interval, &hist);
    uint64_t count = mr_hist_count(&hist);
    mr_hist_fini(&hist);
    return count;
}

static void test_borders(void **state)
{
    (void)state;
    struct mr_intervals intervals;
    assert_int_equal(mr_intervals_init(&intervals, 2 * S + 1, 2), 0);
    assert_int_equal(intervals.count, 3);
    assert_int_equal(mr_intervals_bytes(2 * S + 1, 2), 3 * 2 * 33792 * 4);
    assert_int_equal(mr_intervals_bytes(2 * S, 2), 2 * 2 * 33792 * 4);
    mr_intervals_begin(&intervals, 10 * S);
    mr_intervals_add(&intervals, 0, 10 * S - 1, 7); // before: in the first
    mr_intervals_add(&intervals, 0, 10 * S, 7);
    mr_intervals_add(&intervals, 0, 11 * S - 1, 7);
    mr_intervals_add(&intervals, 0, 11 * S, 7); // in the second only
    mr_intervals_add(&intervals, 0, 12 * S, 7);
    mr_intervals_add(&intervals, 0, 99 * S, 7); // behind: in the last
    mr_intervals_add(&intervals, 1, 11 * S, MR_HIST_MAX_NS);
    mr_intervals_add(&intervals, 1, 11 * S, MR_HIST_MAX_NS + 1); // counted elsewhere
    static const uint64_t expected[2][3] = {{3, 1, 2}, {0, 1, 0}};
    for (size_t series = 0; series < 2; series++) {
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(count_of(&intervals, series, i), expected[series][i]);
        }
    }
    mr_intervals_begin(&intervals, 20 * S);
    assert_int_equal(count_of(&intervals, 0, 0) + count_of(&intervals, 1, 1), 0);
    mr_intervals_fini(&intervals);
}

// The intervals of two threads collected into one histogram are the histogram of both.
static void test_collect_adds(void **state)
{
    (void)state;
    struct mr_intervals threads[2];
    struct mr_hist both;
    struct mr_hist collected;
    assert_int_equal(mr_hist_init(&both), 0);
    assert_int_equal(mr_hist_init(&collected), 0);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(mr_intervals_init(&threads[i], S, 1), 0);
        for (uint64_t value = 1; value < 3000 * MS; value = value * 3 + i) {
            mr_intervals_add(&threads[i], 0, 0, value);
            assert_true(mr_hist_record(&both, value));
        }
    }
    mr_intervals_collect(&threads[0], 0, 0, &collected);
    mr_intervals_collect(&threads[1], 0, 0, &collected);
    assert_int_equal(mr_hist_count(&collected), mr_hist_count(&both));
    assert_memory_equal(collected.counts, both.counts, MR_HIST_COUNTS_LEN * sizeof both.counts[0]);
    for (size_t i = 0; i < 2; i++) {
        mr_intervals_fini(&threads[i]);
    }
    mr_hist_fini(&both);
    mr_hist_fini(&collected);
}

static const struct mr_window window = {
    .start_ns = S, .begin_ns = 2 * S, .end_ns = 4 * S, .limit_ns = 5 * S};

static struct mr_request batch(uint64_t due_ns, uint64_t reply_ns)
{
    return (struct mr_request){.times = {.due_ns = due_ns,
                                         .released_ns = due_ns + 3,
                                         .send_start_ns = due_ns + 4,
                                         .send_complete_ns = due_ns + 5,
                                         .reply_ns = reply_ns}};
}

// A recorder puts each batch where its reply came, what is censored in the last second, and asks
// the system for nothing while it does.
static void test_recorder(void **state)
{
    (void)state;
    struct mr_recorder recorder;
    assert_int_equal(mr_recorder_init(&recorder, MR_PLAN_OPEN, 4 * S), 0);
    assert_int_equal(mr_recorder_keep_intervals(&recorder, 3 * S), 0);
    mr_recorder_begin(&recorder, &window);
    mr_alloc_reset();
    for (uint64_t due_ns = S; due_ns < 4 * S; due_ns += 10 * MS) {
        struct mr_request request = batch(due_ns, due_ns + 20 * MS);
        request.blocked = due_ns == 3 * S;
        mr_recorder_sent(&recorder, &request);
        mr_recorder_answered(&recorder, &request);
    }
    mr_recorder_censor(&recorder, 4 * S - 1, 0, false);
    mr_recorder_end(&recorder, 5 * S);
    assert_int_equal(mr_alloc_counts().calls, 0);
    static const uint64_t expected[3][3] = {{98, 100, 3}, {98, 100, 2}, {98, 99, 2}};
    for (size_t place = 0; place < 3; place++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(count_of(&recorder.intervals, place, i), expected[place][i]);
            sum += expected[place][i];
        }
        enum mr_series series = mr_recorder_series_at(MR_PLAN_OPEN, place);
        assert_int_equal(mr_hist_count(&recorder.series[series]), sum);
    }
    mr_recorder_fini(&recorder);
}

static void test_closed_has_one_series(void **state)
{
    (void)state;
    struct mr_recorder recorder;
    assert_int_equal(mr_recorder_interval_series(MR_PLAN_CLOSED), 1);
    assert_int_equal(mr_recorder_series_at(MR_PLAN_CLOSED, 0), MR_SERIES_ROUND_TRIP);
    assert_int_equal(mr_recorder_init(&recorder, MR_PLAN_CLOSED, 4 * S), 0);
    assert_int_equal(mr_recorder_keep_intervals(&recorder, 3 * S), 0);
    mr_recorder_begin(&recorder, &window);
    struct mr_request request = batch(2 * S, 3 * S);
    mr_recorder_sent(&recorder, &request);
    mr_recorder_answered(&recorder, &request);
    mr_recorder_censor(&recorder, 3 * S, 3 * S, true);
    assert_int_equal(recorder.intervals.recorded, 2);
    assert_int_equal(count_of(&recorder.intervals, 0, 1), 1);
    assert_int_equal(count_of(&recorder.intervals, 0, 2), 1);
    mr_recorder_fini(&recorder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_collect_adds),
        cmocka_unit_test(test_recorder),
        cmocka_unit_test(test_closed_has_one_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
