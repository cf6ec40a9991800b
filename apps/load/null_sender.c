// null_sender.c: see null_sender.h.
#include "null_sender.h"

#include "call.h"
#include "load_worker.h"
#include "sender.h"

#include "base/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#define RECEIVE_BYTES (16u << 10)

struct loop {
    struct mr_load_worker *worker;
    uint64_t next_place;     // of the order of batches
    uint32_t next_client;    // whose turn to send it is
    uint64_t in_flight;      // batches over all connections
    uint64_t turn_batches;   // answered in this turn
    uint64_t turn_sent;      // bytes
    uint64_t turn_received;  // bytes
    uint64_t turn_begins_ns; // the turn before's end
    uint8_t replies[RECEIVE_BYTES];
};

int mr_null_sender_init(struct mr_load_worker *worker)
{
    worker->null_client = calloc(worker->clients_count, sizeof *worker->null_client);
    return worker->null_client == NULL ? -ENOMEM : 0;
}

static bool lost(struct loop *loop, const struct mr_null_client *client, int error)
{
    struct mr_load_worker *worker = loop->worker;
    (void)mr_call_lost(&worker->client[client - worker->null_client], error, &worker->failure);
    return false; // whatever gate is switched off: there is nothing to go on with
}

// Sends what is left of the newest batch. False: the run has failed.
static bool send_rest(struct loop *loop, struct mr_null_client *client)
{
    ssize_t sent =
        send(client->fd, client->unsent, client->unsent_bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
        return errno == EAGAIN || errno == EINTR || lost(loop, client, -errno);
    }
    client->unsent += sent;
    client->unsent_bytes -= (uint32_t)sent;
    loop->turn_sent += (uint64_t)sent;
    return true;
}

static void take_batch(struct loop *loop, struct mr_null_client *client)
{
    const struct mr_load_shared *shared = loop->worker->shared;
    const struct mr_order *order = shared->order;
    const struct mr_frames *frames = &shared->dataset->frames;
    uint32_t batch = order->batch[loop->next_place];
    loop->next_place = loop->next_place + 1 == order->count ? 0 : loop->next_place + 1;
    __builtin_prefetch(&frames->frame[order->batch[loop->next_place]]);
    client->unsent = mr_frames_payload(frames, batch) - MR_FRAME_HEAD_BYTES;
    client->unsent_bytes = MR_FRAME_HEAD_BYTES + frames->frame[batch].payload_bytes;
    client->in_flight++;
    loop->in_flight++;
}

// Batches for connections in turn, while any has room: within the limits that the generator has.
static bool send_batches(struct loop *loop)
{
    struct mr_load_worker *worker = loop->worker;
    uint64_t depth = worker->shared->plan.depth;
    uint32_t without_room = 0;
    while (loop->in_flight < worker->in_flight_max && without_room < worker->clients_count &&
           loop->turn_sent < MR_WRITE_LIMIT_BYTES) {
        struct mr_null_client *client = &worker->null_client[loop->next_client];
        loop->next_client =
            loop->next_client + 1 == worker->clients_count ? 0 : loop->next_client + 1;
        if (client->in_flight >= depth || client->unsent_bytes > 0) {
            without_room++;
            continue;
        }
        without_room = 0;
        take_batch(loop, client);
        if (!send_rest(loop, client)) {
            return false;
        }
    }
    return true;
}

// Counts whole replies; each answers one batch. False: the run has failed.
static bool receive(struct loop *loop, struct mr_null_client *client)
{
    ssize_t received;
    do {
        received = recv(client->fd, loop->replies, sizeof loop->replies, MSG_DONTWAIT);
        if (received <= 0) {
            return (received < 0 && errno == EAGAIN) ||
                   lost(loop, client, received < 0 ? -errno : 0);
        }
        uint32_t bytes = client->reply_bytes + (uint32_t)received;
        uint32_t replies = bytes / MR_CLIENT_REPLY_BYTES;
        client->reply_bytes = bytes % MR_CLIENT_REPLY_BYTES;
        client->in_flight -= replies;
        loop->in_flight -= replies;
        loop->turn_batches += replies;
        loop->turn_received += (uint64_t)received;
    } while ((size_t)received == sizeof loop->replies);
    return true;
}

static bool take_events(struct loop *loop, int events)
{
    const struct mr_load_worker *worker = loop->worker;
    for (int i = 0; i < events; i++) {
        struct mr_null_client *client = &worker->null_client[worker->event[i].data.u32];
        uint32_t what = worker->event[i].events;
        if ((what & EPOLLOUT) != 0 && client->unsent_bytes > 0 && !send_rest(loop, client)) {
            return false;
        }
        if ((what & ~(uint32_t)EPOLLOUT) != 0 && !receive(loop, client)) {
            return false;
        }
    }
    return true;
}

static void account(struct loop *loop, uint64_t now_ns)
{
    struct mr_load_worker *worker = loop->worker;
    struct mr_recorder *recorder = &worker->recorder;
    const struct mr_window *window = &recorder->window;
    bool moved = loop->turn_sent + loop->turn_received > 0;
    uint64_t pause_ns =
        mr_load_watch_turn(worker, &(struct mr_loop_turn){.now_ns = now_ns, .moved = moved});
    mr_recorder_bytes(recorder, now_ns, loop->turn_sent, loop->turn_received);
    mr_recorder_burst(recorder, now_ns, loop->turn_sent);
    if (now_ns >= window->begin_ns && now_ns < window->end_ns) {
        recorder->counts.batches += loop->turn_batches;
        recorder->counts.accepted += loop->turn_batches;
        recorder->counts.polls++;
        recorder->counts.polls_empty += loop->turn_received == 0;
    }
    if (moved) {
        mr_recorder_busy(recorder, loop->turn_begins_ns, now_ns, pause_ns);
    }
    loop->turn_begins_ns = now_ns;
    loop->turn_batches = 0;
    loop->turn_sent = 0;
    loop->turn_received = 0;
}

static bool is_over(const struct loop *loop)
{
    const struct mr_load_worker *worker = loop->worker;
    return atomic_load_explicit(&worker->shared->stop, memory_order_relaxed) ||
           (worker->phase != MR_PHASE_RUNNING &&
            (loop->in_flight == 0 || loop->turn_begins_ns >= worker->shared->window.limit_ns));
}

static bool turn(struct loop *loop)
{
    struct mr_load_worker *worker = loop->worker;
    int events = epoll_wait(worker->epoll_fd, worker->event, worker->events_max, 0);
    if (events < 0 && errno != EINTR) {
        return mr_load_fail(&worker->failure, MR_LOAD_FAILED, MR_LOAD_ANSWERS, "epoll_wait: %s",
                            strerror(errno));
    }
    if (!take_events(loop, events) || (worker->phase == MR_PHASE_RUNNING && !send_batches(loop))) {
        return false;
    }
    uint64_t now_ns = mr_clock_ns();
    account(loop, now_ns);
    mr_load_pass_edges(worker, now_ns, loop->in_flight);
    return !is_over(loop);
}

void mr_null_sender_loop(struct mr_load_worker *worker)
{
    struct loop loop = {.worker = worker, .turn_begins_ns = mr_clock_ns()};
    for (uint32_t i = 0; i < worker->clients_count; i++) {
        worker->null_client[i] = (struct mr_null_client){.fd = worker->client[i].fd};
    }
    while (turn(&loop)) {
    }
    mr_recorder_end(&worker->recorder, loop.turn_begins_ns);
}
