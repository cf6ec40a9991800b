// check_connections.c: many connections, the limit of their number, the limit of descriptors (W44
// to W46, C8).
#include "conform_checks.h"
#include "conform_clock.h"
#include "conform_talk.h"

#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MANY       1024u
#define OVER_LIMIT 4u
#define FEW        100u // more than the soft limit that the contestant is started with
#define SOFT_LIMIT 64u

// Opens `count` connections, sends a batch on each, reads each answer while all are open.
static bool serve_at_once(struct mr_kit *kit, enum mr_rule rule, const struct mr_subject *subject,
                          size_t count)
{
    struct mr_talk *talks = mr_kit_realloc(NULL, count * sizeof *talks);
    struct mr_reply reply;
    bool going = true;
    for (size_t i = 0; i < count; i++) {
        talks[i] = (struct mr_talk){.link = {.fd = -1}};
        going = going && mr_talk_open(&talks[i], kit, rule, subject);
    }
    for (size_t i = 0; i < count && going; i++) {
        going = mr_talk_request(&talks[i], MR_FRAME_BATCH, "[]", 2);
    }
    for (size_t i = 0; i < count && going; i++) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "ACK on each of %zu connections", count);
        going = mr_talk_frame(&talks[i], expected, &reply) &&
                (reply.head.type == MR_FRAME_ACK ||
                 mr_talk_fail(&talks[i], expected, "%s on connection %zu",
                              mr_frame_name(reply.head.type), i + 1));
    }
    for (size_t i = 0; i < count; i++) {
        mr_talk_close(&talks[i]);
    }
    free(talks);
    return going;
}

static void many(struct mr_kit *kit)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur < MANY + 64) {
        mr_kit_skip(kit, MR_RULE_W44, "the limit of descriptors here is below 1,088 (ulimit -Hn)");
        return;
    }
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W44);
    if (shared != NULL && serve_at_once(kit, MR_RULE_W44, shared, MANY)) {
        mr_kit_ok(kit, MR_RULE_W44);
    }
}

// The first connection beyond the limit: ERROR (W45), then the end (W46).
static bool judge_over(struct mr_kit *kit, const struct mr_subject *subject)
{
    struct mr_talk talk;
    struct mr_reply reply;
    bool going = mr_talk_open_bare(&talk, kit, MR_RULE_W45, subject, 0) &&
                 mr_talk_expect(&talk, MR_FRAME_ERROR, &reply);
    if (going) {
        mr_kit_ok(kit, MR_RULE_W45);
        talk.rule = MR_RULE_W46;
        going = mr_talk_end(&talk);
    }
    mr_talk_close(&talk);
    return going;
}

// A place that became free is taken by a new connection, within a second.
static void judge_free_place(struct mr_kit *kit, const struct mr_subject *subject)
{
    uint64_t deadline_ns = mr_conform_now_ns() + 2 * MR_NS_PER_S;
    bool served = false;
    while (!served && mr_conform_now_ns() < deadline_ns && !mr_kit_over(kit)) {
        struct mr_talk talk;
        struct mr_reply reply;
        if (!mr_talk_open_bare(&talk, kit, MR_RULE_W46, subject, 0) ||
            !mr_talk_request(&talk, MR_FRAME_HELLO, NULL, 0)) {
            mr_talk_close(&talk);
            return;
        }
        enum mr_got got = mr_link_next(&talk.link, &reply, mr_kit_deadline(kit));
        served = got == MR_GOT_FRAME && reply.head.type == MR_FRAME_WELCOME;
        mr_talk_close(&talk);
        mr_clock_sleep_until(mr_clock_ns() + (served ? 0 : 20 * MR_NS_PER_MS));
    }
    if (!served) {
        mr_kit_fail(kit, MR_RULE_W46, "a free place is used again", "the connection is refused");
    }
    mr_kit_ok(kit, MR_RULE_W46);
}

static void limited(struct mr_kit *kit)
{
    static const char *const options[] = {"--max-connections", "4", NULL};
    struct mr_subject subject;
    if (!mr_kit_serve(kit, MR_RULE_W45, options, &subject)) {
        return;
    }
    struct mr_talk talks[OVER_LIMIT];
    bool going = true;
    for (size_t i = 0; i < OVER_LIMIT; i++) {
        talks[i] = (struct mr_talk){.link = {.fd = -1}};
        going = going && mr_talk_open(&talks[i], kit, MR_RULE_W45, &subject);
    }
    going = going && judge_over(kit, &subject);
    mr_talk_close(&talks[0]);
    if (going) {
        judge_free_place(kit, &subject);
    }
    for (size_t i = 1; i < OVER_LIMIT; i++) {
        mr_talk_close(&talks[i]);
    }
    mr_kit_stop(kit, &subject);
}

// Started with a soft limit of 64 descriptors, it must serve 100 connections.
static void descriptors(struct mr_kit *kit)
{
    static const char *const no_options[] = {NULL};
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max < 2 * FEW + 64) {
        mr_kit_skip(kit, MR_RULE_C8, "the hard limit of descriptors here is too low (ulimit -Hn)");
        return;
    }
    // The child takes our limit over; what is open here already stays open.
    struct rlimit low = {.rlim_cur = SOFT_LIMIT, .rlim_max = limit.rlim_max};
    struct mr_subject subject;
    if (setrlimit(RLIMIT_NOFILE, &low) != 0) {
        mr_kit_skip(kit, MR_RULE_C8, strerror(errno));
        return;
    }
    bool serves = mr_kit_serve(kit, MR_RULE_C8, no_options, &subject);
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
        mr_kit_skip(kit, MR_RULE_C8, strerror(errno));
    }
    if (!serves) {
        return;
    }
    if (serve_at_once(kit, MR_RULE_C8, &subject, FEW)) {
        mr_kit_ok(kit, MR_RULE_C8);
    }
    mr_kit_stop(kit, &subject);
}

const struct mr_procedure mr_procedures_connections[] = {
    {many, MR_PHASE_WIRE, false, 100, {MR_RULE_W44, MR_RULE_NONE}},
    {limited, MR_PHASE_WIRE, false, 30, {MR_RULE_W45, MR_RULE_W46, MR_RULE_NONE}},
    {descriptors, MR_PHASE_COMMAND, true, 30, {MR_RULE_C8, MR_RULE_NONE}},
    {.run = NULL},
};
