// load_sends.c: what goes out: slots that come due, batches that are released, bytes that the
// kernel takes, and now and then a last byte held back to catch answers that come too early.
#include "load_worker.h"

#include "call.h"
#include "sender.h"

#include "base/clock.h"
#include "base/mr_assert.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

// In the warm-up a batch is a probe every 5 to 15 ms, at random moments; none shortly before the
// window.
#define PROBE_PAUSE_NS  (5 * MR_NS_PER_MS)
#define PROBE_SPREAD_NS (10 * MR_NS_PER_MS)
#define PROBE_MARGIN_NS (250 * MR_NS_PER_MS)

static bool may_take(const struct mr_load_worker *worker, const struct mr_client *client)
{
    const struct mr_load_shared *shared = worker->shared;
    if (client->batches_in_flight >= shared->plan.depth) {
        return false;
    }
    if (worker->legs != NULL) {
        return worker->legs->left > 0;
    }
    if (shared->opening) {
        return client->batches_taken == 0;
    }
    if (shared->plan.kind == MR_PLAN_CLOSED) {
        return worker->phase == MR_PHASE_RUNNING;
    }
    return worker->phase != MR_PHASE_SETTLING && client->batches_taken < client->batches_due;
}

// Whether the thread may have one more batch in flight.
static bool has_place(const struct mr_load_worker *worker)
{
    return worker->batches_in_flight < worker->in_flight_max || worker->shared->opening;
}

static bool may_send(const struct mr_load_worker *worker, const struct mr_client *client)
{
    return !client->refused && client->hold == MR_HOLD_NONE &&
           (client->sending || client->stats_wanted > 0 ||
            (may_take(worker, client) && has_place(worker)));
}

// What hinders `client` is only that the thread has too much in flight: it waits for its turn.
static void await_place(struct mr_load_worker *worker, struct mr_client *client)
{
    if (client->waiting || client->refused || client->hold != MR_HOLD_NONE ||
        !may_take(worker, client)) {
        return;
    }
    MR_ASSERT(worker->waiting_count < worker->clients_count);
    uint32_t place = (worker->waiting_first + worker->waiting_count++) % worker->clients_count;
    worker->waiting[place] = (uint32_t)(client - worker->client);
    client->waiting = true;
}

void mr_load_wake_waiting(struct mr_load_worker *worker)
{
    if (worker->waiting_count == 0 || !has_place(worker)) {
        return;
    }
    struct mr_client *client = &worker->client[worker->waiting[worker->waiting_first]];
    worker->waiting_first = (worker->waiting_first + 1) % worker->clients_count;
    worker->waiting_count--;
    client->waiting = false;
    mr_load_enqueue(worker, client);
}

uint64_t mr_load_time_ns(const struct mr_load_worker *worker)
{
    return worker->shared->options->no_record ? worker->poll_return_ns : mr_clock_ns();
}

void mr_load_enqueue(struct mr_load_worker *worker, struct mr_client *client)
{
    if (client->queued) {
        return;
    }
    if (!may_send(worker, client)) {
        await_place(worker, client);
        return;
    }
    MR_ASSERT(worker->queue_count < worker->clients_count);
    uint32_t place = worker->queue_first + worker->queue_count++;
    if (place >= worker->clients_count) {
        place -= worker->clients_count;
    }
    worker->queue[place] = (uint32_t)(client - worker->client);
    client->queued = true;
}

static void dequeue(struct mr_load_worker *worker, struct mr_client *client)
{
    MR_ASSERT(client->queued && worker->queue_count > 0);
    client->queued = false;
    worker->queue_count--;
    if (++worker->queue_first == worker->clients_count) {
        worker->queue_first = 0;
    }
}

uint64_t mr_load_next_due_ns(const struct mr_load_worker *worker)
{
    const struct mr_load_shared *shared = worker->shared;
    if (shared->opening || shared->plan.kind == MR_PLAN_CLOSED ||
        worker->next_due_ns >= shared->window.end_ns) {
        return UINT64_MAX;
    }
    return worker->next_due_ns;
}

static uint64_t slot_due_ns(const struct mr_load_worker *worker, uint64_t round,
                            uint32_t connection)
{
    const struct mr_load_shared *shared = worker->shared;
    uint64_t slot = round * shared->plan.connections + connection;
    uint64_t offset_ns = mr_plan_offset_ns(&shared->plan, slot);
    bool never = offset_ns > UINT64_MAX - shared->window.start_ns;
    return never ? UINT64_MAX : shared->window.start_ns + offset_ns;
}

