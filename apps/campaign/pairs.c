// pairs.c: see pairs.h.
#include "pairs.h"

#include "stats/signed_rank.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

// A trial that did nothing is the slowest of all, not one that is missing: its pair stays, at the
// edge.
#define SPEED_OF_NOTHING 1e-9

static double speed_of(const struct mr_trial *trial, const char *name)
{
    const struct mr_metric *metric = mr_trial_find(trial, name);
    if (metric == NULL || !(metric->value >= 0) || !isfinite(metric->value)) {
        return NAN;
    }
    if (metric->value == 0 && metric->higher_is_better) {
        return SPEED_OF_NOTHING;
    }
    return metric->higher_is_better ? metric->value : 1.0 / metric->value;
}

// A pair of figures; without one of both there is none.
static void add(struct mr_pairs *pairs, const struct mr_trial *a, const struct mr_trial *b,
                const char *metric)
{
    double speed_a = a == NULL ? NAN : speed_of(a, metric);
    double speed_b = b == NULL ? NAN : speed_of(b, metric);
    if (isfinite(speed_a) && isfinite(speed_b)) {
        pairs->a[pairs->count] = speed_a;
        pairs->number[pairs->count] = a->number;
        pairs->b[pairs->count++] = speed_b;
    }
}

// Room for `room` pairs; mr_walsh_count() of them come later, when their number is known.
static int make_room(struct mr_pairs *pairs_out, size_t room)
{
    *pairs_out = (struct mr_pairs){.a = calloc(4 * room, sizeof(double))};
    pairs_out->number = calloc(room, sizeof pairs_out->number[0]);
    if (pairs_out->a == NULL || pairs_out->number == NULL) {
        mr_pairs_fini(pairs_out);
        return -ENOMEM;
    }
    pairs_out->b = pairs_out->a + room;
    pairs_out->scratch = pairs_out->a + 2 * room;
    return 0;
}

static int make_walsh(struct mr_pairs *pairs)
{
    pairs->walsh = calloc(mr_walsh_count(pairs->count) + 1, sizeof(double));
    if (pairs->walsh == NULL) {
        mr_pairs_fini(pairs);
        return -ENOMEM;
    }
    return 0;
}

int mr_pairs_init(struct mr_pairs *pairs_out, const struct mr_trial_table *table,
                  const struct mr_cell *cell, const char *metric, size_t a, size_t b)
{
    int result = make_room(pairs_out, cell->rows + 1); // never an allocation of nothing
    if (result != 0) {
        return result;
    }
    for (uint64_t row = 0; row < cell->rows; row++) {
        const struct mr_trial *trials[MR_CELL_ENTRIES_MAX];
        if (mr_trial_table_row(table, cell, row, trials)) {
            add(pairs_out, trials[a], trials[b], metric == NULL ? cell->metric : metric);
        }
    }
    return make_walsh(pairs_out);
}

int mr_pairs_init_unexcluded(struct mr_pairs *pairs_out, const struct mr_trial_table *table,
                             const struct mr_cell *cell, size_t a, size_t b)
{
    // A pair takes a trial of its own, so there are no more of them than trials.
    int result = make_room(pairs_out, table->count + 1);
    if (result != 0) {
        return result;
    }
    uint64_t attempts = mr_trial_table_attempts(table);
    for (uint64_t row = 0; row < cell->rows; row++) {
        for (uint64_t attempt = 0; attempt < attempts; attempt++) {
            const struct mr_trial *trials[MR_CELL_ENTRIES_MAX];
            if (mr_trial_table_attempt(table, cell, row, attempt, trials)) {
                add(pairs_out, trials[a], trials[b], cell->metric);
            }
        }
    }
    return make_walsh(pairs_out);
}

void mr_pairs_fini(struct mr_pairs *pairs)
{
    free(pairs->a);
    free(pairs->number);
    free(pairs->walsh);
    *pairs = (struct mr_pairs){0};
}
