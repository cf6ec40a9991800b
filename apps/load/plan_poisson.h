// plan_poisson.h: the table of a Poisson plan: seeded exponential gaps in integers alone, so that
// every machine and every language finds the same due times.
//
// Draw i = 0, 1, … is d = output i of SplitMix64 (base/rng.h) seeded with seed XOR
// MR_PLAN_POISSON_STREAM. It stands for the uniform number U = (2d + 1) / 2^65. The gap before slot
// i is E = −log2 U in units of 2^-32, rounded up to a whole number:
//     x = 2d + 1; n = floor(log2 x); m = x · 2^(63 − n) rounded down, so 2^63 ≤ m < 2^64;
//     32 times: m = floor(m² / 2^63); the next binary digit of log2 is 1 where m ≥ 2^64, and m is
//     halved then (rounded down); E = 65 · 2^32 − (n · 2^32 + the 32 digits).
// With S the sum of the gaps up to and including slot i, the slot is due
//     floor(floor(S · MR_PLAN_POISSON_LN2 / rate) / 2^64) ns after the start:
// the sum is exact, so roundings do not add up. That −ln U is exponential: Devroye, Non-Uniform
// Random Variate Generation (1986), II.2; log2 by squaring: Majithia, Levan, Proc. IEEE 61 (1973).
#ifndef MR_LOAD_PLAN_POISSON_H
#define MR_LOAD_PLAN_POISSON_H

#include "plan.h"

#include <matchrace/attributes.h>

#include <stdint.h>

#define MR_PLAN_POISSON_STREAM 0x506F6973736F6E31u  // apart from the order of the batches
#define MR_PLAN_POISSON_LN2    2977044471819572071u // ln 2 · 10^9 · 2^32

// −log2 of the uniform number that `draw` stands for, as above. At least 1, at most 65 · 2^32.
uint64_t mr_plan_poisson_gap(uint64_t draw);

// Computes every slot due before `length_ns` into the plan's table, of which rate · length must
// fit (MR_PLAN_SLOTS_MAX, asserted). Some 100 ns a slot. 0 or -ENOMEM. mr_plan_fini() frees it.
MR_NODISCARD int mr_plan_poisson_init(struct mr_plan *plan, uint64_t seed, uint64_t length_ns);

#endif
