// check_unsent.c: a client that asks and does not read: the server stops reading it, serves the
// others, and goes on when its replies are taken (W37 to W39). Meanwhile a connection behind an
// ERROR waits to be closed (W31).
#include "conform_checks.h"
#include "conform_clock.h"
#include "conform_talk.h"
#include "error_closing.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of one unit: a batch, by which others see how far the server is, and STATS, which are answered at
// length.
#define STATS_A_UNIT 3
// Set, so that the kernel does not let it grow; more than a segment of the loopback, so that the
// window opens at once when we read, and not by the sender's probes.
#define RECEIVE_BYTES 262144
#define STEADY_NS     (300 * MR_NS_PER_MS) // no progress for so long: it has stopped
#define LOOK_NS       (20 * MR_NS_PER_MS)

// What the kernel may hold of one connection's unsent replies: the last number of tcp_wmem.
static uint64_t kernel_unsent_bytes(void)
{
    char line[128] = "";
    FILE *file = fopen("/proc/sys/net/ipv4/tcp_wmem", "re");
    if (file != NULL) {
        if (fgets(line, sizeof line, file) == NULL) {
            line[0] = '\0';
        }
        (void)fclose(file);
    }
    const char *last = strrchr(line, '\t');
    uint64_t bytes = last == NULL ? 0 : strtoull(last, NULL, 10);
    return bytes > 0 ? bytes : 4u << 20;
}

struct unread {
    struct mr_talk greedy; // asks and does not read
    struct mr_talk steady; // looks how far the server is
    struct mr_bytes script;
    size_t sent;
    uint64_t units;
    uint64_t base; // batches accepted before
    uint64_t own;  // batches of `steady`
};

// Enough units for replies of twice what may be unsent.
static bool make_script(struct unread *unread)
{
    struct mr_reply reply;
    struct mr_talk *steady = &unread->steady;
    struct mr_stats_seen seen;
    if (!mr_talk_stats(steady, &seen) || !mr_talk_request(steady, MR_FRAME_STATS, NULL, 0) ||
        !mr_talk_frame(steady, "STATS_REPLY", &reply)) {
        return false;
    }
    unread->base = seen.totals.batches_accepted;
    uint64_t unit_bytes = 48 + STATS_A_UNIT * (16 + (uint64_t)reply.head.payload_bytes);
    unread->units = 2 * (kernel_unsent_bytes() + MR_UNSENT_REPLY_BYTES_LIMIT) / unit_bytes + 1;
    for (uint64_t i = 0; i < unread->units; i++) {
        mr_add_frame(&unread->script, MR_FRAME_BATCH, i, "[]", 2);
        for (int j = 0; j < STATS_A_UNIT; j++) {
            mr_add_frame(&unread->script, MR_FRAME_STATS, i, NULL, 0);
        }
    }
    return true;
}

// How many units the server has taken, as another connection sees it.
static bool look(struct unread *unread, uint64_t *done_out)
{
    struct mr_stats_seen seen;
    struct mr_ack ack;
    if (!mr_talk_batch_text(&unread->steady, "[]", &ack) ||
        !mr_talk_stats(&unread->steady, &seen)) {
        return false;
    }
    unread->own++;
    *done_out = seen.totals.batches_accepted - unread->base - unread->own;
    return true;
}

// Pushes requests until the server makes no more progress. False when the other connection was not
// served meanwhile (W38 has failed) or the kit is over.
static bool push_until_steady(struct unread *unread, uint64_t *done_out)
{
    uint64_t progress_ns = mr_conform_now_ns();
    uint64_t before = UINT64_MAX;
    *done_out = 0;
    while (mr_conform_now_ns() - progress_ns < STEADY_NS && *done_out < unread->units) {
        ssize_t pushed = 1;
        while (pushed > 0 && unread->sent < unread->script.length) {
            pushed = mr_link_push(&unread->greedy.link, unread->script.bytes + unread->sent,
                                  unread->script.length - unread->sent);
            unread->sent += pushed > 0 ? (size_t)pushed : 0;
        }
        if (pushed < 0) {
            return mr_talk_fail(&unread->greedy, "the connection stays", "the server closes it");
        }
        if (!look(unread, done_out) || mr_kit_over(unread->steady.kit)) {
            return false;
        }
        progress_ns = *done_out == before ? progress_ns : mr_conform_now_ns();
        before = *done_out;
        mr_clock_sleep_until(mr_clock_ns() + LOOK_NS);
    }
    return true;
}

// Sends what is left and reads every reply.
static bool read_everything(struct unread *unread)
{
    struct mr_bytes rest = {.bytes = unread->script.bytes + unread->sent,
                            .length = unread->script.length - unread->sent};
    if (!mr_talk_send(&unread->greedy, &rest)) {
        return false;
    }
    uint64_t replies = unread->units * (1 + STATS_A_UNIT);
    for (uint64_t i = 0; i < replies; i++) {
        struct mr_reply reply;
        char expected[64];
        (void)snprintf(expected, sizeof expected, "%" PRIu64 " replies, now number %" PRIu64,
                       replies, i + 1);
        if (!mr_talk_frame(&unread->greedy, expected, &reply)) {
            return false;
        }
        if (reply.head.type == MR_FRAME_ERROR) {
            return mr_talk_fail(&unread->greedy, expected, "ERROR");
        }
    }
    return true;
}

static void unsent(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W37);
    if (shared == NULL) {
        return;
    }
    struct unread unread = {.greedy = {.link = {.fd = -1}}, .steady = {.link = {.fd = -1}}};
    struct mr_reply reply;
    uint64_t done = 0;
    if (mr_talk_open(&unread.steady, kit, MR_RULE_W38, shared) && make_script(&unread) &&
        mr_talk_open_bare(&unread.greedy, kit, MR_RULE_W37, shared, RECEIVE_BYTES) &&
        mr_talk_request(&unread.greedy, MR_FRAME_HELLO, NULL, 0) &&
        mr_talk_frame(&unread.greedy, "a reply to HELLO", &reply) &&
        push_until_steady(&unread, &done)) {
        mr_kit_ok(kit, MR_RULE_W38);
        if (done >= unread.units) {
            (void)mr_talk_fail(&unread.greedy, "reading stops with 1 MiB of unsent replies",
                               "all of %" PRIu64 " requests are read, %" PRIu64
                               " MiB of replies are unsent",
                               unread.units * (1 + STATS_A_UNIT),
                               2 * (kernel_unsent_bytes() + MR_UNSENT_REPLY_BYTES_LIMIT) >> 20);
        }
        mr_kit_ok(kit, MR_RULE_W37);
        unread.greedy.rule = MR_RULE_W39;
        if (read_everything(&unread)) {
            mr_kit_ok(kit, MR_RULE_W39);
        }
    }
    mr_talk_close(&unread.greedy);
    mr_talk_close(&unread.steady);
    mr_bytes_fini(&unread.script);
}

static void slow(struct mr_kit *kit)
{
    struct mr_error_closing closing;
    mr_error_closing_begin(&closing, kit);
    if (mr_kit_wants(kit, MR_RULE_W37) || mr_kit_wants(kit, MR_RULE_W38) ||
        mr_kit_wants(kit, MR_RULE_W39)) {
        unsent(kit);
    }
    mr_error_closing_end(&closing);
}

const struct mr_procedure mr_procedures_unsent[] = {
    {slow,
     MR_PHASE_WIRE,
     false,
     1100,
     {MR_RULE_W31, MR_RULE_W37, MR_RULE_W38, MR_RULE_W39, MR_RULE_NONE}},
    {.run = NULL},
};
