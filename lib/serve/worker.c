// worker.c: parse, digest, totals, copies; in this order, so that a batch that cannot be kept
// changes nothing.
#include "worker.h"

#include "base/mr_assert.h"

#include <errno.h>

int mr_worker_init(struct mr_worker *worker_out, const struct mr_worker_params *params)
{
    *worker_out = (struct mr_worker){
        .contestant = params->contestant,
        .book = params->book,
        .mode = params->mode,
        .max_kept_bytes = params->max_kept_bytes,
    };
    struct mr_parser_options options = {.kernel = params->kernel};
    return params->contestant->create(&options, &worker_out->parser);
}

void mr_worker_fini(struct mr_worker *worker)
{
    if (worker->parser != NULL) {
        worker->contestant->destroy(worker->parser);
    }
    *worker = (struct mr_worker){0};
}

// Drain acknowledges unseen: the ceiling of the socket code.
static int drain(struct mr_worker *worker, const struct mr_payload *payload, struct mr_ack *ack_out)
{
    struct mr_totals batch;
    mr_totals_init(&batch);
    mr_totals_drain(&batch, payload->json_bytes);
    *ack_out = (struct mr_ack){0};
    return mr_book_enter(worker->book, NULL, &(struct mr_entry){.batch = &batch});
}

static int accept_batch(struct mr_worker *worker, struct mr_shelf *shelf,
                        const struct mr_payload *payload, const uint8_t *records,
                        const struct mr_result *result)
{
    // The totals of the batch are made before the lock is taken: only the sum is made under it.
    struct mr_totals batch;
    mr_totals_init(&batch);
    mr_totals_accept_result(&batch, records, result, payload->json_bytes);
    struct mr_entry entry = {
        .batch = &batch, .used_bytes = result->used_bytes, .records = result->records};
    return mr_book_enter(worker->book, shelf, &entry);
}

static int reject_batch(struct mr_worker *worker, struct mr_shelf *shelf)
{
    mr_ring_drop(shelf->ring);
    struct mr_totals batch;
    mr_totals_init(&batch);
    mr_totals_reject(&batch);
    return mr_book_enter(worker->book, NULL, &(struct mr_entry){.batch = &batch});
}

int mr_worker_take(struct mr_worker *worker, struct mr_shelf *shelf,
                   const struct mr_payload *payload, struct mr_ack *ack_out)
{
    if (worker->mode == MR_MODE_DRAIN) {
        return drain(worker, payload, ack_out);
    }
    if (shelf->ring == NULL) {
        struct mr_ring *ring;
        int failed = mr_ring_create(worker->mode, worker->max_kept_bytes, &ring);
        if (failed != 0) {
            return failed;
        }
        mr_book_add_shelf(worker->book, shelf, ring);
    }
    size_t capacity = mr_records_capacity(payload->json_bytes);
    uint8_t *records = mr_ring_place(shelf->ring, capacity);
    if (records == NULL) {
        return -ENOMEM;
    }
    struct mr_result result = {0};
    worker->contestant->parse(worker->parser, payload, records, &result);
    if (result.error == MR_OK) {
        MR_ASSERT(result.records <= MR_BATCH_RECORDS_MAX && result.used_bytes <= capacity);
        *ack_out = (struct mr_ack){.records = result.records, .digest = result.digest};
        return accept_batch(worker, shelf, payload, records, &result);
    }
    *ack_out = (struct mr_ack){
        .status = 1,
        .error = result.error,
        .error_record = result.error_record,
        .error_offset = result.error_offset,
    };
    return reject_batch(worker, shelf);
}
