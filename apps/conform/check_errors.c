// check_errors.c: what is an ERROR, and what happens around one (W19 to W30).
#include "conform_checks.h"
#include "conform_clock.h"
#include "conform_talk.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define OFFENCE 0x5A // a type that no version of the protocol has

// Sends `script` on a connection of its own: the reply must be ERROR.
static bool offend(struct mr_kit *kit, enum mr_rule rule, const struct mr_bytes *script,
                   const char *what)
{
    struct mr_subject *shared = mr_kit_shared(kit, rule);
    if (shared == NULL) {
        return false;
    }
    struct mr_talk talk;
    struct mr_reply reply;
    char expected[80];
    (void)snprintf(expected, sizeof expected, "%s: ERROR", what);
    bool going = mr_talk_open(&talk, kit, rule, shared) && mr_talk_send(&talk, script) &&
                 mr_talk_frame(&talk, expected, &reply);
    if (going && reply.head.type != MR_FRAME_ERROR) {
        going = mr_talk_fail(&talk, expected, "%s", mr_frame_name(reply.head.type));
    }
    mr_talk_close(&talk);
    return going;
}

static void with_payload(struct mr_kit *kit, enum mr_rule rule, uint8_t type)
{
    static const size_t sizes[] = {1, 16, 70000};
    struct mr_bytes payload = {0};
    mr_bytes_fill(&payload, ' ', sizes[2]);
    bool going = true;
    for (size_t i = 0; i < 3 && going; i++) {
        struct mr_bytes script = {0};
        char what[64];
        (void)snprintf(what, sizeof what, "%s with %zu bytes", mr_frame_name(type), sizes[i]);
        mr_add_frame(&script, type, 2, payload.bytes, sizes[i]);
        going = offend(kit, rule, &script, what);
        mr_bytes_fini(&script);
    }
    if (going) {
        mr_kit_ok(kit, rule);
    }
    mr_bytes_fini(&payload);
}

static void hello_payload(struct mr_kit *kit)
{
    with_payload(kit, MR_RULE_W20, MR_FRAME_HELLO);
}

static void stats_payload(struct mr_kit *kit)
{
    with_payload(kit, MR_RULE_W21, MR_FRAME_STATS);
}

static void kept_payload(struct mr_kit *kit)
{
    with_payload(kit, MR_RULE_W22, MR_FRAME_KEPT);
}

static void offending_heads(struct mr_kit *kit, enum mr_rule rule,
                            const struct mr_frame_head *heads, size_t count)
{
    bool going = true;
    for (size_t i = 0; i < count && going; i++) {
        struct mr_bytes script = {0};
        char what[64];
        (void)snprintf(what, sizeof what, "type 0x%02x, version %u, reserved %u", heads[i].type,
                       heads[i].version, heads[i].reserved);
        mr_add_head(&script, &heads[i]);
        going = offend(kit, rule, &script, what);
        mr_bytes_fini(&script);
    }
    if (going) {
        mr_kit_ok(kit, rule);
    }
}

static void type_unknown(struct mr_kit *kit)
{
    static const uint8_t types[] = {0x00, 0x05, 0x10, 0x7F, 0x80, 0x81,
                                    0x82, 0x83, 0x84, 0x85, 0xFE, 0xFF};
    struct mr_frame_head heads[sizeof types];
    for (size_t i = 0; i < sizeof types; i++) {
        heads[i] = (struct mr_frame_head){.type = types[i], .version = MR_WIRE_VERSION};
    }
    offending_heads(kit, MR_RULE_W23, heads, sizeof types);
}

static void version_other(struct mr_kit *kit)
{
    static const struct mr_frame_head heads[] = {{.type = MR_FRAME_HELLO, .version = 0},
                                                 {.type = MR_FRAME_HELLO, .version = 2},
                                                 {.type = MR_FRAME_BATCH, .version = 255},
                                                 {.type = MR_FRAME_STATS, .version = 129},
                                                 {.type = MR_FRAME_KEPT, .version = 3}};
    offending_heads(kit, MR_RULE_W24, heads, sizeof heads / sizeof heads[0]);
}

static void reserved_nonzero(struct mr_kit *kit)
{
    static const struct mr_frame_head heads[] = {
        {.type = MR_FRAME_HELLO, .version = MR_WIRE_VERSION, .reserved = 1},
        {.type = MR_FRAME_BATCH, .version = MR_WIRE_VERSION, .reserved = 0x0100},
        {.type = MR_FRAME_STATS, .version = MR_WIRE_VERSION, .reserved = 0x8000},
        {.type = MR_FRAME_KEPT, .version = MR_WIRE_VERSION, .reserved = 0xFFFF}};
    offending_heads(kit, MR_RULE_W25, heads, sizeof heads / sizeof heads[0]);
}

// An offending frame behind `before` empty batches, all in one write.
static void add_offence(struct mr_bytes *script, unsigned before, uint64_t sequence)
{
    for (unsigned i = 0; i < before; i++) {
        mr_add_frame(script, MR_FRAME_BATCH, 100 + i, "[]", 2);
    }
    mr_add_frame(script, OFFENCE, sequence, NULL, 0);
}

