// results_places.h: the places of a cell's contestants, as results.json has them (measuring rule
// 19).
#ifndef MR_CAMPAIGN_RESULTS_PLACES_H
#define MR_CAMPAIGN_RESULTS_PLACES_H

#include "trial_table.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <yyjson.h>

// By what contestants are told from each other.
struct mr_places_rules {
    double alpha;    // divided among all pairs of them
    double smallest; // who is ahead by a smaller share than this is not distinguished; 0: no limit
};

// Adds "places" to the cell's object `one`: by entry that takes part, under `rules`; null for fewer
// than three, and where nothing can be compared: different loads, throughput under an open plan, a
// measured generator. `doc` keeps pointers into `cell`. 0 or -ENOMEM.
MR_NODISCARD int mr_results_places(yyjson_mut_doc *doc, yyjson_mut_val *one,
                                   const struct mr_cell *cell, const struct mr_trial_table *table,
                                   const bool *takes_part, const struct mr_places_rules *rules);

#endif
