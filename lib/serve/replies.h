// replies.h: replies of one connection that the kernel has not taken yet, in their order.
//
// Memory: as large as the unsent replies once were, given back by mr_replies_release() when nothing
// is unsent. The caller stops reading its connection above MR_UNSENT_REPLY_BYTES_LIMIT and thereby
// bounds it to that and one reply more, rounded up to a power of two.
#ifndef MR_SERVE_REPLIES_H
#define MR_SERVE_REPLIES_H

#include "wire/wire.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// All zero when new.
struct mr_replies {
    uint8_t *bytes;
    size_t capacity;
    size_t first; // unsent: bytes[first..end)
    size_t end;
};

void mr_replies_fini(struct mr_replies *replies);

static inline size_t mr_replies_unsent_bytes(const struct mr_replies *replies)
{
    return replies->end - replies->first;
}

// Appends a frame; `payload` may be NULL when it has no bytes. 0 or -ENOMEM (nothing appended).
struct mr_reply {
    enum mr_frame_type type;
    uint64_t sequence;
    const void *payload;
    size_t payload_bytes;
};
MR_NODISCARD int mr_replies_add(struct mr_replies *replies, const struct mr_reply *reply);

// Hands as much to the kernel as it takes now. 0 (some may be left), or a negative errno: the
// connection is lost.
MR_NODISCARD int mr_replies_send(struct mr_replies *replies, int file);

// Gives the memory back when nothing is unsent.
void mr_replies_release(struct mr_replies *replies);

#endif
