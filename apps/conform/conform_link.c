// conform_link.c: see conform_link.h.
#include "conform_link.h"

#include "base/mr_assert.h"
#include "conform_clock.h"
#include "conform_stop.h"
#include "host/patience.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PULL_BYTES 65536u

// Waits until the socket is ready for `events`. False when the time is over or a stop was asked
// for.
static bool wait_ready(int fd, short events, uint64_t deadline_ns)
{
    int result;
    do {
        struct mr_patience patience = {.deadline_ns = mr_conform_wall_ns(deadline_ns),
                                       .wake_fd = mr_conform_stop_fd()};
        result = mr_patience_poll(&patience, fd, events);
    } while (result == -ETIMEDOUT && mr_conform_now_ns() < deadline_ns);
    return result == 0;
}

static int set_up(int fd, int receive_bytes)
{
    int on = 1;
    if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) {
        return -errno;
    }
    if (receive_bytes > 0 &&
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes) != 0) {
        return -errno;
    }
    return 0;
}

static int finish_connect(int fd, uint64_t deadline_ns)
{
    if (!wait_ready(fd, POLLOUT, deadline_ns)) {
        return -ETIMEDOUT;
    }
    int error = 0;
    socklen_t length = sizeof error;
    MR_ASSERT(getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) == 0);
    return -error;
}

int mr_link_open(struct mr_link *link_out, const struct sockaddr_in *address, int receive_bytes,
                 uint64_t deadline_ns)
{
    *link_out = (struct mr_link){.fd = -1};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return -errno;
    }
    link_out->fd = fd;
    int result = set_up(fd, receive_bytes);
    if (result != 0) {
        return result;
    }
    if (connect(fd, (const struct sockaddr *)address, sizeof *address) == 0) {
        return 0;
    }
    return errno == EINPROGRESS || errno == EINTR ? finish_connect(fd, deadline_ns) : -errno;
}

void mr_link_pull(struct mr_link *link)
{
    while (!link->ended && !link->broken) {
        if (link->in_start == link->in.length) {
            link->in_start = link->in.length = 0;
        } else if (link->in_start > 4 * PULL_BYTES && link->in_start > link->in.length / 2) {
            memmove(link->in.bytes, link->in.bytes + link->in_start,
                    link->in.length - link->in_start);
            link->in.length -= link->in_start;
            link->in_start = 0;
        }
        mr_bytes_reserve(&link->in, PULL_BYTES);
        ssize_t count = recv(link->fd, link->in.bytes + link->in.length, PULL_BYTES, 0);
        if (count > 0) {
            link->in.length += (size_t)count;
            if ((size_t)count < PULL_BYTES) {
                return;
            }
        } else if (count == 0) {
            link->ended = true;
        } else if (errno == EAGAIN) {
            return;
        } else if (errno != EINTR) {
            link->broken = true;
        }
    }
}

static ssize_t push(struct mr_link *link, const void *data, size_t count, int flags)
{
    ssize_t sent = send(link->fd, data, count, MSG_NOSIGNAL | flags);
    if (sent >= 0) {
        return sent;
    }
    if (errno == EAGAIN || errno == EINTR) {
        return 0;
    }
    return -EPIPE;
}

ssize_t mr_link_push(struct mr_link *link, const void *data, size_t count)
{
    return push(link, data, count, 0);
}

static int send_all(struct mr_link *link, const void *data, size_t count, int flags,
                    uint64_t deadline_ns)
{
    const uint8_t *bytes = data;
    while (count > 0) {
        ssize_t sent = push(link, bytes, count, flags);
        if (sent < 0) {
            return (int)sent;
        }
        bytes += sent;
        count -= (size_t)sent;
        if (count == 0) {
            break;
        }
        mr_link_pull(link);
        short events = link->ended || link->broken ? POLLOUT : POLLOUT | POLLIN;
        if (!wait_ready(link->fd, events, deadline_ns)) {
            return -ETIMEDOUT;
        }
    }
    return 0;
}

