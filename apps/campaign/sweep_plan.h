// sweep_plan.h: which point of a sweep runs when, at which rate and for how long: pure arithmetic.
#ifndef MR_CAMPAIGN_SWEEP_PLAN_H
#define MR_CAMPAIGN_SWEEP_PLAN_H

#include "sweep_options.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

// What a trial of a sweep is for.
enum mr_sweep_phase {
    MR_SWEEP_CLOSED, // the maximum
    MR_SWEEP_LOAD,   // one of the loads
    MR_SWEEP_PAIR,   // a closed loop beside an open one that is overloaded: the saturation
    MR_SWEEP_LIMIT,  // the search for the rate that keeps the limit
};

// "closed", "load", "pair", "limit"; constant.
const char *mr_sweep_phase_name(enum mr_sweep_phase phase);

// One trial of every contestant, back to back; MR_SWEEP_PAIR: two, the closed loop first where
// `repeat` is even.
struct mr_sweep_row {
    enum mr_sweep_phase phase;
    size_t load;     // index of its percent; MR_SWEEP_LOAD only
    uint64_t repeat; // from 0
    unsigned order[MR_CELL_ENTRIES_MAX];
};

struct mr_sweep_rows {
    struct mr_sweep_row *row; // in the order in which they run
    size_t count;
};

// The rows, fixed by the seed: the closed loops first, then all loads once, all loads again, …, so
// that an end of the budget leaves whole curves. Pairs are spread evenly among them. Loads are
// shuffled within each repeat, so that the machine's drift is not taken for the load's doing;
// contestants stand in Williams orders. 0 or -ENOMEM. The caller ends it with mr_sweep_rows_fini().
MR_NODISCARD int mr_sweep_rows_init(struct mr_sweep_rows *rows_out,
                                    const struct mr_sweep_options *options);
void mr_sweep_rows_fini(struct mr_sweep_rows *rows);

// The order of `contestants` in row `row` of a design that `seed` fixes.
void mr_sweep_order(size_t contestants, uint64_t seed, uint64_t row, unsigned *order_out);

// `percent` of `maximum_per_s`, at least 1 batch a second.
uint64_t mr_sweep_rate(double maximum_per_s, unsigned percent);

// The window at `rate_per_s`: long enough for p99 (10,000 batches, measuring rule 6) and a tenth
// more, because Poisson arrivals vary; at least 2 s, at most 30 s.
uint64_t mr_sweep_window_ns(uint64_t rate_per_s);

#endif
