// case_run.h: cases as one run sends them, and what must come out: answers, totals, KEPT.
#ifndef MR_CONFORM_CASE_RUN_H
#define MR_CONFORM_CASE_RUN_H

#include "conform_talk.h"

#include <stdbool.h>
#include <stddef.h>

// Cases in the order in which they are sent.
struct mr_case_run {
    const struct mr_case **cases;
    size_t count;
    bool whole; // all cases of the files: totals.json applies
    struct mr_totals file_totals;
};

// Cases of files `first` to `last`, every `step`-th, without declared gaps. The caller ends it with
// mr_case_run_fini().
struct mr_case_run mr_case_run_choose(const struct mr_kit *kit, size_t first, size_t last,
                                      size_t step);
void mr_case_run_fini(struct mr_case_run *run);

// The check that judges answers: `rule`, but M1 in drain, where there is only one right answer.
enum mr_rule mr_answers_rule(const struct mr_kit *kit, enum mr_rule rule);

// Judges the answer to a case for the talk's check. What stands beside a rejection is left to W13.
void mr_judge_answer(struct mr_talk *talk, const struct mr_case *entry, const struct mr_ack *ack);

// Judges the answer to a case that is declared as a gap: it must be another one than is right.
void mr_judge_gap(struct mr_talk *talk, const struct mr_case *entry, const struct mr_ack *ack);

// Judges STATS and KEPT, asked on `talk`, after the run was sent to a fresh server over `lanes`
// connections: case i on lane i mod `lanes`, all of them open.
void mr_judge_end(struct mr_talk *talk, const struct mr_case_run *run, size_t lanes);

#endif
