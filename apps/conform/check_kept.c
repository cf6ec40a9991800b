// check_kept.c: the ring of kept batches: rejected and empty batches, own copies, several
// connections, the limit, the end of a ring (M5 to M11).
#include "conform_checks.h"
#include "conform_clock.h"
#include "conform_made.h"
#include "conform_talk.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>

#define RING_ENDS_NS (1 * MR_NS_PER_S) // contract
#define TOLERANCE_NS (1 * MR_NS_PER_S) // for a busy machine
#define POLL_NS      (20 * MR_NS_PER_MS)

static bool take(struct mr_talk *talk, const void *json, size_t json_bytes)
{
    struct mr_ack ack;
    return mr_talk_batch(talk, json, json_bytes, &ack) &&
           (ack.status == 0 || mr_talk_fail(talk, "a valid batch is accepted", "it is rejected"));
}

// `count` batches of one record each.
static bool fill(struct mr_talk *talk, struct mr_made *made, uint64_t first, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        mr_made_plain(made, first + i, 1);
        if (!take(talk, made->json.bytes, made->json.length)) {
            return false;
        }
    }
    return true;
}

static bool judge_kept(struct mr_talk *talk, const struct mr_kept *got,
                       const struct mr_kept *wanted, const char *what)
{
    if (got->batches == wanted->batches && got->records == wanted->records &&
        got->digest == wanted->digest) {
        mr_kit_ok(talk->kit, talk->rule);
        return true;
    }
    char expected[MR_FINDING_BYTES];
    (void)snprintf(expected, sizeof expected,
                   "%s: %" PRIu64 " batches, %" PRIu64 " records, digest %016" PRIx64, what,
                   wanted->batches, wanted->records, wanted->digest);
    return mr_talk_fail(talk, expected, "%" PRIu64 " batches, %" PRIu64 " records, %016" PRIx64,
                        got->batches, got->records, got->digest);
}

// A full ring, then rejected batches, then empty ones. Everything is judged against what KEPT said
// before, so that a wrong count from the start is not found here. The caller closes the talk, so
// that the ring stays.
static void rejected_and_empty(struct mr_kit *kit, struct mr_subject *subject, struct mr_talk *talk)
{
    struct mr_made made = {0};
    struct mr_kept full;
    struct mr_kept kept;
    struct mr_ack ack;
    bool going = mr_talk_open(talk, kit, MR_RULE_M6, subject) &&
                 fill(talk, &made, 1000, MR_RING_PLACES) && mr_talk_kept(talk, &full);
    for (unsigned i = 0; i < 5 && going; i++) {
        going = mr_talk_batch_text(talk, "[{\"id\":1}]", &ack);
    }
    going = going && mr_talk_kept(talk, &kept) &&
            judge_kept(talk, &kept, &full, "after rejected batches");
    talk->rule = MR_RULE_M7;
    full = going ? kept : (struct mr_kept){0};
    for (unsigned i = 0; i < 10 && going; i++) {
        going = mr_talk_batch_text(talk, "[]", &ack);
    }
    if (going && mr_talk_kept(talk, &kept)) {
        struct mr_kept wanted = {full.batches, full.records - 10, kept.digest};
        (void)judge_kept(talk, &kept, &wanted, "ten empty batches took the oldest ten places");
    }
    mr_made_fini(&made);
}

// A short batch, then one that is long enough to run over every buffer that held the first.
static void own_copy(struct mr_kit *kit, struct mr_subject *subject)
{
    struct mr_made made = {0};
    struct mr_bytes spaces = {0};
    mr_bytes_text(&spaces, "[");
    mr_bytes_fill(&spaces, ' ', 2u << 20);
    mr_bytes_text(&spaces, "]");
    struct mr_talk talk;
    struct mr_kept before;
    struct mr_kept kept;
    bool going = mr_talk_open(&talk, kit, MR_RULE_M8, subject) && mr_talk_kept(&talk, &before) &&
                 fill(&talk, &made, 2000, 1) && take(&talk, spaces.bytes, spaces.length) &&
                 mr_talk_kept(&talk, &kept);
    if (going) {
        struct mr_kept wanted = {kept.batches, before.records + 1, before.digest + made.digest};
        (void)judge_kept(&talk, &kept, &wanted, "after 2 MiB of white space");
    }
    mr_talk_close(&talk);
    mr_bytes_fini(&spaces);
    mr_made_fini(&made);
}

// Waits until KEPT is `wanted` again.
static void judge_end(struct mr_talk *talk, const struct mr_kept *wanted)
{
    struct mr_kept kept;
    uint64_t ended_ns = mr_conform_now_ns();
    do {
        if (!mr_talk_kept(talk, &kept)) {
            return;
        }
        if (kept.batches == wanted->batches) {
            break;
        }
        mr_clock_sleep_until(mr_clock_ns() + POLL_NS);
    } while (mr_conform_now_ns() < ended_ns + RING_ENDS_NS + TOLERANCE_NS &&
             !mr_kit_over(talk->kit));
    (void)judge_kept(talk, &kept, wanted, "1 s after the connection's end");
}

