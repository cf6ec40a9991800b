// recorder.c: see recorder.h.
#include "recorder.h"

#include "base/mr_assert.h"

#include <math.h>
#include <string.h>

int mr_recorder_init(struct mr_recorder *recorder_out, enum mr_plan_kind plan, uint64_t length_ns)
{
    *recorder_out = (struct mr_recorder){.plan = plan};
    int result = mr_timeline_init(&recorder_out->timeline, length_ns);
    for (int i = 0; i < MR_SERIES_COUNT && result == 0; i++) {
        result = mr_hist_init(&recorder_out->series[i]);
        if (result == 0) {
            mr_hist_reset(&recorder_out->series[i]); // touches every page
        }
    }
    if (result != 0) {
        mr_recorder_fini(recorder_out);
    }
    return result;
}

void mr_recorder_fini(struct mr_recorder *recorder)
{
    for (int i = 0; i < MR_SERIES_COUNT; i++) {
        mr_hist_fini(&recorder->series[i]);
    }
    mr_timeline_fini(&recorder->timeline);
    mr_intervals_fini(&recorder->intervals);
}

size_t mr_recorder_interval_series(enum mr_plan_kind plan)
{
    return plan == MR_PLAN_CLOSED ? 1 : MR_INTERVALS_SERIES_COUNT;
}

enum mr_series mr_recorder_series_at(enum mr_plan_kind plan, size_t place)
{
    static const enum mr_series open[MR_INTERVALS_SERIES_COUNT] = {
        [MR_INTERVALS_MAIN] = MR_SERIES_LATENCY,
        [MR_INTERVALS_SERVICE] = MR_SERIES_SERVICE,
        [MR_INTERVALS_LATENESS] = MR_SERIES_LATENESS,
    };
    MR_ASSERT(place < mr_recorder_interval_series(plan));
    return plan == MR_PLAN_CLOSED ? MR_SERIES_ROUND_TRIP : open[place];
}

int mr_recorder_keep_intervals(struct mr_recorder *recorder, uint64_t length_ns)
{
    return mr_intervals_init(&recorder->intervals, length_ns,
                             mr_recorder_interval_series(recorder->plan));
}

void mr_recorder_begin(struct mr_recorder *recorder, const struct mr_window *window)
{
    recorder->window = *window;
    recorder->counts = (struct mr_window_counts){0};
    for (int i = 0; i < MR_SERIES_COUNT; i++) {
        mr_hist_reset(&recorder->series[i]);
    }
    mr_timeline_begin(&recorder->timeline, window->start_ns);
    mr_intervals_begin(&recorder->intervals, window->begin_ns);
    recorder->in_flight = 0;
    recorder->flying_since_ns = window->start_ns;
    recorder->closed = false;
}

struct mr_window mr_window_moved(const struct mr_window *window, uint64_t begin_ns)
{
    return (struct mr_window){.start_ns = window->start_ns,
                              .begin_ns = begin_ns,
                              .end_ns = begin_ns + (window->end_ns - window->begin_ns),
                              .limit_ns = begin_ns + (window->limit_ns - window->begin_ns)};
}

void mr_recorder_move_window(struct mr_recorder *recorder, uint64_t begin_ns)
{
    recorder->window = mr_window_moved(&recorder->window, begin_ns);
    mr_intervals_begin(&recorder->intervals, begin_ns);
}

static bool in_window(const struct mr_recorder *recorder, uint64_t time_ns)
{
    return time_ns >= recorder->window.begin_ns && time_ns < recorder->window.end_ns;
}

// How much of [from, to[ lies in the window.
static uint64_t overlap_ns(const struct mr_window *window, uint64_t from_ns, uint64_t to_ns)
{
    uint64_t begin_ns = from_ns > window->begin_ns ? from_ns : window->begin_ns;
    uint64_t end_ns = to_ns < window->end_ns ? to_ns : window->end_ns;
    return end_ns > begin_ns ? end_ns - begin_ns : 0;
}

static void change_in_flight(struct mr_recorder *recorder, uint64_t now_ns, int64_t change)
{
    if (now_ns > recorder->flying_since_ns) {
        recorder->counts.flying_ns +=
            recorder->in_flight * overlap_ns(&recorder->window, recorder->flying_since_ns, now_ns);
        recorder->flying_since_ns = now_ns;
    }
    recorder->in_flight += (uint64_t)change;
    mr_timeline_in_flight(&recorder->timeline, now_ns, recorder->in_flight);
}

static void record(struct mr_recorder *recorder, enum mr_series series, uint64_t value_ns)
{
    // Out of range (an hour) is counted by the histogram and printed with it.
    (void)mr_hist_record(&recorder->series[series], value_ns);
}

