// check_stats.c: when a STATS_REPLY is taken: all earlier requests of its own connection and none
// later, whole batches of others; the same with two threads (W34, W35, C7).
#include "conform_checks.h"
#include "conform_made.h"
#include "conform_talk.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>

#define PUMPS        4
#define PUMP_DEPTH   4   // batches in flight on each pumping connection
#define STATS_COUNT  150 // asked while they pump
#define PUMP_RECORDS 3

// Batches and STATS in one write: three, ask, two, ask, a rejected one, ask, one more.
static void stats_own(struct mr_kit *kit)
{
    static const char plan[] = "aaaSaaSrSa";
    static const uint64_t accepted[] = {3, 5, 5};
    static const uint64_t rejected[] = {0, 0, 1};
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W34);
    if (shared == NULL) {
        return;
    }
    struct mr_bytes script = {0};
    for (const char *step = plan; *step != '\0'; step++) {
        mr_add_frame(&script, *step == 'S' ? MR_FRAME_STATS : MR_FRAME_BATCH, 1,
                     *step == 'a' ? "[]" : "[1", *step == 'S' ? 0 : 2);
    }
    bool drain = kit->mode == MR_MODE_DRAIN;
    struct mr_talk talk;
    struct mr_stats_seen base;
    bool going = mr_talk_open(&talk, kit, MR_RULE_W34, shared) && mr_talk_stats(&talk, &base) &&
                 mr_talk_send(&talk, &script);
    unsigned asked = 0;
    for (unsigned i = 0; i < sizeof plan - 1 && going; i++) {
        struct mr_reply reply;
        struct mr_stats_seen seen;
        going = mr_talk_frame(&talk, "ten replies", &reply);
        if (!going || reply.head.type != MR_FRAME_STATS_REPLY || asked == 3) {
            continue;
        }
        uint64_t wanted = accepted[asked] + (drain ? rejected[asked] : 0);
        uint64_t wanted_rejected = drain ? 0 : rejected[asked];
        going = mr_stats_read(reply.payload, reply.head.payload_bytes, &seen) ||
                mr_talk_fail(&talk, "STATS_REPLY", "no JSON object");
        uint64_t got = seen.totals.batches_accepted - base.totals.batches_accepted;
        uint64_t got_rejected = seen.totals.batches_rejected - base.totals.batches_rejected;
        asked++;
        if (going && (got != wanted || got_rejected != wanted_rejected)) {
            char expected[80];
            (void)snprintf(expected, sizeof expected,
                           "STATS %u: %" PRIu64 " accepted, %" PRIu64 " rejected before it", asked,
                           wanted, wanted_rejected);
            going = mr_talk_fail(&talk, expected, "%" PRIu64 " and %" PRIu64, got, got_rejected);
        }
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_W34);
    }
    mr_talk_close(&talk);
    mr_bytes_fini(&script);
}

// Connections that keep a few equal batches in flight.
struct pumps {
    struct mr_talk talk[PUMPS];
    struct mr_made made;
    struct mr_bytes frame;
    unsigned flying[PUMPS];
    uint64_t answered;
    uint64_t wrong; // answers that are not the batch's
};

// Takes in answers and sends as many again, or waits for the last ones when `ending`.
static bool pump(struct pumps *pumps, bool ending)
{
    for (size_t i = 0; i < PUMPS; i++) {
        struct mr_talk *talk = &pumps->talk[i];
        struct mr_reply reply;
        mr_link_pull(&talk->link);
        while (pumps->flying[i] > 0 &&
               (ending ? mr_talk_frame(talk, "ACK", &reply)
                       : mr_link_ready(&talk->link, &reply) == MR_GOT_FRAME)) {
            struct mr_ack ack = mr_reply_ack(&reply);
            bool drain = talk->kit->mode == MR_MODE_DRAIN;
            pumps->flying[i]--;
            pumps->answered++;
            pumps->wrong += ack.status != 0 || ack.digest != (drain ? 0 : pumps->made.digest);
        }
        while (!ending && pumps->flying[i] < PUMP_DEPTH) {
            if (!mr_talk_send(talk, &pumps->frame)) {
                return false;
            }
            pumps->flying[i]++;
        }
        if (ending && pumps->flying[i] > 0) {
            return false;
        }
    }
    return true;
}