void mr_load_begin_plan(struct mr_load_worker *worker)
{
    const struct mr_load_shared *shared = worker->shared;
    bool none = shared->opening || shared->plan.kind == MR_PLAN_CLOSED;
    worker->next_round = 0;
    worker->next_client = 0;
    worker->next_due_ns = none ? UINT64_MAX : slot_due_ns(worker, 0, worker->client[0].connection);
}

void mr_load_take_due(struct mr_load_worker *worker, uint64_t now_ns)
{
    while (mr_load_next_due_ns(worker) <= now_ns) {
        struct mr_client *client = &worker->client[worker->next_client];
        client->batches_due++;
        worker->backlog++;
        mr_load_enqueue(worker, client);
        if (++worker->next_client == worker->clients_count) {
            worker->next_client = 0;
            worker->next_round++;
        }
        worker->next_due_ns =
            slot_due_ns(worker, worker->next_round, worker->client[worker->next_client].connection);
    }
}

// The digest of the answer is set when the batch is on its way: until then the record that is
// changed has come from memory.
static bool vary(const struct mr_load_shared *shared, struct mr_order_item item,
                 struct mr_edit *edit_out)
{
    if (shared->options->same_batches) {
        mr_edit_none(shared->dataset, item.batch, edit_out);
        return true;
    }
    return mr_edit_make_unanswered(shared->dataset, item.batch, item.turn, edit_out);
}

// Whether anybody will ask for the digest that a batch must have.
static bool has_digest(const struct mr_load_worker *worker)
{
    return !worker->expected.unchecked && worker->expected.mode != MR_MODE_DRAIN;
}

static void fill_item(const struct mr_load_worker *worker, uint64_t number,
                      struct mr_order_item item, struct mr_request *request)
{
    request->sequence = number;
    request->batch = item.batch;
    request->turn = item.turn;
    request->payload_bytes = worker->shared->dataset->frames.frame[item.batch].payload_bytes;
    if (worker->legs != NULL) {
        mr_legs_note_sent(worker->legs, request->payload_bytes);
    }
}

// A batch that was held back, under the client's next number.
static bool take_unseen(struct mr_load_worker *worker, struct mr_client *client,
                        struct mr_request *request)
{
    const struct mr_load_shared *shared = worker->shared;
    struct mr_order_item item = mr_legs_take_unseen(worker->legs, shared->order);
    uint64_t number = client->items_taken++ * shared->plan.connections + client->connection;
    bool varied = vary(shared, item, &request->edit);
    MR_ASSERT(varied); // the order has only batches with a first variation
    fill_item(worker, number, item, request);
    return true;
}

// The next item of the global order for `client`; those without a variation left are passed over.
static bool take_item(struct mr_load_worker *worker, struct mr_client *client,
                      struct mr_request *request)
{
    const struct mr_load_shared *shared = worker->shared;
    for (size_t tries = 0; tries < shared->order->count; tries++) {
        uint64_t number = client->items_taken++ * shared->plan.connections + client->connection;
        struct mr_order_item item =
            client->next_number == number ? client->next : mr_order_at(shared->order, number);
        if (vary(shared, item, &request->edit)) {
            client->next_number = number + shared->plan.connections;
            client->next = mr_order_at(shared->order, client->next_number);
            fill_item(worker, number, item, request);
            return true;
        }
    }
    return mr_load_fail(&worker->failure, MR_LOAD_FAILED, MR_LOAD_ANSWERS,
                        "the dataset is used up: none of its %zu batches has a variation left; "
                        "make a larger one or choose a shorter window",
                        shared->order->count);
}

static bool is_probe(struct mr_load_worker *worker, uint64_t now_ns)
{
    const struct mr_load_shared *shared = worker->shared;
    if (shared->opening) {
        return worker->legs == NULL;
    }
    if (now_ns < worker->next_probe_ns ||
        now_ns + PROBE_MARGIN_NS >= worker->recorder.window.begin_ns) {
        return false;
    }
    worker->next_probe_ns = now_ns + PROBE_PAUSE_NS + mr_rng_below(&worker->rng, PROBE_SPREAD_NS);
    return true;
}

static void encode_head(struct mr_request *request, enum mr_frame_type type)
{
    struct mr_frame_head head = {.payload_bytes = request->payload_bytes,
                                 .type = (uint8_t)type,
                                 .version = MR_WIRE_VERSION,
                                 .sequence = request->sequence};
    mr_frame_head_encode(&head, request->head);
}

