// session.c: requests to replies, in their order, and the ends that a conversation can take.
#include "session.h"

#include "base/clock.h"
#include "base/mr_assert.h"
#include "describe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define FAULT_TEXT_BYTES 160

void mr_session_init(struct mr_session *session_out, int file)
{
    *session_out = (struct mr_session){.file = file};
}

static void drop_input(struct mr_session *session)
{
    mr_receive_fini(&session->receive);
}

void mr_session_fini(struct mr_session *session, struct mr_session_room *room)
{
    mr_book_remove_shelf(room->worker.book, &session->shelf);
    drop_input(session);
    mr_replies_fini(&session->replies);
    (void)close(session->file);
    session->file = -1;
    session->state = MR_SESSION_OVER;
}

// A reply that cannot be queued would leave a hole in the order of replies: the connection ends.
static void reply(struct mr_session *session, const struct mr_reply *content)
{
    if (mr_replies_add(&session->replies, content) != 0) {
        session->state = MR_SESSION_OVER;
    }
}

void mr_session_fail(struct mr_session *session, struct mr_session_room *room, uint64_t sequence,
                     const char *text)
{
    drop_input(session);
    // The conversation is over for the lab: its copies are not counted any more.
    mr_book_remove_shelf(room->worker.book, &session->shelf);
    session->state = MR_SESSION_FAILED;
    reply(session, &(struct mr_reply){.type = MR_FRAME_ERROR,
                                      .sequence = sequence,
                                      .payload = text,
                                      .payload_bytes = strlen(text)});
}

// What is wrong with a header, in words, or NULL. Decided before a byte of the payload is read.
static const char *head_fault(const struct mr_session_room *room, const struct mr_frame_head *head,
                              char text[FAULT_TEXT_BYTES])
{
    bool is_batch = head->type == MR_FRAME_BATCH;
    bool is_known = is_batch || head->type == MR_FRAME_HELLO || head->type == MR_FRAME_STATS ||
                    head->type == MR_FRAME_KEPT;
    if (head->version != MR_WIRE_VERSION) {
        (void)snprintf(text, FAULT_TEXT_BYTES, "protocol version %u is not spoken here, only %u",
                       head->version, MR_WIRE_VERSION);
    } else if (head->reserved != 0) {
        (void)snprintf(text, FAULT_TEXT_BYTES, "the reserved field is 0x%04x and must be 0",
                       head->reserved);
    } else if (!is_known) {
        (void)snprintf(text, FAULT_TEXT_BYTES, "unknown frame type 0x%02x", head->type);
    } else if (!is_batch && head->payload_bytes > 0) {
        (void)snprintf(text, FAULT_TEXT_BYTES,
                       "a frame of type 0x%02x has no payload, not %u bytes", head->type,
                       head->payload_bytes);
    } else if (head->payload_bytes > room->max_payload_bytes) {
        (void)snprintf(text, FAULT_TEXT_BYTES, "a payload of %u bytes is over the limit of %u",
                       head->payload_bytes, room->max_payload_bytes);
    } else {
        return NULL;
    }
    return text;
}

static void answer_batch(struct mr_session *session, struct mr_session_room *room, uint8_t *json)
{
    const struct mr_frame_head *head = &session->receive.head;
    struct mr_payload payload = {.json = json, .json_bytes = head->payload_bytes, .writable = true};
    struct mr_ack ack;
    int failed = mr_worker_take(&room->worker, &session->shelf, &payload, &ack);
    if (failed != 0) {
        char text[FAULT_TEXT_BYTES];
        if (failed == -EDQUOT) {
            (void)snprintf(text, sizeof text, "the kept batches are over the limit of %llu bytes",
                           (unsigned long long)room->worker.max_kept_bytes);
        } else {
            (void)snprintf(text, sizeof text, "a batch of %u bytes: %s", head->payload_bytes,
                           strerror(-failed));
        }
        mr_session_fail(session, room, head->sequence, text);
        return;
    }
    uint8_t bytes[MR_ACK_BYTES];
    mr_ack_encode(&ack, bytes);
    reply(session, &(struct mr_reply){.type = MR_FRAME_ACK,
                                      .sequence = head->sequence,
                                      .payload = bytes,
                                      .payload_bytes = sizeof bytes});
}

