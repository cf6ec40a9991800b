// check_cases.c: the cases by the wire: whole, byte by byte, in one write; totals and KEPT after
// them (B1 to B3, N1, N2, M1 to M5), and that nothing is learnt from them (C15).
#define _GNU_SOURCE
#include "case_run.h"
#include "conform_checks.h"
#include "conform_clock.h"
#include "conform_made.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES      32 // connections of the byte-by-byte run
#define PULL_EVERY 64 // rounds of one piece between two looks for replies

// Of a frame so many bytes at its start and at its end go one at a time. What lies between, in the
// few long cases that are two thirds of all bytes, goes in pieces whose ends fall on every place of
// a vector.
#define EDGE_BYTES  256
#define PIECE_BYTES 61

static const char *const no_options[] = {NULL};

// Sends the file's cases that are declared as gaps; each must be answered otherwise than is right.
static void gaps(struct mr_talk *talk, enum mr_rule rule, const struct mr_case_file *file)
{
    talk->rule = rule;
    bool going = talk->kit->mode != MR_MODE_DRAIN;
    for (size_t i = 0; i < file->count && going; i++) {
        struct mr_ack ack;
        if (!file->cases[i].gap) {
            continue;
        }
        going = mr_talk_batch(talk, file->cases[i].payload, file->cases[i].payload_bytes, &ack);
        if (going) {
            mr_judge_gap(talk, &file->cases[i], &ack);
        }
    }
}

static void whole(struct mr_kit *kit)
{
    for (size_t file = 0; file < MR_CASE_FILES && !mr_kit_over(kit); file++) {
        enum mr_rule rule = mr_answers_rule(kit, MR_RULE_B1);
        struct mr_subject subject;
        if (!mr_kit_serve(kit, rule, no_options, &subject)) {
            return;
        }
        struct mr_case_run run = mr_case_run_choose(kit, file, file, 1);
        struct mr_talk talk;
        bool going = mr_talk_open(&talk, kit, rule, &subject);
        for (size_t i = 0; i < run.count && going; i++) {
            struct mr_ack ack;
            going = mr_talk_batch(&talk, run.cases[i]->payload, run.cases[i]->payload_bytes, &ack);
            if (going) {
                mr_judge_answer(&talk, run.cases[i], &ack);
            }
        }
        if (going) {
            mr_judge_end(&talk, &run, 1);
            gaps(&talk, rule, &kit->cases->file[file]);
        }
        mr_talk_close(&talk);
        mr_kit_stop(kit, &subject);
        mr_case_run_fini(&run);
    }
}

// Reads and judges the answers to every `stride`-th case from `first` on.
static bool read_answers(struct mr_talk *talk, const struct mr_case_run *run, size_t first,
                         size_t stride)
{
    struct mr_reply reply;
    for (size_t i = first; i < run->count; i += stride) {
        if (!mr_talk_expect(talk, MR_FRAME_ACK, &reply)) {
            return false;
        }
        struct mr_ack ack = mr_reply_ack(&reply);
        mr_judge_answer(talk, run->cases[i], &ack);
    }
    return true;
}

static void burst(struct mr_kit *kit)
{
    enum mr_rule rule = mr_answers_rule(kit, MR_RULE_B3);
    struct mr_subject subject;
    if (!mr_kit_serve(kit, rule, no_options, &subject)) {
        return;
    }
    struct mr_case_run run = mr_case_run_choose(kit, 0, MR_CASE_FILES - 1, 1);
    struct mr_bytes script = {0};
    for (size_t i = 0; i < run.count; i++) {
        mr_add_frame(&script, MR_FRAME_BATCH, i, run.cases[i]->payload,
                     run.cases[i]->payload_bytes);
    }
    struct mr_talk talk;
    if (mr_talk_open(&talk, kit, rule, &subject) && mr_talk_send(&talk, &script) &&
        read_answers(&talk, &run, 0, 1)) {
        mr_judge_end(&talk, &run, 1);
    }
    mr_talk_close(&talk);
    mr_kit_stop(kit, &subject);
    mr_bytes_fini(&script);
    mr_case_run_fini(&run);
}

