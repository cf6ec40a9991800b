// check_frames.c: headers, limits, sequences, HELLO, the answer to a batch (W1 to W3, W5 to W7, W10
// to W13, W47).
#define _GNU_SOURCE
#include "conform_checks.h"
#include "conform_made.h"
#include "conform_talk.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define LIMIT_TEXT  "4096"
#define LIMIT_BYTES 4096u

static const uint8_t request_types[4] = {MR_FRAME_HELLO, MR_FRAME_BATCH, MR_FRAME_STATS,
                                         MR_FRAME_KEPT};
static const uint8_t reply_types[4] = {MR_FRAME_WELCOME, MR_FRAME_ACK, MR_FRAME_STATS_REPLY,
                                       MR_FRAME_KEPT_REPLY};

static bool judge_head(struct mr_talk *talk, const struct mr_reply *reply, uint8_t type)
{
    char expected[80];
    (void)snprintf(expected, sizeof expected, "%s: type 0x%02x, version 1, reserved 0",
                   mr_frame_name(type), type);
    return (reply->head.type == type && reply->head.version == MR_WIRE_VERSION &&
            reply->head.reserved == 0) ||
           mr_talk_fail(talk, expected, "type 0x%02x, version %u, reserved %u", reply->head.type,
                        reply->head.version, reply->head.reserved);
}

static void frame_head(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W1);
    if (shared == NULL) {
        return;
    }
    struct mr_talk talk;
    struct mr_reply reply;
    bool going = mr_talk_open_bare(&talk, kit, MR_RULE_W1, shared, 0);
    for (size_t i = 0; i < 4 && going; i++) {
        const char *payload = request_types[i] == MR_FRAME_BATCH ? "[]" : "";
        going = mr_talk_request(&talk, request_types[i], payload, strlen(payload)) &&
                mr_talk_frame(&talk, "a reply", &reply) &&
                judge_head(&talk, &reply, reply_types[i]);
    }
    if (going && mr_talk_request(&talk, 0x7E, NULL, 0) && mr_talk_frame(&talk, "a reply", &reply) &&
        judge_head(&talk, &reply, MR_FRAME_ERROR)) {
        mr_kit_ok(kit, MR_RULE_W1);
    }
    mr_talk_close(&talk);
}

// A server with a small limit: exactly the limit is taken (W2); one byte more is an ERROR as soon
// as the header is there (W3).
static void payload_limit(struct mr_kit *kit)
{
    static const char *const options[] = {"--max-payload", LIMIT_TEXT, NULL};
    struct mr_subject subject;
    if (!mr_kit_serve(kit, MR_RULE_W2, options, &subject)) {
        return;
    }
    struct mr_bytes payload = {0};
    mr_bytes_text(&payload, "[]");
    mr_bytes_fill(&payload, ' ', LIMIT_BYTES - 2);
    struct mr_talk talk;
    struct mr_reply reply;
    if (mr_talk_open(&talk, kit, MR_RULE_W2, &subject) &&
        mr_talk_request(&talk, MR_FRAME_BATCH, payload.bytes, payload.length) &&
        mr_talk_expect(&talk, MR_FRAME_ACK, &reply)) {
        mr_kit_ok(kit, MR_RULE_W2);
    }
    mr_talk_close(&talk);
    mr_bytes_fini(&payload);
    struct mr_frame_head head = {.payload_bytes = LIMIT_BYTES + 1,
                                 .type = MR_FRAME_BATCH,
                                 .version = MR_WIRE_VERSION,
                                 .sequence = 9};
    struct mr_bytes script = {0};
    mr_add_head(&script, &head);
    if (mr_talk_open(&talk, kit, MR_RULE_W3, &subject) && mr_talk_send(&talk, &script) &&
        mr_talk_expect(&talk, MR_FRAME_ERROR, &reply)) {
        mr_kit_ok(kit, MR_RULE_W3);
    }
    mr_talk_close(&talk);
    mr_bytes_fini(&script);
    mr_kit_stop(kit, &subject);
}

// Each request once with that sequence, on a connection of its own (a second HELLO is W7's).
static bool sequence_once(struct mr_kit *kit, const struct mr_subject *shared, uint64_t sequence)
{
    struct mr_talk talk;
    bool going = mr_talk_open_bare(&talk, kit, MR_RULE_W5, shared, 0);
    for (size_t i = 0; i < 4 && going; i++) {
        struct mr_reply reply;
        talk.sequence = sequence;
        going = mr_talk_request(&talk, request_types[i], "[]",
                                request_types[i] == MR_FRAME_BATCH ? 2 : 0) &&
                mr_talk_frame(&talk, "a reply", &reply);
        if (going && reply.head.sequence != sequence) {
            char expected[80];
            (void)snprintf(expected, sizeof expected, "%s: sequence %" PRIu64,
                           mr_frame_name(request_types[i]), sequence);
            going = mr_talk_fail(&talk, expected, "sequence %" PRIu64, reply.head.sequence);
        }
    }
    mr_talk_close(&talk);
    return going;
}

