// load_holds.c: probes for answers that come too early: the last byte of a batch is held back until
// nothing else of its connection is in flight, and then for a while.
#include "load_worker.h"

#include "base/clock.h"

// How long a byte is held when nothing else of its connection is in flight: long enough for a
// server that is busy with the other connections, for which the last round trip stands. The opening
// takes its time once for all connections: on a busy host a server may not run for a while.
#define HOLD_NS_OPENING (50 * MR_NS_PER_MS)
#define HOLD_NS_MIN     (2 * MR_NS_PER_MS)
#define HOLD_NS_MAX     (100 * MR_NS_PER_MS)
#define HOLD_OF_TRIPS   2u

void mr_load_hold_alone(struct mr_load_worker *worker, struct mr_client *client, uint64_t now_ns)
{
    if (client->hold != MR_HOLD_ALONE || mr_outstanding_count(&client->outstanding) > 1) {
        return;
    }
    uint64_t hold_ns = worker->shared->opening
                           ? HOLD_NS_OPENING
                           : HOLD_NS_MIN + HOLD_OF_TRIPS * client->last_round_trip_ns;
    client->hold = MR_HOLD_TIMED;
    client->hold_until_ns = now_ns + (hold_ns < HOLD_NS_MAX ? hold_ns : HOLD_NS_MAX);
    if (client->hold_until_ns < worker->hold_deadline_ns) {
        worker->hold_deadline_ns = client->hold_until_ns;
    }
}

void mr_load_drop_holds(struct mr_load_worker *worker)
{
    for (uint32_t i = 0; i < worker->clients_count; i++) {
        struct mr_client *client = &worker->client[i];
        if (client->hold != MR_HOLD_NONE) {
            client->hold = MR_HOLD_NONE;
            mr_outstanding_newest(&client->outstanding)->hold = false;
            mr_load_enqueue(worker, client);
        }
    }
    worker->hold_deadline_ns = UINT64_MAX;
}

void mr_load_release_holds(struct mr_load_worker *worker, uint64_t now_ns)
{
    if (now_ns < worker->hold_deadline_ns) {
        return;
    }
    worker->hold_deadline_ns = UINT64_MAX;
    for (uint32_t i = 0; i < worker->clients_count; i++) {
        struct mr_client *client = &worker->client[i];
        if (client->hold != MR_HOLD_TIMED) {
            continue;
        }
        if (client->hold_until_ns > now_ns) {
            if (client->hold_until_ns < worker->hold_deadline_ns) {
                worker->hold_deadline_ns = client->hold_until_ns;
            }
            continue;
        }
        client->hold = MR_HOLD_NONE;
        mr_outstanding_newest(&client->outstanding)->hold = false;
        worker->probes++;
        mr_load_enqueue(worker, client);
    }
}