// One connection of the byte-by-byte run.
struct lane {
    struct mr_talk talk;
    struct mr_bytes script; // whole frames
    size_t sent;
    size_t frame_start; // of the frame that is being sent
    size_t frame_end;
    bool stuck; // the server has closed it
};

// How many bytes go at once now; some are left.
static size_t next_piece(struct lane *lane)
{
    if (lane->sent == lane->frame_end) {
        struct mr_frame_head head = mr_frame_head_decode(lane->script.bytes + lane->sent);
        lane->frame_start = lane->sent;
        lane->frame_end = lane->sent + MR_FRAME_HEAD_BYTES + head.payload_bytes;
    }
    size_t left = lane->frame_end - lane->sent;
    if (lane->sent - lane->frame_start < EDGE_BYTES || left <= EDGE_BYTES) {
        return 1;
    }
    return left - EDGE_BYTES < PIECE_BYTES ? left - EDGE_BYTES : PIECE_BYTES;
}

// Sends a piece on each lane. The number of lanes that took some of it; *left_out: lanes not done
// yet.
static size_t send_pieces(struct lane *lanes, size_t *left_out)
{
    size_t taken = 0;
    *left_out = 0;
    for (size_t i = 0; i < LANES; i++) {
        struct lane *lane = &lanes[i];
        if (lane->stuck || lane->sent == lane->script.length) {
            continue;
        }
        ssize_t sent =
            mr_link_push(&lane->talk.link, lane->script.bytes + lane->sent, next_piece(lane));
        lane->stuck = sent < 0;
        lane->sent += sent > 0 ? (size_t)sent : 0;
        taken += sent > 0 ? 1 : 0;
        *left_out += 1;
    }
    return taken;
}

static bool send_lanes(struct mr_kit *kit, struct lane *lanes)
{
    uint64_t deadline_ns = mr_kit_deadline(kit);
    size_t left = LANES;
    for (size_t round = 1; left > 0 && !mr_kit_over(kit); round++) {
        size_t taken = send_pieces(lanes, &left);
        if (taken > 0) {
            deadline_ns = mr_kit_deadline(kit);
        } else if (left > 0 && mr_conform_now_ns() >= deadline_ns) {
            mr_kit_timed_out(kit);
            return mr_talk_fail(&lanes[0].talk, "bytes are read as they come",
                                "nothing is read any more");
        }
        for (size_t i = 0; i < LANES && (round % PULL_EVERY == 0 || taken == 0); i++) {
            mr_link_pull(&lanes[i].talk.link);
        }
    }
    return true;
}

static void bytes(struct mr_kit *kit)
{
    enum mr_rule rule = mr_answers_rule(kit, MR_RULE_B2);
    struct mr_subject subject;
    if (!mr_kit_serve(kit, rule, no_options, &subject)) {
        return;
    }
    struct mr_case_run run = mr_case_run_choose(kit, 0, MR_CASE_FILES - 1, kit->options->sample);
    struct lane *lanes = mr_kit_realloc(NULL, LANES * sizeof *lanes);
    bool going = true;
    for (size_t i = 0; i < LANES; i++) {
        lanes[i] = (struct lane){.talk = {.link = {.fd = -1}}};
        going = going && mr_talk_open(&lanes[i].talk, kit, rule, &subject);
    }
    for (size_t i = 0; i < run.count; i++) {
        mr_add_frame(&lanes[i % LANES].script, MR_FRAME_BATCH, i, run.cases[i]->payload,
                     run.cases[i]->payload_bytes);
    }
    going = going && send_lanes(kit, lanes);
    for (size_t i = 0; i < LANES && going; i++) {
        going = read_answers(&lanes[i].talk, &run, i, LANES);
    }
    if (going) {
        mr_judge_end(&lanes[0].talk, &run, LANES);
    }
    for (size_t i = 0; i < LANES; i++) {
        mr_talk_close(&lanes[i].talk);
        mr_bytes_fini(&lanes[i].script);
    }
    free(lanes);
    mr_kit_stop(kit, &subject);
    mr_case_run_fini(&run);
}

