// rate_maximum.h: how many batches a second each contestant of a cell takes at most: what a
// "share" in a matrix is a share of.
#ifndef MR_CAMPAIGN_RATE_MAXIMUM_H
#define MR_CAMPAIGN_RATE_MAXIMUM_H

#include "trial/fault.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>

struct mr_race;

#define MR_RATE_REPEATS 3

// One contestant in one cell, measured closed loop, 16 connections × 4 batches.
struct mr_rate_maximum {
    size_t cell;
    const char *contestant;
    double batches_per_s[MR_RATE_REPEATS]; // in the order of measuring
    size_t count;                          // of them
    double median;                         // 0: could not be measured
    bool null_contestant;                  // a variant that does not do the cell's job
    bool slowest;                          // it sets the rates of its cell
    char reason[512];                      // why it could not be measured; or empty
};

// All cells with a share; zeroed: none. The caller ends it with mr_rate_maxima_fini().
struct mr_rate_maxima {
    struct mr_rate_maximum *item; // owned
    size_t count;
};

// Measures every contestant of every cell whose load is a share, in turn, each a few times with the
// campaign's own warm-up; marks the slowest of each cell and fixes its rates in `race`->matrix,
// once and for all (measuring rule 2). Null contestants and those that are wrong set no rate. Raw
// files go to the folder maxima/ of the run. 0; -EINTR after a signal; -EINVAL: a cell has only
// null contestants; -EPROTO: all of a cell are wrong; another negative errno; *fault is set but for
// -EINTR.
MR_NODISCARD int mr_race_rates_prepare(struct mr_race *race, struct mr_trial_fault *fault);

// Marks the slowest contestant of `cell` that counts, and returns its median; 0: there is none.
double mr_rate_maxima_choose(struct mr_rate_maxima *maxima, size_t cell);

void mr_rate_maxima_fini(struct mr_rate_maxima *maxima);

#endif