// The same, for a series that the interval log has at `place`: in the second of `at_ns`, when the
// value was known.
static void record_at(struct mr_recorder *recorder, enum mr_series series,
                      enum mr_interval_series place, uint64_t at_ns, uint64_t value_ns)
{
    record(recorder, series, value_ns);
    mr_intervals_add(&recorder->intervals, place, at_ns, value_ns);
}

void mr_recorder_sent(struct mr_recorder *recorder, const struct mr_request *request)
{
    if (!recorder->counts_only) {
        change_in_flight(recorder, request->times.send_start_ns, 1);
    }
}

static void record_due(struct mr_recorder *recorder, const struct mr_request *request)
{
    const struct mr_times *times = &request->times;
    recorder->counts.due++;
    recorder->counts.blocked += request->blocked;
    record(recorder, MR_SERIES_REPLY_GAP, request->reply_gap_ns);
    if (recorder->plan == MR_PLAN_CLOSED) {
        record_at(recorder, MR_SERIES_ROUND_TRIP, MR_INTERVALS_MAIN, times->reply_ns,
                  times->reply_ns - times->send_start_ns);
        return;
    }
    uint64_t latency_ns = times->reply_ns - times->due_ns;
    uint64_t gap_ns = request->reply_gap_ns < latency_ns ? request->reply_gap_ns : latency_ns;
    record_at(recorder, MR_SERIES_LATENCY, MR_INTERVALS_MAIN, times->reply_ns, latency_ns);
    record(recorder, MR_SERIES_LATENCY_LOW, latency_ns - gap_ns);
    record_at(recorder, MR_SERIES_SERVICE, MR_INTERVALS_SERVICE, times->reply_ns,
              times->reply_ns - times->send_start_ns);
    if (!request->blocked) {
        record_at(recorder, MR_SERIES_LATENESS, MR_INTERVALS_LATENESS, times->reply_ns,
                  request->lateness_ns);
    }
}

static void count_answer(struct mr_recorder *recorder, const struct mr_request *request)
{
    struct mr_window_counts *counts = &recorder->counts;
    counts->batches++;
    counts->accepted += request->edit.answer.status == 0;
    counts->rejected += request->edit.answer.status != 0;
    counts->records += request->edit.answer.records;
    counts->payload_bytes += request->payload_bytes;
}

void mr_recorder_answered(struct mr_recorder *recorder, const struct mr_request *request)
{
    const struct mr_times *times = &request->times;
    if (recorder->counts_only) {
        if (in_window(recorder, times->reply_ns)) {
            count_answer(recorder, request);
        }
        return;
    }
    MR_ASSERT(times->due_ns <= times->released_ns && times->released_ns <= times->send_start_ns &&
              times->send_start_ns <= times->send_complete_ns &&
              times->send_start_ns <= times->reply_ns);
    bool closed_loop = recorder->plan == MR_PLAN_CLOSED;
    uint64_t from_ns = closed_loop ? times->send_start_ns : times->due_ns;
    change_in_flight(recorder, times->reply_ns, -1);
    mr_timeline_answered(&recorder->timeline,
                         &(struct mr_timeline_answer){.reply_ns = times->reply_ns,
                                                      .records = request->edit.answer.records,
                                                      .payload_bytes = request->payload_bytes,
                                                      .value_ns = times->reply_ns - from_ns});
    recorder->counts.round_trips_ns +=
        overlap_ns(&recorder->window, times->send_start_ns, times->reply_ns);
    if (in_window(recorder, times->reply_ns)) {
        count_answer(recorder, request);
    }
    if (!recorder->closed && in_window(recorder, times->due_ns)) {
        record_due(recorder, request);
    }
}

void mr_recorder_expect(const struct mr_recorder *recorder, const struct mr_request *request,
                        uint64_t reply_ns, uint64_t gap_ns)
{
    if (recorder->counts_only) {
        return;
    }
    const struct mr_hist *series = recorder->series;
    uint64_t service_ns = reply_ns - request->times.send_start_ns;
    mr_hist_expect(&series[MR_SERIES_REPLY_GAP], gap_ns);
    if (recorder->plan == MR_PLAN_CLOSED) {
        mr_hist_expect(&series[MR_SERIES_ROUND_TRIP], service_ns);
        mr_timeline_expect(&recorder->timeline, reply_ns, service_ns);
        return;
    }
    uint64_t latency_ns = reply_ns - request->times.due_ns;
    mr_hist_expect(&series[MR_SERIES_LATENCY], latency_ns);
    mr_hist_expect(&series[MR_SERIES_SERVICE], service_ns);
    mr_timeline_expect(&recorder->timeline, reply_ns, latency_ns);
}