// How long what came due at `due_ns` had to wait until the loop looked again; 0: it was looking.
static uint64_t unseen_ns(const struct mr_load_worker *worker, uint64_t due_ns)
{
    uint64_t known =
        worker->standstills < MR_STANDSTILLS_MAX ? worker->standstills : MR_STANDSTILLS_MAX;
    for (uint64_t back = 1; back <= known; back++) {
        const struct mr_standstill *one =
            &worker->standstill[(worker->standstills - back) % MR_STANDSTILLS_MAX];
        if (due_ns >= one->to_ns) {
            return 0;
        }
        if (due_ns >= one->from_ns) {
            return one->to_ns - due_ns;
        }
    }
    return 0;
}

// Whose the wait of `request` was. What came due while depth (or --in-flight) was used up, or the
// socket full, waited for the server; but what came due while the loop stood still had waited for
// the generator first.
static void judge_wait(const struct mr_load_worker *worker, const struct mr_client *client,
                       struct mr_request *request)
{
    const struct mr_times *times = &request->times;
    request->waited =
        times->due_ns < client->blocked_until_ns || times->due_ns < worker->blocked_until_ns;
    request->lateness_ns =
        request->waited ? unseen_ns(worker, times->due_ns) : times->released_ns - times->due_ns;
    request->blocked = request->waited && request->lateness_ns == 0;
}

// The variation is made first: one reading of the clock then is the moment of release and, where
// the batch is written at once, of its send start.
static bool release_batch(struct mr_load_worker *worker, struct mr_client *client)
{
    const struct mr_load_shared *shared = worker->shared;
    struct mr_request *request = mr_outstanding_push(&client->outstanding);
    bool open = shared->plan.kind != MR_PLAN_CLOSED && !shared->opening;
    request->kind = MR_REQUEST_BATCH;
    bool unseen = worker->legs != NULL && mr_legs_are_unseen(worker->legs);
    if (!(unseen ? take_unseen : take_item)(worker, client, request)) {
        return false;
    }
    encode_head(request, MR_FRAME_BATCH);
    uint64_t now_ns = mr_load_time_ns(worker);
    request->times.released_ns = now_ns;
    request->times.due_ns =
        open ? slot_due_ns(worker, client->batches_taken, client->connection) : now_ns;
    if (open) {
        judge_wait(worker, client, request);
    }
    request->hold = is_probe(worker, now_ns);
    client->batches_taken++;
    client->batches_in_flight++;
    worker->batches_in_flight++;
    worker->backlog -= open;
    if (has_digest(worker)) {
        mr_edit_expect_record(&request->edit);
    }
    mr_load_expect_send(worker, client); // this one may be the next to send as well
    return true;
}

static void release_stats(struct mr_load_worker *worker, struct mr_client *client)
{
    struct mr_request *request = mr_outstanding_push(&client->outstanding);
    request->kind = MR_REQUEST_STATS;
    request->sequence = MR_QUESTION_SEQUENCE | ++worker->stats_asked;
    encode_head(request, MR_FRAME_STATS);
    client->stats_wanted--;
}

// The request that is to be sent now: the one that is half sent, or a new one.
static struct mr_request *next_request(struct mr_load_worker *worker, struct mr_client *client)
{
    if (!client->sending) {
        if (client->stats_wanted > 0) {
            release_stats(worker, client);
        } else if (!release_batch(worker, client)) {
            return NULL;
        }
        client->sending = true;
        if (worker->in_flight++ == 0) {
            worker->progress_ns = mr_clock_ns();
        }
    }
    return mr_outstanding_newest(&client->outstanding);
}

static void sent_whole(struct mr_load_worker *worker, struct mr_client *client,
                       struct mr_request *request, uint64_t now_ns)
{
    client->sending = false;
    request->times.send_complete_ns = now_ns;
    if (request->kind != MR_REQUEST_BATCH) {
        return;
    }
    if (request->waited || request->refused) {
        // Whoever came due meanwhile waited behind it.
        client->blocked_until_ns = worker->watched_until_ns;
    }
    if (request->answered_early) {
        mr_load_finish_batch(worker, client);
    }
}

// A write failed: an ERROR frame may say why, and is worth more than the errno. True: the loss was
// overlooked, and the connection is a new one, with nothing in flight.
static bool send_failed(struct mr_load_worker *worker, struct mr_client *client, int error)
{
    uint64_t lost = worker->failure.gates.overlooked[MR_LOAD_LOST];
    if (!mr_load_receive(worker, client, 0, true)) {
        return false;
    }
    if (worker->failure.gates.overlooked[MR_LOAD_LOST] != lost) {
        return true; // the reader found the end
    }
    return mr_call_lost(client, error, &worker->failure) && mr_load_reconnect(worker, client);
}

