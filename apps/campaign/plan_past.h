// plan_past.h: what an earlier run says of one like it: how long its trials took, how many were
// excluded, how much its pairs differ.
#ifndef MR_CAMPAIGN_PLAN_PAST_H
#define MR_CAMPAIGN_PLAN_PAST_H

#include "trial_table.h"

#include <matchrace/attributes.h>

#include <stddef.h>

struct mr_plan_past {
    struct mr_json_file results;
    struct mr_trial_table table;
    char path[4096]; // of results.json
};

// Reads `folder`. 0; a negative errno with *fault set. The caller ends it with mr_plan_past_fini(),
// whatever happened.
MR_NODISCARD int mr_plan_past_init(struct mr_plan_past *past_out, const char *folder,
                                   struct mr_trial_fault *fault);
void mr_plan_past_fini(struct mr_plan_past *past);

// What is known of the cell of that name; `trials` 0: nothing.
struct mr_plan_cell {
    size_t trials;
    double trial_s;        // mean time of one; those of a row that run in turn share theirs
    double excluded_share; // of all trials
};
struct mr_plan_cell mr_plan_past_cell(const struct mr_plan_past *past, const char *cell);

// The log ratios of `a` : `b` in that cell, either way round, at most `room`; their number.
size_t mr_plan_past_logs(const struct mr_plan_past *past, const char *cell, const char *a,
                         const char *b, double *logs_out, size_t room);

#endif
