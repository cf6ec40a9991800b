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

static void collect(struct mr_pairs *pairs, const struct mr_trial_table *table,
                    const struct mr_cell *cell, const char *metric, size_t a, size_t b)
{
    for (uint64_t row = 0; row < cell->rows; row++) {
        const struct mr_trial *trials[MR_CELL_ENTRIES_MAX];
        if (!mr_trial_table_row(table, cell, row, trials) || trials[a] == NULL ||
            trials[b] == NULL) {
            continue;
        }
        double speed_a = speed_of(trials[a], metric);
        double speed_b = speed_of(trials[b], metric);
        if (isfinite(speed_a) && isfinite(speed_b)) {
            pairs->a[pairs->count] = speed_a;
            pairs->number[pairs->count] = trials[a]->number;
            pairs->b[pairs->count++] = speed_b;
        }
    }
}

int mr_pairs_init(struct mr_pairs *pairs_out, const struct mr_trial_table *table,
                  const struct mr_cell *cell, const char *metric, size_t a, size_t b)
{
    size_t room = cell->rows + 1; // never an allocation of nothing
    *pairs_out = (struct mr_pairs){.a = calloc(4 * room, sizeof(double))};
    pairs_out->number = calloc(room, sizeof pairs_out->number[0]);
    if (pairs_out->a == NULL || pairs_out->number == NULL) {
        mr_pairs_fini(pairs_out);
        return -ENOMEM;
    }
    pairs_out->b = pairs_out->a + room;
    pairs_out->scratch = pairs_out->a + 2 * room;
    collect(pairs_out, table, cell, metric == NULL ? cell->metric : metric, a, b);
    pairs_out->walsh = calloc(mr_walsh_count(pairs_out->count) + 1, sizeof(double));
    if (pairs_out->walsh == NULL) {
        mr_pairs_fini(pairs_out);
        return -ENOMEM;
    }
    return 0;
}

void mr_pairs_fini(struct mr_pairs *pairs)
{
    free(pairs->a);
    free(pairs->number);
    free(pairs->walsh);
    *pairs = (struct mr_pairs){0};
}
