// plan_poisson.c: see plan_poisson.h.
#include "plan_poisson.h"

#include "base/clock.h"
#include "base/mr_assert.h"
#include "base/rng.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

#define FRACTION_BITS 32

uint64_t mr_plan_poisson_gap(uint64_t draw)
{
    uint64_t whole = 64;
    uint64_t mantissa = draw;
    if (draw >> 63 == 0) {
        uint64_t odd = 2 * draw + 1;
        unsigned zeros = (unsigned)__builtin_clzll(odd);
        whole = 63 - zeros;
        mantissa = odd << zeros;
    }
    uint64_t fraction = 0;
    for (int digit = 0; digit < FRACTION_BITS; digit++) {
        wide square = (wide)mantissa * mantissa >> 63;
        uint64_t carry = (uint64_t)(square >> 64);
        mantissa = (uint64_t)(square >> carry);
        fraction = fraction << 1 | carry;
    }
    return ((uint64_t)65 << FRACTION_BITS) - (whole << FRACTION_BITS | fraction);
}

// Room for one more entry.
static int grow(struct mr_plan *plan, uint64_t *capacity)
{
    if (plan->slots < *capacity) {
        return 0;
    }
    uint64_t larger = *capacity + *capacity / 2;
    uint64_t *moved = realloc(plan->due_ns, larger * sizeof *moved);
    if (moved == NULL) {
        return -ENOMEM;
    }
    plan->due_ns = moved;
    *capacity = larger;
    return 0;
}

int mr_plan_poisson_init(struct mr_plan *plan, uint64_t seed, uint64_t length_ns)
{
    MR_ASSERT(plan->kind == MR_PLAN_POISSON && plan->rate_per_s > 0);
    wide expected = (wide)plan->rate_per_s * length_ns / MR_NS_PER_S;
    MR_ASSERT(expected <= MR_PLAN_SLOTS_MAX);
    uint64_t capacity = (uint64_t)expected + (uint64_t)expected / 32 + 1024;
    struct mr_rng rng = mr_rng_seeded(seed ^ MR_PLAN_POISSON_STREAM);
    plan->slots = 0;
    plan->due_ns = malloc(capacity * sizeof *plan->due_ns);
    int result = plan->due_ns == NULL ? -ENOMEM : 0;
    wide sum = 0;
    while (result == 0) {
        sum += mr_plan_poisson_gap(mr_rng_next(&rng));
        wide due_ns = sum * MR_PLAN_POISSON_LN2 / plan->rate_per_s >> 64;
        if (due_ns >= length_ns) {
            return 0;
        }
        result = grow(plan, &capacity);
        if (result == 0) {
            plan->due_ns[plan->slots++] = (uint64_t)due_ns;
        }
    }
    mr_plan_fini(plan);
    return result;
}
