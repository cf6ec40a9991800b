// worker.h: one batch through the contestant's parser, into totals and ring: what a thread does
// with a payload, over sockets and in `parse` alike.
#ifndef MR_SERVE_WORKER_H
#define MR_SERVE_WORKER_H

#include "books.h"
#include "wire/wire.h"

#include <matchrace/attributes.h>
#include <matchrace/serve.h>

// A thread's parser and where its results go. Used by one thread at a time.
struct mr_worker {
    const struct mr_contestant *contestant;
    void *parser;
    struct mr_book *book; // the caller's
    enum mr_mode mode;
    uint64_t max_kept_bytes; // of one ring
};

// Makes the parser. What mr_contestant.create says otherwise. Ended with mr_worker_fini().
struct mr_worker_params {
    const struct mr_contestant *contestant;
    const char *kernel; // or NULL
    struct mr_book *book;
    enum mr_mode mode;
    uint64_t max_kept_bytes;
};
MR_NODISCARD int mr_worker_init(struct mr_worker *worker_out,
                                const struct mr_worker_params *params);
void mr_worker_fini(struct mr_worker *worker);

// Takes one batch of the connection that owns `shelf` (which gets its ring with the first one) and
// says the answer. 0; -ENOMEM: no memory for the records or the ring; -EDQUOT: the ring holds more
// than max_kept_bytes. After an error there is no answer, no total has changed, and the connection
// must end.
MR_NODISCARD int mr_worker_take(struct mr_worker *worker, struct mr_shelf *shelf,
                                const struct mr_payload *payload, struct mr_ack *ack_out);

#endif
