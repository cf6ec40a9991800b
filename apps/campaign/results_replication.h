// results_replication.h: at which level of replication a contestant's throughput spreads, as
// results.json has it: thirds of a window, processes, strata.
#ifndef MR_CAMPAIGN_RESULTS_REPLICATION_H
#define MR_CAMPAIGN_RESULTS_REPLICATION_H

#include "results_strata.h"
#include "trial_table.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <yyjson.h>

// Adds "replication" to the object `one` of entry `entry` of `cell`: standard deviations of the
// logarithm of its throughput over the trials that count; null where no trial has a timeline of a
// closed loop. 0 or -ENOMEM.
MR_NODISCARD int mr_results_replication(yyjson_mut_doc *doc, yyjson_mut_val *one,
                                        const struct mr_trial_table *table,
                                        const struct mr_cell *cell, size_t entry,
                                        const struct mr_strata *strata);

#endif
