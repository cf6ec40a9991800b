// binomial.c: see binomial.h.
#define _GNU_SOURCE
#include "binomial.h"

#include <base/mr_assert.h>

#include <math.h>
#include <stdbool.h>

// 2^-1000 is still far from where doubles lose bits, and C(1000, k) · 2^-1000 never exceeds 1.
#define COIN_BY_RECURRENCE 1000

// Halvings of an interval of doubles after which nothing changes any more.
#define HALVINGS 200

static double log_factorial(size_t n)
{
    int sign;
    return lgamma_r((double)n + 1, &sign);
}

double mr_binomial_cdf(size_t trials, size_t successes, double probability)
{
    MR_ASSERT(probability >= 0 && probability <= 1);
    if (successes >= trials || probability <= 0) {
        return 1;
    }
    if (probability >= 1) {
        return 0;
    }
    double sum = 0;
    for (size_t i = 0; i <= successes; i++) {
        double log_choose = log_factorial(trials) - log_factorial(i) - log_factorial(trials - i);
        sum += exp(log_choose + (double)i * log(probability) +
                   (double)(trials - i) * log1p(-probability));
    }
    return sum < 1 ? sum : 1;
}

double mr_coin_cdf(size_t trials, size_t heads)
{
    if (heads >= trials) {
        return 1;
    }
    if (trials > COIN_BY_RECURRENCE) {
        return mr_binomial_cdf(trials, heads, 0.5);
    }
    double term = ldexp(1, -(int)trials);
    double sum = term;
    for (size_t i = 0; i < heads; i++) {
        term = term * (double)(trials - i) / (double)(i + 1);
        sum += term;
    }
    return sum;
}

size_t mr_coin_heads(size_t trials, double probability)
{
    bool exact = trials <= COIN_BY_RECURRENCE;
    double term = exact ? ldexp(1, -(int)trials) : -(double)trials * M_LN2; // its logarithm
    double sum = 0;
    for (size_t heads = 0; heads < trials; heads++) {
        sum += exact ? term : exp(term);
        if (sum > probability) {
            return heads;
        }
        double left = (double)(trials - heads);
        term = exact ? term * left / (double)(heads + 1) : term + log(left / (double)(heads + 1));
    }
    return trials;
}

double mr_binomial_probability(size_t trials, size_t successes, double cdf)
{
    MR_ASSERT(successes < trials && cdf > 0 && cdf < 1);
    double low = 0;
    double high = 1;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (mr_binomial_cdf(trials, successes, middle) >= cdf) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

double mr_normal_cdf(double z)
{
    return erfc(-z / sqrt(2)) / 2;
}

double mr_normal_quantile(double probability)
{
    MR_ASSERT(probability > 0 && probability < 1);
    double low = -40;
    double high = 40;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = (low + high) / 2;
        if (mr_normal_cdf(middle) < probability) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}
