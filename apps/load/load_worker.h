// load_worker.h: one thread of the generator: its share of the connections over one epoll loop.
//
// load_worker.c has the loop and its phases, load_sends.c what goes out, load_holds.c the probes
// for early answers, load_warmup.c when a compiling server is warm, load_replies.c what comes back,
// load_expect.c what memory is asked for ahead. Nothing here allocates, locks or prints once a run
// has begun.
#ifndef MR_LOAD_WORKER_H
#define MR_LOAD_WORKER_H

#include "client.h"
#include "legs.h"
#include "load_failure.h"
#include "load_options.h"
#include "null_sender.h"
#include "order.h"
#include "pacer.h"
#include "plan.h"
#include "recorder.h"
#include "times_log.h"
#include "verify.h"
#include "warm_watch.h"

#include "base/clock.h"
#include "base/rng.h"
#include "dataset/dataset.h"
#include "host/loop_watch.h"

#include <matchrace/attributes.h>

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What all threads of a run share. Threads only read it, but for `stop`, `begin_ns` and the two
// descriptors.
struct mr_load_shared {
    const struct mr_load_options *options;
    const struct mr_dataset *dataset;
    const struct mr_order *order;
    struct mr_plan plan;
    struct mr_window window;
    bool opening; // each connection sends one batch, its last byte held back, or one thread its
                  // legs; no window
    _Atomic uint64_t begin_ns; // of the window, once thread 0 has fixed it; 0: not yet
    atomic_bool stop;          // set by a signal or by the first thread that fails
    int done_fd;               // eventfd: every thread that ends adds 1
};

enum mr_load_phase {
    MR_PHASE_RUNNING,  // until the window's end
    MR_PHASE_DRAINING, // what is due is still sent; until all is answered or the limit
    MR_PHASE_SETTLING, // past the limit: nothing new is sent, replies are verified but not recorded
};

#define MR_STATS_COPY_BYTES 65536u

// A STATS reply that came while timed, as text.
struct mr_stats_copy {
    bool wanted;
    uint64_t at_ns;    // when it was there; 0: never
    size_t json_bytes; // of the reply; more than MR_STATS_COPY_BYTES: not kept
    char json[MR_STATS_COPY_BYTES];
};

// In the order in which they are asked for; MR_STATS_WARM again and again.
enum mr_stats_moment { MR_STATS_WARM, MR_STATS_AT_BEGIN, MR_STATS_AT_END };
#define MR_STATS_MOMENTS 3

// The loop did not look for so long that it may not put what came due meanwhile down to the server.
struct mr_standstill {
    uint64_t from_ns;
    uint64_t to_ns;
};
#define MR_STANDSTILLS_MAX 64u
#define MR_STANDSTILL_NS   MR_NS_PER_MS

// While the window's begin may move nobody sleeps longer: less than from its choice to the begin.
#define MR_LOAD_WARM_SLEEP_NS (100 * MR_NS_PER_MS)

// One thread. Its clients are connections thread, thread + threads, thread + 2 · threads, …
struct mr_load_worker {
    struct mr_load_shared *shared;
    uint32_t thread;
    uint32_t clients_count;
    struct mr_client *client;           // the caller's, clients_count of them
    struct mr_null_client *null_client; // owned, clients_count of them; NULL: no null sender
    struct mr_legs *legs;               // what it sends instead of a plan; NULL: a plan
    int epoll_fd;
    struct epoll_event *event; // owned
    int events_max;

    // Clients that may send, a ring of their indexes.
    uint32_t *queue; // owned, clients_count places
    uint32_t queue_first;
    uint32_t queue_count;

    // Clients that might send, but wait until the thread has fewer batches in flight: a ring too.
    uint32_t *waiting; // owned, clients_count places
    uint32_t waiting_first;
    uint32_t waiting_count;
    uint64_t in_flight_max;    // its share of --in-flight; UINT64_MAX: no limit
    uint64_t blocked_until_ns; // until then everything that came due waited for that

    // The next slot of a plan that is not closed, that is not due yet.
    uint64_t next_round; // k of connection c
    uint32_t next_client;
    uint64_t next_due_ns;

    enum mr_load_phase phase;
    bool window_begun;
    uint64_t in_flight; // requests of all kinds
    uint64_t batches_in_flight;
    uint64_t backlog;          // due and not released
    uint64_t hold_deadline_ns; // the earliest end of a timed hold; UINT64_MAX: none
    uint64_t probes;           // holds that ended without an early answer
    uint64_t active_ns;        // when a byte last moved
    uint64_t progress_ns;      // when a reply last came, or something was sent into silence
    uint64_t poll_return_ns;   // when the last look ended
    uint64_t watched_until_ns; // until then a reply would have been seen at once
    struct mr_standstill standstill[MR_STANDSTILLS_MAX]; // the last ones, a ring
    uint64_t standstills;                                // of all
    uint64_t first_reply_ns;                             // of a batch; 0: none yet
    uint64_t cpu_begin_ns;
    uint64_t moved_bytes; // in this iteration
    uint64_t sent_bytes;  // of these, written
    uint64_t stats_asked;
    struct mr_rng rng;      // when the warm-up probes
    uint64_t next_probe_ns; // not before

    struct mr_expected expected;
    struct mr_recorder recorder;
    struct mr_loop_watch watch; // of the window: what the loop's own work does not explain
    struct mr_times_log log;
    struct mr_stats_copy stats[MR_STATS_MOMENTS];
    struct mr_warm_watch *warm; // owned; NULL: the window's begin is not this thread's to fix
    uint8_t *stats_room;        // owned, for reading STATS; NULL with it
    uint64_t next_look_ns;
    struct mr_load_failure failure;
};

