// sweep_saturation.h: two ways to find one capacity, side by side: what an open loop beyond it
// achieves, and what a closed loop does just before or behind.
#ifndef MR_CAMPAIGN_SWEEP_SATURATION_H
#define MR_CAMPAIGN_SWEEP_SATURATION_H

#include "sweep.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The open loop's rate as a share of the most that a closed loop has shown.
#define MR_SATURATION_PERCENT 110u

// The two ways should agree as well as this.
#define MR_SATURATION_AGREEMENT 0.10

enum mr_saturation_verdict {
    MR_SATURATION_AGREES, // the whole interval of the ratio lies within the agreement
    MR_SATURATION_APART,  // wholly beyond it
    MR_SATURATION_OPEN,   // neither, or too few pairs for an interval
};

struct mr_sweep_saturation {
    size_t pairs;      // both trials count
    size_t sustained;  // of them: the open loop sustained its rate, so its ratio is a lower bound.
                       // Left out, it would be the fast ones that are missing
    double open_per_s; // medians over the pairs; NAN: there is none
    double closed_per_s; //
    double ratio;        // open over closed: median of the pairs' log ratios
    double ratio_low;    // its sign-test interval at 95 %; NAN: too few pairs
    double ratio_high;   //
    double confidence;   // of that interval as it is
    enum mr_saturation_verdict verdict;
};

struct mr_sweep_saturation mr_sweep_saturation_of(const struct mr_sweep *sweep, size_t entry);

// "within 10 %", "more than 10 % apart", "open"; constant.
const char *mr_saturation_verdict_name(enum mr_saturation_verdict verdict);

// The rate of the next open loop of a pair: MR_SATURATION_PERCENT of the largest of the
// contestant's maximum and the closed loops of its pairs until now; 0: its maximum is not known.
uint64_t mr_sweep_pair_rate(const struct mr_sweep *sweep, size_t entry);

// Pairs of which both trials count that are wanted, and missing; 0 for a contestant that is out.
size_t mr_sweep_pairs_missing(const struct mr_sweep *sweep, size_t entry);

#endif
