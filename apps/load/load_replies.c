// load_replies.c: what comes back: each reply is checked against its batch the moment it is there.
#include "load_worker.h"

#include "call.h"

#include "base/clock.h"
#include "base/mr_assert.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static struct mr_load_place place_of(const struct mr_client *client,
                                     const struct mr_request *request)
{
    return (struct mr_load_place){.connection = client->connection,
                                  .sequence = request->sequence,
                                  .batch = request->batch,
                                  .turn = request->turn};
}

// Whether a reply with this sequence answers the oldest request; otherwise the run has failed.
static bool in_order(struct mr_load_worker *worker, const struct mr_client *client,
                     const struct mr_request *request, const struct mr_frame_head *head)
{
    if (request == NULL) {
        return mr_load_fail(&worker->failure, MR_LOAD_WRONG, MR_LOAD_ANSWERS,
                            "connection %" PRIu32 ": a reply with sequence %" PRIu64
                            " although every request is answered",
                            client->connection, head->sequence);
    }
    if (request->sequence != head->sequence) {
        struct mr_load_place place = place_of(client, request);
        return mr_load_fail_at(&worker->failure, MR_LOAD_ANSWERS, &place,
                               "connection %" PRIu32 ": expected the reply to sequence %" PRIu64
                               " (replies come in the order of requests), got sequence %" PRIu64,
                               client->connection, request->sequence, head->sequence);
    }
    return true;
}

static bool wrong_answer(struct mr_load_worker *worker, const struct mr_client *client,
                         const struct mr_request *request, const struct mr_ack *got)
{
    struct mr_ack answer = mr_expected_answer(worker->expected.mode, &request->edit);
    struct mr_load_place place = place_of(client, request);
    char expected_text[128];
    char got_text[192];
    mr_ack_text(&answer, expected_text, sizeof expected_text);
    mr_ack_text(got, got_text, sizeof got_text);
    return mr_load_fail_at(&worker->failure, MR_LOAD_ANSWERS, &place,
                           "wrong answer to batch %" PRIu64 " (sequence %" PRIu64 ", turn %" PRIu64
                           ", connection %" PRIu32 "): expected %s; got %s",
                           request->batch, request->sequence, request->turn, client->connection,
                           expected_text, got_text);
}

static bool early_answer(struct mr_load_worker *worker, const struct mr_client *client,
                         const struct mr_request *request)
{
    struct mr_load_place place = place_of(client, request);
    return mr_load_fail_at(&worker->failure, MR_LOAD_EARLY, &place,
                           "batch %" PRIu64 " (sequence %" PRIu64 ", turn %" PRIu64
                           ", connection %" PRIu32
                           ") was answered before it was sent: accepted when %" PRIu64
                           " of %" PRIu64 " bytes were on their way",
                           request->batch, request->sequence, request->turn, client->connection,
                           request->sent_bytes, mr_request_bytes(request));
}

void mr_load_finish_batch(struct mr_load_worker *worker, struct mr_client *client)
{
    struct mr_request *request = mr_outstanding_oldest(&client->outstanding);
    MR_ASSERT(request != NULL && request->kind == MR_REQUEST_BATCH);
    const struct mr_times *times = &request->times;
    const struct mr_window *window = &worker->recorder.window;
    mr_recorder_answered(&worker->recorder, request);
    mr_times_log_add(&worker->log, request, client->connection);
    if (times->reply_ns >= window->begin_ns && times->reply_ns < window->end_ns) {
        client->window_batches++;
        client->window_payload_bytes += request->payload_bytes;
    }
    client->last_round_trip_ns = times->reply_ns - times->send_start_ns;
    if (client->batches_in_flight == worker->shared->plan.depth) {
        client->blocked_until_ns = worker->watched_until_ns; // depth was used up: the server's wait
    }
    if (worker->batches_in_flight == worker->in_flight_max) {
        worker->blocked_until_ns = worker->watched_until_ns; // so was --in-flight
    }
    if (worker->first_reply_ns == 0) {
        worker->first_reply_ns = times->reply_ns;
    }
    client->batches_in_flight--;
    worker->batches_in_flight--;
    worker->in_flight--;
    mr_outstanding_pop(&client->outstanding);
    mr_load_wake_waiting(worker);
}

static bool take_ack(struct mr_load_worker *worker, struct mr_client *client,
                     const struct mr_client_frame *frame, const struct mr_times *now)
{
    struct mr_request *request = mr_outstanding_oldest(&client->outstanding);
    if (!in_order(worker, client, request, &frame->head)) {
        return false;
    }
    if (request == NULL) {
        return true; // an answer to nothing, overlooked
    }
    struct mr_ack got = mr_ack_decode(frame->payload);
    bool sent_whole = request->times.send_complete_ns != 0;
    if (request->answered_early || request->kind != MR_REQUEST_BATCH) {
        return mr_load_fail(&worker->failure, MR_LOAD_WRONG, MR_LOAD_PROTOCOL,
                            "connection %" PRIu32 ": an ACK too many, sequence %" PRIu64,
                            client->connection, request->sequence);
    }
    if (!sent_whole && got.status == 0 && !early_answer(worker, client, request)) {
        return false;
    }
    if (!mr_expected_check(&worker->expected, request, &got, &client->kept)) {
        if (!wrong_answer(worker, client, request, &got)) {
            return false;
        }
        mr_expected_add(&worker->expected, request, &client->kept);
    }
    request->times.reply_ns = now->reply_ns;
    if (sent_whole) {
        mr_load_finish_batch(worker, client);
    } else {
        request->answered_early = true; // a rejection may be; finished when it is sent
    }
    return true;
}

