// conform_run.c: see conform_run.h.
#include "conform_run.h"

#include "conform_clock.h"
#include "base/clock.h"
#include "conform_stop.h"
#include "conform_talk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const struct mr_procedure *const mr_procedures[] = {mr_procedures_cases,
                                                    mr_procedures_large,
                                                    mr_procedures_kept,
                                                    mr_procedures_frames,
                                                    mr_procedures_replies,
                                                    mr_procedures_errors,
                                                    mr_procedures_flow,
                                                    mr_procedures_stats,
                                                    mr_procedures_unsent,
                                                    mr_procedures_connections,
                                                    mr_procedures_server,
                                                    mr_procedures_parse,
                                                    NULL};

// Procedures of which the mode does not matter run in the first of these that is selected.
static const enum mr_mode once_order[] = {MR_MODE_KEEP, MR_MODE_FRESH, MR_MODE_TOTALS,
                                          MR_MODE_DRAIN};

// Where the kit is, for the line on a terminal.
struct progress {
    bool live;
    uint64_t start_ns;
    uint64_t total_ms; // of the weights
    uint64_t done_ms;
};

static enum mr_mode once_mode(const struct mr_kit_options *options)
{
    for (size_t i = 0; i < MR_MODE_COUNT; i++) {
        if (options->modes[once_order[i]]) {
            return once_order[i];
        }
    }
    return MR_MODE_KEEP;
}

static bool runs_in(const struct mr_kit *kit, const struct mr_procedure *procedure,
                    enum mr_mode mode)
{
    const struct mr_kit_options *options = kit->options;
    return options->modes[mode] && (options->phases & 1u << procedure->phase) != 0 &&
           (!procedure->once || mode == once_mode(options));
}

static void select_rules(struct mr_kit *kit)
{
    for (size_t file = 0; mr_procedures[file] != NULL; file++) {
        for (const struct mr_procedure *one = mr_procedures[file]; one->run != NULL; one++) {
            for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
                if (!runs_in(kit, one, (enum mr_mode)mode)) {
                    continue;
                }
                for (const enum mr_rule *rule = one->rules; *rule != MR_RULE_NONE; rule++) {
                    kit->finding[mode][*rule].selected |=
                        kit->options->rules[*rule] && (mr_rules[*rule].modes & 1u << mode) != 0;
                }
            }
        }
    }
}

// Whether the procedure has something to find out in this mode.
static bool wanted(const struct mr_kit *kit, const struct mr_procedure *procedure,
                   enum mr_mode mode)
{
    if (!runs_in(kit, procedure, mode)) {
        return false;
    }
    for (const enum mr_rule *rule = procedure->rules; *rule != MR_RULE_NONE; rule++) {
        if (kit->finding[mode][*rule].selected) {
            return true;
        }
    }
    return false;
}

static uint64_t total_weight(const struct mr_kit *kit)
{
    uint64_t total_ms = 0;
    for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
        for (size_t file = 0; mr_procedures[file] != NULL; file++) {
            for (const struct mr_procedure *one = mr_procedures[file]; one->run != NULL; one++) {
                total_ms += wanted(kit, one, (enum mr_mode)mode) ? one->weight_ms : 0;
            }
        }
    }
    return total_ms;
}

static void show(const struct progress *progress, const struct mr_kit *kit,
                 const struct mr_procedure *procedure)
{
    if (!progress->live) {
        return;
    }
    (void)fprintf(stderr, "\r\033[K%s, %s: %s", kit->plan.contestant->name,
                  mr_mode_names[kit->mode], mr_rules[procedure->rules[0]].name);
    uint64_t elapsed_ns = mr_clock_ns() - progress->start_ns;
    if (progress->done_ms * 50 > progress->total_ms) {
        uint64_t left_ns =
            elapsed_ns / progress->done_ms * (progress->total_ms - progress->done_ms);
        (void)fprintf(stderr, "  (%u %%, about %u s left)",
                      (unsigned)(100 * progress->done_ms / progress->total_ms),
                      (unsigned)(left_ns / MR_NS_PER_S) + 1);
    }
    (void)fflush(stderr);
}

// A failure may have left the shared server in any state, and a dead one is a failure itself.
static void settle(struct mr_kit *kit, const struct mr_procedure *procedure)
{
    bool failed = false;
    enum mr_rule first = MR_RULE_NONE;
    for (const enum mr_rule *rule = procedure->rules; *rule != MR_RULE_NONE; rule++) {
        const struct mr_finding *found = &kit->finding[kit->mode][*rule];
        failed = failed || found->outcome == MR_OUTCOME_FAILED;
        first = first == MR_RULE_NONE && found->selected ? *rule : first;
    }
    if (kit->shared_runs && !mr_subject_alive(&kit->shared)) {
        char how[64];
        mr_subject_end_text(&kit->shared.end, how, sizeof how);
        if (!failed) {
            mr_kit_fail(kit, first, "a server that runs on", "it ended with %s", how);
        }
        failed = true;
    }
    if (failed) {
        mr_kit_drop_shared(kit);
    }
}