static void sequences(struct mr_kit *kit)
{
    static const uint64_t chosen[] = {0,          1, UINT64_MAX, 1ull << 63,         0xFFFFFFFFu,
                                      1ull << 32, 5, 5,          0x0123456789ABCDEFu};
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W5);
    bool going = shared != NULL;
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0] && going; i++) {
        going = sequence_once(kit, shared, chosen[i]);
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_W5);
    }
}

// Each request but HELLO as the first one of a connection.
static void hello_optional(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W6);
    if (shared == NULL) {
        return;
    }
    bool going = true;
    for (size_t i = 1; i < 4 && going; i++) {
        struct mr_talk talk;
        struct mr_reply reply;
        going = mr_talk_open_bare(&talk, kit, MR_RULE_W6, shared, 0) &&
                mr_talk_request(&talk, request_types[i], "[]", i == 1 ? 2 : 0) &&
                mr_talk_expect(&talk, reply_types[i], &reply);
        mr_talk_close(&talk);
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_W6);
    }
}

static void hello_any_time(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W7);
    if (shared == NULL) {
        return;
    }
    static const uint8_t types[] = {MR_FRAME_BATCH, MR_FRAME_HELLO, MR_FRAME_HELLO, MR_FRAME_STATS,
                                    MR_FRAME_HELLO, MR_FRAME_BATCH, MR_FRAME_HELLO};
    struct mr_bytes script = {0};
    for (size_t i = 0; i < sizeof types; i++) {
        mr_add_frame(&script, types[i], i, "[]", types[i] == MR_FRAME_BATCH ? 2 : 0);
    }
    struct mr_talk talk;
    unsigned welcomes = 0;
    bool going = mr_talk_open(&talk, kit, MR_RULE_W7, shared) && mr_talk_send(&talk, &script);
    for (size_t i = 0; i < sizeof types && going; i++) {
        struct mr_reply reply;
        going = mr_talk_frame(&talk, "seven replies, four of them WELCOME", &reply);
        welcomes += going && reply.head.type == MR_FRAME_WELCOME;
    }
    if (going && welcomes != 4) {
        going = mr_talk_fail(&talk, "seven replies, four of them WELCOME", "%u WELCOME", welcomes);
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_W7);
    }
    mr_talk_close(&talk);
    mr_bytes_fini(&script);
}

static void batch_empty(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W10);
    if (shared == NULL) {
        return;
    }
    struct mr_talk talk;
    struct mr_ack ack;
    bool drain = kit->mode == MR_MODE_DRAIN;
    bool going =
        mr_talk_open(&talk, kit, MR_RULE_W10, shared) && mr_talk_batch(&talk, NULL, 0, &ack);
    if (going && (ack.status == 0) != drain) {
        going = mr_talk_fail(&talk, drain ? "status 0" : "status 1", "status %" PRIu32, ack.status);
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_W10);
    }
    mr_talk_close(&talk);
}

static bool judge_ack_bytes(struct mr_talk *talk, const struct mr_reply *reply, const char *which)
{
    return reply->head.payload_bytes == MR_ACK_BYTES ||
           mr_talk_fail(talk, "32 bytes", "%s: %" PRIu32 " bytes", which,
                        reply->head.payload_bytes);
}

static void judge_accepted(struct mr_talk *talk, const struct mr_ack *ack)
{
    talk->rule = MR_RULE_W12;
    if (ack->error == 0 && ack->error_record == 0 && ack->error_offset == 0) {
        mr_kit_ok(talk->kit, talk->rule);
    } else {
        (void)mr_talk_fail(talk, "error code 0, record 0, offset 0",
                           "%" PRIu32 ", %" PRIu32 ", %" PRIu64, ack->error, ack->error_record,
                           ack->error_offset);
    }
}

static void judge_rejected(struct mr_talk *talk, const struct mr_ack *ack)
{
    talk->rule = MR_RULE_W13;
    if (ack->status == 1 && ack->records == 0 && ack->digest == 0) {
        mr_kit_ok(talk->kit, talk->rule);
    } else {
        (void)mr_talk_fail(talk, "status 1, records 0, digest 0",
                           "%" PRIu32 ", %" PRIu32 ", %016" PRIx64, ack->status, ack->records,
                           ack->digest);
    }
}

