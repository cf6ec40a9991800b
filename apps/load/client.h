// client.h: one connection of the generator: its socket, what it has in flight, and the frames that
// come back.
#ifndef MR_LOAD_CLIENT_H
#define MR_LOAD_CLIENT_H

#include "order.h"
#include "outstanding.h"
#include "verify.h"

#include "wire/wire.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

// Replies to batches have 48 bytes; a longer frame makes the buffer grow (only STATS, KEPT, HELLO
// and ERROR can; the connection that asks STATS while timed begins with the larger buffer). There
// is room for the replies to all that may be in flight, within these limits: buffers of a thousand
// connections should not be spread over more memory than they need.
#define MR_CLIENT_REPLY_BYTES   (MR_FRAME_HEAD_BYTES + MR_ACK_BYTES)
#define MR_CLIENT_BUFFER_MIN    1024u
#define MR_CLIENT_BUFFER_MAX    (16u << 10)
#define MR_CLIENT_CONTROL_BYTES (512u << 10)

// A probe for early answers (measuring rule 5): the last byte of a batch is held back.
enum mr_hold {
    MR_HOLD_NONE,
    MR_HOLD_ALONE, // all but the last byte is sent; earlier batches of the connection are
                   // unanswered
    MR_HOLD_TIMED, // nothing else is in flight; the byte goes at hold_until_ns
};

// A frame that was received whole; `payload` points into the buffer until the next receive.
struct mr_client_frame {
    struct mr_frame_head head;
    const uint8_t *payload;
};

enum mr_frame_status {
    MR_FRAME_WHOLE,
    MR_FRAME_PARTIAL,   // more bytes must come
    MR_FRAME_MALFORMED, // `fault` says how
};

// What each batch touches stands in the first three cache lines: with many connections they are the
// ones that must come from afar.
struct mr_client {
    _Alignas(MR_CACHE_LINE_BYTES) int fd;
    uint32_t connection; // its number c
    struct mr_outstanding outstanding;
    // Received and not yet taken as frames: buffer[begin … end).
    uint8_t *buffer;
    uint32_t begin;
    uint32_t end;
    uint64_t batches_in_flight;

    // What the loop of its thread knows of it.
    uint64_t items_taken; // of the global order, skipped ones included
    uint64_t batches_due; // slots of the plan that have come due (not closed)
    uint64_t batches_taken;
    uint64_t blocked_until_ns; // until then it waited behind the server
    uint64_t last_round_trip_ns;
    uint32_t stats_wanted; // STATS requests to send
    uint32_t buffer_bytes;
    bool sending; // the newest request is not sent whole
    bool refused; // the kernel took no more bytes: wait until it is writable
    bool queued;  // stands in the queue of connections that may send
    bool waiting; // stands in the queue of those that wait for a place in flight
    enum mr_hold hold;
    uint64_t window_batches; // completed in the window

    uint64_t window_payload_bytes;
    struct mr_order_item next; // what its next number stands for
    uint64_t next_number;      // that number; UINT64_MAX: not looked up yet
    uint64_t hold_until_ns;

    struct mr_kept_model kept;
    struct sockaddr_storage address;
    socklen_t address_bytes;
};

_Static_assert(offsetof(struct mr_client, items_taken) == MR_CACHE_LINE_BYTES &&
                   offsetof(struct mr_client, window_payload_bytes) == 2 * MR_CACHE_LINE_BYTES &&
                   offsetof(struct mr_client, kept) <= 3 * MR_CACHE_LINE_BYTES,
               "three cache lines");

// Bytes of a receive buffer that is never full while `depth` batches are answered, within the
// limits.
size_t mr_client_buffer_bytes(uint64_t depth);

// Connects to `address` without blocking beyond `deadline_ns`. TCP_NODELAY, non-blocking. 0; a
// negative errno (-ETIMEDOUT when the deadline passed, -ECANCELED when `cancel_fd` became readable;
// pass -1 for none). On success the caller ends it with mr_client_fini().
struct mr_client_params {
    uint32_t connection;
    uint64_t requests;   // that may be in flight
    size_t buffer_bytes; // of the receive buffer, at least one frame header
    const struct sockaddr *address;
    socklen_t address_bytes;
    int cancel_fd;
    uint64_t deadline_ns;
};
MR_NODISCARD int mr_client_init(struct mr_client *client_out,
                                const struct mr_client_params *params);
void mr_client_fini(struct mr_client *client);

// Connects once more, what was received and not taken being lost. For --without-gate lost alone: a
// lost connection is a failure otherwise, nothing is reconnected silently. 0 or a negative errno;
// the descriptor is a new one.
MR_NODISCARD int mr_client_reconnect(struct mr_client *client, uint64_t deadline_ns);

// Makes a frame head that was refused one of this protocol, for --without-gate protocol alone:
// version and reserved field. False: it is refused for something else.
MR_NODISCARD bool mr_client_mend(struct mr_client *client);

// Reads once into the buffer. Bytes read, 0 at the connection's end, -EAGAIN when there is nothing,
// or another negative errno.
MR_NODISCARD ssize_t mr_client_receive(struct mr_client *client);

// Whether the last receive left the kernel with possibly more: the buffer was filled to its end.
bool mr_client_full(const struct mr_client *client);

// Takes the next frame out of the buffer.
enum mr_frame_status mr_client_frame(struct mr_client *client, struct mr_client_frame *frame_out,
                                     char *fault_out, size_t fault_capacity);

// Waits until `fd` has `poll_events`, `cancel_fd` (-1: none) is readable or the deadline passes. 0,
// -ECANCELED, -ETIMEDOUT or another negative errno.
MR_NODISCARD int mr_client_await(int fd, short poll_events, int cancel_fd, uint64_t deadline_ns);

#endif
