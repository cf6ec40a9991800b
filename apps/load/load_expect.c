// load_expect.c: memory asked for before it is needed. Each batch copies tens of KB through the
// caches, so what belongs to another batch comes from afar: asked for ahead of a system call, it is
// there when that is over. Asking changes nothing and may be wrong.
#include "load_worker.h"

// Replies of a connection that are looked after at once; more of them hide each other's delays.
#define REPLIES_EXPECTED 4u

static void expect_request(const struct mr_request *request)
{
    const uint8_t *at = (const uint8_t *)request;
    for (size_t i = 0; i < sizeof *request; i += MR_CACHE_LINE_BYTES) {
        __builtin_prefetch(at + i, 1);
    }
}

static void expect_client(const struct mr_client *client)
{
    __builtin_prefetch(client, 1);
    __builtin_prefetch(&client->items_taken, 1);
    __builtin_prefetch(&client->window_payload_bytes, 1);
}

void mr_load_expect_send(const struct mr_load_worker *worker, const struct mr_client *client)
{
    if (!client->sending) {
        expect_request(mr_outstanding_place(&client->outstanding));
    }
    if (client->next_number != UINT64_MAX) {
        mr_edit_expect_notes(worker->shared->dataset, client->next.batch, client->next.turn);
    }
}

void mr_load_expect_replies(const struct mr_load_worker *worker, const struct mr_client *client)
{
    const struct mr_outstanding *outstanding = &client->outstanding;
    uint64_t count = mr_outstanding_count(outstanding);
    for (uint64_t i = 0; i < count && i < REPLIES_EXPECTED; i++) {
        expect_request(&outstanding->request[(outstanding->first + i) & outstanding->mask]);
    }
    // Who waits for a place will send next, or else this one.
    if (worker->waiting_count > 0) {
        expect_client(&worker->client[worker->waiting[worker->waiting_first]]);
    }
}

void mr_load_expect_answers(const struct mr_load_worker *worker, const struct mr_client *client,
                            uint64_t now_ns, uint64_t gap_ns)
{
    const struct mr_outstanding *outstanding = &client->outstanding;
    uint64_t count = mr_outstanding_count(outstanding);
    uint64_t replies = (client->end - client->begin) / MR_CLIENT_REPLY_BYTES;
    bool checked = !worker->expected.unchecked && worker->expected.mode != MR_MODE_DRAIN;
    for (uint64_t i = 0; i < count && i < replies && i < REPLIES_EXPECTED; i++) {
        const struct mr_request *request =
            &outstanding->request[(outstanding->first + i) & outstanding->mask];
        mr_recorder_expect(&worker->recorder, request, now_ns, gap_ns);
        if (checked && request->kind == MR_REQUEST_BATCH) {
            mr_sums_expect(&worker->expected.sums, request->batch, &request->edit);
        }
    }
    mr_load_expect_send(worker, worker->waiting_count == 0
                                    ? client
                                    : &worker->client[worker->waiting[worker->waiting_first]]);
}
