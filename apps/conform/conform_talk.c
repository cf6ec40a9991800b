// conform_talk.c: see conform_talk.h.
#include "conform_talk.h"

#include "base/clock.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *mr_frame_name(uint8_t type)
{
    switch (type) {
    case MR_FRAME_HELLO:
        return "HELLO";
    case MR_FRAME_BATCH:
        return "BATCH";
    case MR_FRAME_STATS:
        return "STATS";
    case MR_FRAME_KEPT:
        return "KEPT";
    case MR_FRAME_WELCOME:
        return "WELCOME";
    case MR_FRAME_ACK:
        return "ACK";
    case MR_FRAME_STATS_REPLY:
        return "STATS_REPLY";
    case MR_FRAME_KEPT_REPLY:
        return "KEPT_REPLY";
    case MR_FRAME_ERROR:
        return "ERROR";
    default:
        return "a frame of unknown type";
    }
}

bool mr_talk_fail(struct mr_talk *talk, const char *expected, const char *format, ...)
{
    char got[MR_FINDING_BYTES];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(got, sizeof got, format, arguments);
    va_end(arguments);
    mr_kit_fail(talk->kit, talk->rule, expected, "%s", got);
    return false;
}

bool mr_talk_open_bare(struct mr_talk *talk_out, struct mr_kit *kit, enum mr_rule rule,
                       const struct mr_subject *subject, int receive_bytes)
{
    *talk_out = (struct mr_talk){.kit = kit, .rule = rule, .sequence = 1};
    int result =
        mr_link_open(&talk_out->link, &subject->address, receive_bytes, mr_kit_deadline(kit));
    if (result == 0) {
        return true;
    }
    if (result == -ETIMEDOUT) {
        mr_kit_timed_out(kit);
    }
    return mr_talk_fail(talk_out, "a connection", "connecting fails: %s", strerror(-result));
}

bool mr_talk_open(struct mr_talk *talk_out, struct mr_kit *kit, enum mr_rule rule,
                  const struct mr_subject *subject)
{
    struct mr_reply reply;
    return mr_talk_open_bare(talk_out, kit, rule, subject, 0) &&
           mr_talk_request(talk_out, MR_FRAME_HELLO, NULL, 0) &&
           mr_talk_frame(talk_out, "a reply to HELLO", &reply);
}

void mr_talk_close(struct mr_talk *talk)
{
    mr_link_close(&talk->link);
}

bool mr_talk_send(struct mr_talk *talk, const struct mr_bytes *script)
{
    int result =
        mr_link_send(&talk->link, script->bytes, script->length, mr_kit_deadline(talk->kit));
    if (result == -ETIMEDOUT) {
        mr_kit_timed_out(talk->kit);
        return mr_talk_fail(talk, "the server reads what is sent", "it does not, in %.1f s",
                            (double)talk->kit->patience_ns / 1e9);
    }
    if (result != 0) {
        return mr_talk_fail(talk, "the server reads what is sent", "it has closed the connection");
    }
    return true;
}

bool mr_talk_request(struct mr_talk *talk, uint8_t type, const void *payload, size_t payload_bytes)
{
    struct mr_bytes script = {0};
    mr_add_frame(&script, type, talk->sequence++, payload, payload_bytes);
    bool sent = mr_talk_send(talk, &script);
    mr_bytes_fini(&script);
    return sent;
}

bool mr_talk_frame(struct mr_talk *talk, const char *what, struct mr_reply *reply_out)
{
    enum mr_got got = mr_link_next(&talk->link, reply_out, mr_kit_deadline(talk->kit));
    if (got == MR_GOT_FRAME) {
        return true;
    }
    if (got == MR_GOT_NOTHING) {
        mr_kit_timed_out(talk->kit);
    }
    return mr_talk_fail(talk, what, "%s", mr_got_text(got));
}