// Every total must be the number of batches times what one batch adds.
static bool judge_whole(struct mr_talk *talk, const struct mr_stats_seen *seen,
                        const struct mr_made *made)
{
    const struct mr_totals *totals = &seen->totals;
    uint64_t batches = totals->batches_accepted;
    bool drain = talk->kit->mode == MR_MODE_DRAIN;
    uint64_t records = drain ? 0 : batches * PUMP_RECORDS;
    uint64_t digest = drain ? 0 : batches * made->digest;
    uint64_t kinds = 0;
    for (size_t i = 0; i < MR_KIND_COUNT; i++) {
        kinds += totals->kinds[i];
    }
    bool whole = totals->payload_bytes == batches * made->json.length &&
                 totals->records == records && totals->digest == digest && kinds == records;
    if (whole) {
        return true;
    }
    char expected[MR_FINDING_BYTES];
    (void)snprintf(expected, sizeof expected,
                   "%" PRIu64 " batches: %" PRIu64 " records, %" PRIu64 " bytes, digest %016" PRIx64
                   ", kinds %" PRIu64,
                   batches, records, batches * made->json.length, digest, records);
    return mr_talk_fail(talk, expected, "%" PRIu64 ", %" PRIu64 ", %016" PRIx64 ", %" PRIu64,
                        totals->records, totals->payload_bytes, totals->digest, kinds);
}

static void judge_threads(struct mr_talk *asking, const struct pumps *pumps)
{
    struct mr_stats_seen last;
    asking->rule = MR_RULE_C7;
    if (!mr_talk_stats(asking, &last)) {
        return;
    }
    if (pumps->wrong > 0) {
        (void)mr_talk_fail(asking, "every answer right with --threads 2",
                           "%" PRIu64 " wrong of %" PRIu64, pumps->wrong, pumps->answered);
    } else if (last.totals.batches_accepted != pumps->answered) {
        (void)mr_talk_fail(asking, "the totals have every answered batch",
                           "%" PRIu64 " of %" PRIu64, last.totals.batches_accepted,
                           pumps->answered);
    } else {
        mr_kit_ok(asking->kit, MR_RULE_C7);
    }
}

static void ask_while_pumping(struct mr_talk *asking, struct pumps *pumps)
{
    uint64_t before = 0;
    bool going = pump(pumps, false);
    for (unsigned i = 0; i < STATS_COUNT && going; i++) {
        struct mr_stats_seen seen;
        going = mr_talk_stats(asking, &seen) && judge_whole(asking, &seen, &pumps->made);
        if (going && seen.totals.batches_accepted < before) {
            going =
                mr_talk_fail(asking, "totals that only grow", "%" PRIu64 " batches after %" PRIu64,
                             seen.totals.batches_accepted, before);
        }
        before = going ? seen.totals.batches_accepted : 0;
        going = going && pump(pumps, false);
    }
    if (going) {
        mr_kit_ok(asking->kit, MR_RULE_W35);
    }
    if (pump(pumps, true)) {
        judge_threads(asking, pumps);
    }
}

static void stats_others(struct mr_kit *kit)
{
    static const char *const options[] = {"--threads", "2", NULL};
    struct mr_subject subject;
    if (!mr_kit_serve(kit, MR_RULE_C7, options, &subject)) {
        return;
    }
    struct pumps pumps = {0};
    mr_made_plain(&pumps.made, 77, PUMP_RECORDS);
    mr_add_frame(&pumps.frame, MR_FRAME_BATCH, 1, pumps.made.json.bytes, pumps.made.json.length);
    struct mr_talk asking;
    bool going = mr_talk_open(&asking, kit, MR_RULE_W35, &subject);
    for (size_t i = 0; i < PUMPS; i++) {
        pumps.talk[i] = (struct mr_talk){.link = {.fd = -1}};
        going = going && mr_talk_open(&pumps.talk[i], kit, MR_RULE_C7, &subject);
    }
    if (going) {
        ask_while_pumping(&asking, &pumps);
    }
    for (size_t i = 0; i < PUMPS; i++) {
        mr_talk_close(&pumps.talk[i]);
    }
    mr_talk_close(&asking);
    mr_made_fini(&pumps.made);
    mr_bytes_fini(&pumps.frame);
    mr_kit_stop(kit, &subject);
}

const struct mr_procedure mr_procedures_stats[] = {
    {stats_own, MR_PHASE_WIRE, false, 2, {MR_RULE_W34, MR_RULE_NONE}},
    {stats_others, MR_PHASE_WIRE, false, 40, {MR_RULE_W35, MR_RULE_C7, MR_RULE_NONE}},
    {.run = NULL},
};
