// load_run.c: see load_run.h.
#define _GNU_SOURCE
#include "load_run.h"

#include "load_connect.h"
#include "load_ending.h"
#include "load_events.h"
#include "load_legs.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mr_assert.h"
#include "base/progress.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define START_AHEAD_NS (5 * MR_NS_PER_MS) // threads are there by then
#define PROGRESS_NS    (500 * MR_NS_PER_MS)
#define FOLLOW_NS      (100 * MR_NS_PER_MS) // below the lead of load_warmup.c

#define FAIL(run, ...) mr_load_fail(&(run)->failure, MR_LOAD_FAILED, MR_LOAD_ANSWERS, __VA_ARGS__)

static bool take_signals(struct mr_load_run *run)
{
    sigset_t signals;
    (void)sigemptyset(&signals);
    (void)sigaddset(&signals, SIGINT);
    (void)sigaddset(&signals, SIGTERM);
    int blocked = pthread_sigmask(SIG_BLOCK, &signals, NULL);
    MR_ASSERT(blocked == 0);
    run->signal_fd = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    run->shared.done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (run->signal_fd < 0 || run->shared.done_fd < 0) {
        return FAIL(run, "signal and event descriptors: %s", strerror(errno));
    }
    return true;
}

static void note_signal(struct mr_load_run *run)
{
    struct signalfd_siginfo info;
    if (read(run->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
        run->signal_number = (int)info.ssi_signo;
    }
}

// Reads a byte of each page, so that the window finds them mapped.
static void touch(const uint8_t *bytes, size_t size_bytes)
{
    const volatile uint8_t *byte = bytes;
    for (size_t i = 0; i < size_bytes; i += 4096) {
        (void)byte[i];
    }
}

static bool make_order(struct mr_load_run *run)
{
    const struct mr_load_options *options = run->options;
    int result =
        mr_order_init(&run->order, run->dataset, (uint32_t)options->connections, options->seed);
    if (result == -ENODATA) {
        return FAIL(run,
                    "%s: none of its %zu batches has a timestamp that can be varied, and no "
                    "two batches of a run may be alike",
                    options->data, run->dataset->frames.count);
    }
    if (result != 0) {
        return FAIL(run, "order of batches: %s", strerror(-result));
    }
    if (options->novelty) {
        mr_load_hold_back(run);
    }
    return true;
}

static bool make_workers(struct mr_load_run *run)
{
    const struct mr_load_options *options = run->options;
    uint32_t threads = (uint32_t)options->threads;
    run->worker = calloc(threads, sizeof *run->worker);
    if (run->worker == NULL) {
        return FAIL(run, "out of memory");
    }
    struct mr_client *client = run->client;
    for (uint32_t thread = 0; thread < threads; thread++) {
        struct mr_load_worker_params params = {
            .shared = &run->shared,
            .thread = thread,
            .clients_count = ((uint32_t)options->connections - thread - 1) / threads + 1,
            .client = client,
            .length_ns = mr_load_length_ns(options),
        };
        int result = mr_load_worker_init(&run->worker[thread], &params);
        if (result != 0) {
            return FAIL(run, "thread %" PRIu32 ": %s", thread, strerror(-result));
        }
        run->workers_count++;
        client += params.clients_count;
    }
    return true;
}

// The two ends of the window, as they are announced.
struct edges {
    uint64_t at_ns[2];
    size_t passed;
    bool may_move; // thread 0 may still fix an earlier begin
};

// Takes over the begin that thread 0 has fixed.
static void follow_window(const struct mr_load_run *run, struct edges *edges)
{
    uint64_t begin_ns = edges->may_move ? atomic_load(&run->shared.begin_ns) : 0;
    if (begin_ns != 0) {
        struct mr_window window = mr_window_moved(&run->shared.window, begin_ns);
        edges->at_ns[0] = window.begin_ns;
        edges->at_ns[1] = window.end_ns;
        edges->may_move = false;
    }
}

// Announces the ends that have passed.
static void announce_edges(const struct mr_load_run *run, struct edges *edges)
{
    static const char *const names[2] = {"window_start", "window_end"};
    while (edges->passed < 2 && edges->at_ns[edges->passed] <= mr_clock_ns() &&
           !atomic_load(&run->shared.stop)) {
        mr_load_event(run, names[edges->passed], edges->at_ns[edges->passed]);
        edges->passed++;
    }
}

// Waits until a thread ends, a signal comes, the next end of the window passes, or the progress is
// to be shown. Returns how many threads have ended.
static uint64_t wait_once(struct mr_load_run *run, const struct edges *edges, bool with_progress)
{
    struct pollfd watched[2] = {{.fd = run->shared.done_fd, .events = POLLIN},
                                {.fd = run->signal_fd, .events = POLLIN}};
    bool forever = edges->passed == 2 || atomic_load(&run->shared.stop);
    uint64_t now_ns = mr_clock_ns();
    uint64_t left_ns = 0;
    if (!forever && edges->at_ns[edges->passed] > now_ns) {
        left_ns = edges->at_ns[edges->passed] - now_ns;
    }
    if (edges->may_move && left_ns > FOLLOW_NS) {
        left_ns = FOLLOW_NS;
    }
    if (with_progress && (forever || left_ns > PROGRESS_NS)) {
        forever = false;
        left_ns = PROGRESS_NS;
    }
    struct timespec timeout = {.tv_sec = (time_t)(left_ns / MR_NS_PER_S),
                               .tv_nsec = (long)(left_ns % MR_NS_PER_S)};
    if (ppoll(watched, 2, forever ? NULL : &timeout, NULL) <= 0) {
        return 0;
    }
    if ((watched[1].revents & POLLIN) != 0) {
        note_signal(run);
        atomic_store(&run->shared.stop, true);
    }
    uint64_t ended = 0;
    bool any = (watched[0].revents & POLLIN) != 0 &&
               read(run->shared.done_fd, &ended, sizeof ended) == (ssize_t)sizeof ended;
    return any ? ended : 0;
}

// Waits for all threads, announcing the window's ends and stopping the threads on a signal.
static void wait_for_workers(struct mr_load_run *run, uint32_t started)
{
    const struct mr_window *window = &run->shared.window;
    struct edges edges = {.at_ns = {window->begin_ns, window->end_ns},
                          .may_move = !run->shared.opening && mr_load_may_warm_on(run->options)};
    struct mr_progress progress;
    mr_progress_init(&progress, "load");
    bool with_progress = progress.terminal && !run->shared.opening; // else nothing wakes it
    for (uint64_t ended = 0; ended < started;) {
        follow_window(run, &edges);
        announce_edges(run, &edges);
        ended += wait_once(run, &edges, with_progress);
        uint64_t now_ns = mr_clock_ns();
        if (with_progress && now_ns > window->start_ns) {
            mr_progress_show(&progress, now_ns - window->start_ns,
                             edges.at_ns[1] - window->start_ns);
        }
    }
    mr_progress_fini(&progress);
    follow_window(run, &edges);
    announce_edges(run, &edges);
}

bool mr_load_run_threads(struct mr_load_run *run, struct mr_load_worker *worker, uint32_t count)
{
    pthread_t thread[256];
    uint32_t started = 0;
    MR_ASSERT(count <= sizeof thread / sizeof thread[0]);
    while (started < count) {
        int result = pthread_create(&thread[started], NULL, mr_load_worker_run, &worker[started]);
        if (result != 0) {
            atomic_store(&run->shared.stop, true);
            FAIL(run, "thread %" PRIu32 ": %s", started, strerror(result));
            break;
        }
        started++;
    }
    wait_for_workers(run, started);
    for (uint32_t i = 0; i < started; i++) {
        int joined = pthread_join(thread[i], NULL);
        MR_ASSERT(joined == 0);
    }
    for (uint32_t i = 0; i < started; i++) {
        mr_load_failure_take(&run->failure, &worker[i].failure);
    }
    if (run->signal_number != 0) {
        mr_load_fail(&run->failure, MR_LOAD_INTERRUPTED, MR_LOAD_ANSWERS, "interrupted by %s",
                     run->signal_number == SIGINT ? "SIGINT" : "SIGTERM");
    }
    return run->failure.verdict == MR_LOAD_OK;
}

struct mr_window mr_load_no_window(void)
{
    return (struct mr_window){.start_ns = mr_clock_ns(),
                              .begin_ns = UINT64_MAX,
                              .end_ns = UINT64_MAX,
                              .limit_ns = UINT64_MAX};
}

static bool run_opening(struct mr_load_run *run)
{
    run->shared.opening = true;
    run->shared.window = mr_load_no_window();
    return mr_load_run_threads(run, run->worker, run->workers_count);
}

static bool run_timed(struct mr_load_run *run)
{
    const struct mr_load_options *options = run->options;
    uint64_t start_ns = mr_clock_ns() + START_AHEAD_NS;
    uint64_t begin_ns = start_ns + mr_load_warmup_limit_ns(options);
    uint64_t end_ns = begin_ns + options->window_ns;
    run->shared.opening = false;
    run->shared.window = (struct mr_window){.start_ns = start_ns,
                                            .begin_ns = begin_ns,
                                            .end_ns = end_ns,
                                            .limit_ns = end_ns + options->drain_limit_ns};
    mr_load_event(run, "connected", run->connected_ns);
    bool fine = mr_load_run_threads(run, run->worker, run->workers_count);
    run->drained_ns = mr_clock_ns();
    uint64_t fixed_ns = atomic_load(&run->shared.begin_ns);
    if (fixed_ns != 0) {
        run->shared.window = mr_window_moved(&run->shared.window, fixed_ns);
    }
    if (fine) {
        mr_load_event(run, "drained", run->drained_ns);
    }
    return fine;
}

// Once more when all is answered: what a slow start alone has drawn out excuses no lateness of the
// window.
static bool measure_after(struct mr_load_run *run)
{
    if (run->options->plan == MR_PLAN_CLOSED) {
        return true;
    }
    int result = mr_pacer_measure_sleeps(&run->costs_after);
    return result == 0 || FAIL(run, "measuring sleep: %s", strerror(-result));
}

static bool prepare(struct mr_load_run *run)
{
    const struct mr_dataset *dataset = run->dataset;
    if (!take_signals(run) || !make_order(run)) {
        return false;
    }
    const struct mr_cores *cores = &run->options->cores;
    int pinned = cores->count > 0 ? mr_pin_self(cores) : 0;
    if (pinned != 0) {
        return FAIL(run, "--cores: %s: none of these cores may be used here", strerror(-pinned));
    }
    if (dataset->edits_map != NULL) {
        touch(dataset->edits_map->bytes, dataset->edits_map->size_bytes);
    }
    int result = mr_pacer_sharpen();
    if (result == 0) {
        result = mr_pacer_measure(&run->costs);
    }
    return result == 0 || FAIL(run, "measuring clock and sleep: %s", strerror(-result));
}

void mr_load_run(struct mr_load_run *run, const struct mr_load_options *options,
                 const struct mr_plan *plan, const struct mr_dataset *dataset)
{
    run->options = options;
    run->dataset = dataset;
    run->signal_fd = -1;
    run->failure.gates = options->gates_off;
    run->shared.options = options;
    run->shared.dataset = dataset;
    run->shared.order = &run->order;
    run->shared.done_fd = -1;
    run->shared.plan = *plan;
    atomic_init(&run->shared.begin_ns, 0);
    atomic_init(&run->shared.stop, false);
    if (!prepare(run) || !mr_load_connect(run)) {
        return;
    }
    bool fine = make_workers(run) && run_opening(run) && run_timed(run) && measure_after(run) &&
                mr_load_legs(run);
    if (mr_load_sum_up(run) && fine && !options->no_verify) {
        mr_load_check_ending(run);
    }
}

void mr_load_run_fini(struct mr_load_run *run)
{
    for (uint32_t i = 0; i < run->workers_count; i++) {
        mr_load_worker_fini(&run->worker[i]);
    }
    free(run->worker);
    mr_load_legs_fini(run);
    for (uint32_t i = 0; i < run->clients_count; i++) {
        mr_client_fini(&run->client[i]);
    }
    free(run->client);
    free(run->welcome.json);
    free(run->stats_initial.json);
    free(run->stats_final.json);
    free(run->kept_final.json);
    if (run->has_sum) {
        mr_recorder_fini(&run->sum);
    }
    mr_order_fini(&run->order);
    if (run->signal_fd >= 0) {
        (void)close(run->signal_fd);
    }
    if (run->shared.done_fd >= 0) {
        (void)close(run->shared.done_fd);
    }
}