static bool take_stats(struct mr_load_worker *worker, struct mr_client *client,
                       const struct mr_client_frame *frame, uint64_t now_ns)
{
    const struct mr_request *request = mr_outstanding_oldest(&client->outstanding);
    if (!in_order(worker, client, request, &frame->head)) {
        return false;
    }
    if (request != NULL && request->kind != MR_REQUEST_STATS) {
        if (!mr_load_fail(&worker->failure, MR_LOAD_WRONG, MR_LOAD_PROTOCOL,
                          "connection %" PRIu32 ": a batch was answered by STATS_REPLY",
                          client->connection)) {
            return false;
        }
        mr_load_give_up_batches(worker, client);
        request = mr_outstanding_oldest(&client->outstanding);
    }
    if (request == NULL || request->kind != MR_REQUEST_STATS) {
        return true;
    }
    for (int moment = 0; moment < MR_STATS_MOMENTS; moment++) {
        struct mr_stats_copy *copy = &worker->stats[moment];
        if (copy->wanted && copy->at_ns == 0) {
            copy->at_ns = now_ns;
            copy->json_bytes = frame->head.payload_bytes;
            if (copy->json_bytes <= MR_STATS_COPY_BYTES) {
                memcpy(copy->json, frame->payload, copy->json_bytes);
            }
            break;
        }
    }
    worker->in_flight--;
    mr_outstanding_pop(&client->outstanding);
    return true;
}

static bool take_frame(struct mr_load_worker *worker, struct mr_client *client,
                       const struct mr_client_frame *frame, const struct mr_times *now)
{
    switch (frame->head.type) {
    case MR_FRAME_ACK:
        return take_ack(worker, client, frame, now);
    case MR_FRAME_STATS_REPLY:
        return take_stats(worker, client, frame, now->reply_ns);
    case MR_FRAME_ERROR:
        return mr_call_error_frame(client, frame, &worker->failure);
    default:
        return mr_load_fail(&worker->failure, MR_LOAD_WRONG, MR_LOAD_PROTOCOL,
                            "connection %" PRIu32 ": a frame of type 0x%02x that nobody asked for",
                            client->connection, frame->head.type);
    }
}

static bool take_frames(struct mr_load_worker *worker, struct mr_client *client, uint64_t now_ns,
                        uint64_t gap_ns)
{
    const struct mr_times now = {.reply_ns = now_ns};
    char fault[160];
    struct mr_client_frame frame;
    for (;;) {
        enum mr_frame_status status = mr_client_frame(client, &frame, fault, sizeof fault);
        if (status == MR_FRAME_PARTIAL) {
            return true;
        }
        if (status == MR_FRAME_MALFORMED) {
            if (!mr_load_fail(&worker->failure, MR_LOAD_WRONG, MR_LOAD_PROTOCOL,
                              "connection %" PRIu32 ": %s", client->connection, fault)) {
                return false;
            }
            if (!mr_client_mend(client)) {
                return mr_load_fail(&worker->failure, MR_LOAD_FAILED, MR_LOAD_PROTOCOL, "%s",
                                    fault);
            }
            continue;
        }
        struct mr_request *request = mr_outstanding_oldest(&client->outstanding);
        if (request != NULL) {
            request->reply_gap_ns = gap_ns;
        }
        if (!take_frame(worker, client, &frame, &now)) {
            return false;
        }
        worker->progress_ns = now_ns;
    }
}

// One clock reading directly behind each read: all of its replies were there then, and none had
// been seen at the look before, `gap_ns` earlier.
bool mr_load_receive(struct mr_load_worker *worker, struct mr_client *client, uint64_t gap_ns,
                     bool until_end)
{
    bool more = true;
    mr_load_expect_replies(worker, client);
    while (more) {
        ssize_t received = mr_client_receive(client);
        if (received == -EAGAIN) {
            break;
        }
        if (received <= 0) {
            return mr_call_lost(client, (int)received, &worker->failure) &&
                   mr_load_reconnect(worker, client);
        }
        uint64_t now_ns = mr_load_time_ns(worker);
        more = until_end || mr_client_full(client);
        worker->moved_bytes += (uint64_t)received;
        mr_recorder_bytes(&worker->recorder, now_ns, 0, (uint64_t)received);
        mr_load_expect_answers(worker, client, now_ns, gap_ns);
        if (!take_frames(worker, client, now_ns, gap_ns)) {
            return false;
        }
        mr_load_hold_alone(worker, client, now_ns);
    }
    mr_load_enqueue(worker, client);
    return true;
}
