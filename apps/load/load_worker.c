// load_worker.c: see load_worker.h: the loop of one thread and the phases of a run.
#include "load_worker.h"

#include "base/clock.h"
#include "base/mr_assert.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define EVENTS_MAX 1024

int mr_load_watch(const struct mr_load_worker *worker, const struct mr_client *client)
{
    struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
                                .data.u32 = (uint32_t)(client - worker->client)};
    return epoll_ctl(worker->epoll_fd, EPOLL_CTL_ADD, client->fd, &event) == 0 ? 0 : -errno;
}

static int watch_clients(struct mr_load_worker *worker)
{
    worker->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (worker->epoll_fd < 0) {
        return -errno;
    }
    int result = 0;
    for (uint32_t i = 0; i < worker->clients_count && result == 0; i++) {
        result = mr_load_watch(worker, &worker->client[i]);
    }
    return result;
}

static int keep_intervals(struct mr_load_worker *worker, const struct mr_load_options *options)
{
    return options->hdr_log == NULL
               ? 0
               : mr_recorder_keep_intervals(&worker->recorder,
                                            options->window_ns + options->drain_limit_ns);
}

// The limits of all threads add up to --in-flight.
static uint64_t share_of_in_flight(const struct mr_load_options *options, uint32_t thread)
{
    uint64_t rest = options->in_flight % options->threads;
    return options->in_flight == 0 ? UINT64_MAX
                                   : options->in_flight / options->threads + (thread < rest);
}

int mr_load_worker_init(struct mr_load_worker *worker_out,
                        const struct mr_load_worker_params *params)
{
    const struct mr_load_options *options = params->shared->options;
    memset(worker_out, 0, sizeof *worker_out); // prefaults the copies of STATS too
    worker_out->shared = params->shared;
    worker_out->thread = params->thread;
    worker_out->clients_count = params->clients_count;
    worker_out->client = params->client;
    worker_out->epoll_fd = -1;
    worker_out->failure.gates = options->gates_off;
    worker_out->events_max =
        params->clients_count < EVENTS_MAX ? (int)params->clients_count : EVENTS_MAX;
    worker_out->rng = mr_rng_seeded(options->seed * 0x9E3779B97F4A7C15u + params->thread);
    worker_out->event = calloc((size_t)worker_out->events_max, sizeof *worker_out->event);
    worker_out->queue = calloc(params->clients_count, sizeof *worker_out->queue);
    worker_out->waiting = calloc(params->clients_count, sizeof *worker_out->waiting);
    worker_out->in_flight_max = share_of_in_flight(options, params->thread);
    int result =
        worker_out->event == NULL || worker_out->queue == NULL || worker_out->waiting == NULL
            ? -ENOMEM
            : 0;
    if (result == 0) {
        result = mr_expected_init(&worker_out->expected, options->mode, params->shared->dataset);
    }
    if (result == 0 && options->null_sender) {
        result = mr_null_sender_init(worker_out);
    }
    if (result == 0) {
        result = mr_load_warmup_init(worker_out);
    }
    if (result == 0) {
        result = watch_clients(worker_out);
    }
    if (result == 0) {
        result = mr_recorder_init(&worker_out->recorder, options->plan, params->length_ns);
    }
    if (result == 0) {
        result = keep_intervals(worker_out, options);
    }
    if (result == 0) {
        worker_out->recorder.counts_only = options->no_record;
        worker_out->expected.unchecked = options->no_verify;
        result = mr_times_log_init(&worker_out->log,
                                   options->times_file == NULL ? 0 : (size_t)options->times_max);
    }
    if (result != 0) {
        mr_load_worker_fini(worker_out);
    }
    return result;
}

void mr_load_worker_fini(struct mr_load_worker *worker)
{
    if (worker->epoll_fd >= 0) {
        (void)close(worker->epoll_fd);
    }
    worker->epoll_fd = -1;
    free(worker->event);
    free(worker->queue);
    free(worker->waiting);
    free(worker->null_client);
    worker->event = NULL;
    worker->queue = NULL;
    worker->waiting = NULL;
    worker->null_client = NULL;
    mr_load_warmup_fini(worker);
    mr_expected_fini(&worker->expected);
    mr_recorder_fini(&worker->recorder);
    mr_times_log_fini(&worker->log);
}

static uint64_t thread_cpu_ns(void)
{
    struct timespec used;
    int failed = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    MR_ASSERT(failed == 0);
    return (uint64_t)used.tv_sec * MR_NS_PER_S + (uint64_t)used.tv_nsec;
}

