// receive.c: the state of a frame that comes in pieces.
#include "receive.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <matchrace/record.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

int mr_padded_init(struct mr_padded *padded_out, size_t capacity)
{
    *padded_out = (struct mr_padded){0};
    uint8_t *block = malloc(MR_PAD_FRONT + capacity + MR_PAD_BACK);
    if (block == NULL) {
        return -ENOMEM;
    }
    // The padding has no meaning; it is set so that tools for uninitialised memory stay quiet.
    memset(block, 0, MR_PAD_FRONT);
    memset(block + MR_PAD_FRONT + capacity, 0, MR_PAD_BACK);
    *padded_out = (struct mr_padded){.bytes = block + MR_PAD_FRONT, .capacity = capacity};
    return 0;
}

void mr_padded_fini(struct mr_padded *padded)
{
    if (padded->bytes != NULL) {
        free(padded->bytes - MR_PAD_FRONT);
    }
    *padded = (struct mr_padded){0};
}

void mr_receive_fini(struct mr_receive *receive)
{
    mr_padded_fini(&receive->own);
    mr_padded_fini(&receive->held);
    *receive = (struct mr_receive){0};
}

// Where the rest of the frame that is cut off belongs; empty when nothing is cut off.
static struct iovec missing_part(struct mr_receive *receive)
{
    if (!receive->in_payload && receive->head_count > 0) {
        return (struct iovec){receive->head_bytes + receive->head_count,
                              MR_FRAME_HEAD_BYTES - receive->head_count};
    }
    if (receive->in_payload && receive->own_bytes > 0) {
        return (struct iovec){receive->own.bytes + receive->own_bytes,
                              receive->head.payload_bytes - receive->own_bytes};
    }
    return (struct iovec){0};
}

ssize_t mr_receive_fill(struct mr_receive *receive, int file, const struct mr_padded *shared)
{
    MR_ASSERT(receive->run_bytes == 0);
    mr_padded_fini(&receive->held);
    struct iovec part[2] = {missing_part(receive), {shared->bytes, shared->capacity}};
    bool has_missing = part[0].iov_len > 0;
    struct msghdr message = {
        .msg_iov = has_missing ? part : part + 1,
        .msg_iovlen = has_missing ? 2 : 1,
    };
    ssize_t got;
    do {
        got = recvmsg(file, &message, MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got <= 0) {
        return got < 0 ? -errno : 0;
    }
    size_t carried = (size_t)got < part[0].iov_len ? (size_t)got : part[0].iov_len;
    if (receive->in_payload) {
        receive->own_bytes += carried;
    } else {
        receive->head_count += (uint32_t)carried;
    }
    receive->run = shared->bytes;
    receive->run_bytes = (size_t)got - carried;
    return got;
}

static uint8_t *take_run(struct mr_receive *receive, size_t bytes)
{
    MR_ASSERT(bytes <= receive->run_bytes);
    uint8_t *taken = receive->run;
    receive->run += bytes;
    receive->run_bytes -= bytes;
    return taken;
}

static enum mr_receive_event need_more(struct mr_receive *receive)
{
    MR_ASSERT(receive->run_bytes == 0);
    mr_padded_fini(&receive->held);
    return MR_RECEIVE_MORE;
}

static enum mr_receive_event next_head(struct mr_receive *receive)
{
    const uint8_t *bytes = receive->head_bytes;
    if (receive->head_count == 0 && receive->run_bytes >= MR_FRAME_HEAD_BYTES) {
        bytes = take_run(receive, MR_FRAME_HEAD_BYTES);
    } else {
        size_t missing = MR_FRAME_HEAD_BYTES - receive->head_count;
        size_t some = missing < receive->run_bytes ? missing : receive->run_bytes;
        if (some > 0) {
            memcpy(receive->head_bytes + receive->head_count, take_run(receive, some), some);
        }
        receive->head_count += (uint32_t)some;
        if (receive->head_count < MR_FRAME_HEAD_BYTES) {
            return need_more(receive);
        }
    }
    receive->head = mr_frame_head_decode(bytes);
    receive->head_count = 0;
    receive->own_bytes = 0;
    receive->in_payload = true;
    return MR_RECEIVE_HEAD;
}

// Appends what is there of the payload to the connection's own memory.
static int gather(struct mr_receive *receive)
{
    if (receive->own.capacity < receive->head.payload_bytes) {
        MR_ASSERT(receive->own_bytes == 0);
        mr_padded_fini(&receive->own);
        int failed = mr_padded_init(&receive->own, receive->head.payload_bytes);
        if (failed != 0) {
            return failed;
        }
    }
    size_t missing = receive->head.payload_bytes - receive->own_bytes;
    size_t some = missing < receive->run_bytes ? missing : receive->run_bytes;
    memcpy(receive->own.bytes + receive->own_bytes, take_run(receive, some), some);
    receive->own_bytes += some;
    return 0;
}

static enum mr_receive_event next_payload(struct mr_receive *receive, uint8_t **payload_out)
{
    if (receive->own_bytes == 0 && receive->run_bytes >= receive->head.payload_bytes) {
        *payload_out = take_run(receive, receive->head.payload_bytes);
        receive->in_payload = false;
        return MR_RECEIVE_FRAME;
    }
    if (receive->run_bytes > 0 && gather(receive) != 0) {
        return MR_RECEIVE_MEMORY;
    }
    if (receive->own_bytes < receive->head.payload_bytes) {
        return need_more(receive);
    }
    *payload_out = receive->own.bytes;
    receive->own_bytes = 0;
    receive->in_payload = false;
    return MR_RECEIVE_FRAME;
}

enum mr_receive_event mr_receive_next(struct mr_receive *receive, uint8_t **payload_out)
{
    return receive->in_payload ? next_payload(receive, payload_out) : next_head(receive);
}

int mr_receive_hold(struct mr_receive *receive)
{
    if (receive->run_bytes == 0 || receive->held.bytes != NULL) {
        return 0; // what waits stands in `held` already
    }
    int failed = mr_padded_init(&receive->held, receive->run_bytes);
    if (failed != 0) {
        return failed;
    }
    memcpy(receive->held.bytes, receive->run, receive->run_bytes);
    receive->run = receive->held.bytes;
    return 0;
}

void mr_receive_release(struct mr_receive *receive)
{
    if (receive->own_bytes == 0) {
        mr_padded_fini(&receive->own);
    }
}
