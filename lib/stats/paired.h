// paired.h: from n pairs of trials to a ratio, its exact interval and what n pairs can resolve.
//
// A pair is one trial of A and one of B in the same row. Everything rests on the logarithms of a/b,
// which treat "twice" and "half" alike: swapping A and B turns every result upside down exactly.
// The estimate is the median of the log ratios; the interval belongs to the sign test, so it
// assumes nothing about the shape of the noise, only that pairs are independent of each other.
#ifndef MR_STATS_PAIRED_H
#define MR_STATS_PAIRED_H

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>

// The level at which the lab speaks of a difference, before it is divided among comparisons.
#define MR_ALPHA 0.05

// The power at which "the smallest difference that n pairs resolve" is stated.
#define MR_POWER 0.9

// An interval of log ratios (or of anything else): all values from low to high, ends included.
struct mr_interval {
    double low;
    double high;
    bool known; // false: too few values for the confidence asked; the ends mean nothing then
};

// k of the sign-test interval [x(k), x(n+1−k)] for the median of n values with confidence 1 −
// alpha: the largest k with 2 · P(Bin(n, ½) ≤ k − 1) ≤ alpha, computed exactly. 0: n is too small
// for any interval. alpha in (0, 1) (asserted); dividing alpha by the number of comparisons is
// Bonferroni.
size_t mr_sign_order(size_t count, double alpha);

// Confidence of [x(k), x(n+1−k)] as it is: 1 − 2 · P(Bin(n, ½) ≤ k − 1), at least what was asked.
// 1 ≤ order ≤ (count + 1) / 2 (asserted).
double mr_sign_confidence(size_t count, size_t order);

// The sign-test interval of `count` ascending values.
struct mr_interval mr_sign_interval(const double *sorted, size_t count, double alpha);

// Two-sided exact p-value of the sign test for "the median is 0", count ≥ 1 (asserted). Values that
// are 0 count against both sides: they are added to the smaller one. p ≤ alpha exactly where
// mr_sign_interval(alpha) excludes 0.
double mr_sign_p_value(const double *values, size_t count);

// The smallest number of pairs with which `comparisons` ≥ 1 (asserted) comparisons can each reach
// alpha / comparisons: ⌈1 + log2(comparisons / alpha)⌉. For alpha 0.05: 1 → 6, 6 → 8, 10 → 9.
size_t mr_pairs_needed(size_t comparisons, double alpha);

// The smallest difference that as many pairs resolve with probability `power` given the spread of
// these `count` log ratios, as |log ratio|; INFINITY where no interval exists. `scratch` has room
// for `count`. Method, in closed form but for two inversions by halving:
// 1. The interval excludes 0 on the right side when at most k − 1 values fall on the wrong one.
// From
//    the exact binomial follows the largest chance q for one value to do so: P(Bin(n, q) ≤ k − 1) =
//    power.
// 2. A shift by d makes that chance q when the centred noise passes d on one side with chance q. d
// is
//    the larger of two readings of the observed deviations from the median: the order statistic of
//    rank ⌈(1 − 2q)(n + 1)⌉ of their absolute values (at most the largest), which assumes symmetry
//    only, and the normal quantile of 1 − q times the robust scale, which is steadier where n is
//    small.
double mr_resolvable(const double *logs, size_t count, double alpha, double power, double *scratch);

// What can be wrong with measured pairs.
enum mr_paired_status {
    MR_PAIRED_OK,
    MR_PAIRED_NO_PAIRS,     // count is 0
    MR_PAIRED_NOT_POSITIVE, // a value is zero, negative, infinite or not a number: no ratio exists
};

// What mr_paired_estimate() is asked.
struct mr_paired_params {
    const double *a; // the metric of A and of B, pair by pair, both > 0 and finite
    const double *b;
    size_t count;
    double alpha; // of this comparison, already divided among comparisons
    double
        *scratch; // room for 2 · count; the first `count` are the ascending log ratios afterwards
};

// The result of one comparison. Ratios are a/b: what "more" means is the verdict's business.
struct mr_paired {
    size_t pairs_count;
    size_t ties_count;            // pairs whose values are equal: they count against both sides
    double log_ratio;             // median of the log ratios
    double ratio;                 // exp of it
    struct mr_interval logs;      // the sign-test interval of the log ratios
    double ratio_low;             // exp of its ends; 0 and INFINITY where it is not known
    double ratio_high;            //
    size_t order;                 // k; 0 where the interval is not known
    double confidence;            // of the interval as it is; 0 where it is not known
    double p_value;               // sign test for "ratio 1"
    double quotient_of_medians;   // median(a) / median(b), printed beside the estimate
    double resolvable_difference; // mr_resolvable() at MR_POWER as a share: 0.02 is 2 %; INFINITY
                                  // where no interval exists
};

// Estimates A against B. MR_PAIRED_OK and *result_out, or what is wrong and, for a bad value, the
// index of its pair in *place_out (which may not be NULL). Thread-safe, no allocation.
MR_NODISCARD enum mr_paired_status mr_paired_estimate(const struct mr_paired_params *params,
                                                      struct mr_paired *result_out,
                                                      size_t *place_out);

#endif
