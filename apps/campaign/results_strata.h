// results_strata.h: the strata of a run, as results.json has them (measuring rule 16).
//
// A run that went on although the machine, a program or a dataset had changed has several. A row
// lies in one of them, so pairs do; the estimate is over all pairs, and stands beside each
// stratum's.
#ifndef MR_CAMPAIGN_RESULTS_STRATA_H
#define MR_CAMPAIGN_RESULTS_STRATA_H

#include "trial_table.h"

#include <matchrace/attributes.h>

#include <yyjson.h>

#define MR_STRATA_MAX 32

struct mr_strata {
    uint64_t first_trial[MR_STRATA_MAX];
    size_t count;
};

// Reads the manifests of `folder` and adds "strata" to `root`, a list with each one's manifest,
// first trial and what changed before it. 0; a negative errno with *fault set.
MR_NODISCARD int mr_results_strata(yyjson_mut_doc *doc, yyjson_mut_val *root, const char *folder,
                                   struct mr_strata *strata_out, struct mr_trial_fault *fault);

// Adds "strata" to the comparison's object `one`: pairs and median ratio of each; nothing where
// there is one stratum only. 0 or -ENOMEM.
MR_NODISCARD int mr_results_strata_ratios(yyjson_mut_doc *doc, yyjson_mut_val *one,
                                          const struct mr_trial_table *table,
                                          const struct mr_cell *cell,
                                          const struct mr_comparison *comparison,
                                          const struct mr_strata *strata);

#endif