void mr_load_ask_stats(struct mr_load_worker *worker, enum mr_stats_moment moment)
{
    worker->stats[moment].wanted = true;
    worker->client[0].stats_wanted++;
    mr_load_enqueue(worker, &worker->client[0]);
}

static void ask_if_first(struct mr_load_worker *worker, enum mr_stats_moment moment)
{
    if (worker->thread == 0) {
        mr_load_ask_stats(worker, moment);
    }
}

static void begin_counting(struct mr_load_worker *worker, uint64_t backlog)
{
    worker->window_begun = true;
    worker->cpu_begin_ns = thread_cpu_ns();
    mr_loop_watch_begin(&worker->watch, mr_clock_ns(), MR_PAUSE_THRESHOLD_NS);
    worker->recorder.counts.backlog_begin = backlog;
}

static void end_counting(struct mr_load_worker *worker, uint64_t backlog)
{
    worker->phase = MR_PHASE_DRAINING;
    worker->recorder.counts.cpu_ns = thread_cpu_ns() - worker->cpu_begin_ns;
    worker->recorder.counts.backlog_end = backlog;
}

static void begin_window(struct mr_load_worker *worker)
{
    begin_counting(worker, worker->backlog + worker->batches_in_flight);
    mr_load_drop_holds(worker);
    ask_if_first(worker, MR_STATS_AT_BEGIN);
}

static void end_window(struct mr_load_worker *worker)
{
    end_counting(worker, worker->backlog + worker->batches_in_flight);
    ask_if_first(worker, MR_STATS_AT_END);
}

void mr_load_pass_edges(struct mr_load_worker *worker, uint64_t now_ns, uint64_t backlog)
{
    const struct mr_window *window = &worker->shared->window;
    if (!worker->window_begun && now_ns >= window->begin_ns) {
        begin_counting(worker, backlog);
    }
    if (worker->phase == MR_PHASE_RUNNING && now_ns >= window->end_ns) {
        end_counting(worker, backlog);
    }
}

uint64_t mr_load_watch_turn(struct mr_load_worker *worker, const struct mr_loop_turn *turn)
{
    bool in_window = worker->window_begun && worker->phase == MR_PHASE_RUNNING;
    return in_window ? mr_loop_watch_turn(&worker->watch, turn) : 0;
}

static bool check_stall(struct mr_load_worker *worker, uint64_t now_ns)
{
    uint64_t limit_ns = worker->shared->options->stall_limit_ns;
    if (worker->in_flight == 0 || now_ns < worker->progress_ns + limit_ns) {
        return true;
    }
    return mr_load_fail(&worker->failure, MR_LOAD_STALLED, MR_LOAD_ANSWERS,
                        "the server stopped answering: no reply for %" PRIu64
                        " ms (--stall-limit) while %" PRIu64 " requests were unanswered",
                        (uint64_t)(limit_ns / MR_NS_PER_MS), worker->in_flight);
}

// What time brings about. False: the run has failed.
static bool tick(struct mr_load_worker *worker, uint64_t now_ns)
{
    const struct mr_window *window = &worker->recorder.window;
    mr_load_release_holds(worker, now_ns);
    if (!worker->shared->opening) {
        if (!worker->window_begun) {
            mr_load_warm_on(worker, now_ns);
        }
        if (!worker->window_begun && now_ns >= window->begin_ns) {
            // Whoever is due at the very begin belongs to the window, not to the backlog before it.
            mr_load_take_due(worker, window->begin_ns - 1);
            begin_window(worker);
        }
        mr_load_take_due(worker, now_ns);
        if (worker->phase == MR_PHASE_RUNNING && now_ns >= window->end_ns) {
            end_window(worker);
        }
        if (worker->phase == MR_PHASE_DRAINING && now_ns >= window->limit_ns) {
            mr_load_censor(worker);
            worker->recorder.closed = true;
            worker->phase = MR_PHASE_SETTLING;
            worker->backlog = 0;
        }
    }
    return check_stall(worker, now_ns);
}

static bool is_over(struct mr_load_worker *worker)
{
    if (atomic_load_explicit(&worker->shared->stop, memory_order_relaxed)) {
        return true;
    }
    if (worker->phase == MR_PHASE_SETTLING && worker->failure.gates.off[MR_LOAD_ANSWERS]) {
        return true; // nobody minds an answer that never comes
    }
    if (worker->in_flight > 0 || worker->queue_count > 0) {
        return false;
    }
    if (worker->legs != NULL) {
        return !mr_load_next_leg(worker);
    }
    return worker->shared->opening || (worker->phase != MR_PHASE_RUNNING && worker->backlog == 0);
}

