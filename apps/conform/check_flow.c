// check_flow.c: order, requests in flight, replies at once, half-close, cut-off frames (W32, W33,
// W36, W40 to W43).
#include "conform_checks.h"
#include "conform_clock.h"
#include "conform_made.h"
#include "conform_talk.h"

#include "base/clock.h"
#include "base/rng.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ORDER_REQUESTS 200u
#define FLIGHT_BATCHES 10000u

// Without HELLO: a second one is W7's.
static const uint8_t request_types[3] = {MR_FRAME_BATCH, MR_FRAME_STATS, MR_FRAME_KEPT};
static const uint8_t reply_types[3] = {MR_FRAME_ACK, MR_FRAME_STATS_REPLY, MR_FRAME_KEPT_REPLY};

// What the request number `i` of the order check is: its type, and for a batch its records.
struct request {
    uint8_t reply;
    uint32_t records;
};

static void add_requests(struct mr_bytes *script, struct request requests[ORDER_REQUESTS])
{
    struct mr_made made = {0};
    struct mr_rng rng = mr_rng_seeded(3);
    for (uint32_t i = 0; i < ORDER_REQUESTS; i++) {
        size_t type = (size_t)mr_rng_below(&rng, 5); // most of them batches
        type = type > 2 ? 0 : type;
        requests[i] = (struct request){reply_types[type], 0};
        if (type == 0) {
            requests[i].records = (uint32_t)mr_rng_below(&rng, 7);
            mr_made_plain(&made, i, requests[i].records);
            mr_add_frame(script, MR_FRAME_BATCH, i, made.json.bytes, made.json.length);
        } else {
            mr_add_frame(script, request_types[type], i, NULL, 0);
        }
    }
    mr_made_fini(&made);
}

// Judged by type and record count, so that sequences are W5's alone.
static bool judge_order(struct mr_talk *talk, const struct request requests[ORDER_REQUESTS])
{
    for (uint32_t i = 0; i < ORDER_REQUESTS; i++) {
        struct mr_reply reply;
        char expected[80];
        (void)snprintf(expected, sizeof expected, "%s as reply %" PRIu32,
                       mr_frame_name(requests[i].reply), i + 1);
        if (!mr_talk_frame(talk, expected, &reply)) {
            return false;
        }
        if (reply.head.type != requests[i].reply) {
            return mr_talk_fail(talk, expected, "%s", mr_frame_name(reply.head.type));
        }
        struct mr_ack ack = mr_reply_ack(&reply);
        bool counted = reply.head.type == MR_FRAME_ACK && talk->kit->mode != MR_MODE_DRAIN;
        if (counted && ack.records != requests[i].records) {
            return mr_talk_fail(talk, "the answer to that batch",
                                "reply %" PRIu32 " has %" PRIu32 " records, the batch had %" PRIu32,
                                i + 1, ack.records, requests[i].records);
        }
    }
    return true;
}

static void order(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W32);
    if (shared == NULL) {
        return;
    }
    struct mr_bytes script = {0};
    struct request requests[ORDER_REQUESTS];
    add_requests(&script, requests);
    struct mr_talk talk;
    bool going = mr_talk_open(&talk, kit, MR_RULE_W32, shared) && mr_talk_send(&talk, &script) &&
                 judge_order(&talk, requests);
    // The same in pieces that end anywhere.
    for (size_t at = 0; at < script.length && going;) {
        size_t piece = at % 997 + 1;
        piece = piece > script.length - at ? script.length - at : piece;
        struct mr_bytes part = {.bytes = script.bytes + at, .length = piece};
        going = mr_talk_send(&talk, &part);
        at += piece;
    }
    if (going && judge_order(&talk, requests)) {
        mr_kit_ok(kit, MR_RULE_W32);
    }
    mr_talk_close(&talk);
    mr_bytes_fini(&script);
}

static void in_flight(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W33);
    if (shared == NULL) {
        return;
    }
    struct mr_bytes script = {0};
    for (unsigned i = 0; i < FLIGHT_BATCHES; i++) {
        mr_add_frame(&script, MR_FRAME_BATCH, i, "[]", 2);
    }
    struct mr_talk talk;
    struct mr_reply reply;
    bool going = mr_talk_open(&talk, kit, MR_RULE_W33, shared) && mr_talk_send(&talk, &script);
    for (unsigned i = 0; i < FLIGHT_BATCHES && going; i++) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "10,000 replies, now number %u", i + 1);
        going = mr_talk_frame(&talk, expected, &reply);
        if (going && reply.head.type != MR_FRAME_ACK) {
            going = mr_talk_fail(&talk, expected, "%s", mr_frame_name(reply.head.type));
        }
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_W33);
    }
    mr_talk_close(&talk);
    mr_bytes_fini(&script);
}

// A whole frame and the beginning of the next: the first is answered before the rest comes.
static void reply_at_once(struct mr_kit *kit)
{
    static const size_t cuts[] = {1, 7, 15, 16, 17}; // of the second frame, 18 bytes long
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W36);
    if (shared == NULL) {
        return;
    }
    struct mr_bytes script = {0};
    mr_add_frame(&script, MR_FRAME_BATCH, 1, "[]", 2);
    mr_add_frame(&script, MR_FRAME_BATCH, 2, "[]", 2);
    size_t frame_bytes = script.length / 2;
    struct mr_talk talk;
    struct mr_reply reply;
    bool going = mr_talk_open(&talk, kit, MR_RULE_W36, shared);
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0] && going; i++) {
        struct mr_bytes first = {.bytes = script.bytes, .length = frame_bytes + cuts[i]};
        struct mr_bytes rest = {.bytes = script.bytes + first.length,
                                .length = script.length - first.length};
        going = mr_talk_send(&talk, &first) &&
                mr_talk_frame(&talk, "the first reply while the second frame is cut", &reply) &&
                mr_talk_send(&talk, &rest) && mr_talk_frame(&talk, "the second reply", &reply);
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_W36);
    }
    mr_talk_close(&talk);
    mr_bytes_fini(&script);
}

