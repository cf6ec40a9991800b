// verify_folder.h: whether a run's folder is what its own files say: everything computed again from
// raw trials.
#ifndef MR_CAMPAIGN_VERIFY_FOLDER_H
#define MR_CAMPAIGN_VERIFY_FOLDER_H

#include "trial_table.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdio.h>

// What is being verified, and what was found.
struct mr_verify {
    const char *folder;
    const char *program; // this program's own path: the report is made again by it
    FILE *out;           // a line for each difference
    size_t differences;
};

// Notes a difference in `name`, a file of the folder.
MR_PRINTF(3, 4)
void mr_verify_differs(struct mr_verify *verify, const char *name, const char *format, ...);

// Every file that the log names has the hash that it names; the log names matrix, manifest and
// every trial. 0; a negative errno with *fault set: nothing can be said.
MR_NODISCARD int mr_verify_hashes(struct mr_verify *verify, struct mr_trial_fault *fault);

// Numbers without gaps; every trial stands where the schedule, drawn again from the matrix, puts
// it; gates, marks and outcome judged again from the observation are those of its file. 0; a
// negative errno with *fault set. A file that is no trial is a difference.
MR_NODISCARD int mr_verify_trials(struct mr_verify *verify, struct mr_trial_fault *fault);

// results.json computed again, and the report made again from it, are the same bytes. 0; a negative
// errno with *fault set.
MR_NODISCARD int mr_verify_results(struct mr_verify *verify, struct mr_trial_fault *fault);

#endif
