// sweep_plan.c: see sweep_plan.h.
#include "sweep_plan.h"

#include "base/clock.h"
#include "base/rng.h"
#include "stats/williams.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_BATCHES 11000u
#define WINDOW_MIN_NS  (2 * MR_NS_PER_S)
#define WINDOW_MAX_NS  (30 * MR_NS_PER_S)

// Streams of draws that must not meet: one for the loads' order, one for the contestants'.
#define LOADS_STREAM 0x6c6f616473u

const char *mr_sweep_phase_name(enum mr_sweep_phase phase)
{
    static const char *const names[] = {"closed", "load", "pair", "limit"};
    return names[phase];
}

void mr_sweep_order(size_t contestants, uint64_t seed, uint64_t row, unsigned *order_out)
{
    _Static_assert(MR_CELL_ENTRIES_MAX <= MR_WILLIAMS_MAX, "a design must hold every entry");
    unsigned design[2 * MR_CELL_ENTRIES_MAX * MR_CELL_ENTRIES_MAX];
    size_t rows = mr_williams_rows(contestants);
    struct mr_rng rng = mr_rng_seeded(seed + row / rows);
    mr_williams_design(contestants, mr_rng_next(&rng), design);
    memcpy(order_out, design + (row % rows) * contestants, contestants * sizeof design[0]);
}

// How far the loads are.
struct span {
    size_t done;
    size_t total;
};

static void shuffle_loads(size_t *loads, size_t count, struct mr_rng *rng)
{
    for (size_t i = 0; i < count; i++) {
        loads[i] = i;
    }
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)mr_rng_below(rng, i);
        size_t kept = loads[i - 1];
        loads[i - 1] = loads[other];
        loads[other] = kept;
    }
}

// Pairs that are due once `done` of `total` rows of loads have run, as far as they are not there
// yet.
static void add_pairs(struct mr_sweep_rows *rows, uint64_t *pairs_io, uint64_t pairs,
                      struct span span)
{
    while (*pairs_io < pairs && (*pairs_io + 1) * span.total <= span.done * pairs) {
        rows->row[rows->count++] =
            (struct mr_sweep_row){.phase = MR_SWEEP_PAIR, .repeat = (*pairs_io)++};
    }
}

int mr_sweep_rows_init(struct mr_sweep_rows *rows_out, const struct mr_sweep_options *options)
{
    size_t loads_total = (size_t)options->repeats * options->loads_count;
    size_t total = (size_t)options->repeats + loads_total + (size_t)options->pairs;
    uint64_t pairs = 0;
    size_t done = 0;
    *rows_out = (struct mr_sweep_rows){.row = calloc(total, sizeof rows_out->row[0])};
    if (rows_out->row == NULL) {
        return -ENOMEM;
    }
    for (uint64_t repeat = 0; repeat < options->repeats; repeat++) {
        rows_out->row[rows_out->count++] =
            (struct mr_sweep_row){.phase = MR_SWEEP_CLOSED, .repeat = repeat};
    }
    struct mr_rng rng = mr_rng_seeded(options->seed ^ LOADS_STREAM);
    for (uint64_t repeat = 0; repeat < options->repeats; repeat++) {
        size_t loads[MR_SWEEP_LOADS_MAX];
        shuffle_loads(loads, options->loads_count, &rng);
        for (size_t i = 0; i < options->loads_count; i++) {
            rows_out->row[rows_out->count++] =
                (struct mr_sweep_row){.phase = MR_SWEEP_LOAD, .load = loads[i], .repeat = repeat};
            add_pairs(rows_out, &pairs, options->pairs,
                      (struct span){.done = ++done, .total = loads_total});
        }
    }
    for (size_t i = 0; i < rows_out->count; i++) {
        mr_sweep_order(options->contestants_count, options->seed, i, rows_out->row[i].order);
    }
    return 0;
}

void mr_sweep_rows_fini(struct mr_sweep_rows *rows)
{
    free(rows->row);
    *rows = (struct mr_sweep_rows){0};
}

uint64_t mr_sweep_rate(double maximum_per_s, unsigned percent)
{
    return (uint64_t)fmax(1, round(maximum_per_s * percent / 100));
}

uint64_t mr_sweep_window_ns(uint64_t rate_per_s)
{
    uint64_t needed_ns = WINDOW_BATCHES * MR_NS_PER_S / rate_per_s;
    return needed_ns < WINDOW_MIN_NS   ? WINDOW_MIN_NS
           : needed_ns > WINDOW_MAX_NS ? WINDOW_MAX_NS
                                       : needed_ns;
}
