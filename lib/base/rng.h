// rng.h: SplitMix64, the seeded random numbers of the lab: the same draws on every machine.
// Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014.
#ifndef MR_BASE_RNG_H
#define MR_BASE_RNG_H

#include <stdint.h>

struct mr_rng {
    uint64_t state;
};

// A generator whose draws depend on `seed` alone.
static inline struct mr_rng mr_rng_seeded(uint64_t seed)
{
    return (struct mr_rng){.state = seed};
}

// The next draw, uniform over 64 bits.
static inline uint64_t mr_rng_next(struct mr_rng *rng)
{
    rng->state += 0x9E3779B97F4A7C15u;
    uint64_t z = rng->state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// Uniform in [0, bound), bound ≥ 1: the high half of a 128-bit product (bias below 2^-32 for the
// bounds used here, and the same everywhere). Lemire, ACM TOMACS 29 (2019), without the rejection.
static inline uint64_t mr_rng_below(struct mr_rng *rng, uint64_t bound)
{
    __extension__ typedef unsigned __int128 product; // -Wpedantic
    return (uint64_t)(((product)mr_rng_next(rng) * bound) >> 64);
}

// Uniform in [low, high], both ends included.
static inline uint64_t mr_rng_between(struct mr_rng *rng, uint64_t low, uint64_t high)
{
    return low + mr_rng_below(rng, high - low + 1);
}

#endif