// Prepares a thread: everything it will ever allocate. `client` are connected and stay the
// caller's. 0 or a negative errno; on success the caller ends it with mr_load_worker_fini().
struct mr_load_worker_params {
    struct mr_load_shared *shared;
    uint32_t thread;
    uint32_t clients_count;
    struct mr_client *client;
    uint64_t length_ns; // of the timed run at most
};
MR_NODISCARD int mr_load_worker_init(struct mr_load_worker *worker_out,
                                     const struct mr_load_worker_params *params);
void mr_load_worker_fini(struct mr_load_worker *worker);

// Lets the thread's loop look at `client`. 0 or a negative errno.
MR_NODISCARD int mr_load_watch(const struct mr_load_worker *worker, const struct mr_client *client);

// One run, for pthread_create(): `worker` is a struct mr_load_worker. It is called first for the
// opening, then for the timed run. How it ended stands in `failure`.
void *mr_load_worker_run(void *worker);

// load_worker.c: takes note of the window's ends when they have passed; `backlog`: batches due and
// unanswered. For the null sender, which has its own loop.
void mr_load_pass_edges(struct mr_load_worker *worker, uint64_t now_ns, uint64_t backlog);

// load_worker.c: shows the watch a turn that ended; returns the pause of the host in it.
uint64_t mr_load_watch_turn(struct mr_load_worker *worker, const struct mr_loop_turn *turn);

// load_worker.c: STATS goes out on the thread's first connection, between two batches; the reply
// will stand in worker->stats[moment]. For thread 0 alone.
void mr_load_ask_stats(struct mr_load_worker *worker, enum mr_stats_moment moment);

// load_warmup.c: what a warm-up without a fixed end needs. 0 or -ENOMEM.
MR_NODISCARD int mr_load_warmup_init(struct mr_load_worker *worker);
void mr_load_warmup_fini(struct mr_load_worker *worker);

// load_warmup.c: before the window: looks whether the server is warm (thread 0), and takes over the
// window's begin once it is fixed.
void mr_load_warm_on(struct mr_load_worker *worker, uint64_t now_ns);

// load_sends.c: lets `client` stand in the queue when it has something that may be sent.
void mr_load_enqueue(struct mr_load_worker *worker, struct mr_client *client);

// load_sends.c: the next slot is the thread's first one.
void mr_load_begin_plan(struct mr_load_worker *worker);

// load_sends.c: a batch is no longer in flight: whoever has waited longest for that may send.
void mr_load_wake_waiting(struct mr_load_worker *worker);

// load_sends.c: takes up slots that are due at `now_ns`.
void mr_load_take_due(struct mr_load_worker *worker, uint64_t now_ns);

// load_sends.c: when the next slot is due; UINT64_MAX: none any more.
uint64_t mr_load_next_due_ns(const struct mr_load_worker *worker);

// load_sends.c: sends what may be sent, at most MR_WRITE_LIMIT_BYTES. False: the run has failed.
bool mr_load_send(struct mr_load_worker *worker);

// load_holds.c: ends timed holds whose time has come.
void mr_load_release_holds(struct mr_load_worker *worker, uint64_t now_ns);

// load_holds.c: ends all holds at once, for the window begins; they count as no probes.
void mr_load_drop_holds(struct mr_load_worker *worker);

// load_holds.c: a reply came on `client`, or everything before its held byte was answered: begins
// the timed part of a hold when nothing else is in flight.
void mr_load_hold_alone(struct mr_load_worker *worker, struct mr_client *client, uint64_t now_ns);

// load_sends.c: counts what is due and unanswered at the limit as censored.
void mr_load_censor(struct mr_load_worker *worker);

// load_replies.c: reads what `client` has, to the end of the stream when `until_end`. `gap_ns`: the
// time in which the loop had not looked. False: the run has failed.
bool mr_load_receive(struct mr_load_worker *worker, struct mr_client *client, uint64_t gap_ns,
                     bool until_end);

// load_expect.c: memory asked for some time before it is used, while the kernel works: for replies
// of `client` that are about to be read; for recording those that were read at `now_ns`; for the
// next batch that `client` will send.
void mr_load_expect_replies(const struct mr_load_worker *worker, const struct mr_client *client);
void mr_load_expect_answers(const struct mr_load_worker *worker, const struct mr_client *client,
                            uint64_t now_ns, uint64_t gap_ns);
void mr_load_expect_send(const struct mr_load_worker *worker, const struct mr_client *client);

// load_sends.c: the time for a batch's record: a reading of the clock; where nothing is recorded,
// the end of the loop's last look, which costs nothing.
uint64_t mr_load_time_ns(const struct mr_load_worker *worker);

// load_legs.c: nothing is in flight: begins the next leg. False: there is none left.
bool mr_load_next_leg(struct mr_load_worker *worker);

// load_overlook.c: `client` has ended, and gate "lost" is switched off: connects once more; what
// was unanswered is censored. False: the run has failed.
bool mr_load_reconnect(struct mr_load_worker *worker, struct mr_client *client);

// load_overlook.c: a STATS reply came before the answers to batches sent before it, and the gates
// that mind are switched off: these batches are given up.
void mr_load_give_up_batches(struct mr_load_worker *worker, struct mr_client *client);

// load_replies.c: a batch has both its last byte sent and its reply: records and forgets it.
void mr_load_finish_batch(struct mr_load_worker *worker, struct mr_client *client);

#endif