void mr_recorder_censor(struct mr_recorder *recorder, uint64_t due_ns, uint64_t since_ns, bool sent)
{
    if (!in_window(recorder, due_ns)) {
        return;
    }
    recorder->counts.due++;
    recorder->counts.censored++;
    recorder->counts.censored_never_sent += !sent;
    uint64_t limit_ns = recorder->window.limit_ns;
    if (recorder->plan == MR_PLAN_CLOSED) {
        record_at(recorder, MR_SERIES_ROUND_TRIP, MR_INTERVALS_MAIN, limit_ns,
                  limit_ns > since_ns ? limit_ns - since_ns : 0);
    } else {
        record_at(recorder, MR_SERIES_LATENCY, MR_INTERVALS_MAIN, limit_ns, limit_ns - due_ns);
        record(recorder, MR_SERIES_LATENCY_LOW, limit_ns - due_ns);
    }
}

void mr_recorder_look(struct mr_recorder *recorder, const struct mr_look *look)
{
    if (!recorder->counts_only && in_window(recorder, look->now_ns)) {
        recorder->counts.polls++;
        recorder->counts.polls_empty += look->empty;
        recorder->counts.sleeps += look->slept;
        record(recorder, MR_SERIES_POLL_GAP, look->gap_ns);
    }
}

void mr_recorder_expect_look(const struct mr_recorder *recorder, uint64_t gap_ns)
{
    if (!recorder->counts_only) {
        mr_hist_expect(&recorder->series[MR_SERIES_POLL_GAP], gap_ns);
    }
}

void mr_recorder_bytes(struct mr_recorder *recorder, uint64_t now_ns, uint64_t sent_bytes,
                       uint64_t received_bytes)
{
    if (in_window(recorder, now_ns)) {
        recorder->counts.sent_bytes += sent_bytes;
        recorder->counts.received_bytes += received_bytes;
    }
}

void mr_recorder_burst(struct mr_recorder *recorder, uint64_t now_ns, uint64_t sent_bytes)
{
    if (in_window(recorder, now_ns) && sent_bytes > recorder->counts.burst_max_bytes) {
        recorder->counts.burst_max_bytes = sent_bytes;
    }
}

void mr_recorder_busy(struct mr_recorder *recorder, uint64_t from_ns, uint64_t to_ns,
                      uint64_t pause_ns)
{
    uint64_t busy_ns = overlap_ns(&recorder->window, from_ns, to_ns);
    recorder->counts.busy_ns += busy_ns;
    recorder->counts.busy_paused_ns += pause_ns < busy_ns ? pause_ns : busy_ns;
}

void mr_recorder_end(struct mr_recorder *recorder, uint64_t now_ns)
{
    change_in_flight(recorder, now_ns, 0);
}

void mr_recorder_merge(struct mr_recorder *into, const struct mr_recorder *from)
{
    struct mr_window_counts *sum = &into->counts;
    const struct mr_window_counts *more = &from->counts;
    sum->batches += more->batches;
    sum->accepted += more->accepted;
    sum->rejected += more->rejected;
    sum->records += more->records;
    sum->payload_bytes += more->payload_bytes;
    sum->sent_bytes += more->sent_bytes;
    sum->received_bytes += more->received_bytes;
    sum->due += more->due;
    sum->blocked += more->blocked;
    sum->censored += more->censored;
    sum->censored_never_sent += more->censored_never_sent;
    sum->backlog_begin += more->backlog_begin;
    sum->backlog_end += more->backlog_end;
    sum->busy_ns += more->busy_ns;
    sum->busy_paused_ns += more->busy_paused_ns;
    sum->cpu_ns += more->cpu_ns;
    sum->polls += more->polls;
    sum->polls_empty += more->polls_empty;
    sum->sleeps += more->sleeps;
    if (more->burst_max_bytes > sum->burst_max_bytes) {
        sum->burst_max_bytes = more->burst_max_bytes;
    }
    sum->flying_ns += more->flying_ns;
    sum->round_trips_ns += more->round_trips_ns;
    for (int i = 0; i < MR_SERIES_COUNT; i++) {
        mr_hist_merge(&into->series[i], &from->series[i]);
    }
    mr_timeline_merge(&into->timeline, &from->timeline);
}

bool mr_recorder_deviation(const struct mr_recorder *recorder, double *deviation_out)
{
    const struct mr_window_counts *counts = &recorder->counts;
    *deviation_out = 0;
    if (counts->flying_ns == 0) {
        return false;
    }
    *deviation_out = fabs((double)counts->flying_ns - (double)counts->round_trips_ns) /
                     (double)counts->flying_ns;
    return true;
}

const char *mr_series_name(enum mr_series series)
{
    static const char *const names[MR_SERIES_COUNT] = {
        "round_trip", "latency", "latency_low", "service_time", "lateness", "poll_gap", "reply_gap",
    };
    return names[series];
}