// Sends all of `script` with the end behind its last byte.
static bool send_last(struct mr_talk *talk, const struct mr_bytes *script)
{
    return mr_link_send_last(&talk->link, script->bytes, script->length,
                             mr_kit_deadline(talk->kit)) == 0 ||
           mr_talk_fail(talk, "the server reads what is sent", "it does not");
}

static void half_close(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W40);
    if (shared == NULL) {
        return;
    }
    struct mr_made made = {0};
    struct mr_bytes script = {0};
    for (unsigned i = 0; i < 20; i++) {
        mr_made_plain(&made, i, 20);
        mr_add_frame(&script, MR_FRAME_BATCH, i, made.json.bytes, made.json.length);
    }
    struct mr_talk talk;
    struct mr_reply reply;
    bool going = mr_talk_open(&talk, kit, MR_RULE_W40, shared) && send_last(&talk, &script);
    for (unsigned i = 0; i < 20 && going; i++) {
        going = mr_talk_frame(&talk, "20 replies after the half-close", &reply);
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_W40);
        talk.rule = MR_RULE_W41;
        if (mr_talk_end(&talk)) {
            mr_kit_ok(kit, MR_RULE_W41);
        }
    }
    mr_talk_close(&talk);
    mr_made_fini(&made);
    mr_bytes_fini(&script);
}

// One whole batch, then `cut` bytes of another: one reply and no second, whether the server closes
// or, which is W41's matter, does not.
static bool cut_off_once(struct mr_kit *kit, const struct mr_bytes *batch, size_t cut)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W42);
    if (shared == NULL) {
        return false;
    }
    struct mr_bytes script = {0};
    mr_bytes_add(&script, batch->bytes, batch->length);
    mr_bytes_add(&script, batch->bytes, cut);
    struct mr_talk talk;
    struct mr_reply reply;
    bool going = mr_talk_open(&talk, kit, MR_RULE_W42, shared) && send_last(&talk, &script) &&
                 mr_talk_frame(&talk, "the reply to the whole frame", &reply);
    if (going) {
        enum mr_got got =
            mr_link_next(&talk.link, &reply, mr_conform_now_ns() + 300 * MR_NS_PER_MS);
        if (got == MR_GOT_FRAME) {
            char expected[80];
            (void)snprintf(expected, sizeof expected, "no reply to %zu bytes of a frame", cut);
            going = mr_talk_fail(&talk, expected, "%s", mr_frame_name(reply.head.type));
        }
    }
    mr_talk_close(&talk);
    mr_bytes_fini(&script);
    return going;
}

static void cut_off(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W42);
    if (shared == NULL) {
        return;
    }
    struct mr_made made = {0};
    struct mr_bytes batch = {0};
    mr_made_plain(&made, 4, 1);
    mr_add_frame(&batch, MR_FRAME_BATCH, 1, made.json.bytes, made.json.length);
    const size_t cuts[] = {1, 8, 15, 16, 17, batch.length - 1};
    const uint64_t count = sizeof cuts / sizeof cuts[0];
    struct mr_talk asking;
    struct mr_stats_seen before;
    struct mr_stats_seen after;
    bool going = mr_talk_open(&asking, kit, MR_RULE_W43, shared) && mr_talk_stats(&asking, &before);
    for (size_t i = 0; i < count && going; i++) {
        going = cut_off_once(kit, &batch, cuts[i]);
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_W42);
    }
    if (going && mr_talk_stats(&asking, &after)) {
        uint64_t accepted = after.totals.batches_accepted - before.totals.batches_accepted;
        uint64_t rejected = after.totals.batches_rejected - before.totals.batches_rejected;
        if (accepted == count && rejected == 0) {
            mr_kit_ok(kit, MR_RULE_W43);
        } else {
            (void)mr_talk_fail(&asking, "6 batches accepted, 0 rejected, 6 cut off and not counted",
                               "%" PRIu64 " and %" PRIu64, accepted, rejected);
        }
    }
    mr_talk_close(&asking);
    mr_made_fini(&made);
    mr_bytes_fini(&batch);
}

const struct mr_procedure mr_procedures_flow[] = {
    {order, MR_PHASE_WIRE, false, 5, {MR_RULE_W32, MR_RULE_NONE}},
    {in_flight, MR_PHASE_WIRE, false, 15, {MR_RULE_W33, MR_RULE_NONE}},
    {reply_at_once, MR_PHASE_WIRE, false, 2, {MR_RULE_W36, MR_RULE_NONE}},
    {half_close, MR_PHASE_WIRE, false, 2, {MR_RULE_W40, MR_RULE_W41, MR_RULE_NONE}},
    {cut_off, MR_PHASE_WIRE, false, 5, {MR_RULE_W42, MR_RULE_W43, MR_RULE_NONE}},
    {.run = NULL},
};
