// pairs.h: the pairs of two entries of a cell: their speeds in the rows that count.
#ifndef MR_CAMPAIGN_PAIRS_H
#define MR_CAMPAIGN_PAIRS_H

#include "trial/matrix.h"
#include "trial_table.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

// Speeds by pair, in the order of the rows. Larger is better whatever the metric: 1 / value where a
// smaller value is better.
struct mr_pairs {
    double *a;
    double *b;
    double *scratch;  // room for 2 · count, as mr_paired_estimate() asks
    double *walsh;    // room for mr_walsh_count(count), as mr_hodges_lehmann() asks
    uint64_t *number; // of A's trial
    size_t count;
};

// Collects the pairs of entries `a` and `b` of `cell` by `metric` (NULL: the cell's). A row without
// a figure of both gives none. 0 or -ENOMEM. The caller ends it with mr_pairs_fini().
MR_NODISCARD int mr_pairs_init(struct mr_pairs *pairs_out, const struct mr_trial_table *table,
                               const struct mr_cell *cell, const char *metric, size_t a, size_t b);

// The same by the cell's metric as if no gate had excluded anything: of every attempt at a row that
// ended by itself (mr_trial_table_attempt()).
MR_NODISCARD int mr_pairs_init_unexcluded(struct mr_pairs *pairs_out,
                                          const struct mr_trial_table *table,
                                          const struct mr_cell *cell, size_t a, size_t b);
void mr_pairs_fini(struct mr_pairs *pairs);

#endif