static void run_mode(struct mr_kit *kit, struct progress *progress)
{
    for (size_t file = 0; mr_procedures[file] != NULL; file++) {
        for (const struct mr_procedure *one = mr_procedures[file]; one->run != NULL; one++) {
            if (mr_kit_over(kit) || !wanted(kit, one, kit->mode)) {
                continue;
            }
            show(progress, kit, one);
            one->run(kit);
            settle(kit, one);
            progress->done_ms += one->weight_ms;
        }
    }
    // It has been through everything: its end tells of leaks that a sanitizer saw, too.
    if (kit->shared_runs && !mr_kit_over(kit) && mr_kit_wants(kit, MR_RULE_C3)) {
        mr_judge_sigterm(kit, MR_RULE_C3, &kit->shared);
    }
    mr_kit_drop_shared(kit);
}

// Starts it once and says HELLO: whoever does not come so far is not checked any further.
static bool greets(struct mr_kit *kit)
{
    static const char *const words[] = {"serve", "--listen",  "127.0.0.1:0", "--mode",
                                        "keep",  "--threads", "1",           NULL};
    struct mr_subject subject;
    struct mr_subject_fault fault = {{0}};
    struct mr_link link = {.fd = -1};
    struct mr_bytes hello = {0};
    struct mr_reply reply;
    int result = mr_subject_start(&subject, &kit->plan, words, false, &fault);
    result = result != 0 ? result : mr_subject_listen(&subject, mr_kit_deadline(kit), &fault);
    if (result == 0) {
        result = mr_link_open(&link, &subject.address, 0, mr_kit_deadline(kit));
        mr_add_frame(&hello, MR_FRAME_HELLO, 1, NULL, 0);
        enum mr_got got = MR_GOT_NOTHING;
        if (result == 0 &&
            mr_link_send(&link, hello.bytes, hello.length, mr_kit_deadline(kit)) == 0) {
            got = mr_link_next(&link, &reply, mr_kit_deadline(kit));
        }
        result = got == MR_GOT_FRAME ? 0 : -ETIMEDOUT;
        (void)snprintf(fault.text, sizeof fault.text,
                       "it listens on 127.0.0.1:%u, but the reply to HELLO is %s",
                       (unsigned)ntohs(subject.address.sin_port), mr_got_text(got));
    }
    if (result != 0) {
        (void)snprintf(kit->trouble, sizeof kit->trouble, "%s", fault.text);
    }
    mr_bytes_fini(&hello);
    mr_link_close(&link);
    mr_kit_stop(kit, &subject);
    return result == 0;
}

void mr_conform_run(struct mr_kit *kit)
{
    select_rules(kit);
    struct progress progress = {.live = isatty(STDERR_FILENO) == 1,
                                .start_ns = mr_clock_ns(),
                                .total_ms = total_weight(kit)};
    kit->deadline_ns = mr_conform_now_ns() + kit->options->limit_ns;
    kit->patience_ns = kit->options->patience_ns;
    if (!greets(kit)) {
        return;
    }
    for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
        if (kit->options->modes[mode]) {
            kit->mode = (enum mr_mode)mode;
            run_mode(kit, &progress);
        }
    }
    if (progress.live) {
        (void)fprintf(stderr, "\r\033[K");
    }
    if (kit->given_up) {
        (void)snprintf(kit->trouble, sizeof kit->trouble,
                       "given up after %u waits in vain; some checks were not run", kit->timeouts);
    } else if (mr_conform_now_ns() >= kit->deadline_ns) {
        (void)snprintf(kit->trouble, sizeof kit->trouble,
                       "not finished within %.0f s (--limit); some checks were not run",
                       (double)kit->options->limit_ns / 1e9);
    }
}

struct mr_conform_counts mr_conform_count(const struct mr_kit *kit)
{
    struct mr_conform_counts counts = {0};
    for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
        for (size_t rule = 0; rule < MR_RULE_COUNT; rule++) {
            const struct mr_finding *found = &kit->finding[mode][rule];
            if (!found->selected) {
                continue;
            }
            counts.ok += found->outcome == MR_OUTCOME_OK;
            counts.failed += found->outcome == MR_OUTCOME_FAILED && !found->gap;
            counts.gaps += found->outcome == MR_OUTCOME_FAILED && found->gap;
            counts.skipped += found->outcome == MR_OUTCOME_SKIPPED;
            counts.missing += found->outcome == MR_OUTCOME_NONE;
        }
    }
    return counts;
}

bool mr_conform_passed(const struct mr_kit *kit)
{
    struct mr_conform_counts counts = mr_conform_count(kit);
    // A check that shares its work with a declared gap may not have been reached.
    return kit->trouble[0] == '\0' && counts.failed == 0 &&
           (counts.missing == 0 || counts.gaps > 0) && counts.ok + counts.gaps > 0;
}

bool mr_conform_complete(const struct mr_kit *kit)
{
    for (size_t rule = 0; rule < MR_RULE_COUNT; rule++) {
        if (!kit->options->rules[rule]) {
            return false;
        }
    }
    return kit->options->sample == 1 && kit->options->phases == MR_PHASES_ALL;
}