static void answer_stats(struct mr_session *session, struct mr_session_room *room)
{
    struct mr_totals totals;
    mr_books_totals(room->books, &totals);
    char text[MR_STATS_TEXT_BYTES];
    size_t bytes = mr_describe_stats(&totals, text);
    reply(session, &(struct mr_reply){.type = MR_FRAME_STATS_REPLY,
                                      .sequence = session->receive.head.sequence,
                                      .payload = text,
                                      .payload_bytes = bytes});
}

static void answer_kept(struct mr_session *session, struct mr_session_room *room)
{
    struct mr_kept kept;
    mr_books_kept(room->books, &kept);
    char text[MR_KEPT_TEXT_BYTES];
    size_t bytes = mr_describe_kept(&kept, text);
    reply(session, &(struct mr_reply){.type = MR_FRAME_KEPT_REPLY,
                                      .sequence = session->receive.head.sequence,
                                      .payload = text,
                                      .payload_bytes = bytes});
}

static void answer(struct mr_session *session, struct mr_session_room *room, uint8_t *payload)
{
    switch (session->receive.head.type) {
    case MR_FRAME_BATCH:
        answer_batch(session, room, payload);
        return;
    case MR_FRAME_STATS:
        answer_stats(session, room);
        return;
    case MR_FRAME_KEPT:
        answer_kept(session, room);
        return;
    default:
        MR_ASSERT(session->receive.head.type == MR_FRAME_HELLO);
        reply(session, &(struct mr_reply){.type = MR_FRAME_WELCOME,
                                          .sequence = session->receive.head.sequence,
                                          .payload = room->welcome,
                                          .payload_bytes = room->welcome_bytes});
    }
}

static bool is_clogged(const struct mr_session *session)
{
    return mr_replies_unsent_bytes(&session->replies) > MR_UNSENT_REPLY_BYTES_LIMIT;
}

static void send_replies(struct mr_session *session)
{
    if (session->state != MR_SESSION_OVER &&
        mr_replies_send(&session->replies, session->file) != 0) {
        session->state = MR_SESSION_OVER;
    }
}

// Takes the next step through what was received. False: nothing more is there.
static bool step(struct mr_session *session, struct mr_session_room *room)
{
    uint8_t *payload = NULL;
    char text[FAULT_TEXT_BYTES];
    const struct mr_frame_head *head = &session->receive.head;
    switch (mr_receive_next(&session->receive, &payload)) {
    case MR_RECEIVE_MORE:
        return false;
    case MR_RECEIVE_HEAD:
        if (head_fault(room, head, text) != NULL) {
            mr_session_fail(session, room, head->sequence, text);
        }
        return true;
    case MR_RECEIVE_FRAME:
        answer(session, room, payload);
        return true;
    case MR_RECEIVE_MEMORY:
        (void)snprintf(text, sizeof text, "no memory for a payload of %u bytes",
                       head->payload_bytes);
        mr_session_fail(session, room, head->sequence, text);
        return true;
    }
    MR_ASSERT(false && "an event of enum mr_receive_event");
    return false;
}

// Answers what was received, as long as the client takes the replies; the rest is put aside.
static void answer_received(struct mr_session *session, struct mr_session_room *room)
{
    while (session->state == MR_SESSION_OPEN) {
        if (is_clogged(session)) {
            send_replies(session);
            if (session->state == MR_SESSION_OPEN && is_clogged(session)) {
                break;
            }
            continue;
        }
        if (!step(session, room)) {
            return;
        }
    }
    if (session->state == MR_SESSION_OPEN && mr_receive_hold(&session->receive) != 0) {
        mr_session_fail(session, room, session->receive.head.sequence,
                        "no memory for input behind unread replies");
    }
}

