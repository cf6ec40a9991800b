// client.c: see client.h.
#define _GNU_SOURCE
#include "client.h"

#include "base/clock.h"
#include "base/mr_assert.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A reply larger than any that the contract knows; beyond it the peer is something else.
#define REPLY_BYTES_MAX (16u << 20)

int mr_client_await(int fd, short poll_events, int cancel_fd, uint64_t deadline_ns)
{
    struct pollfd watched[2] = {{.fd = fd, .events = poll_events},
                                {.fd = cancel_fd, .events = POLLIN}};
    for (;;) {
        uint64_t now = mr_clock_ns();
        uint64_t left_ns = deadline_ns > now ? deadline_ns - now : 0;
        struct timespec timeout = {.tv_sec = (time_t)(left_ns / MR_NS_PER_S),
                                   .tv_nsec = (long)(left_ns % MR_NS_PER_S)};
        int ready = ppoll(watched, 2, &timeout, NULL);
        if (ready < 0 && errno != EINTR) {
            return -errno;
        }
        if (ready > 0) {
            return watched[1].revents != 0 ? -ECANCELED : 0;
        }
        if (ready == 0 && left_ns == 0) {
            return -ETIMEDOUT;
        }
    }
}

static int connect_within(int fd, const struct mr_client_params *params)
{
    if (connect(fd, params->address, params->address_bytes) == 0) {
        return 0;
    }
    if (errno != EINPROGRESS) {
        return -errno;
    }
    int result = mr_client_await(fd, POLLOUT, params->cancel_fd, params->deadline_ns);
    if (result != 0) {
        return result;
    }
    int error = 0;
    socklen_t error_bytes = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &error_bytes) != 0) {
        return -errno;
    }
    return -error;
}