static void extremes(struct mr_kit *kit)
{
    struct mr_subject subject;
    if (!mr_kit_serve(kit, MR_RULE_N2, no_options, &subject)) {
        return;
    }
    struct mr_talk talk;
    bool going = mr_talk_open(&talk, kit, MR_RULE_N2, &subject);
    // At the start, after a rejected batch, after an empty one.
    static const char *const batches[] = {NULL, "[1]", "[]"};
    for (size_t i = 0; i < 3 && going; i++) {
        struct mr_ack ack;
        struct mr_stats_seen seen;
        going = (batches[i] == NULL || mr_talk_batch_text(&talk, batches[i], &ack)) &&
                mr_talk_stats(&talk, &seen);
        for (uint32_t key = 0; key < MR_TOTALS_KEYS && going; key++) {
            if (mr_totals_keys[key].nullable && (seen.nulls & 1u << key) == 0) {
                char expected[MR_DIFFERENCE_BYTES];
                (void)snprintf(expected, sizeof expected, "%s null", mr_totals_keys[key].name);
                going = mr_talk_fail(&talk, expected, "not null %s",
                                     i == 0 ? "at the start" : "without any record");
            }
        }
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_N2);
    }
    mr_talk_close(&talk);
    mr_kit_stop(kit, &subject);
}

// A batch of 40 KiB; those of two turns differ in one digit or two of one timestamp in the middle.
static void make_alike(struct mr_made *made, uint64_t turn)
{
    mr_made_begin(made);
    for (uint64_t i = 0; i < 100; i++) {
        struct mr_made_record record = {.id = i,
                                        .timestamp_us = 1700000000000000u + (i == 40 ? turn : 0),
                                        .source = "kit",
                                        .value = 0.5,
                                        .message = "alpha bravo charlie delta ",
                                        .message_bytes = 300};
        mr_made_add(made, &record);
    }
    mr_made_end(made);
}

// Batches that are alike, and among them broken ones that are alike too.
static void learnt(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_C15);
    if (shared == NULL) {
        return;
    }
    struct mr_talk talk;
    struct mr_made made = {0};
    bool going = mr_talk_open(&talk, kit, MR_RULE_C15, shared);
    for (uint64_t turn = 0; turn < 12 && going; turn++) {
        make_alike(&made, turn);
        bool broken = turn % 4 == 3;
        if (broken) {
            uint8_t *middle = made.json.bytes + made.json.length / 2;
            // The end of a message in its middle: nobody takes what follows.
            *(uint8_t *)memmem(middle, made.json.length / 2, "charlie", 7) = '"';
        }
        struct mr_ack ack;
        going = mr_talk_batch(&talk, made.json.bytes, made.json.length, &ack);
        if (going && (ack.status == 0) == broken) {
            going = mr_talk_fail(&talk, broken ? "rejected" : "accepted",
                                 "the answer to a batch that was alike");
        } else if (going && !broken && ack.digest != made.digest) {
            going = mr_talk_fail(&talk, "the digest of this batch",
                                 "another one, as of a batch that was alike");
        }
    }
    if (going) {
        mr_kit_ok(kit, MR_RULE_C15);
    }
    mr_made_fini(&made);
    mr_talk_close(&talk);
}

const struct mr_procedure mr_procedures_cases[] = {
    {whole,
     MR_PHASE_CASES,
     false,
     300,
     {MR_RULE_B1, MR_RULE_N1, MR_RULE_M1, MR_RULE_M2, MR_RULE_M3, MR_RULE_M4, MR_RULE_NONE}},
    {burst,
     MR_PHASE_CASES,
     false,
     100,
     {MR_RULE_B3, MR_RULE_N1, MR_RULE_M1, MR_RULE_M2, MR_RULE_M3, MR_RULE_M4, MR_RULE_NONE}},
    {bytes,
     MR_PHASE_CASES,
     false,
     3000,
     {MR_RULE_B2, MR_RULE_N1, MR_RULE_M1, MR_RULE_M2, MR_RULE_M3, MR_RULE_M5, MR_RULE_NONE}},
    {extremes, MR_PHASE_CASES, false, 30, {MR_RULE_N2, MR_RULE_NONE}},
    {learnt, MR_PHASE_CASES, false, 30, {MR_RULE_C15, MR_RULE_NONE}},
    {.run = NULL},
};
