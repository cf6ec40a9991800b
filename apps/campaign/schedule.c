// schedule.c: see schedule.h.
#include "schedule.h"

#include "base/mr_assert.h"
#include "base/rng.h"
#include "stats/williams.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// The order of row `row` of a cell: block after block of complete designs, each drawn anew.
static void order_row(const struct mr_cell *cell, uint64_t cell_seed, struct mr_schedule_row *row)
{
    _Static_assert(MR_CELL_ENTRIES_MAX <= MR_WILLIAMS_MAX, "a design must hold every entry");
    unsigned design[2 * MR_CELL_ENTRIES_MAX * MR_CELL_ENTRIES_MAX];
    size_t entries = cell->entries_count;
    size_t rows = mr_williams_rows(entries);
    struct mr_rng rng = mr_rng_seeded(cell_seed + row->row / rows);
    mr_williams_design(entries, mr_rng_next(&rng), design);
    memcpy(row->order, design + (row->row % rows) * entries, entries * sizeof design[0]);
    row->order_count = entries;
}

static void add_row(struct mr_schedule *schedule, const struct mr_matrix *matrix, size_t cell,
                    uint64_t row)
{
    struct mr_schedule_row *one = &schedule->rows[schedule->count++];
    one->cell = cell;
    one->row = row;
    order_row(&matrix->cells[cell], matrix->seed + (cell + 1) * 1000003u, one);
}

// The first row of `cell` that runs in round `round` of `rounds` or later.
static uint64_t first_row(const struct mr_cell *cell, uint64_t round, uint64_t rounds)
{
    uint64_t row = cell->is_control ? (round * cell->rows + rounds - 1) / rounds : round;
    return row < cell->rows ? row : cell->rows;
}

int mr_schedule_init(struct mr_schedule *schedule_out, const struct mr_matrix *matrix)
{
    size_t total = 0;
    uint64_t rounds = 0;
    for (size_t i = 0; i < matrix->cells_count; i++) {
        total += matrix->cells[i].rows;
        bool counts = !matrix->cells[i].is_control && matrix->cells[i].rows > rounds;
        rounds = counts ? matrix->cells[i].rows : rounds;
    }
    *schedule_out = (struct mr_schedule){.rows = calloc(total + 1, sizeof schedule_out->rows[0])};
    if (schedule_out->rows == NULL) {
        return -ENOMEM;
    }
    for (uint64_t round = 0; round < rounds; round++) {
        for (size_t cell = 0; cell < matrix->cells_count; cell++) {
            uint64_t end = first_row(&matrix->cells[cell], round + 1, rounds);
            for (uint64_t row = first_row(&matrix->cells[cell], round, rounds); row < end; row++) {
                add_row(schedule_out, matrix, cell, row);
            }
        }
    }
    MR_ASSERT(schedule_out->count == total);
    return 0;
}

void mr_schedule_fini(struct mr_schedule *schedule)
{
    free(schedule->rows);
    *schedule = (struct mr_schedule){0};
}