// While nothing more may be in flight, what comes due can only be counted, which the next look
// does: an overloaded loop waits for replies as a closed one does, instead of spinning from due
// time to due time. Not for long at once: what comes due in a sleep that outlasts its plan is late,
// what comes due within the plan waits for the server.
static bool is_full(const struct mr_load_worker *worker)
{
    return worker->batches_in_flight >= worker->in_flight_max ||
           worker->batches_in_flight == worker->clients_count * worker->shared->plan.depth;
}

static uint64_t next_deadline_ns(const struct mr_load_worker *worker, uint64_t now_ns)
{
    const struct mr_window *window = &worker->recorder.window;
    uint64_t deadline_ns = mr_load_next_due_ns(worker);
    if (deadline_ns < now_ns + MR_STANDSTILL_NS && is_full(worker)) {
        deadline_ns = now_ns + MR_STANDSTILL_NS;
    }
    if (worker->hold_deadline_ns < deadline_ns) {
        deadline_ns = worker->hold_deadline_ns;
    }
    if (!worker->shared->opening && worker->phase != MR_PHASE_SETTLING) {
        uint64_t edge_ns = !worker->window_begun               ? window->begin_ns
                           : worker->phase == MR_PHASE_RUNNING ? window->end_ns
                                                               : window->limit_ns;
        deadline_ns = edge_ns < deadline_ns ? edge_ns : deadline_ns;
    }
    // Who slept past a begin that another thread chose would book what it then reads before it.
    if (!worker->window_begun && !worker->shared->opening &&
        mr_load_may_warm_on(worker->shared->options) &&
        deadline_ns > now_ns + MR_LOAD_WARM_SLEEP_NS) {
        deadline_ns = now_ns + MR_LOAD_WARM_SLEEP_NS;
    }
    return deadline_ns;
}

