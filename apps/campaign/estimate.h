// estimate.h: from the trials of a cell to its figures, ratios and verdicts (measuring rules 12 to
// 14).
#ifndef MR_CAMPAIGN_ESTIMATE_H
#define MR_CAMPAIGN_ESTIMATE_H

#include "stats/paired.h"
#include "stats/signed_rank.h"
#include "stats/verdict.h"
#include "trial/matrix.h"
#include "trial_table.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

// One metric of one entry over the trials that count.
struct mr_metric_summary {
    struct mr_metric metric; // `value` is the median
    double min;
    double max;
    size_t count; // trials in which it could be measured
};

struct mr_entry_summary {
    size_t counted;
    size_t excluded;
    const struct mr_trial *wrong;  // NULL: right everywhere
    const struct mr_trial *absent; // NULL: this machine can run it
    struct mr_metric_summary metrics[MR_METRICS_MAX];
    size_t metrics_count;
};

// One comparison. Ratios are speed of A over speed of B, whatever the metric: above 1, A is faster.
struct mr_comparison_estimate {
    struct mr_paired paired;
    struct mr_hodges_lehmann symmetric; // of the same log ratios at the same level, printed beside
    struct mr_judgement judgement;
    double alpha;        // of its interval, after Holm
    double *pair_ratios; // paired.pairs_count of them, in the order of the rows; owned
    bool estimated;      // false: no pair
};

struct mr_cell_estimate {
    uint64_t rows_counted;
    uint64_t rows_repeated; // attempts beyond the first
    struct mr_entry_summary entries[MR_CELL_ENTRIES_MAX];
    struct mr_comparison_estimate comparisons[MR_CELL_COMPARISONS_MAX];
};

struct mr_estimates {
    struct mr_cell_estimate *cells; // matrix->cells_count of them
    size_t cells_count;
};

// Computes everything that can be said of `table` under `matrix`. 0 or -ENOMEM. The caller ends it
// with mr_estimates_fini(), whatever happened; `table` must outlive it.
MR_NODISCARD int mr_estimates_init(struct mr_estimates *estimates_out,
                                   const struct mr_matrix *matrix,
                                   const struct mr_trial_table *table);

// What controls say of a campaign: how small a difference it found, and whether it may claim any.
struct mr_estimate_limits {
    double smallest; // a claim of a smaller share gets no verdict; 0: no limit, INFINITY: no claim
    bool void_table; // nothing may be claimed
};

// Judges every comparison once more within `limits`.
void mr_estimates_limit(struct mr_estimates *estimates, const struct mr_matrix *matrix,
                        const struct mr_estimate_limits *limits);
void mr_estimates_fini(struct mr_estimates *estimates);

#endif
