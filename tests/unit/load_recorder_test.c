// load_recorder_test.c: which batch counts where: window, population, censored, in-flight integral,
// timeline, merging.
#include <recorder.h>
#include <timeline.h>

#include <base/rng.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MS 1000000ull

// Start at 1 s, window from 1.1 s to 1.3 s, limit at 1.5 s.
static const struct mr_window window = {
    .start_ns = 1000 * MS, .begin_ns = 1100 * MS, .end_ns = 1300 * MS, .limit_ns = 1500 * MS};

static struct mr_request batch(uint64_t due_ms, uint64_t sent_ms, uint64_t reply_ms)
{
    return (struct mr_request){.payload_bytes = 100,
                               .edit.answer.records = 7,
                               .reply_gap_ns = 10,
                               .times = {.due_ns = due_ms * MS,
                                         .released_ns = due_ms * MS,
                                         .send_start_ns = sent_ms * MS,
                                         .send_complete_ns = sent_ms * MS,
                                         .reply_ns = reply_ms * MS}};
}

static void pass(struct mr_recorder *recorder, const struct mr_request *request)
{
    mr_recorder_sent(recorder, request);
    mr_recorder_answered(recorder, request);
}

static void begin(struct mr_recorder *recorder, enum mr_plan_kind plan)
{
    assert_int_equal(mr_recorder_init(recorder, plan, 500 * MS), 0);
    mr_recorder_begin(recorder, &window);
}

// Throughput: replies inside [begin, end[. Latency: due inside, answered whenever.
static void test_populations(void **state)
{
    (void)state;
    struct mr_recorder recorder;
    begin(&recorder, MR_PLAN_OPEN);
    struct mr_request before = batch(1050, 1060, 1099);
    struct mr_request into = batch(1099, 1099, 1100);   // answered inside, due outside
    struct mr_request inside = batch(1100, 1120, 1150); // both
    struct mr_request out = batch(1299, 1299, 1300);    // due inside, answered outside
    struct mr_request late = batch(1300, 1300, 1301);
    pass(&recorder, &before);
    pass(&recorder, &into);
    pass(&recorder, &inside);
    pass(&recorder, &out);
    pass(&recorder, &late);
    assert_int_equal(recorder.counts.batches, 2);
    assert_int_equal(recorder.counts.records, 14);
    assert_int_equal(recorder.counts.payload_bytes, 200);
    assert_int_equal(recorder.counts.due, 2);
    const struct mr_hist *latency = &recorder.series[MR_SERIES_LATENCY];
    assert_int_equal(mr_hist_count(latency), 2);
    assert_int_equal(mr_hist_max_ns(latency), 50 * MS); // from due, not from sending
    assert_int_equal(mr_hist_max_ns(&recorder.series[MR_SERIES_SERVICE]), 30 * MS);
    assert_int_equal(mr_hist_max_ns(&recorder.series[MR_SERIES_LATENCY_LOW]), 50 * MS - 10);
    assert_int_equal(mr_hist_count(&recorder.series[MR_SERIES_ROUND_TRIP]), 0);
    assert_int_equal(recorder.timeline.bin[1].max_ns, 50 * MS); // latency, too
    mr_recorder_fini(&recorder);
}

static void test_lateness_of_unblocked_only(void **state)
{
    (void)state;
    struct mr_recorder recorder;
    begin(&recorder, MR_PLAN_OPEN);
    struct mr_request punctual = batch(1110, 1120, 1121);
    struct mr_request waited = batch(1111, 1120, 1122);
    punctual.times.released_ns += 3;
    punctual.lateness_ns = 3;
    waited.times.released_ns = 1119 * MS;
    waited.blocked = true;
    pass(&recorder, &punctual);
    pass(&recorder, &waited);
    assert_int_equal(mr_hist_count(&recorder.series[MR_SERIES_LATENESS]), 1);
    assert_int_equal(mr_hist_max_ns(&recorder.series[MR_SERIES_LATENESS]), 3);
    assert_int_equal(mr_hist_count(&recorder.series[MR_SERIES_LATENCY]), 2);
    assert_int_equal(recorder.counts.blocked, 1);
    mr_recorder_fini(&recorder);
}

