// robust.h: medians, spread and slopes that a few wild values cannot move.
#ifndef MR_STATS_ROBUST_H
#define MR_STATS_ROBUST_H

#include <matchrace/attributes.h>

#include <stddef.h>

// Sorts ascending, in place. No value may be NaN (asserted).
void mr_sort(double *values, size_t count);

// Median of `count` ≥ 1 (asserted) ascending values; the mean of the two middle ones where count is
// even.
double mr_median_sorted(const double *sorted, size_t count);

// Like mr_median_sorted(), but of values in any order, which stay as they are: `scratch` has room
// for `count` and is left sorted.
double mr_median(const double *values, size_t count, double *scratch);

// Median absolute deviation from the median, times 1.4826: the standard deviation where values are
// normal. `scratch` has room for `count`. count ≥ 1 (asserted).
double mr_robust_scale(const double *values, size_t count, double *scratch);

// What mr_theil_sen() is asked. `scratch` has room for count · (count − 1) / 2 doubles.
struct mr_slope_params {
    const double *x; // strictly ascending (asserted)
    const double *y; // no NaN
    size_t count;    // ≥ 2 (asserted)
    double alpha;    // 1 − confidence, in (0, 1)
    double *scratch;
};

// A slope in units of y per unit of x. The ends are −INFINITY and INFINITY where `count` is too
// small for an interval of that confidence (below 5 for 95 %).
struct mr_slope {
    double slope;
    double low;
    double high;
};

// Theil-Sen slope: the median of the slopes between all pairs of points, with its distribution-free
// interval: order statistics M and N + 1 − M of the N slopes, M from the distribution of inversions
// (Kendall's S) under "no trend": exact up to 30 points, normal with continuity correction above.
// Sen, JASA 63 (1968). The interval takes the points' errors as independent: for a series whose
// neighbours hang together it is too narrow. No allocation.
struct mr_slope mr_theil_sen(const struct mr_slope_params *params);

// M of the above: the largest with 2 · P(inversions of `count` points ≤ M − 1) ≤ alpha; 0 when
// there is none.
size_t mr_slope_order(size_t count, double alpha);

#endif
