// binomial.h: exact binomial probabilities, and the normal distribution where a scale is needed.
#ifndef MR_STATS_BINOMIAL_H
#define MR_STATS_BINOMIAL_H

#include <stddef.h>

// P(X ≤ successes) for X binomial(trials, probability); probability in [0, 1] (asserted). Summed
// term by term; relative error below 1e-8 up to a million trials.
double mr_binomial_cdf(size_t trials, size_t successes, double probability);

// Like mr_binomial_cdf(), but for a fair coin: no rounding at all up to 50 trials, so that a tail
// is compared with a level exactly.
double mr_coin_cdf(size_t trials, size_t heads);

// How many of 0, 1, … heads have mr_coin_cdf() ≤ probability < 1: in one pass, where a search by
// mr_coin_cdf() takes one for each.
size_t mr_coin_heads(size_t trials, double probability);

// The probability p for which P(X ≤ successes) is `cdf` in (0, 1), successes < trials (asserted):
// the cdf falls as p grows, so it is found by halving, to the last bit that matters.
double mr_binomial_probability(size_t trials, size_t successes, double cdf);

// P(Z ≤ z) for the standard normal distribution, and the z for which that is `probability` in (0,
// 1) (asserted).
double mr_normal_cdf(double z);
double mr_normal_quantile(double probability);

#endif
