// call.c: see call.h.
#include "call.h"

#include "base/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

bool mr_call_lost(const struct mr_client *client, int error, struct mr_load_failure *failure)
{
    return mr_load_fail(failure, MR_LOAD_WRONG, MR_LOAD_LOST,
                        "connection %" PRIu32 " was lost: %s; %" PRIu64 " requests were unanswered",
                        client->connection, error == 0 ? "the server closed it" : strerror(-error),
                        mr_outstanding_count(&client->outstanding));
}

bool mr_call_error_frame(const struct mr_client *client, const struct mr_client_frame *frame,
                         struct mr_load_failure *failure)
{
    int length = frame->head.payload_bytes > 300 ? 300 : (int)frame->head.payload_bytes;
    return mr_load_fail(failure, MR_LOAD_WRONG, MR_LOAD_PROTOCOL,
                        "the server sent ERROR on connection %" PRIu32 ": %.*s", client->connection,
                        length, (const char *)frame->payload);
}

static bool ended_wait(const struct mr_client *client, int result, const char *what,
                       struct mr_load_failure *failure)
{
    if (result == -ECANCELED) {
        return mr_load_fail(failure, MR_LOAD_INTERRUPTED, MR_LOAD_ANSWERS, "interrupted");
    }
    if (result == -ETIMEDOUT) {
        return mr_load_fail(failure, MR_LOAD_STALLED, MR_LOAD_ANSWERS,
                            "no answer to %s on connection %" PRIu32 " in time", what,
                            client->connection);
    }
    return mr_call_lost(client, result, failure);
}

static const char *question_name(enum mr_frame_type question)
{
    return question == MR_FRAME_HELLO ? "HELLO" : question == MR_FRAME_STATS ? "STATS" : "KEPT";
}

static bool send_question(struct mr_client *client, const struct mr_call_params *params,
                          uint64_t deadline_ns, struct mr_load_failure *failure)
{
    struct mr_frame_head head = {.type = (uint8_t)params->question,
                                 .version = MR_WIRE_VERSION,
                                 .sequence = MR_QUESTION_SEQUENCE | (uint64_t)params->question};
    uint8_t bytes[MR_FRAME_HEAD_BYTES];
    mr_frame_head_encode(&head, bytes);
    for (size_t sent = 0; sent < sizeof bytes;) {
        ssize_t result =
            send(client->fd, bytes + sent, sizeof bytes - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (result >= 0) {
            sent += (size_t)result;
            continue;
        }
        if (errno != EAGAIN && errno != EINTR) {
            return true; // what the server said before it closed is waiting to be read
        }
        int waited = mr_client_await(client->fd, POLLOUT, params->cancel_fd, deadline_ns);
        if (waited != 0) {
            return ended_wait(client, waited, question_name(params->question), failure);
        }
    }
    return true;
}

static bool keep_reply(const struct mr_client_frame *frame, struct mr_call_reply *reply_out,
                       struct mr_load_failure *failure)
{
    size_t bytes = frame->head.payload_bytes;
    reply_out->json = malloc(bytes + 1);
    if (reply_out->json == NULL) {
        return mr_load_fail(failure, MR_LOAD_FAILED, MR_LOAD_ANSWERS, "out of memory");
    }
    memcpy(reply_out->json, frame->payload, bytes);
    reply_out->json[bytes] = '\0';
    reply_out->json_bytes = bytes;
    reply_out->at_ns = mr_clock_ns();
    return true;
}

static bool take_reply(const struct mr_client *client, const struct mr_client_frame *frame,
                       const struct mr_call_params *params, struct mr_call_reply *reply_out,
                       struct mr_load_failure *failure)
{
    if (frame->head.type == MR_FRAME_ERROR) {
        return mr_call_error_frame(client, frame, failure);
    }
    if (frame->head.type != params->answer ||
        frame->head.sequence != (MR_QUESTION_SEQUENCE | (uint64_t)params->question)) {
        return mr_load_fail(failure, MR_LOAD_WRONG, MR_LOAD_PROTOCOL,
                            "%s on connection %" PRIu32 " was answered by a frame of type 0x%02x "
                            "with sequence %" PRIu64,
                            question_name(params->question), client->connection, frame->head.type,
                            frame->head.sequence);
    }
    return keep_reply(frame, reply_out, failure);
}

bool mr_call(struct mr_client *client, const struct mr_call_params *params,
             struct mr_call_reply *reply_out, struct mr_load_failure *failure)
{
    uint64_t deadline_ns = mr_clock_ns() + params->timeout_ns;
    *reply_out = (struct mr_call_reply){0};
    if (!send_question(client, params, deadline_ns, failure)) {
        return false;
    }
    for (;;) {
        struct mr_client_frame frame;
        char fault[160];
        switch (mr_client_frame(client, &frame, fault, sizeof fault)) {
        case MR_FRAME_WHOLE:
            if (!take_reply(client, &frame, params, reply_out, failure)) {
                return false;
            }
            if (reply_out->json != NULL) {
                return true;
            }
            continue; // a frame that nobody asked for, passed over
        case MR_FRAME_MALFORMED:
            return mr_load_fail(failure, MR_LOAD_WRONG, MR_LOAD_PROTOCOL, "%s", fault);
        case MR_FRAME_PARTIAL:
            break;
        }
        int waited = mr_client_await(client->fd, POLLIN, params->cancel_fd, deadline_ns);
        if (waited != 0) {
            return ended_wait(client, waited, question_name(params->question), failure);
        }
        ssize_t received = mr_client_receive(client);
        if (received <= 0 && received != -EAGAIN) {
            return mr_call_lost(client, (int)received, failure);
        }
    }
}
