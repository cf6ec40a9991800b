// change.h: whether a speed ratio has changed from one campaign to another, each with pairs of its
// own.
#ifndef MR_STATS_CHANGE_H
#define MR_STATS_CHANGE_H

#include "paired.h"

#include <stddef.h>

// The change of the median of log ratios.
struct mr_change {
    double log_ratio;        // new median less old median
    struct mr_interval logs; // of it
};

// From `old_count` and `new_count` ≥ 1 (asserted) log ratios, which are sorted in place. Both
// medians get a sign-test interval at 1 − √(1 − alpha), so that both hold theirs with probability
// 1 − alpha, whatever the noise of either campaign; then the difference lies between the ends that
// are furthest apart. Nothing is assumed of the shapes, which may differ from day to day; the price
// is an interval wider than one that assumes them equal. alpha in (0, 1) (asserted).
struct mr_change mr_change_estimate(double *old_logs, size_t old_count, double *new_logs,
                                    size_t new_count, double alpha);

#endif
