// case_run.c: see case_run.h.
#include "case_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum mr_rule mr_answers_rule(const struct mr_kit *kit, enum mr_rule rule)
{
    return kit->mode == MR_MODE_DRAIN ? MR_RULE_M1 : rule;
}

struct mr_case_run mr_case_run_choose(const struct mr_kit *kit, size_t first, size_t last,
                                      size_t step)
{
    struct mr_case_run run = {.whole = step == 1};
    mr_totals_init(&run.file_totals);
    size_t total = 0;
    for (size_t i = first; i <= last; i++) {
        total += kit->cases->file[i].count;
    }
    run.cases = mr_kit_realloc(NULL, (total + 1) * sizeof(const struct mr_case *));
    for (size_t i = first; i <= last; i++) {
        const struct mr_case_file *file = &kit->cases->file[i];
        mr_totals_merge(&run.file_totals, &file->totals);
        for (size_t at = 0; at < file->count; at += step) {
            if (file->cases[at].gap) {
                run.whole = false;
            } else {
                run.cases[run.count++] = &file->cases[at];
            }
        }
    }
    return run;
}

// What stands beside a rejection is W13's.
static bool is_right(const struct mr_ack *wanted, const struct mr_ack *ack)
{
    return wanted->status != 0 ? ack->status != 0 : mr_ack_agrees(wanted, ack);
}

void mr_judge_gap(struct mr_talk *talk, const struct mr_case *entry, const struct mr_ack *ack)
{
    if (!is_right(&entry->answer, ack)) {
        mr_kit_ok(talk->kit, talk->rule);
        return;
    }
    char expected[MR_FINDING_BYTES];
    (void)snprintf(expected, sizeof expected, "%s: a wrong answer, declared as a gap", entry->name);
    (void)mr_talk_fail(talk, expected, "the right one: this gap is not there");
}

void mr_judge_answer(struct mr_talk *talk, const struct mr_case *entry, const struct mr_ack *ack)
{
    struct mr_ack wanted = entry->answer;
    if (talk->kit->mode == MR_MODE_DRAIN) {
        wanted = (struct mr_ack){0};
    }
    if (is_right(&wanted, ack)) {
        mr_kit_ok(talk->kit, talk->rule);
        return;
    }
    char expected[MR_FINDING_BYTES];
    if (wanted.status != 0) {
        (void)snprintf(expected, sizeof expected, "%s: rejected", entry->name);
    } else {
        (void)snprintf(expected, sizeof expected,
                       "%s: accepted, %" PRIu32 " records, digest %016" PRIx64, entry->name,
                       wanted.records, wanted.digest);
    }
    (void)mr_talk_fail(talk, expected, "%s (status %" PRIu32 "), %" PRIu32 " records, %016" PRIx64,
                       ack->status == 0 ? "accepted" : "rejected", ack->status, ack->records,
                       ack->digest);
}

static void judge_totals(struct mr_talk *talk, const struct mr_case_run *run)
{
    struct mr_kit *kit = talk->kit;
    bool drain = kit->mode == MR_MODE_DRAIN;
    struct mr_totals sums;
    mr_totals_init(&sums);
    for (size_t i = 0; i < run->count; i++) {
        const struct mr_case *entry = run->cases[i];
        bool accepted = drain || entry->answer.status == 0;
        sums.batches_accepted += accepted;
        sums.batches_rejected += !accepted;
        sums.payload_bytes += accepted ? entry->payload_bytes : 0;
        sums.records += drain ? 0 : entry->answer.records;
        sums.digest += drain ? 0 : entry->answer.digest;
    }
    uint32_t mask = 0;
    for (uint32_t i = 0; i < MR_TOTALS_KEYS; i++) {
        bool known =
            drain ? !mr_totals_keys[i].nullable : run->whole || mr_totals_keys[i].from_acks;
        mask |= (uint32_t)known << i;
    }
    talk->rule = drain ? MR_RULE_M2 : MR_RULE_N1;
    struct mr_stats_seen seen;
    if (!mr_talk_stats(talk, &seen)) {
        return;
    }
    char expected[MR_DIFFERENCE_BYTES];
    char got[MR_DIFFERENCE_BYTES];
    if (mr_totals_compare(run->whole && !drain ? &run->file_totals : &sums, &seen, mask, expected,
                          got)) {
        mr_kit_ok(kit, talk->rule);
    } else {
        (void)mr_talk_fail(talk, expected, "%s", got);
    }
}

// Adds what the ring of a connection holds that sent every `stride`-th case from `first` on.
static void add_kept(const struct mr_case_run *run, size_t first, size_t stride,
                     struct mr_kept *kept)
{
    size_t places = 0;
    size_t last = first < run->count ? first + (run->count - 1 - first) / stride * stride : 0;
    for (size_t i = last; first < run->count && places < MR_RING_PLACES; i -= stride) {
        if (run->cases[i]->answer.status == 0) {
            places++;
            kept->batches++;
            kept->records += run->cases[i]->answer.records;
            kept->digest += run->cases[i]->answer.digest;
        }
        if (i < first + stride) {
            break;
        }
    }
}

static void judge_kept(struct mr_talk *talk, const struct mr_kept *wanted)
{
    struct mr_kept got;
    if (!mr_talk_kept(talk, &got)) {
        return;
    }
    if (got.batches == wanted->batches && got.records == wanted->records &&
        got.digest == wanted->digest) {
        mr_kit_ok(talk->kit, talk->rule);
        return;
    }
    char expected[MR_FINDING_BYTES];
    (void)snprintf(expected, sizeof expected,
                   "%" PRIu64 " batches, %" PRIu64 " records, digest %016" PRIx64, wanted->batches,
                   wanted->records, wanted->digest);
    (void)mr_talk_fail(talk, expected,
                       "%" PRIu64 " batches, %" PRIu64 " records, digest %016" PRIx64, got.batches,
                       got.records, got.digest);
}

void mr_judge_end(struct mr_talk *talk, const struct mr_case_run *run, size_t lanes)
{
    judge_totals(talk, run);
    struct mr_kept wanted = {0};
    if ((MR_IN_KEPT & 1u << talk->kit->mode) != 0) {
        for (size_t lane = 0; lane < lanes; lane++) {
            add_kept(run, lane, lanes, &wanted);
        }
        talk->rule = lanes == 1 ? MR_RULE_M4 : MR_RULE_M5;
    } else {
        talk->rule = MR_RULE_M3;
    }
    judge_kept(talk, &wanted);
}

void mr_case_run_fini(struct mr_case_run *run)
{
    free(run->cases);
    *run = (struct mr_case_run){0};
}
