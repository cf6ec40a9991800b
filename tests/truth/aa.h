// aa.h: whether the statistics are right as often as they say, over synthetic campaigns.
#ifndef MR_TESTS_TRUTH_AA_H
#define MR_TESTS_TRUTH_AA_H

#include "noise.h"

// The proof under way: how many campaigns each row takes, and what was found so far.
struct aa {
    struct noises noises;
    uint64_t campaigns;
    uint64_t seed;
    size_t rows;
    size_t failed;
};

// A row: a share that was found, and the range in which it must lie.
void aa_row(struct aa *aa, const char *series, const char *what, double found, double low,
            double high);

// Four standard errors of a share near `share` over the proof's campaigns: what chance may add.
double aa_slack(const struct aa *aa, double share);

// Rows about levels and coverage, about the order of trials, and about power.
void aa_levels(struct aa *aa);
void aa_order(struct aa *aa);
void aa_power(struct aa *aa);

#endif
