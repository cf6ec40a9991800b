// plan.c: see plan.h.
#include "plan.h"

#include "base/clock.h"
#include "base/mr_assert.h"

#include <stddef.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

static uint64_t saturated(wide value)
{
    return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

void mr_plan_fini(struct mr_plan *plan)
{
    free(plan->due_ns);
    plan->due_ns = NULL;
    plan->slots = 0;
}

uint64_t mr_plan_offset_ns(const struct mr_plan *plan, uint64_t slot)
{
    switch (plan->kind) {
    case MR_PLAN_OPEN:
        MR_ASSERT(plan->rate_per_s > 0);
        return saturated((wide)slot * MR_NS_PER_S / plan->rate_per_s);
    case MR_PLAN_BURSTS:
        MR_ASSERT(plan->burst_batches > 0);
        return saturated((wide)(slot / plan->burst_batches) * plan->period_ns);
    case MR_PLAN_POISSON:
    case MR_PLAN_STEPS:
        return slot < plan->slots ? plan->due_ns[slot] : UINT64_MAX;
    case MR_PLAN_CLOSED:
        break;
    }
    MR_ASSERT(plan->kind != MR_PLAN_CLOSED);
    return UINT64_MAX;
}

// The first entry of the table that is not before `offset_ns`.
static uint64_t lower_bound(const struct mr_plan *plan, uint64_t offset_ns)
{
    uint64_t low = 0;
    uint64_t high = plan->slots;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (plan->due_ns[middle] < offset_ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint64_t mr_plan_slots_before(const struct mr_plan *plan, uint64_t offset_ns)
{
    MR_ASSERT(plan->kind != MR_PLAN_CLOSED);
    if (plan->kind == MR_PLAN_OPEN) {
        // floor(s · 10^9 / rate) < offset holds exactly where s · 10^9 < offset · rate.
        return saturated(((wide)offset_ns * plan->rate_per_s + MR_NS_PER_S - 1) / MR_NS_PER_S);
    }
    if (plan->kind == MR_PLAN_BURSTS) {
        MR_ASSERT(plan->period_ns > 0);
        wide bursts = ((wide)offset_ns + plan->period_ns - 1) / plan->period_ns;
        return saturated(bursts * plan->burst_batches);
    }
    return lower_bound(plan, offset_ns);
}

uint64_t mr_plan_slots_of(const struct mr_plan *plan, uint32_t connection, uint64_t slots)
{
    MR_ASSERT(connection < plan->connections);
    if (slots <= connection) {
        return 0;
    }
    return (slots - connection - 1) / plan->connections + 1;
}

bool mr_plan_overloaded(uint64_t planned, uint64_t backlog_begin, uint64_t backlog_end)
{
    return backlog_end > backlog_begin && (wide)(backlog_end - backlog_begin) * 100 > planned;
}

const char *mr_plan_name(enum mr_plan_kind kind)
{
    static const char *const names[MR_PLAN_KIND_COUNT] = {"closed", "open", "poisson", "bursts",
                                                          "steps"};
    return names[kind];
}
