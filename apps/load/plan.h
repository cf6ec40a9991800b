// plan.h: when batches are due, computed from slot numbers alone: pure arithmetic, no clock.
#ifndef MR_LOAD_PLAN_H
#define MR_LOAD_PLAN_H

#include <stdbool.h>
#include <stdint.h>

enum mr_plan_kind {
    MR_PLAN_CLOSED,  // every connection keeps `depth` batches in flight; nothing is due beforehand
    MR_PLAN_OPEN,    // constant rate: slot s is due after s / rate
    MR_PLAN_POISSON, // independent exponential gaps with mean 1 / rate (plan_poisson.h)
    MR_PLAN_BURSTS,  // `burst_batches` slots due at once every period
    MR_PLAN_STEPS,   // constant rates and linear ramps one after the other (plan_steps.h)
};
#define MR_PLAN_KIND_COUNT 5

// Slots that come due take about 50 ns each to take up, sent or not: above this nothing else would
// happen.
#define MR_PLAN_RATE_MAX 5000000u

// Due times that are computed before the run stand in memory, 8 bytes each: 256 MiB and some 4 s.
#define MR_PLAN_SLOTS_MAX (1u << 25)

// Batches of one burst: 2^20 take some 10 ms to take up, in which nothing else is done.
#define MR_PLAN_BURST_MAX (1u << 20)

// A plan. Measuring rule 2: due times never depend on replies, and `depth` limits only what is in
// flight, not what is due. Slots are numbered over all connections: slot s is number s /
// connections of connection s mod connections, so connections are spread evenly over the interval,
// and the sequence of due times is the same for any number of connections and threads.
struct mr_plan {
    enum mr_plan_kind kind;
    uint64_t rate_per_s;    // batches a second over all connections, ≥ 1; open, poisson
    uint64_t burst_batches; // ≥ 1; bursts
    uint64_t period_ns;     // ≥ 1; bursts
    uint32_t connections;
    uint32_t depth;
    uint64_t *due_ns; // owned; poisson, steps: of every slot before the plan's end, ascending
    uint64_t slots;   // entries of due_ns
};

// Frees the table of a plan that has one.
void mr_plan_fini(struct mr_plan *plan);

// When slot `slot` of a plan that is not closed is due, in ns after the start, rounded down.
// Saturates at UINT64_MAX, which a slot behind the end of a table has, too. Constant time.
uint64_t mr_plan_offset_ns(const struct mr_plan *plan, uint64_t slot);

// How many slots of a plan that is not closed are due before `offset_ns`, this moment excluded.
// Where there is a table, `offset_ns` must not lie behind the plan's end.
uint64_t mr_plan_slots_before(const struct mr_plan *plan, uint64_t offset_ns);

// How many of the slots 0 … slots − 1 belong to connection `connection`.
uint64_t mr_plan_slots_of(const struct mr_plan *plan, uint32_t connection, uint64_t slots);

// Whether a backlog grew by more than 1 % of the slots planned meanwhile (measuring rule 2).
bool mr_plan_overloaded(uint64_t planned, uint64_t backlog_begin, uint64_t backlog_end);

// "closed", "open", "poisson", "bursts" or "steps"; constant.
const char *mr_plan_name(enum mr_plan_kind kind);

#endif