static void test_closed_has_round_trips_only(void **state)
{
    (void)state;
    struct mr_recorder recorder;
    begin(&recorder, MR_PLAN_CLOSED);
    struct mr_request request = batch(1110, 1112, 1120);
    pass(&recorder, &request);
    assert_int_equal(mr_hist_count(&recorder.series[MR_SERIES_LATENCY]), 0);
    assert_int_equal(mr_hist_count(&recorder.series[MR_SERIES_LATENESS]), 0);
    assert_int_equal(mr_hist_max_ns(&recorder.series[MR_SERIES_ROUND_TRIP]), 8 * MS);
    assert_int_equal(recorder.timeline.bin[1].max_ns, 8 * MS);
    mr_recorder_fini(&recorder);
}

// Unanswered at the limit: in the histogram at what they had waited by then, and no second time
// when the answer comes after all.
static void test_censored(void **state)
{
    (void)state;
    struct mr_recorder recorder;
    begin(&recorder, MR_PLAN_OPEN);
    struct mr_request request = batch(1290, 1291, 1600);
    mr_recorder_sent(&recorder, &request);
    mr_recorder_censor(&recorder, request.times.due_ns, request.times.send_start_ns, true);
    mr_recorder_censor(&recorder, 1295 * MS, 0, false);
    mr_recorder_censor(&recorder, 1300 * MS, 0, false); // not due in the window
    recorder.closed = true;
    mr_recorder_answered(&recorder, &request);
    assert_int_equal(recorder.counts.due, 2);
    assert_int_equal(recorder.counts.censored, 2);
    assert_int_equal(recorder.counts.censored_never_sent, 1);
    const struct mr_hist *latency = &recorder.series[MR_SERIES_LATENCY];
    assert_int_equal(mr_hist_count(latency), 2);
    assert_true(mr_hist_min_ns(latency) >= window.limit_ns - window.end_ns);
    assert_int_equal(mr_hist_max_ns(latency), 210 * MS);
    mr_recorder_fini(&recorder);
}

struct change {
    uint64_t time_ns;
    int begins;
    struct mr_request *request;
};

