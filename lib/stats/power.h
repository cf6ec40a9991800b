// power.h: how many pairs a difference needs, given the noise of earlier ones.
//
// The sign test finds a difference when at most k − 1 of n pairs fall on the wrong side of 0. With
// q the chance of one pair to do so, that is P(Bin(n, q) ≤ k − 1), exact.
#ifndef MR_STATS_POWER_H
#define MR_STATS_POWER_H

#include <stddef.h>

// From so many log ratios on, q is counted among them; below, a few values say too little of a
// tail.
#define MR_POWER_COUNTED 40

// No number of pairs above this is proposed.
#define MR_POWER_PAIRS_MAX 2000

// q for a true difference |log ratio| = `difference` > 0 (asserted), from `count` ≥ 1 log ratios of
// any centre whose noise is taken as symmetric: half the share of deviations from their median that
// are as large (one half of one is added, so that none is never impossible). Below
// MR_POWER_COUNTED values the larger of that and the normal tail at the robust scale. `scratch` has
// room for `count`.
double mr_wrong_side(const double *logs, size_t count, double difference, double *scratch);

// The probability that `pairs` pairs find the difference at level `alpha`; 0 where no interval
// exists.
double mr_power(size_t pairs, double wrong_side, double alpha);

// The smallest multiple of `step` ≥ 1 (asserted) pairs with which mr_power() is at least `power`;
// 0: more than MR_POWER_PAIRS_MAX.
size_t mr_pairs_for(double wrong_side, double alpha, double power, size_t step);

#endif
