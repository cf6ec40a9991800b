// results_gates.h: what the gates and marks said in a cell, as results.json has it.
#ifndef MR_CAMPAIGN_RESULTS_GATES_H
#define MR_CAMPAIGN_RESULTS_GATES_H

#include "estimate.h"
#include "trial_table.h"

#include <yyjson.h>

// Adds to the cell's object `one`: "gates" and "marks" (how often each outcome was, over the trials
// that ran) and "uneven" (gates that failed more trials of one entry than of another, with the
// number of each). `doc` keeps pointers into `table` and `cell`, which must outlive it.
void mr_results_gate_counts(yyjson_mut_doc *doc, yyjson_mut_val *one, const struct mr_cell *cell,
                            const struct mr_trial_table *table);

// The same counts for the trials of one entry.
void mr_results_entry_gates(yyjson_mut_doc *doc, yyjson_mut_val *one, const struct mr_cell *cell,
                            const char *entry, const struct mr_trial_table *table);

// Gate "server is the limit": the best null contestant's median over the best other one's.
// `null_contestant` says by entry which is which. Adds "headroom", "headroom_min" and
// "server_is_limit"; an open loop is exempt.
void mr_results_headroom(yyjson_mut_doc *doc, yyjson_mut_val *one, const struct mr_cell *cell,
                         const struct mr_cell_estimate *estimate, const bool *null_contestant,
                         const struct mr_gate_rules *rules);

#endif
