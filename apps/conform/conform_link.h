// conform_link.h: the kit's client: one connection, frames out and in, nothing taken for granted.
//
// Every wait has a deadline of mr_conform_now_ns() and ends early when a signal has asked the kit
// to stop (conform_stop.h). Headers of replies are handed on as they came: judging them is the
// checks' work.
#ifndef MR_CONFORM_LINK_H
#define MR_CONFORM_LINK_H

#include "conform_memory.h"
#include "wire/wire.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A reply's payload above this is taken for nonsense.
#define MR_LINK_PAYLOAD_MAX (64u << 20)

struct mr_link {
    int fd; // -1: none
    struct mr_bytes in;
    size_t in_start; // where the next frame stands
    bool ended;      // the other side's writing side is shut down
    bool broken;     // reset, or a write failed
};

enum mr_got {
    MR_GOT_FRAME,
    MR_GOT_END,     // end of file, no part of a frame before it
    MR_GOT_CUT,     // end of file inside a frame
    MR_GOT_RESET,   // the connection was reset
    MR_GOT_NOTHING, // the deadline passed
    MR_GOT_TOO_LONG // a payload above MR_LINK_PAYLOAD_MAX is announced
};

struct mr_reply {
    struct mr_frame_head head;
    const uint8_t *payload; // valid until the next call on the link
};

// Connects. `receive_bytes` > 0 sets SO_RCVBUF beforehand. 0, or a negative errno (-ETIMEDOUT). The
// caller ends the link with mr_link_close() or mr_link_reset(), also after a failure.
int mr_link_open(struct mr_link *link_out, const struct sockaddr_in *address, int receive_bytes,
                 uint64_t deadline_ns);

// Sends all bytes and takes in what comes meanwhile. 0; -ETIMEDOUT; -EPIPE: the other side is gone.
int mr_link_send(struct mr_link *link, const void *data, size_t count, uint64_t deadline_ns);

// As mr_link_send(), and half-closes so that the end travels with the last bytes. `count` ≥ 1.
int mr_link_send_last(struct mr_link *link, const void *data, size_t count, uint64_t deadline_ns);

// Sends what the kernel takes now, reads nothing. The number of bytes, 0 when it takes none;
// -EPIPE.
ssize_t mr_link_push(struct mr_link *link, const void *data, size_t count);

// Takes in what has come, without waiting.
void mr_link_pull(struct mr_link *link);

// Waits for the next frame.
enum mr_got mr_link_next(struct mr_link *link, struct mr_reply *reply_out, uint64_t deadline_ns);

// The next frame if it is here already: MR_GOT_NOTHING when it is not.
enum mr_got mr_link_ready(struct mr_link *link, struct mr_reply *reply_out);

void mr_link_half_close(struct mr_link *link);
void mr_link_close(struct mr_link *link);
void mr_link_reset(struct mr_link *link); // closes with RST

// "the end of the connection", "nothing", …
const char *mr_got_text(enum mr_got got);

// Adds a frame to what will be sent.
void mr_add_frame(struct mr_bytes *script, uint8_t type, uint64_t sequence, const void *payload,
                  size_t payload_bytes);
void mr_add_head(struct mr_bytes *script, const struct mr_frame_head *head);

#endif