static int by_time(const void *left, const void *right)
{
    const struct change *a = left;
    const struct change *b = right;
    return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

// The integral is the sum of each batch's own time in flight inside the window, to the nanosecond.
static void test_integral(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    static struct mr_request request[COUNT];
    static struct change change[2 * COUNT];
    struct mr_recorder recorder;
    struct mr_rng rng = mr_rng_seeded(21);
    uint64_t integral = 0;
    begin(&recorder, MR_PLAN_CLOSED);
    for (int i = 0; i < COUNT; i++) {
        request[i] = batch(1000, 0, 0);
        uint64_t sent = window.start_ns + mr_rng_below(&rng, 400 * MS);
        uint64_t reply = sent + 1 + mr_rng_below(&rng, 4 * MS);
        request[i].times = (struct mr_times){sent, sent, sent, sent, reply};
        uint64_t from = sent > window.begin_ns ? sent : window.begin_ns;
        uint64_t to = reply < window.end_ns ? reply : window.end_ns;
        integral += to > from ? to - from : 0;
        change[2 * i] = (struct change){sent, 1, &request[i]};
        change[2 * i + 1] = (struct change){reply, 0, &request[i]};
    }
    qsort(change, (size_t)2 * COUNT, sizeof change[0], by_time);
    for (int i = 0; i < 2 * COUNT; i++) {
        if (change[i].begins != 0) {
            mr_recorder_sent(&recorder, change[i].request);
        } else {
            mr_recorder_answered(&recorder, change[i].request);
        }
    }
    mr_recorder_end(&recorder, window.limit_ns);
    assert_int_equal(recorder.counts.flying_ns, integral);
    assert_int_equal(recorder.in_flight, 0);
    double deviation;
    assert_true(mr_recorder_deviation(&recorder, &deviation));
    assert_true(deviation == 0.0);
    recorder.counts.round_trips_ns -= recorder.counts.round_trips_ns / 100; // a batch in 100 lost
    assert_true(mr_recorder_deviation(&recorder, &deviation));
    assert_true(deviation > MR_RECORDER_DEVIATION_MAX);
    mr_recorder_fini(&recorder);
}

// A server that stops in the window's middle must not make the recorder look wrong.
static void test_integral_of_a_frozen_server(void **state)
{
    (void)state;
    struct mr_recorder recorder;
    double deviation;
    begin(&recorder, MR_PLAN_CLOSED);
    assert_false(mr_recorder_deviation(&recorder, &deviation)); // nothing was in flight
    struct mr_request quick = batch(1100, 1100, 1101);
    struct mr_request frozen = batch(1150, 1150, 1400);
    pass(&recorder, &quick);
    pass(&recorder, &frozen);
    assert_int_equal(recorder.counts.flying_ns, 151 * MS);
    assert_true(mr_recorder_deviation(&recorder, &deviation));
    assert_true(deviation == 0.0);
    mr_recorder_fini(&recorder);
}

static void test_busy_bytes_and_looks(void **state)
{
    (void)state;
    struct mr_recorder recorder;
    begin(&recorder, MR_PLAN_CLOSED);
    mr_recorder_busy(&recorder, 1050 * MS, 1099 * MS, 0);
    mr_recorder_busy(&recorder, 1099 * MS, 1101 * MS, 0);
    mr_recorder_busy(&recorder, 1200 * MS, 1202 * MS, 1 * MS);
    mr_recorder_busy(&recorder, 1299 * MS, 1400 * MS, 70 * MS); // no more than is inside
    assert_int_equal(recorder.counts.busy_ns, 4 * MS);
    assert_int_equal(recorder.counts.busy_paused_ns, 2 * MS);
    mr_recorder_bytes(&recorder, 1099 * MS, 5, 5);
    mr_recorder_bytes(&recorder, 1100 * MS, 7, 1);
    mr_recorder_bytes(&recorder, 1300 * MS, 5, 5);
    assert_int_equal(recorder.counts.sent_bytes, 7);
    assert_int_equal(recorder.counts.received_bytes, 1);
    mr_recorder_burst(&recorder, 1099 * MS, 9);
    mr_recorder_burst(&recorder, 1100 * MS, 7);
    mr_recorder_burst(&recorder, 1200 * MS, 3);
    assert_int_equal(recorder.counts.burst_max_bytes, 7);
    mr_recorder_look(&recorder, &(struct mr_look){1099 * MS, 50, true, true});
    mr_recorder_look(&recorder, &(struct mr_look){1101 * MS, 60, true, false});
    mr_recorder_look(&recorder, &(struct mr_look){1102 * MS, 70, false, true});
    assert_int_equal(recorder.counts.polls, 2);
    assert_int_equal(recorder.counts.polls_empty, 1);
    assert_int_equal(recorder.counts.sleeps, 1);
    assert_int_equal(mr_hist_max_ns(&recorder.series[MR_SERIES_POLL_GAP]), 70);
    mr_recorder_fini(&recorder);
}

// Bins of 100 ms; a bin in which nothing happens has what was in flight before.
static void test_timeline(void **state)
{
    (void)state;
    struct mr_timeline timeline;
    assert_int_equal(mr_timeline_init(&timeline, 450 * MS), 0);
    mr_timeline_begin(&timeline, 1000 * MS);
    mr_timeline_in_flight(&timeline, 1010 * MS, 3);
    mr_timeline_in_flight(&timeline, 1310 * MS, 2);
    mr_timeline_in_flight(&timeline, 1320 * MS, 1);
    const struct mr_timeline_answer first = {1310 * MS, 7, 100, 300 * MS};
    const struct mr_timeline_answer second = {1320 * MS, 7, 100, 5 * MS};
    const struct mr_timeline_answer beyond = {9999 * MS, 7, 100, 1 * MS};
    mr_timeline_answered(&timeline, &first);
    mr_timeline_answered(&timeline, &second);
    assert_int_equal(timeline.used_count, 4);
    static const uint64_t in_flight[] = {3, 3, 3, 1};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(timeline.bin[i].in_flight, in_flight[i]);
        assert_int_equal(timeline.bin[i].batches, i == 3 ? 2 : 0);
    }
    assert_int_equal(timeline.bin[3].records, 14);
    assert_int_equal(timeline.bin[3].payload_bytes, 200);
    assert_int_equal(timeline.bin[3].max_ns, 300 * MS);
    mr_timeline_answered(&timeline, &beyond); // counted in the last bin, not lost
    assert_int_equal(timeline.bin[timeline.bins_count - 1].batches, 1);
    mr_timeline_fini(&timeline);
}