static bool take_events(struct mr_load_worker *worker, int events, uint64_t gap_ns)
{
    for (int i = 0; i < events; i++) {
        struct mr_client *client = &worker->client[worker->event[i].data.u32];
        uint32_t what = worker->event[i].events;
        if ((what & EPOLLOUT) != 0 && client->refused) {
            client->refused = false;
            client->blocked_until_ns = worker->watched_until_ns;
            mr_load_enqueue(worker, client);
        }
        bool until_end = (what & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;
        if (((what & EPOLLIN) != 0 || until_end) &&
            !mr_load_receive(worker, client, gap_ns, until_end)) {
            return false;
        }
    }
    return true;
}

// What the loop did not see because it stood still or was at work is not the server's wait: it is
// sure of nothing behind its last look, or behind the time at which it meant to wake up.
static void watch_until(struct mr_load_worker *worker, uint64_t until_ns, uint64_t now_ns)
{
    worker->watched_until_ns = until_ns;
    if (now_ns - until_ns > MR_STANDSTILL_NS) {
        worker->standstill[worker->standstills++ % MR_STANDSTILLS_MAX] =
            (struct mr_standstill){.from_ns = until_ns, .to_ns = now_ns};
    }
}

// One turn of the loop: look, read and verify, let time pass, write. `begin_ns` is the turn
// before's end; returns this one's in *end_out_ns. False: the run is over.
static bool turn(struct mr_load_worker *worker, uint64_t begin_ns, uint64_t *end_out_ns)
{
    uint64_t sleep_ns =
        worker->queue_count > 0
            ? 0
            : mr_pacer_sleep_ns(begin_ns, next_deadline_ns(worker, begin_ns), worker->active_ns,
                                worker->shared->options->spin_ns);
    int events = mr_pacer_poll(worker->epoll_fd, worker->event, worker->events_max, sleep_ns);
    uint64_t now_ns = mr_clock_ns();
    if (events < 0) {
        return mr_load_fail(&worker->failure, MR_LOAD_FAILED, MR_LOAD_ANSWERS, "epoll_pwait2: %s",
                            strerror(-events));
    }
    uint64_t gap_ns = (sleep_ns > 0 ? begin_ns : now_ns) - worker->poll_return_ns;
    watch_until(worker,
                sleep_ns == 0                  ? worker->poll_return_ns
                : now_ns < begin_ns + sleep_ns ? now_ns
                                               : begin_ns + sleep_ns,
                now_ns);
    worker->poll_return_ns = now_ns;
    worker->moved_bytes = 0;
    worker->sent_bytes = 0;
    mr_recorder_expect_look(&worker->recorder, gap_ns);
    bool go_on =
        take_events(worker, events, gap_ns) && tick(worker, now_ns) && mr_load_send(worker);
    mr_recorder_look(&worker->recorder, &(struct mr_look){.now_ns = now_ns,
                                                          .gap_ns = gap_ns,
                                                          .empty = events == 0,
                                                          .slept = sleep_ns > 0});
    *end_out_ns = mr_clock_ns();
    uint64_t pause_ns = mr_load_watch_turn(
        worker, &(struct mr_loop_turn){
                    .now_ns = *end_out_ns, .sleep_ns = sleep_ns, .moved = worker->moved_bytes > 0});
    if (worker->moved_bytes > 0) {
        worker->active_ns = *end_out_ns;
        mr_recorder_burst(&worker->recorder, *end_out_ns, worker->sent_bytes);
        mr_recorder_busy(&worker->recorder, sleep_ns > 0 ? now_ns : begin_ns, *end_out_ns,
                         sleep_ns > 0 ? 0 : pause_ns);
    }
    return go_on && !is_over(worker);
}

static void begin_run(struct mr_load_worker *worker)
{
    const struct mr_load_shared *shared = worker->shared;
    worker->phase = MR_PHASE_RUNNING;
    worker->window_begun = false;
    worker->waiting_first = 0;
    worker->waiting_count = 0;
    worker->blocked_until_ns = 0;
    worker->standstills = 0;
    worker->backlog = 0;
    worker->hold_deadline_ns = UINT64_MAX;
    worker->next_look_ns = shared->window.start_ns;
    mr_load_begin_plan(worker);
    mr_recorder_begin(&worker->recorder, &shared->window);
    worker->log.count = 0;
    worker->log.left_out = 0;
    for (uint32_t i = 0; i < worker->clients_count; i++) {
        worker->client[i].batches_taken = 0;
        worker->client[i].batches_due = 0;
        worker->client[i].waiting = false;
    }
}

// Threads are confined here and not in the caller, which waits elsewhere.
static bool settle_down(struct mr_load_worker *worker)
{
    const struct mr_cores *cores = &worker->shared->options->cores;
    int result = mr_pacer_sharpen();
    if (result == 0 && cores->count > 0) {
        struct mr_cores own = {.count = 1, .core = {cores->core[worker->thread % cores->count]}};
        result = mr_pin_self(&own);
        if (result != 0) {
            return mr_load_fail(&worker->failure, MR_LOAD_FAILED, MR_LOAD_ANSWERS,
                                "core %u: %s (--cores)", own.core[0], strerror(-result));
        }
    }
    return result == 0 || mr_load_fail(&worker->failure, MR_LOAD_FAILED, MR_LOAD_ANSWERS,
                                       "timer slack: %s", strerror(-result));
}

static void run_loop(struct mr_load_worker *worker)
{
    uint64_t now_ns = mr_clock_ns();
    worker->poll_return_ns = now_ns;
    worker->watched_until_ns = now_ns;
    worker->progress_ns = now_ns;
    worker->active_ns = now_ns;
    for (uint32_t i = 0; i < worker->clients_count; i++) {
        mr_load_enqueue(worker, &worker->client[i]);
    }
    while (turn(worker, now_ns, &now_ns)) {
    }
    if (!worker->shared->opening && worker->phase != MR_PHASE_SETTLING) {
        // Ended before its time: who is unanswered now has waited until now at least. Left out,
        // a server that stands still would look fast. Nobody is, where the run is through.
        worker->recorder.window.limit_ns = now_ns;
        mr_load_censor(worker);
    }
    mr_recorder_end(&worker->recorder, now_ns);
}

void *mr_load_worker_run(void *worker)
{
    struct mr_load_worker *self = worker;
    begin_run(self);
    mr_loop_watch_init(&self->watch);
    bool null_sender = self->null_client != NULL && !self->shared->opening;
    if (settle_down(self)) {
        mr_clock_sleep_until(self->shared->window.start_ns);
        (null_sender ? mr_null_sender_loop : run_loop)(self);
    }
    mr_loop_watch_fini(&self->watch);
    if (self->failure.verdict != MR_LOAD_OK) {
        atomic_store(&self->shared->stop, true);
    }
    uint64_t one = 1;
    ssize_t written = write(self->shared->done_fd, &one, sizeof one);
    MR_ASSERT(written == sizeof one);
    return NULL;
}
