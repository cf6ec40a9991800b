// null_sender.h: the floor below the generator: the same frames over the same connections, by a
// loop that does nothing but send(), recv() and epoll_wait(). What it costs more on many
// connections than on few is the kernel's, and no generator can avoid it.
#ifndef MR_LOAD_NULL_SENDER_H
#define MR_LOAD_NULL_SENDER_H

#include <matchrace/attributes.h>

#include <stdint.h>

struct mr_load_worker;

// All that is kept of one connection.
struct mr_null_client {
    int fd;
    uint32_t in_flight;    // batches
    uint32_t reply_bytes;  // of a reply that has not come whole
    uint32_t unsent_bytes; // of the newest batch, when the kernel did not take it whole
    const uint8_t *unsent;
};

// Room for the connections of a thread: worker->null_client, owned by the worker. 0 or -ENOMEM.
MR_NODISCARD int mr_null_sender_init(struct mr_load_worker *worker);

// One closed-loop run in place of the generator's loop: warm-up, window, drain. Frames go out as
// the file has them, in the generator's order; replies are counted by their length. Batches, bytes,
// busy and CPU time of the window stand in the recorder's counts afterwards; a lost connection in
// worker->failure.
void mr_null_sender_loop(struct mr_load_worker *worker);

#endif
