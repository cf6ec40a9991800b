// nested.h: how much of a spread lies within trials, between them, and between groups of them.
#ifndef MR_STATS_NESTED_H
#define MR_STATS_NESTED_H

#include <stddef.h>

// Values of one trial: thirds of its window.
#define MR_NESTED_PARTS 3

// What is measured: `count` trials with MR_NESTED_PARTS values each, and the group of each trial.
struct mr_nested_params {
    const double (*values)[MR_NESTED_PARTS];
    const size_t *group; // 0 … groups − 1 (asserted); groups may be empty
    size_t count;
    size_t groups; // ≤ MR_NESTED_GROUPS_MAX (asserted)
};

#define MR_NESTED_GROUPS_MAX 64

// Variances of the three levels; 0 where the estimate would be negative, NAN where a level has too
// few units to tell (one trial in each group, one group).
struct mr_nested {
    double within;  // parts of a trial
    double trials;  // of a group, beyond what their parts explain
    double groups;  // beyond what their trials explain
    size_t grouped; // groups with a trial
};

// The estimators of the nested analysis of variance; with groups of different sizes the mean size
// is the usual n0. Searle, Casella, McCulloch, Variance Components (1992), sections 3.5 and 3.6.
struct mr_nested mr_nested_split(const struct mr_nested_params *params);

#endif