static void test_merge(void **state)
{
    (void)state;
    struct mr_recorder left;
    struct mr_recorder right;
    begin(&left, MR_PLAN_OPEN);
    begin(&right, MR_PLAN_OPEN);
    struct mr_request one = batch(1110, 1111, 1112);
    struct mr_request two = batch(1120, 1121, 1190);
    two.edit.answer.status = 1;
    two.edit.answer.records = 0;
    pass(&left, &one);
    pass(&right, &two);
    right.counts.cpu_ns = 5;
    left.counts.cpu_ns = 6;
    mr_recorder_merge(&left, &right);
    assert_int_equal(left.counts.batches, 2);
    assert_int_equal(left.counts.accepted, 1);
    assert_int_equal(left.counts.rejected, 1);
    assert_int_equal(left.counts.records, 7);
    assert_int_equal(left.counts.cpu_ns, 11);
    assert_int_equal(left.counts.flying_ns, 70 * MS);
    assert_int_equal(left.counts.round_trips_ns, 70 * MS);
    assert_int_equal(mr_hist_count(&left.series[MR_SERIES_LATENCY]), 2);
    assert_int_equal(left.timeline.bin[1].batches, 2);
    mr_recorder_fini(&left);
    mr_recorder_fini(&right);
}

// A window that begins earlier counts what it would have counted had it been told so at first.
static void test_moved_window(void **state)
{
    (void)state;
    static const struct mr_window late = {
        .start_ns = 1000 * MS, .begin_ns = 1250 * MS, .end_ns = 1450 * MS, .limit_ns = 1650 * MS};
    struct mr_recorder told;
    struct mr_recorder moved;
    begin(&told, MR_PLAN_CLOSED);
    begin(&moved, MR_PLAN_CLOSED);
    mr_recorder_begin(&moved, &late);
    const struct mr_request batches[] = {batch(1010, 1010, 1040), batch(1060, 1060, 1120),
                                         batch(1110, 1110, 1290), batch(1295, 1295, 1310)};
    for (size_t i = 0; i < sizeof batches / sizeof batches[0]; i++) {
        if (i == 1) {
            mr_recorder_move_window(&moved, window.begin_ns);
        }
        pass(&told, &batches[i]);
        pass(&moved, &batches[i]);
    }
    mr_recorder_end(&told, 1400 * MS);
    mr_recorder_end(&moved, 1400 * MS);
    assert_memory_equal(&moved.window, &window, sizeof window);
    assert_int_equal(told.counts.batches, 2);
    assert_true(told.counts.flying_ns > 0);
    assert_memory_equal(&moved.counts, &told.counts, sizeof told.counts);
    mr_recorder_fini(&told);
    mr_recorder_fini(&moved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moved_window),
        cmocka_unit_test(test_populations),
        cmocka_unit_test(test_lateness_of_unblocked_only),
        cmocka_unit_test(test_closed_has_round_trips_only),
        cmocka_unit_test(test_censored),
        cmocka_unit_test(test_integral),
        cmocka_unit_test(test_integral_of_a_frozen_server),
        cmocka_unit_test(test_busy_bytes_and_looks),
        cmocka_unit_test(test_timeline),
        cmocka_unit_test(test_merge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