static void receive_requests(struct mr_session *session, struct mr_session_room *room)
{
    ssize_t got = mr_receive_fill(&session->receive, session->file, &room->shared);
    if (got > 0) {
        answer_received(session, room);
    } else if (got == 0) {
        // What is cut off gets no reply; everything whole has been answered.
        drop_input(session);
        session->input_ended = true;
        session->state = MR_SESSION_ENDING;
    } else if (got != -EAGAIN && got != -EWOULDBLOCK) {
        session->state = MR_SESSION_OVER;
    }
}

static void discard_input(struct mr_session *session, struct mr_session_room *room)
{
    ssize_t got = recv(session->file, room->shared.bytes, room->shared.capacity, MSG_DONTWAIT);
    if (got == 0) {
        session->input_ended = true;
    } else if (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) {
        session->state = MR_SESSION_OVER;
    }
}

// Goes on to the next state when all replies have gone out.
static void advance(struct mr_session *session)
{
    bool all_sent = mr_replies_unsent_bytes(&session->replies) == 0;
    if (session->state == MR_SESSION_ENDING && all_sent) {
        session->state = MR_SESSION_OVER;
    }
    if (session->state == MR_SESSION_FAILED && all_sent) {
        session->linger_until_ns = mr_clock_ns() + MR_LINGER_NS;
        session->state =
            shutdown(session->file, SHUT_WR) == 0 ? MR_SESSION_LINGERING : MR_SESSION_OVER;
    }
    if (session->state == MR_SESSION_LINGERING && session->input_ended) {
        session->state = MR_SESSION_OVER;
    }
}

static bool may_read(const struct mr_session *session)
{
    switch (session->state) {
    case MR_SESSION_OPEN:
        return !is_clogged(session) && !mr_receive_waiting(&session->receive);
    case MR_SESSION_FAILED:
        return !session->input_ended && !is_clogged(session);
    case MR_SESSION_LINGERING:
        return true;
    case MR_SESSION_ENDING:
    case MR_SESSION_OVER:
        break;
    }
    return false;
}

// Sends, and goes on with input that was put aside as soon as the client's reading allows it: when
// this is done nothing waits that only another turn, which nobody would call, could take up.
static void send_and_resume(struct mr_session *session, struct mr_session_room *room)
{
    send_replies(session);
    while (session->state == MR_SESSION_OPEN && mr_receive_waiting(&session->receive) &&
           !is_clogged(session)) {
        answer_received(session, room);
        send_replies(session);
    }
}

void mr_session_turn(struct mr_session *session, struct mr_session_room *room, bool readable)
{
    session->was_active = true;
    send_and_resume(session, room);
    if (readable && may_read(session)) {
        if (session->state == MR_SESSION_OPEN) {
            receive_requests(session, room);
        } else {
            discard_input(session, room);
        }
    }
    send_and_resume(session, room);
    advance(session);
}

unsigned mr_session_wants(const struct mr_session *session)
{
    unsigned wants = may_read(session) ? MR_WANTS_INPUT : 0;
    if (mr_replies_unsent_bytes(&session->replies) > 0) {
        wants |= MR_WANTS_OUTPUT;
    }
    return wants;
}

bool mr_session_rest(struct mr_session *session, uint64_t now_ns)
{
    if (session->state == MR_SESSION_LINGERING && now_ns >= session->linger_until_ns) {
        session->state = MR_SESSION_OVER;
    }
    bool was_active = session->was_active;
    session->was_active = false;
    if (was_active || session->state == MR_SESSION_LINGERING) {
        return true;
    }
    mr_receive_release(&session->receive);
    mr_replies_release(&session->replies);
    return false;
}
