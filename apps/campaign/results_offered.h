// results_offered.h: what results.json says of a rate that was too high, and of a target that was
// set.
#ifndef MR_CAMPAIGN_RESULTS_OFFERED_H
#define MR_CAMPAIGN_RESULTS_OFFERED_H

#include "stats/paired.h"
#include "trial/matrix.h"
#include "trial_table.h"

#include <yyjson.h>

// Trials of an entry of `cell` that count and in which the offered rate was more than it could
// take.
uint64_t mr_results_overloaded(const struct mr_trial_table *table, const struct mr_cell *cell,
                               size_t entry);

// Adds "target" to the comparison `one` where the matrix sets a bound: met or missed where the
// whole interval of `paired` (NULL: there is no estimate) says so, else open.
void mr_results_target(yyjson_mut_doc *doc, yyjson_mut_val *one,
                       const struct mr_comparison *comparison, const struct mr_paired *paired);

#endif
