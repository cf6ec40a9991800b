// plan.c: see plan.h.
#include "plan.h"

#include "base/clock.h"
#include "base/mr_assert.h"

__extension__ typedef unsigned __int128 wide;

static uint64_t saturated(wide value)
{
    return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

uint64_t mr_plan_offset_ns(const struct mr_plan *plan, uint64_t slot)
{
    MR_ASSERT(plan->rate_per_s > 0);
    return saturated((wide)slot * MR_NS_PER_S / plan->rate_per_s);
}

// floor(s · 10^9 / rate) < offset holds exactly where s · 10^9 < offset · rate.
uint64_t mr_plan_slots_before(const struct mr_plan *plan, uint64_t offset_ns)
{
    return saturated(((wide)offset_ns * plan->rate_per_s + MR_NS_PER_S - 1) / MR_NS_PER_S);
}

uint64_t mr_plan_slots_of(const struct mr_plan *plan, uint32_t connection, uint64_t slots)
{
    MR_ASSERT(connection < plan->connections);
    if (slots <= connection) {
        return 0;
    }
    return (slots - connection - 1) / plan->connections + 1;
}

const char *mr_plan_name(enum mr_plan_kind kind)
{
    return kind == MR_PLAN_OPEN ? "open" : "closed";
}