static void acks(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W11);
    if (shared == NULL) {
        return;
    }
    struct mr_made made = {0};
    mr_made_plain(&made, 50, 3);
    struct mr_talk talk;
    struct mr_reply reply;
    bool going = mr_talk_open(&talk, kit, MR_RULE_W11, shared) &&
                 mr_talk_request(&talk, MR_FRAME_BATCH, made.json.bytes, made.json.length) &&
                 mr_talk_frame(&talk, "ACK", &reply);
    bool sized = going && judge_ack_bytes(&talk, &reply, "accepted");
    struct mr_ack accepted = going ? mr_reply_ack(&reply) : (struct mr_ack){0};
    // Two good records, then a fault: what was read until then may not show.
    going = going &&
            mr_talk_request(&talk, MR_FRAME_BATCH, made.json.bytes, made.json.length - 20) &&
            mr_talk_frame(&talk, "ACK", &reply);
    if (going && sized && judge_ack_bytes(&talk, &reply, "rejected")) {
        mr_kit_ok(kit, MR_RULE_W11);
    }
    if (going) {
        struct mr_ack rejected = mr_reply_ack(&reply);
        judge_accepted(&talk, &accepted);
        if (kit->mode != MR_MODE_DRAIN) {
            judge_rejected(&talk, &rejected);
        }
    }
    mr_talk_close(&talk);
    mr_made_fini(&made);
}

static bool is_peer(int fd, const struct sockaddr_in *ours)
{
    struct sockaddr_in peer = {0};
    socklen_t length = sizeof peer;
    return getpeername(fd, (struct sockaddr *)&peer, &length) == 0 &&
           peer.sin_port == ours->sin_port && peer.sin_addr.s_addr == ours->sin_addr.s_addr;
}

// The server's end of our connection, as a descriptor of ours; a negative errno when it cannot be
// had, -ENOENT when it is not among the program's.
static int borrow_socket(const struct mr_subject *subject, const struct mr_link *link)
{
    struct sockaddr_in ours = {0};
    socklen_t length = sizeof ours;
    char path[40];
    (void)snprintf(path, sizeof path, "/proc/%d/fd", (int)subject->process.pid);
    if (getsockname(link->fd, (struct sockaddr *)&ours, &length) != 0) {
        return -errno;
    }
    DIR *folder = opendir(path);
    if (folder == NULL) {
        return -errno;
    }
    int found = -ENOENT;
    for (struct dirent *entry; found < 0 && (entry = readdir(folder)) != NULL;) {
        char *end;
        long number = strtol(entry->d_name, &end, 10);
        if (*end != '\0') {
            continue;
        }
        int fd = pidfd_getfd(subject->process.pid_fd, (int)number, 0);
        if (fd < 0) {
            found = errno == EBADF ? found : -errno; // it may have been closed meanwhile
        } else if (is_peer(fd, &ours)) {
            found = fd;
        } else {
            (void)close(fd);
        }
    }
    (void)closedir(folder);
    return found;
}

static void no_delay(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W47);
    if (shared == NULL) {
        return;
    }
    struct mr_talk talk;
    if (mr_talk_open(&talk, kit, MR_RULE_W47, shared)) {
        int fd = borrow_socket(shared, &talk.link);
        int on = 0;
        socklen_t length = sizeof on;
        if (fd < 0) {
            char why[MR_FINDING_BYTES];
            (void)snprintf(why, sizeof why, "the server's socket cannot be looked at: %s",
                           fd == -ENOENT ? "it is another process's" : strerror(-fd));
            mr_kit_skip(kit, MR_RULE_W47, why);
        } else if (getsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, &length) != 0 || on == 0) {
            (void)mr_talk_fail(&talk, "TCP_NODELAY on the server's socket", "it is off");
        } else {
            mr_kit_ok(kit, MR_RULE_W47);
        }
        if (fd >= 0) {
            (void)close(fd);
        }
    }
    mr_talk_close(&talk);
}

const struct mr_procedure mr_procedures_frames[] = {
    {frame_head, MR_PHASE_WIRE, false, 2, {MR_RULE_W1, MR_RULE_NONE}},
    {payload_limit, MR_PHASE_WIRE, false, 20, {MR_RULE_W2, MR_RULE_W3, MR_RULE_NONE}},
    {sequences, MR_PHASE_WIRE, false, 2, {MR_RULE_W5, MR_RULE_NONE}},
    {hello_optional, MR_PHASE_WIRE, false, 2, {MR_RULE_W6, MR_RULE_NONE}},
    {hello_any_time, MR_PHASE_WIRE, false, 2, {MR_RULE_W7, MR_RULE_NONE}},
    {batch_empty, MR_PHASE_WIRE, false, 2, {MR_RULE_W10, MR_RULE_NONE}},
    {acks, MR_PHASE_WIRE, false, 2, {MR_RULE_W11, MR_RULE_W12, MR_RULE_W13, MR_RULE_NONE}},
    {no_delay, MR_PHASE_WIRE, false, 2, {MR_RULE_W47, MR_RULE_NONE}},
    {.run = NULL},
};
