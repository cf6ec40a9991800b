// replies.c: a growing queue of bytes, sent by one call where the kernel takes it whole.
#include "replies.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define CAPACITY_MIN_BYTES 1024u

void mr_replies_fini(struct mr_replies *replies)
{
    free(replies->bytes);
    *replies = (struct mr_replies){0};
}

// Makes room for `more` bytes behind `end`: by moving what is unsent to the front where that
// suffices, otherwise by growing to a power of two.
static int make_room(struct mr_replies *replies, size_t more)
{
    if (replies->capacity - replies->end >= more) {
        return 0;
    }
    size_t unsent = mr_replies_unsent_bytes(replies);
    size_t capacity = replies->capacity == 0 ? CAPACITY_MIN_BYTES : replies->capacity;
    while (capacity < unsent + more) {
        capacity *= 2;
    }
    uint8_t *bytes = replies->bytes;
    if (capacity > replies->capacity) {
        bytes = malloc(capacity);
        if (bytes == NULL) {
            return -ENOMEM;
        }
    }
    if (unsent > 0) {
        memmove(bytes, replies->bytes + replies->first, unsent);
    }
    if (bytes != replies->bytes) {
        free(replies->bytes);
    }
    *replies = (struct mr_replies){.bytes = bytes, .capacity = capacity, .end = unsent};
    return 0;
}

int mr_replies_add(struct mr_replies *replies, const struct mr_reply *reply)
{
    MR_ASSERT(reply->payload_bytes <= UINT32_MAX);
    int failed = make_room(replies, MR_FRAME_HEAD_BYTES + reply->payload_bytes);
    if (failed != 0) {
        return failed;
    }
    struct mr_frame_head head = {
        .payload_bytes = (uint32_t)reply->payload_bytes,
        .type = (uint8_t)reply->type,
        .version = MR_WIRE_VERSION,
        .sequence = reply->sequence,
    };
    mr_frame_head_encode(&head, replies->bytes + replies->end);
    replies->end += MR_FRAME_HEAD_BYTES;
    if (reply->payload_bytes > 0) {
        memcpy(replies->bytes + replies->end, reply->payload, reply->payload_bytes);
        replies->end += reply->payload_bytes;
    }
    return 0;
}

int mr_replies_send(struct mr_replies *replies, int file)
{
    while (replies->first < replies->end) {
        ssize_t sent = send(file, replies->bytes + replies->first, mr_replies_unsent_bytes(replies),
                            MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            return errno == EAGAIN || errno == EWOULDBLOCK ? 0 : -errno;
        }
        replies->first += (size_t)sent;
    }
    replies->first = 0;
    replies->end = 0;
    return 0;
}

void mr_replies_release(struct mr_replies *replies)
{
    if (mr_replies_unsent_bytes(replies) == 0) {
        mr_replies_fini(replies);
    }
}
