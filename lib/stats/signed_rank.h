// signed_rank.h: the Hodges-Lehmann estimate and the exact interval of Wilcoxon's signed-rank test.
//
// It stands beside the median and its sign-test interval: where noise is symmetric it needs fewer
// pairs for the same width; where noise is lopsided only the sign test keeps its level. Where the
// two disagree, the noise is lopsided, and the verdict is the sign test's.
#ifndef MR_STATS_SIGNED_RANK_H
#define MR_STATS_SIGNED_RANK_H

#include "paired.h"

#include <stddef.h>

// Up to so many values the distribution is summed exactly; above, it is taken as normal, with
// continuity correction.
#define MR_SIGNED_RANK_EXACT_MAX 200

// Number of Walsh averages (x(i) + x(j)) / 2, i ≤ j, of `count` values: count · (count + 1) / 2.
// The scratch of both functions below has room for as many doubles.
size_t mr_walsh_count(size_t count);

// k of the interval [W(k), W(N + 1 − k)] between the N ascending Walsh averages: the largest with
// 2 · P(T ≤ k − 1) ≤ alpha for T the sum of the ranks of the positive among `count` values without
// any difference. 0: `count` is too small; the smallest that is not is that of the sign test. alpha
// in (0, 1) (asserted).
size_t mr_signed_rank_order(size_t count, double alpha, double *scratch);

// The result for one set of values.
struct mr_hodges_lehmann {
    double shift;                // the median of the Walsh averages
    struct mr_interval interval; // holds the centre of symmetry with confidence 1 − alpha at least
    size_t order;                // k; 0 where the interval is not known
};

// Estimates the centre of `count` ≥ 1 (asserted) values without NaN. The ends belong to the
// interval, so that equal values only make it surer. Hodges and Lehmann, Ann. Math. Statist. 34
// (1963); the interval is Tukey's, as in Hollander, Wolfe and Chicken, Nonparametric Statistical
// Methods, section 3.3. No allocation.
struct mr_hodges_lehmann mr_hodges_lehmann(const double *values, size_t count, double alpha,
                                           double *scratch);

#endif