// The kernel took `sent` bytes; the first ones of a batch went out at `start_ns`.
static void note_sent(struct mr_load_worker *worker, struct mr_request *request, uint64_t sent,
                      uint64_t start_ns, uint64_t now_ns)
{
    worker->moved_bytes += sent;
    worker->sent_bytes += sent;
    mr_recorder_bytes(&worker->recorder, now_ns, sent, 0);
    if (start_ns != 0) {
        request->times.send_start_ns = start_ns;
        mr_recorder_sent(&worker->recorder, request);
    }
}

// Writes once; `released`: the request was released just now. False: the run has failed.
static bool send_once(struct mr_load_worker *worker, struct mr_client *client,
                      struct mr_request *request, size_t limit_bytes, bool released)
{
    bool batch = request->kind == MR_REQUEST_BATCH;
    bool first = batch && request->sent_bytes == 0;
    const uint8_t *payload =
        batch ? mr_frames_payload(&worker->shared->dataset->frames, request->batch) : NULL;
    uint64_t start_ns = !first     ? 0
                        : released ? request->times.released_ns
                                   : mr_load_time_ns(worker);
    ssize_t sent = mr_sender_write(client->fd, request, payload, limit_bytes);
    uint64_t now_ns = mr_load_time_ns(worker);
    if (first && has_digest(worker)) {
        mr_edit_answer(worker->shared->dataset, request->batch, &request->edit);
    }
    if (sent < 0 && sent != -EAGAIN) {
        return send_failed(worker, client, (int)sent);
    }
    uint64_t unsent = mr_request_bytes(request) - request->sent_bytes;
    if (sent > 0) {
        note_sent(worker, request, (uint64_t)sent, start_ns, now_ns);
    }
    if (unsent == 0) {
        sent_whole(worker, client, request, now_ns);
    } else if (request->hold && unsent == 1) {
        client->hold = MR_HOLD_ALONE;
        mr_load_hold_alone(worker, client, now_ns);
    } else if (sent < 0 || (size_t)sent < limit_bytes) {
        client->refused = true;
        request->refused = true;
    }
    return true;
}

// The second in the queue will send when the kernel is through with the first one's bytes.
static void expect_next(const struct mr_load_worker *worker)
{
    uint32_t place = worker->queue_first + 1;
    if (worker->queue_count > 1) {
        mr_load_expect_send(
            worker, &worker->client[worker->queue[place < worker->clients_count ? place : 0]]);
    }
}

bool mr_load_send(struct mr_load_worker *worker)
{
    size_t left_bytes = MR_WRITE_LIMIT_BYTES;
    while (worker->queue_count > 0) {
        struct mr_client *client = &worker->client[worker->queue[worker->queue_first]];
        if (!may_send(worker, client)) {
            dequeue(worker, client);
            mr_load_enqueue(worker, client); // to those that wait for a place, if that is all
            continue;
        }
        bool released = !client->sending;
        struct mr_request *request = next_request(worker, client);
        if (request == NULL) {
            return false;
        }
        uint64_t unsent = mr_request_bytes(request) - request->sent_bytes;
        if (left_bytes < MR_WRITE_LIMIT_BYTES && unsent > left_bytes) {
            break; // rather whole with the next look than in two pieces
        }
        expect_next(worker);
        uint64_t before = request->sent_bytes;
        if (!send_once(worker, client, request, left_bytes, released)) {
            return false;
        }
        left_bytes -= (size_t)(request->sent_bytes - before);
        if (!client->sending || client->refused || client->hold != MR_HOLD_NONE) {
            dequeue(worker, client);
            mr_load_enqueue(worker, client);
        }
        if (left_bytes == 0) {
            break;
        }
    }
    return true;
}

void mr_load_censor(struct mr_load_worker *worker)
{
    for (uint32_t i = 0; i < worker->clients_count; i++) {
        struct mr_client *client = &worker->client[i];
        const struct mr_outstanding *outstanding = &client->outstanding;
        for (uint64_t k = outstanding->first; k != outstanding->last; k++) {
            const struct mr_request *request = &outstanding->request[k & outstanding->mask];
            if (request->kind == MR_REQUEST_BATCH) {
                bool sent = request->times.send_start_ns != 0;
                mr_recorder_censor(&worker->recorder, request->times.due_ns,
                                   sent ? request->times.send_start_ns : request->times.released_ns,
                                   sent);
            }
        }
        for (uint64_t k = client->batches_taken; k < client->batches_due; k++) {
            mr_recorder_censor(&worker->recorder, slot_due_ns(worker, k, client->connection), 0,
                               false);
        }
    }
}
