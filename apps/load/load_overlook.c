// load_overlook.c: what a generator without gates does with a server's fault: goes on as if nothing
// had been. For --without-gate alone.
#include "load_worker.h"

#include "base/clock.h"

#include <inttypes.h>
#include <string.h>

// The oldest request of `client` will have no answer.
static void give_up_oldest(struct mr_load_worker *worker, struct mr_client *client)
{
    const struct mr_request *request = mr_outstanding_oldest(&client->outstanding);
    if (request->kind == MR_REQUEST_BATCH) {
        bool sent = request->times.send_start_ns != 0;
        mr_recorder_censor(&worker->recorder, request->times.due_ns,
                           sent ? request->times.send_start_ns : request->times.released_ns, sent);
        client->batches_in_flight--;
        worker->batches_in_flight--;
    }
    worker->in_flight--;
    mr_outstanding_pop(&client->outstanding);
    mr_load_wake_waiting(worker);
}

bool mr_load_reconnect(struct mr_load_worker *worker, struct mr_client *client)
{
    while (mr_outstanding_count(&client->outstanding) > 0) {
        give_up_oldest(worker, client);
    }
    client->sending = false;
    client->refused = false;
    client->hold = MR_HOLD_NONE;
    uint64_t deadline_ns = mr_clock_ns() + worker->shared->options->stall_limit_ns;
    int result = mr_client_reconnect(client, deadline_ns);
    if (result == 0) {
        result = mr_load_watch(worker, client);
    }
    if (result != 0) {
        return mr_load_fail(&worker->failure, MR_LOAD_FAILED, MR_LOAD_LOST,
                            "connection %" PRIu32 " could not be made again: %s",
                            client->connection, strerror(-result));
    }
    worker->progress_ns = mr_clock_ns();
    mr_load_enqueue(worker, client);
    return true;
}

void mr_load_give_up_batches(struct mr_load_worker *worker, struct mr_client *client)
{
    const struct mr_request *request = mr_outstanding_oldest(&client->outstanding);
    while (request != NULL && request->kind == MR_REQUEST_BATCH && !client->sending) {
        give_up_oldest(worker, client);
        request = mr_outstanding_oldest(&client->outstanding);
    }
}