// Two connections are kept, then one ends by closing and another by reset.
static void several(struct mr_kit *kit, struct mr_subject *subject)
{
    struct mr_made made = {0};
    struct mr_talk asking;
    struct mr_talk keeping[2] = {{.link = {.fd = -1}}, {.link = {.fd = -1}}};
    struct mr_kept before;
    struct mr_kept kept;
    bool going = mr_talk_open(&asking, kit, MR_RULE_M5, subject) && mr_talk_kept(&asking, &before);
    struct mr_kept wanted = going ? before : (struct mr_kept){0};
    for (unsigned i = 0; i < 2 && going; i++) {
        going = mr_talk_open(&keeping[i], kit, MR_RULE_M5, subject);
        for (uint64_t id = 1; id <= 3 && going; id++) {
            going = fill(&keeping[i], &made, 3000 + 10 * i + id, 1);
            wanted.batches++;
            wanted.records++;
            wanted.digest += made.digest;
        }
    }
    if (going && mr_talk_kept(&asking, &kept)) {
        (void)judge_kept(&asking, &kept, &wanted, "two connections with three batches each");
        asking.rule = MR_RULE_M11;
        mr_link_close(&keeping[0].link);
        mr_link_reset(&keeping[1].link);
        judge_end(&asking, &before);
    }
    mr_talk_close(&keeping[0]);
    mr_talk_close(&keeping[1]);
    mr_talk_close(&asking);
    mr_made_fini(&made);
}

static void ring(struct mr_kit *kit)
{
    static const char *const no_options[] = {NULL};
    struct mr_subject subject;
    if (!mr_kit_serve(kit, MR_RULE_M6, no_options, &subject)) {
        return;
    }
    several(kit, &subject);
    struct mr_talk full;
    rejected_and_empty(kit, &subject, &full);
    own_copy(kit, &subject);
    mr_talk_close(&full);
    mr_kit_stop(kit, &subject);
}

static void limit(struct mr_kit *kit)
{
    static const char *const options[] = {"--max-kept", "65536", NULL};
    struct mr_subject subject;
    if (!mr_kit_serve(kit, MR_RULE_M9, options, &subject)) {
        return;
    }
    struct mr_made made = {0};
    struct mr_talk talk;
    struct mr_reply reply = {.head = {.type = MR_FRAME_ACK}};
    bool going = mr_talk_open(&talk, kit, MR_RULE_M9, &subject);
    unsigned sent = 0;
    for (; sent < MR_RING_PLACES && going && reply.head.type == MR_FRAME_ACK; sent++) {
        mr_made_long(&made, sent, 1, MR_MESSAGE_BYTES_MAX);
        going = mr_talk_request(&talk, MR_FRAME_BATCH, made.json.bytes, made.json.length) &&
                mr_talk_frame(&talk, "ACK or ERROR", &reply);
    }
    if (going && reply.head.type != MR_FRAME_ERROR) {
        going = mr_talk_fail(&talk, "ERROR by the 17th batch of 4 KiB with --max-kept 65536",
                             "all 64 are acknowledged");
    } else if (going && (sent == 1 || sent > 17)) {
        going = mr_talk_fail(&talk, "ERROR between batch 2 and 17 of 4 KiB with --max-kept 65536",
                             "ERROR for batch %u", sent);
    }
    if (going && mr_talk_end(&talk)) {
        mr_kit_ok(kit, MR_RULE_M9);
    }
    mr_talk_close(&talk);
    mr_made_fini(&made);
    mr_kit_stop(kit, &subject);
}

#define LIMIT_EACH_LINKS 6

static void limit_each(struct mr_kit *kit)
{
    static const char *const options[] = {"--max-kept", "1048576", NULL};
    struct mr_subject subject;
    if (!mr_kit_serve(kit, MR_RULE_M10, options, &subject)) {
        return;
    }
    // 64 batches of 3,000 letters are less than 400 KiB in either encoding; six times they are more
    // than 1 MiB.
    struct mr_talk talks[LIMIT_EACH_LINKS];
    struct mr_made made = {0};
    bool going = true;
    for (size_t i = 0; i < LIMIT_EACH_LINKS; i++) {
        talks[i] = (struct mr_talk){.link = {.fd = -1}};
        going = going && mr_talk_open(&talks[i], kit, MR_RULE_M10, &subject);
        for (unsigned batch = 0; batch < MR_RING_PLACES && going; batch++) {
            struct mr_reply reply;
            mr_made_long(&made, batch, 1, 3000);
            going = mr_talk_request(&talks[i], MR_FRAME_BATCH, made.json.bytes, made.json.length) &&
                    mr_talk_expect(&talks[i], MR_FRAME_ACK, &reply);
        }
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_M10);
    }
    for (size_t i = 0; i < LIMIT_EACH_LINKS; i++) {
        mr_talk_close(&talks[i]);
    }
    mr_made_fini(&made);
    mr_kit_stop(kit, &subject);
}

const struct mr_procedure mr_procedures_kept[] = {
    {ring,
     MR_PHASE_KEPT,
     false,
     50,
     {MR_RULE_M5, MR_RULE_M6, MR_RULE_M7, MR_RULE_M8, MR_RULE_M11, MR_RULE_NONE}},
    {limit, MR_PHASE_KEPT, false, 20, {MR_RULE_M9, MR_RULE_NONE}},
    {limit_each, MR_PHASE_KEPT, false, 20, {MR_RULE_M10, MR_RULE_NONE}},
    {.run = NULL},
};
