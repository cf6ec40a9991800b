// legs.c: see legs.h.
#include "legs.h"

#include "base/clock.h"
#include "base/mr_assert.h"
#include "stats/robust.h"

#include <math.h>
#include <string.h>

#define HELD_SHARE    8u // one batch in so many
#define LEG_PAIRS_MIN 4u

size_t mr_legs_plan(struct mr_legs *legs_out, size_t batches)
{
    *legs_out = (struct mr_legs){.limit_ns = UINT64_MAX};
    size_t pairs = batches / HELD_SHARE / MR_LEG_BATCHES;
    if (pairs < LEG_PAIRS_MIN) {
        return 0;
    }
    legs_out->planned_pairs = pairs < MR_LEG_PAIRS_MAX ? pairs : MR_LEG_PAIRS_MAX;
    legs_out->leg_batches = MR_LEG_BATCHES;
    legs_out->left = MR_LEG_BATCHES;
    return legs_out->planned_pairs * MR_LEG_BATCHES;
}

bool mr_legs_are_unseen(const struct mr_legs *legs)
{
    return (legs->number + legs->number / 2) % 2 == 1;
}

struct mr_order_item mr_legs_take_unseen(struct mr_legs *legs, const struct mr_order *order)
{
    MR_ASSERT(legs->next_held < order->held);
    return (struct mr_order_item){.batch = order->batch[order->count + legs->next_held++]};
}

void mr_legs_note_sent(struct mr_legs *legs, uint64_t payload_bytes)
{
    MR_ASSERT(legs->left > 0);
    if (legs->begin_ns == 0) {
        legs->begin_ns = mr_clock_ns();
    }
    legs->left--;
    legs->payload_bytes += payload_bytes;
}

bool mr_legs_next(struct mr_legs *legs, uint64_t end_ns)
{
    MR_ASSERT(legs->left == 0 && legs->payload_bytes > 0 && end_ns > legs->begin_ns);
    legs->cost[mr_legs_are_unseen(legs)][legs->pairs] =
        (double)(end_ns - legs->begin_ns) / (double)legs->payload_bytes;
    legs->pairs += legs->number % 2;
    legs->number++;
    legs->left = legs->leg_batches;
    legs->begin_ns = 0;
    legs->payload_bytes = 0;
    bool within_pair = legs->number % 2 == 1;
    return within_pair || (legs->pairs < legs->planned_pairs && end_ns < legs->limit_ns);
}

double mr_legs_cost(const struct mr_legs *legs, bool unseen, size_t percent)
{
    MR_ASSERT(legs->pairs > 0 && percent < 100);
    double sorted[MR_LEG_PAIRS_MAX];
    memcpy(sorted, legs->cost[unseen], legs->pairs * sizeof sorted[0]);
    mr_sort(sorted, legs->pairs);
    return sorted[legs->pairs * percent / 100];
}

double mr_legs_unseen_over_seen(const struct mr_legs *legs)
{
    static const size_t percents[] = {10, 25, 50};
    double least = INFINITY;
    for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++) {
        least = fmin(least, mr_legs_cost(legs, true, percents[i]) /
                                mr_legs_cost(legs, false, percents[i]));
    }
    return least;
}