// Reads until ERROR comes. The number of frames before it in *before_out.
static bool until_error(struct mr_talk *talk, unsigned *before_out, struct mr_reply *reply_out)
{
    for (*before_out = 0;; ++*before_out) {
        if (!mr_talk_frame(talk, "ERROR", reply_out)) {
            return false;
        }
        if (reply_out->head.type == MR_FRAME_ERROR) {
            return true;
        }
    }
}

// RFC 3629, no control characters but tab and newline.
static bool is_text(const uint8_t *bytes, size_t count)
{
    for (size_t at = 0; at < count;) {
        uint8_t lead = bytes[at];
        size_t more = lead < 0x80 ? 0 : lead < 0xC2 ? 4 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
        if (lead > 0xF4 || more == 4 || more >= count - at || lead == 0x7F ||
            (lead < 0x20 && lead != '\t' && lead != '\n')) {
            return false;
        }
        uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        for (size_t i = 1; i <= more; i++) {
            if (bytes[at + i] < low || bytes[at + i] > high) {
                return false;
            }
            low = 0x80;
            high = 0xBF;
        }
        at += 1 + more;
    }
    return true;
}

// Text and sequence of an ERROR, and the replies before it.
static void error_frame(struct mr_kit *kit)
{
    static const uint64_t sequence = 0xFEDCBA9876543210u;
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W27);
    if (shared == NULL) {
        return;
    }
    struct mr_bytes script = {0};
    add_offence(&script, 50, sequence);
    struct mr_talk talk;
    struct mr_reply reply;
    unsigned before;
    if (mr_talk_open(&talk, kit, MR_RULE_W27, shared) && mr_talk_send(&talk, &script) &&
        until_error(&talk, &before, &reply)) {
        if (before == 50 || mr_talk_fail(&talk, "50 replies before ERROR", "%u", before)) {
            mr_kit_ok(kit, MR_RULE_W27);
        }
        talk.rule = MR_RULE_W28;
        if (reply.head.sequence == sequence ||
            mr_talk_fail(&talk, "the offending sequence 0xfedcba9876543210", "0x%" PRIx64,
                         reply.head.sequence)) {
            mr_kit_ok(kit, MR_RULE_W28);
        }
        talk.rule = MR_RULE_W19;
        uint32_t length = reply.head.payload_bytes;
        if ((length > 0 && is_text(reply.payload, length)) ||
            mr_talk_fail(&talk, "a text in UTF-8", length == 0 ? "nothing" : "other bytes")) {
            mr_kit_ok(kit, MR_RULE_W19);
        }
    }
    mr_talk_close(&talk);
    mr_bytes_fini(&script);
}

// One connection has sent half a frame, another offends: the first is answered, a new one too.
static void error_others(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W26);
    if (shared == NULL) {
        return;
    }
    struct mr_bytes frame = {0};
    struct mr_bytes script = {0};
    mr_add_frame(&frame, MR_FRAME_BATCH, 7, "[]", 2);
    add_offence(&script, 0, 1);
    struct mr_bytes half = {.bytes = frame.bytes, .length = 17};
    struct mr_bytes rest = {.bytes = frame.bytes + 17, .length = 1};
    struct mr_talk steady = {.link = {.fd = -1}};
    struct mr_talk offender = {.link = {.fd = -1}};
    struct mr_talk later = {.link = {.fd = -1}};
    struct mr_reply reply;
    struct mr_ack ack;
    // The offender's batch is answered, so the half frame before it has been read by then.
    if (mr_talk_open(&steady, kit, MR_RULE_W26, shared) &&
        mr_talk_open(&offender, kit, MR_RULE_W26, shared) && mr_talk_send(&steady, &half) &&
        mr_talk_batch_text(&offender, "[]", &ack) && mr_talk_send(&offender, &script) &&
        mr_talk_frame(&offender, "ERROR", &reply) && mr_talk_send(&steady, &rest) &&
        mr_talk_expect(&steady, MR_FRAME_ACK, &reply) &&
        mr_talk_open(&later, kit, MR_RULE_W26, shared) && mr_talk_batch_text(&later, "[]", &ack)) {
        mr_kit_ok(kit, MR_RULE_W26);
    }
    mr_talk_close(&steady);
    mr_talk_close(&offender);
    mr_talk_close(&later);
    mr_bytes_fini(&frame);
    mr_bytes_fini(&script);
}

