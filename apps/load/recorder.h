// recorder.h: what one thread measured: counts of the window, histograms, the in-flight integral.
//
// Measuring rules 1, 3, 4 and 6: throughput counts replies inside the window only; the histograms'
// population is the batches that are due inside it, whenever they are answered.
#ifndef MR_LOAD_RECORDER_H
#define MR_LOAD_RECORDER_H

#include "hdr_intervals.h"
#include "outstanding.h"
#include "plan.h"
#include "timeline.h"

#include "stats/mr_hist.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stdint.h>

// The times of a run, of mr_clock_ns(). The window is [begin_ns, end_ns[.
struct mr_window {
    uint64_t start_ns; // the plan's first slot
    uint64_t begin_ns;
    uint64_t end_ns;
    uint64_t limit_ns; // what is unanswered here is censored
};

// The same window, beginning at `begin_ns`.
struct mr_window mr_window_moved(const struct mr_window *window, uint64_t begin_ns);

enum mr_series {
    MR_SERIES_ROUND_TRIP,  // closed: reply − send start, at depth; never called latency
    MR_SERIES_LATENCY,     // open: reply − due
    MR_SERIES_LATENCY_LOW, // open: latency less the time in which the loop did not look
    MR_SERIES_SERVICE,     // open: reply − send start
    MR_SERIES_LATENESS,    // open: released − due of batches that were not blocked
    MR_SERIES_POLL_GAP,    // between two looks of the loop, sleep excluded
    MR_SERIES_REPLY_GAP,   // the gap before the look that found a reply
};
#define MR_SERIES_COUNT 7

// The series of the interval log: their places in each interval. A closed loop has the first only.
enum mr_interval_series {
    MR_INTERVALS_MAIN, // latency; closed: round trip
    MR_INTERVALS_SERVICE,
    MR_INTERVALS_LATENESS,
};
#define MR_INTERVALS_SERIES_COUNT 3

// Sums over the window; threads add up.
struct mr_window_counts {
    uint64_t batches; // answered in the window
    uint64_t accepted;
    uint64_t rejected;
    uint64_t records;        // of the answered ones, by the dataset (in mode drain too)
    uint64_t payload_bytes;  // JSON bytes of the answered ones
    uint64_t sent_bytes;     // on the wire, headers included
    uint64_t received_bytes; //
    uint64_t due;            // batches due in the window, as far as they were released or censored
    uint64_t blocked;        // of these, the ones that waited behind the server
    uint64_t censored;       // of these, unanswered at the limit
    uint64_t censored_never_sent;
    uint64_t backlog_begin; // due and unanswered at the window's begin and end
    uint64_t backlog_end;
    uint64_t busy_ns;        // in iterations that moved at least a byte
    uint64_t busy_paused_ns; // of these, while the host let the thread not run
    uint64_t cpu_ns;         // of the thread, CLOCK_THREAD_CPUTIME_ID
    uint64_t polls;
    uint64_t polls_empty;
    uint64_t burst_max_bytes; // most bytes written between two looks
    uint64_t sleeps;
    uint64_t flying_ns;      // integral of batches in flight over the window
    uint64_t round_trips_ns; // what lies in it of each batch's time from send start to reply
};

struct mr_recorder {
    enum mr_plan_kind plan;
    struct mr_window window;
    struct mr_window_counts counts;
    struct mr_hist series[MR_SERIES_COUNT];
    struct mr_timeline timeline;
    struct mr_intervals intervals; // empty without mr_recorder_keep_intervals()
    uint64_t in_flight;
    uint64_t flying_since_ns; // the integral is complete up to here
    bool counts_only;         // for benchmarks: what batches took is not kept
    bool closed;              // the limit has passed: answers are not recorded any more
};

// Room for a run of `length_ns`, prefaulted; the last allocation. 0 or -ENOMEM.
MR_NODISCARD int mr_recorder_init(struct mr_recorder *recorder_out, enum mr_plan_kind plan,
                                  uint64_t length_ns);
void mr_recorder_fini(struct mr_recorder *recorder);

// How many series of a plan the interval log has, and the series of the `place`-th, below that.
size_t mr_recorder_interval_series(enum mr_plan_kind plan);
enum mr_series mr_recorder_series_at(enum mr_plan_kind plan, size_t place);

// Room for the counts of each second of window and drain, `length_ns` in all. 0 or -ENOMEM.
MR_NODISCARD int mr_recorder_keep_intervals(struct mr_recorder *recorder, uint64_t length_ns);

// Forgets everything and records for `window`.
void mr_recorder_begin(struct mr_recorder *recorder, const struct mr_window *window);

// The window begins at `begin_ns` instead, which is ahead and before what was told; its ends move
// with it.
void mr_recorder_move_window(struct mr_recorder *recorder, uint64_t begin_ns);

// A batch's first bytes were sent (times.send_start_ns).
void mr_recorder_sent(struct mr_recorder *recorder, const struct mr_request *request);

// A batch was sent whole and answered rightly: all five times are there.
void mr_recorder_answered(struct mr_recorder *recorder, const struct mr_request *request);

// Asks the memory for the places where an answer to `request` at `reply_ns` will be recorded.
void mr_recorder_expect(const struct mr_recorder *recorder, const struct mr_request *request,
                        uint64_t reply_ns, uint64_t gap_ns);

// A batch due at `due_ns` had no answer at the limit: counted, and put in the histogram of latency
// (closed: round trips, `since_ns` is its send start) with what it had waited then.
void mr_recorder_censor(struct mr_recorder *recorder, uint64_t due_ns, uint64_t since_ns,
                        bool sent);

// The loop looked, and moved bytes; each counted when `now_ns` lies in the window.
struct mr_look {
    uint64_t now_ns; // its end
    uint64_t gap_ns; // since the end of the look before, sleep excluded
    bool empty;      // nothing was ready
    bool slept;
};
void mr_recorder_look(struct mr_recorder *recorder, const struct mr_look *look);

// Asks the memory for the place of a look's gap.
void mr_recorder_expect_look(const struct mr_recorder *recorder, uint64_t gap_ns);

void mr_recorder_bytes(struct mr_recorder *recorder, uint64_t now_ns, uint64_t sent_bytes,
                       uint64_t received_bytes);

// So many bytes were written between the last look and the next one, up to `now_ns`.
void mr_recorder_burst(struct mr_recorder *recorder, uint64_t now_ns, uint64_t sent_bytes);

// An iteration that moved bytes lasted from `from_ns` to `to_ns`: adds the part in the window.
void mr_recorder_busy(struct mr_recorder *recorder, uint64_t from_ns, uint64_t to_ns,
                      uint64_t pause_ns);

// The thread ends at `now_ns`: completes integral and timeline.
void mr_recorder_end(struct mr_recorder *recorder, uint64_t now_ns);

// Adds `from`, of the same window; intervals stay apart, mr_intervals_collect() adds them up.
void mr_recorder_merge(struct mr_recorder *into, const struct mr_recorder *from);

// The gate "recorder sane": |integral − sum of round trips| over the integral, at most
// MR_RECORDER_DEVIATION_MAX. The integral counts requests as they come and go, the sum adds up each
// batch's own times as far as they lie in the window, so that all batches must have been answered.
// (Measuring has mean × count of the batches answered inside; that is the same but for the edges,
// where a server that stops for a while would make a sane recorder look wrong.) False when nothing
// was in flight.
#define MR_RECORDER_DEVIATION_MAX 0.005
bool mr_recorder_deviation(const struct mr_recorder *recorder, double *deviation_out);

// "round_trip", "latency", …; constant.
const char *mr_series_name(enum mr_series series);

#endif
