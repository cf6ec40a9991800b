// outstanding.h: what one connection has in flight, oldest first, each with its five times.
#ifndef MR_LOAD_OUTSTANDING_H
#define MR_LOAD_OUTSTANDING_H

#include "dataset/dataset.h"
#include "wire/wire.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stdint.h>

enum mr_request_kind { MR_REQUEST_BATCH, MR_REQUEST_STATS };

// The five times of a batch (measuring rule 1), all of mr_clock_ns(); 0: not yet.
struct mr_times {
    uint64_t due_ns;           // by plan; in a closed loop the moment of release
    uint64_t released_ns;      // the loop takes it up, nothing unsent of its connection before it
    uint64_t send_start_ns;    // before the first write
    uint64_t send_complete_ns; // after the write that took the last byte
    uint64_t reply_ns;         // after the read that brought the reply's last byte
};

#define MR_CACHE_LINE_BYTES 64

// One request from its release to its reply: three cache lines.
struct mr_request {
    _Alignas(MR_CACHE_LINE_BYTES) enum mr_request_kind kind;
    uint64_t sequence;
    uint64_t batch;      // index in the dataset
    uint64_t turn;       // of its variation
    struct mr_edit edit; // the variation with its answer
    struct mr_times times;
    uint64_t reply_gap_ns; // how long the loop had not looked before it saw the reply
    uint64_t lateness_ns;  // of its wait from due to released, the generator's own part
    bool waited;           // it was due before the server let its connection go on
    bool blocked;        // the same since it was due: all of its wait is the server's, no lateness
    bool refused;        // the kernel did not take all of it at once
    bool hold;           // its last byte waits until a probe for early answers is over
    bool answered_early; // a rejection came before the last byte was sent
    uint8_t head[MR_FRAME_HEAD_BYTES];
    uint32_t payload_bytes;
    uint64_t sent_bytes; // of header and payload
};

// A ring of requests: last − first are in it. It begins anew whenever it is empty, so that the same
// places are used again, which are still in the cache.
struct mr_outstanding {
    struct mr_request *request; // owned, mask + 1 of them
    uint64_t mask;
    uint64_t first;
    uint64_t last;
};

// Room for `capacity` ≥ 1 requests, zeroed and so prefaulted. 0 or -ENOMEM.
MR_NODISCARD int mr_outstanding_init(struct mr_outstanding *outstanding_out, uint64_t capacity);
void mr_outstanding_fini(struct mr_outstanding *outstanding);

// Bytes of the request on the wire: header and payload.
static inline uint64_t mr_request_bytes(const struct mr_request *request)
{
    return MR_FRAME_HEAD_BYTES + (uint64_t)request->payload_bytes;
}

// How many are in flight.
static inline uint64_t mr_outstanding_count(const struct mr_outstanding *outstanding)
{
    return outstanding->last - outstanding->first;
}

// The oldest, or NULL when nothing is in flight. Valid until it is popped.
struct mr_request *mr_outstanding_oldest(const struct mr_outstanding *outstanding);

// The newest, or NULL.
struct mr_request *mr_outstanding_newest(const struct mr_outstanding *outstanding);

// The place that mr_outstanding_push() will return.
static inline struct mr_request *mr_outstanding_place(const struct mr_outstanding *outstanding)
{
    return &outstanding->request[outstanding->last & outstanding->mask];
}

// Appends a request, its times, flags and sent_bytes zeroed; everything else is the caller's to
// fill. There must be room (asserted).
struct mr_request *mr_outstanding_push(struct mr_outstanding *outstanding);

// Removes the oldest, of which there must be one (asserted).
void mr_outstanding_pop(struct mr_outstanding *outstanding);

#endif
