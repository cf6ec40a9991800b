// fisher.h: whether two contestants lost trials equally often: Fisher's exact test.
#ifndef MR_STATS_FISHER_H
#define MR_STATS_FISHER_H

#include <stddef.h>

// Two-sided p-value for "both lost their trials with the same chance": `lost_a` of `count_a` and
// `lost_b` of `count_b` (asserted: lost ≤ count). Given how many were lost in all, those of A are
// hypergeometric; the chances of all splits that are no likelier than what was seen add up. 1 where
// nothing or everything was lost. Fisher, J. R. Statist. Soc. 98 (1935); the two-sided sum as in
// Agresti, Statist. Sci. 7 (1992).
double mr_fisher_p_value(size_t lost_a, size_t count_a, size_t lost_b, size_t count_b);

#endif