// The end must come well before the second after which everything is closed anyway. A busy machine
// may be late, thrice in a row it is not.
static void error_shutdown(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W29);
    if (shared == NULL) {
        return;
    }
    struct mr_bytes script = {0};
    add_offence(&script, 0, 1);
    uint64_t took_ns = UINT64_MAX;
    for (int attempt = 0; attempt < 3 && took_ns > 700 * MR_NS_PER_MS; attempt++) {
        struct mr_talk talk;
        struct mr_reply reply;
        unsigned before;
        bool going = mr_talk_open(&talk, kit, MR_RULE_W29, shared) &&
                     mr_talk_send(&talk, &script) && until_error(&talk, &before, &reply);
        uint64_t error_ns = mr_conform_now_ns();
        going = going && mr_talk_end(&talk);
        took_ns = mr_conform_now_ns() - error_ns;
        mr_talk_close(&talk);
        if (!going) {
            mr_bytes_fini(&script);
            return;
        }
    }
    if (took_ns > 700 * MR_NS_PER_MS) {
        mr_kit_fail(kit, MR_RULE_W29, "the end of the connection right behind ERROR", "after %u ms",
                    (unsigned)(took_ns / MR_NS_PER_MS));
    }
    mr_kit_ok(kit, MR_RULE_W29);
    mr_bytes_fini(&script);
}

// Behind the ERROR come whole batches, more than the kernel takes for a sleeper. They are taken,
// not answered and not counted.
static bool discard_once(struct mr_talk *talk, struct mr_talk *asking,
                         const struct mr_bytes *offence, const struct mr_bytes *more)
{
    struct mr_reply reply;
    struct mr_stats_seen before;
    struct mr_stats_seen after;
    unsigned frames;
    if (!mr_talk_stats(asking, &before) || !mr_talk_send(talk, offence) ||
        !until_error(talk, &frames, &reply) || !mr_talk_send(talk, more)) {
        return false;
    }
    mr_link_half_close(&talk->link);
    enum mr_got got = mr_link_next(&talk->link, &reply, mr_kit_deadline(talk->kit));
    if (got != MR_GOT_END) {
        return mr_talk_fail(talk, "no reply behind ERROR, then the end", "%s", mr_got_text(got));
    }
    return mr_talk_stats(asking, &after) &&
           (after.totals.batches_accepted == before.totals.batches_accepted ||
            mr_talk_fail(talk, "batches behind an ERROR are thrown away", "they are counted"));
}

static void error_discards(struct mr_kit *kit)
{
    struct mr_bytes offence = {0};
    struct mr_bytes more = {0};
    struct mr_bytes payload = {0};
    add_offence(&offence, 0, 1);
    mr_bytes_text(&payload, "[]");
    mr_bytes_fill(&payload, ' ', 65534);
    for (unsigned i = 0; i < 96; i++) {
        mr_add_frame(&more, MR_FRAME_BATCH, i, payload.bytes, payload.length);
    }
    struct mr_finding *finding = &kit->finding[kit->mode][MR_RULE_W30];
    for (int attempt = 0; attempt < 3 && finding->outcome == MR_OUTCOME_NONE; attempt++) {
        struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W30);
        if (shared == NULL) {
            break;
        }
        struct mr_talk talk;
        struct mr_talk asking = {.link = {.fd = -1}};
        bool open = mr_talk_open(&talk, kit, MR_RULE_W30, shared) &&
                    mr_talk_open(&asking, kit, MR_RULE_W30, shared);
        uint64_t begin_ns = mr_conform_now_ns();
        if (open && discard_once(&talk, &asking, &offence, &more)) {
            mr_kit_ok(kit, MR_RULE_W30);
        } else if (mr_conform_now_ns() - begin_ns > 800 * MR_NS_PER_MS && attempt < 2) {
            finding->outcome = MR_OUTCOME_NONE; // so late that closing was right
        }
        mr_talk_close(&talk);
        mr_talk_close(&asking);
    }
    mr_bytes_fini(&offence);
    mr_bytes_fini(&more);
    mr_bytes_fini(&payload);
}

const struct mr_procedure mr_procedures_errors[] = {
    {hello_payload, MR_PHASE_WIRE, false, 2, {MR_RULE_W20, MR_RULE_NONE}},
    {stats_payload, MR_PHASE_WIRE, false, 2, {MR_RULE_W21, MR_RULE_NONE}},
    {kept_payload, MR_PHASE_WIRE, false, 2, {MR_RULE_W22, MR_RULE_NONE}},
    {type_unknown, MR_PHASE_WIRE, false, 4, {MR_RULE_W23, MR_RULE_NONE}},
    {version_other, MR_PHASE_WIRE, false, 2, {MR_RULE_W24, MR_RULE_NONE}},
    {reserved_nonzero, MR_PHASE_WIRE, false, 2, {MR_RULE_W25, MR_RULE_NONE}},
    {error_frame, MR_PHASE_WIRE, false, 2, {MR_RULE_W19, MR_RULE_W27, MR_RULE_W28, MR_RULE_NONE}},
    {error_others, MR_PHASE_WIRE, false, 2, {MR_RULE_W26, MR_RULE_NONE}},
    {error_shutdown, MR_PHASE_WIRE, false, 2, {MR_RULE_W29, MR_RULE_NONE}},
    {error_discards, MR_PHASE_WIRE, false, 10, {MR_RULE_W30, MR_RULE_NONE}},
    {.run = NULL},
};