static int open_socket(struct mr_client *client, const struct mr_client_params *params)
{
    client->fd = socket(params->address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (client->fd < 0) {
        return -errno;
    }
    int on = 1;
    if (setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0) {
        return -errno;
    }
    return connect_within(client->fd, params);
}

size_t mr_client_buffer_bytes(uint64_t depth)
{
    uint64_t places = depth < MR_CLIENT_BUFFER_MAX ? depth + 1 : MR_CLIENT_BUFFER_MAX;
    uint64_t bytes = places * MR_CLIENT_REPLY_BYTES;
    if (bytes < MR_CLIENT_BUFFER_MIN) {
        return MR_CLIENT_BUFFER_MIN;
    }
    return bytes < MR_CLIENT_BUFFER_MAX ? (size_t)bytes : MR_CLIENT_BUFFER_MAX;
}

int mr_client_init(struct mr_client *client_out, const struct mr_client_params *params)
{
    MR_ASSERT(params->buffer_bytes >= MR_CLIENT_REPLY_BYTES && params->buffer_bytes <= UINT32_MAX);
    *client_out = (struct mr_client){
        .fd = -1,
        .connection = params->connection,
        .next_number = UINT64_MAX,
        .address_bytes = params->address_bytes,
    };
    memcpy(&client_out->address, params->address, params->address_bytes);
    int result = mr_outstanding_init(&client_out->outstanding, params->requests);
    if (result == 0) {
        client_out->buffer = malloc(params->buffer_bytes);
        result = client_out->buffer == NULL ? -ENOMEM : 0;
    }
    if (result == 0) {
        client_out->buffer_bytes = (uint32_t)params->buffer_bytes;
        memset(client_out->buffer, 0, params->buffer_bytes); // prefault
        result = open_socket(client_out, params);
    }
    if (result != 0) {
        mr_client_fini(client_out);
    }
    return result;
}

int mr_client_reconnect(struct mr_client *client, uint64_t deadline_ns)
{
    (void)close(client->fd);
    client->begin = 0;
    client->end = 0;
    return open_socket(client, &(struct mr_client_params){
                                   .address = (const struct sockaddr *)&client->address,
                                   .address_bytes = client->address_bytes,
                                   .cancel_fd = -1,
                                   .deadline_ns = deadline_ns,
                               });
}

void mr_client_fini(struct mr_client *client)
{
    if (client->fd >= 0) {
        (void)close(client->fd);
    }
    free(client->buffer);
    mr_outstanding_fini(&client->outstanding);
    *client = (struct mr_client){.fd = -1};
}

// Moves what is left to the buffer's begin when a whole reply would not fit behind it.
static void make_room(struct mr_client *client)
{
    if (client->begin == client->end) {
        client->begin = 0;
        client->end = 0;
    } else if (client->begin > 0) {
        memmove(client->buffer, client->buffer + client->begin, client->end - client->begin);
        client->end -= client->begin;
        client->begin = 0;
    }
}

ssize_t mr_client_receive(struct mr_client *client)
{
    make_room(client);
    MR_ASSERT(client->end < client->buffer_bytes);
    ssize_t received;
    do {
        received = recv(client->fd, client->buffer + client->end,
                        client->buffer_bytes - client->end, MSG_DONTWAIT);
    } while (received < 0 && errno == EINTR);
    if (received < 0) {
        return -errno;
    }
    client->end += (uint32_t)received;
    return received;
}

bool mr_client_full(const struct mr_client *client)
{
    return client->end == client->buffer_bytes;
}

static bool grow(struct mr_client *client, size_t frame_bytes)
{
    if (frame_bytes <= client->buffer_bytes) {
        return true;
    }
    uint8_t *buffer = realloc(client->buffer, frame_bytes);
    if (buffer == NULL) {
        return false;
    }
    client->buffer = buffer;
    client->buffer_bytes = (uint32_t)frame_bytes; // at most REPLY_BYTES_MAX and a head
    return true;
}

static bool head_fits(const struct mr_frame_head *head, char *fault_out, size_t fault_capacity)
{
    if (head->version != MR_WIRE_VERSION) {
        (void)snprintf(fault_out, fault_capacity, "protocol version %u is not %u", head->version,
                       MR_WIRE_VERSION);
    } else if (head->reserved != 0) {
        (void)snprintf(fault_out, fault_capacity, "the reserved field is %u, not 0",
                       head->reserved);
    } else if (head->payload_bytes > REPLY_BYTES_MAX) {
        (void)snprintf(fault_out, fault_capacity,
                       "a reply of type 0x%02x announces %" PRIu32 " bytes", head->type,
                       head->payload_bytes);
    } else if (head->type == MR_FRAME_ACK && head->payload_bytes != MR_ACK_BYTES) {
        (void)snprintf(fault_out, fault_capacity, "an ACK announces %" PRIu32 " bytes, not %u",
                       head->payload_bytes, MR_ACK_BYTES);
    } else {
        return true;
    }
    return false;
}

bool mr_client_mend(struct mr_client *client)
{
    char fault[160];
    uint8_t *bytes = client->buffer + client->begin;
    struct mr_frame_head head = mr_frame_head_decode(bytes);
    head.version = MR_WIRE_VERSION;
    head.reserved = 0;
    mr_frame_head_encode(&head, bytes);
    return head_fits(&head, fault, sizeof fault);
}

enum mr_frame_status mr_client_frame(struct mr_client *client, struct mr_client_frame *frame_out,
                                     char *fault_out, size_t fault_capacity)
{
    size_t held = client->end - client->begin;
    if (held < MR_FRAME_HEAD_BYTES) {
        return MR_FRAME_PARTIAL;
    }
    struct mr_frame_head head = mr_frame_head_decode(client->buffer + client->begin);
    if (!head_fits(&head, fault_out, fault_capacity)) {
        return MR_FRAME_MALFORMED;
    }
    size_t frame_bytes = MR_FRAME_HEAD_BYTES + (size_t)head.payload_bytes;
    if (held < frame_bytes) {
        if (!grow(client, frame_bytes)) {
            (void)snprintf(fault_out, fault_capacity, "no memory for a reply of %zu bytes",
                           frame_bytes);
            return MR_FRAME_MALFORMED;
        }
        return MR_FRAME_PARTIAL;
    }
    *frame_out = (struct mr_client_frame){
        .head = head, .payload = client->buffer + client->begin + MR_FRAME_HEAD_BYTES};
    client->begin += (uint32_t)frame_bytes;
    return MR_FRAME_WHOLE;
}