// What a frame holds, for a failure: its text when it is an ERROR.
static void describe(const struct mr_reply *reply, char *text_out, size_t capacity)
{
    if (reply->head.type == MR_FRAME_ERROR) {
        uint32_t length = reply->head.payload_bytes > 120 ? 120 : reply->head.payload_bytes;
        (void)snprintf(text_out, capacity, "ERROR \"%.*s\"", (int)length,
                       (const char *)reply->payload);
    } else {
        (void)snprintf(text_out, capacity, "%s (type 0x%02x)", mr_frame_name(reply->head.type),
                       reply->head.type);
    }
}

bool mr_talk_expect(struct mr_talk *talk, uint8_t type, struct mr_reply *reply_out)
{
    if (!mr_talk_frame(talk, mr_frame_name(type), reply_out)) {
        return false;
    }
    if (reply_out->head.type != type) {
        char text[160];
        describe(reply_out, text, sizeof text);
        return mr_talk_fail(talk, mr_frame_name(type), "%s", text);
    }
    return true;
}

bool mr_talk_end(struct mr_talk *talk)
{
    struct mr_reply reply;
    enum mr_got got = mr_link_next(&talk->link, &reply, mr_kit_deadline(talk->kit));
    if (got == MR_GOT_END || got == MR_GOT_RESET) {
        return true;
    }
    if (got == MR_GOT_NOTHING) {
        mr_kit_timed_out(talk->kit);
    }
    char text[160];
    if (got == MR_GOT_FRAME) {
        describe(&reply, text, sizeof text);
    }
    return mr_talk_fail(talk, "the end of the connection", "%s",
                        got == MR_GOT_FRAME ? text : mr_got_text(got));
}

struct mr_ack mr_reply_ack(const struct mr_reply *reply)
{
    uint8_t bytes[MR_ACK_BYTES] = {0};
    memcpy(bytes, reply->payload,
           reply->head.payload_bytes < MR_ACK_BYTES ? reply->head.payload_bytes : MR_ACK_BYTES);
    return mr_ack_decode(bytes);
}

bool mr_talk_batch(struct mr_talk *talk, const void *payload, size_t payload_bytes,
                   struct mr_ack *ack_out)
{
    struct mr_reply reply;
    if (!mr_talk_request(talk, MR_FRAME_BATCH, payload, payload_bytes) ||
        !mr_talk_expect(talk, MR_FRAME_ACK, &reply)) {
        return false;
    }
    *ack_out = mr_reply_ack(&reply);
    return true;
}

bool mr_talk_batch_text(struct mr_talk *talk, const char *json, struct mr_ack *ack_out)
{
    return mr_talk_batch(talk, json, strlen(json), ack_out);
}

bool mr_talk_stats(struct mr_talk *talk, struct mr_stats_seen *seen_out)
{
    struct mr_reply reply;
    if (!mr_talk_request(talk, MR_FRAME_STATS, NULL, 0) ||
        !mr_talk_expect(talk, MR_FRAME_STATS_REPLY, &reply)) {
        return false;
    }
    return mr_stats_read(reply.payload, reply.head.payload_bytes, seen_out) ||
           mr_talk_fail(talk, "STATS_REPLY with an object \"totals\"", "\"%.*s\"",
                        (int)(reply.head.payload_bytes > 120 ? 120 : reply.head.payload_bytes),
                        (const char *)reply.payload);
}

bool mr_talk_kept(struct mr_talk *talk, struct mr_kept *kept_out)
{
    struct mr_reply reply;
    if (!mr_talk_request(talk, MR_FRAME_KEPT, NULL, 0) ||
        !mr_talk_expect(talk, MR_FRAME_KEPT_REPLY, &reply)) {
        return false;
    }
    return mr_kept_read(reply.payload, reply.head.payload_bytes, kept_out) ||
           mr_talk_fail(talk, "KEPT_REPLY with three numbers", "\"%.*s\"",
                        (int)(reply.head.payload_bytes > 120 ? 120 : reply.head.payload_bytes),
                        (const char *)reply.payload);
}
