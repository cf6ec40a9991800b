// results.h: results.json: everything that a run may conclude, computed once from its files.
//
// schemas/results.schema.json. The same manifest and trials give the same bytes.
#ifndef MR_CAMPAIGN_RESULTS_H
#define MR_CAMPAIGN_RESULTS_H

#include "trial/fault.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>

// How a run ended, for the exit code and the first line of its report.
struct mr_results_outcome {
    int exit_code; // 0, 3 (a contestant was wrong, a planted lie believed, a trial is not as
                   // logged), 5 (incomplete)
    size_t not_as_logged; // files that are not those that the run's log vouches for
    bool lie_believed;
};

// The bytes of a results.json.
struct mr_results_text {
    char *text; // malloc'ed; NULL where there are none
    size_t length;
    struct mr_results_outcome outcome;
};

// Computes them from `folder`/manifest.json, matrix.json, run.log and trials/. 0; -EBADMSG: one of
// them cannot be understood; another negative errno; *fault is set. The caller frees
// text_out->text, whatever happened.
MR_NODISCARD int mr_results_compute(const char *folder, struct mr_results_text *text_out,
                                    struct mr_trial_fault *fault);

// Reads `folder`/manifest.json, matrix.json, run.log and trials/, writes `folder`/results.json,
// unless it has these bytes already. 0; a negative errno with *fault set.
MR_NODISCARD int mr_results_make(const char *folder, struct mr_results_outcome *outcome_out,
                                 struct mr_trial_fault *fault);

#endif