int mr_link_send(struct mr_link *link, const void *data, size_t count, uint64_t deadline_ns)
{
    return send_all(link, data, count, 0, deadline_ns);
}

int mr_link_send_last(struct mr_link *link, const void *data, size_t count, uint64_t deadline_ns)
{
    MR_ASSERT(count >= 1);
    // MSG_MORE holds the segment back until the shutdown puts FIN on it.
    int result = send_all(link, data, count, MSG_MORE, deadline_ns);
    mr_link_half_close(link);
    return result;
}

enum mr_got mr_link_ready(struct mr_link *link, struct mr_reply *reply_out)
{
    size_t have = link->in.length - link->in_start;
    const uint8_t *bytes = have == 0 ? NULL : link->in.bytes + link->in_start;
    if (have >= MR_FRAME_HEAD_BYTES) {
        reply_out->head = mr_frame_head_decode(bytes);
        if (reply_out->head.payload_bytes > MR_LINK_PAYLOAD_MAX) {
            return MR_GOT_TOO_LONG;
        }
        if (have - MR_FRAME_HEAD_BYTES >= reply_out->head.payload_bytes) {
            reply_out->payload = bytes + MR_FRAME_HEAD_BYTES;
            link->in_start += MR_FRAME_HEAD_BYTES + reply_out->head.payload_bytes;
            return MR_GOT_FRAME;
        }
    }
    if (link->broken) {
        return MR_GOT_RESET;
    }
    if (link->ended) {
        return have == 0 ? MR_GOT_END : MR_GOT_CUT;
    }
    return MR_GOT_NOTHING;
}

enum mr_got mr_link_next(struct mr_link *link, struct mr_reply *reply_out, uint64_t deadline_ns)
{
    for (;;) {
        enum mr_got got = mr_link_ready(link, reply_out);
        if (got != MR_GOT_NOTHING) {
            return got;
        }
        mr_link_pull(link);
        got = mr_link_ready(link, reply_out);
        if (got != MR_GOT_NOTHING) {
            return got;
        }
        if (!wait_ready(link->fd, POLLIN, deadline_ns)) {
            return MR_GOT_NOTHING;
        }
    }
}

void mr_link_half_close(struct mr_link *link)
{
    (void)shutdown(link->fd, SHUT_WR); // fails when the other side has reset: seen on reading
}

void mr_link_close(struct mr_link *link)
{
    if (link->fd >= 0) {
        (void)close(link->fd);
        link->fd = -1;
    }
    mr_bytes_fini(&link->in);
}

void mr_link_reset(struct mr_link *link)
{
    struct linger at_once = {.l_onoff = 1, .l_linger = 0};
    if (link->fd >= 0) {
        (void)setsockopt(link->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    }
    mr_link_close(link);
}

const char *mr_got_text(enum mr_got got)
{
    switch (got) {
    case MR_GOT_FRAME:
        return "a frame";
    case MR_GOT_END:
        return "the end of the connection";
    case MR_GOT_CUT:
        return "the end of the connection inside a frame";
    case MR_GOT_RESET:
        return "a reset of the connection";
    case MR_GOT_NOTHING:
        return "nothing in time";
    case MR_GOT_TOO_LONG:
        return "a reply of more than 64 MiB";
    }
    return "";
}

void mr_add_head(struct mr_bytes *script, const struct mr_frame_head *head)
{
    mr_bytes_reserve(script, MR_FRAME_HEAD_BYTES);
    mr_frame_head_encode(head, script->bytes + script->length);
    script->length += MR_FRAME_HEAD_BYTES;
}

void mr_add_frame(struct mr_bytes *script, uint8_t type, uint64_t sequence, const void *payload,
                  size_t payload_bytes)
{
    struct mr_frame_head head = {.payload_bytes = (uint32_t)payload_bytes,
                                 .type = type,
                                 .version = MR_WIRE_VERSION,
                                 .sequence = sequence};
    mr_add_head(script, &head);
    mr_bytes_add(script, payload, payload_bytes);
}
