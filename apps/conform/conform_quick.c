// conform_quick.c: see conform_quick.h.
#include "conform_quick.h"

#include "conform_clock.h"
#include "base/clock.h"
#include "case_run.h"
#include "conform_stop.h"

#include <signal.h>
#include <stdio.h>

#define CASES_OF_A_KIND 12 // accepted, and as many rejected
#define SIGTERM_NS      (2500 * MR_NS_PER_MS)

// Thins a run out to accepted and rejected cases from all over the files.
static void thin_out(struct mr_case_run *run)
{
    size_t total[2] = {0, 0};
    for (size_t i = 0; i < run->count; i++) {
        total[run->cases[i]->answer.status != 0]++;
    }
    size_t seen[2] = {0, 0};
    size_t kept = 0;
    for (size_t i = 0; i < run->count; i++) {
        size_t kind = run->cases[i]->answer.status != 0;
        size_t step = total[kind] / CASES_OF_A_KIND + 1;
        if (seen[kind]++ % step == 0) {
            run->cases[kept++] = run->cases[i];
        }
    }
    run->count = kept;
    run->whole = false;
}

static bool converse(struct mr_kit *kit, const struct mr_subject *subject,
                     const struct mr_case_run *run)
{
    struct mr_talk talk;
    bool going = mr_talk_open(&talk, kit, mr_answers_rule(kit, MR_RULE_B1), subject);
    for (size_t i = 0; i < run->count && going; i++) {
        struct mr_ack ack;
        going = mr_talk_batch(&talk, run->cases[i]->payload, run->cases[i]->payload_bytes, &ack);
        if (going) {
            mr_judge_answer(&talk, run->cases[i], &ack);
        }
    }
    if (going) {
        mr_judge_end(&talk, run, 1);
    }
    mr_talk_close(&talk);
    return going;
}

static void end_by_sigterm(struct mr_kit *kit, struct mr_subject *subject)
{
    char how[64] = "it still runs";
    if (mr_process_signal(&subject->process, SIGTERM) == 0 &&
        mr_subject_wait(subject, mr_conform_now_ns() + SIGTERM_NS)) {
        mr_subject_end_text(&subject->end, how, sizeof how);
    }
    if (subject->running || !subject->end.exited || subject->end.exit_code != 0) {
        mr_kit_fail(kit, MR_RULE_C3, "exit code 0 within 2 s of SIGTERM", "%s", how);
    }
}

bool mr_conform_quick(struct mr_kit *kit)
{
    static const char *const no_options[] = {NULL};
    kit->patience_ns = kit->options->patience_ns;
    kit->deadline_ns = mr_conform_now_ns() + kit->options->limit_ns;
    struct mr_subject subject;
    if (mr_kit_serve(kit, MR_RULE_C1, no_options, &subject)) {
        struct mr_case_run run = mr_case_run_choose(kit, 0, MR_CASE_FILES - 1, 1);
        thin_out(&run);
        if (converse(kit, &subject, &run)) {
            end_by_sigterm(kit, &subject);
        }
        mr_case_run_fini(&run);
        mr_kit_stop(kit, &subject);
    }
    bool right = true;
    for (size_t rule = 0; rule < MR_RULE_COUNT; rule++) {
        const struct mr_finding *found = &kit->finding[kit->mode][rule];
        if (found->outcome == MR_OUTCOME_FAILED) {
            printf("%s, %s, %s: expected %s; got %s\n", kit->plan.contestant->name,
                   mr_mode_names[kit->mode], mr_rules[rule].name, found->expected, found->got);
            right = false;
        }
    }
    return right && !mr_conform_stop_asked();
}
