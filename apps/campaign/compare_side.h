// compare_side.h: one of two saved campaigns that are compared: what was fixed, and its pairs.
#ifndef MR_CAMPAIGN_COMPARE_SIDE_H
#define MR_CAMPAIGN_COMPARE_SIDE_H

#include "trial_table.h"

#include "trial/fault.h"
#include "trial/json_file.h"
#include "trial/matrix.h"

#include <matchrace/attributes.h>

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

struct mr_compare_side {
    const char *folder; // the caller's
    char matrix_path[PATH_MAX];
    char manifest_path[PATH_MAX];
    struct mr_matrix matrix;
    struct mr_json_file manifest;
    struct mr_trial_table table;
};

// Opens a run's folder. 0; a negative errno with *fault set. About 1 MB: allocated, not on a stack.
// The caller ends it with mr_compare_side_fini(), whatever happened.
MR_NODISCARD int mr_compare_side_init(struct mr_compare_side *side_out, const char *folder,
                                      struct mr_trial_fault *fault);
void mr_compare_side_fini(struct mr_compare_side *side);

// The cell called `name`, or NULL.
const struct mr_cell *mr_compare_cell(const struct mr_compare_side *side, const char *name);

// The entry called `name` in `cell`; cell->entries_count where there is none.
size_t mr_compare_entry(const struct mr_cell *cell, const char *name);

// Whether the two may be compared at all: one CPU model and cores alike, the same rules. False:
// *fault names the first difference.
bool mr_compare_same_terms(const struct mr_compare_side *before,
                           const struct mr_compare_side *after, struct mr_trial_fault *fault);

// Whether a cell of both is the same workload: data by their hash, driver, mode, metric, load,
// threads. False: *fault names the first difference.
bool mr_compare_same_cell(const struct mr_compare_side *before, const struct mr_compare_side *after,
                          const char *cell, struct mr_trial_fault *fault);

// Whether `contestant` is the very same program in both, by its hash.
bool mr_compare_same_program(const struct mr_compare_side *before,
                             const struct mr_compare_side *after, const char *contestant);

#endif
