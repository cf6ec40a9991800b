// schedule.h: which row of which cell runs when, and in which order its contestants run.
#ifndef MR_CAMPAIGN_SCHEDULE_H
#define MR_CAMPAIGN_SCHEDULE_H

#include "trial/matrix.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

// One row: one trial of every entry of a cell, back to back.
struct mr_schedule_row {
    size_t cell;                         // index in the matrix
    uint64_t row;                        // of that cell, from 0
    unsigned order[MR_CELL_ENTRIES_MAX]; // entries by position
    size_t order_count;
};

struct mr_schedule {
    struct mr_schedule_row *rows; // in the order in which they run
    size_t count;
};

// The schedule of `matrix`, fixed by its seed: row 0 of every cell, then row 1 of every cell, …, so
// that a drift of the machine meets all cells alike; a cell of controls has its rows spread
// over all of that time. Within a cell Williams orders (ABBA for two).
// 0 or -ENOMEM. The caller ends it with mr_schedule_fini().
MR_NODISCARD int mr_schedule_init(struct mr_schedule *schedule_out, const struct mr_matrix *matrix);
void mr_schedule_fini(struct mr_schedule *schedule);

#endif
