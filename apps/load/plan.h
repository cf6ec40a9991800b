// plan.h: when batches are due, computed from slot numbers alone: pure arithmetic, no clock.
#ifndef MR_LOAD_PLAN_H
#define MR_LOAD_PLAN_H

#include <stdint.h>

enum mr_plan_kind {
    MR_PLAN_CLOSED, // every connection keeps `depth` batches in flight; nothing is due beforehand
    MR_PLAN_OPEN,   // slot k of connection c is due at start + (k · connections + c) / rate
};

// A plan. Measuring rule 2: due times never depend on replies, and `depth` limits only what is in
// flight, not what is due. Slots are numbered over all connections: slot s is number s /
// connections of connection s mod connections, so connections are spread evenly over the interval.
struct mr_plan {
    enum mr_plan_kind kind;
    uint64_t rate_per_s; // batches a second over all connections, ≥ 1; open only
    uint32_t connections;
    uint32_t depth;
};

// When slot `slot` of an open plan is due, in ns after the start: floor(slot · 10^9 / rate).
// Saturates at UINT64_MAX.
uint64_t mr_plan_offset_ns(const struct mr_plan *plan, uint64_t slot);

// How many slots of an open plan are due before `offset_ns`, this moment excluded.
uint64_t mr_plan_slots_before(const struct mr_plan *plan, uint64_t offset_ns);

// How many of the slots 0 … slots − 1 belong to connection `connection`.
uint64_t mr_plan_slots_of(const struct mr_plan *plan, uint32_t connection, uint64_t slots);

// "closed" or "open"; constant.
const char *mr_plan_name(enum mr_plan_kind kind);

#endif
