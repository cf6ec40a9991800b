// results_exclusions.h: what exclusions did to a comparison, as results.json has it: who lost how
// many trials, and the estimate as if none had been excluded.
#ifndef MR_CAMPAIGN_RESULTS_EXCLUSIONS_H
#define MR_CAMPAIGN_RESULTS_EXCLUSIONS_H

#include "trial_table.h"

#include <matchrace/attributes.h>

#include <yyjson.h>

// Adds "exclusions" to the comparison's object `one`, with the interval at level `alpha`. 0 or
// -ENOMEM.
MR_NODISCARD int mr_results_exclusions(yyjson_mut_doc *doc, yyjson_mut_val *one,
                                       const struct mr_trial_table *table,
                                       const struct mr_cell *cell,
                                       const struct mr_comparison *comparison, double alpha);

#endif
