// past.c: see past.h.
#include "past.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Attempts of a row end at the first trial that is excluded, so each such trial is one attempt;
// of those that run in turn all may be, so each attempt counts once.
static void count_attempts(struct mr_past_row *row, const struct mr_trial_table *table,
                           const char *cell, uint64_t number)
{
    uint64_t counted = UINT64_MAX; // the attempt that was counted last
    for (size_t i = 0; i < table->count; i++) {
        const struct mr_trial *trial = &table->trials[i];
        if (trial->row != number || strcmp(trial->cell, cell) != 0) {
            continue;
        }
        row->attempts = trial->attempt >= row->attempts ? trial->attempt + 1 : row->attempts;
        if (trial->outcome == MR_TRIAL_EXCLUDED && !mr_trial_was_interrupted(trial) &&
            trial->attempt != counted) {
            counted = trial->attempt;
            row->retries_used++;
        }
    }
}

int mr_past_read(struct mr_past *past_out, const struct mr_matrix *matrix,
                 const struct mr_schedule *schedule, const struct mr_trial_table *table)
{
    *past_out = (struct mr_past){.rows = calloc(schedule->count + 1, sizeof past_out->rows[0])};
    if (past_out->rows == NULL) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < schedule->count; i++) {
        const struct mr_cell *cell = &matrix->cells[schedule->rows[i].cell];
        const struct mr_trial *trials[MR_CELL_ENTRIES_MAX];
        struct mr_past_row *row = &past_out->rows[i];
        count_attempts(row, table, cell->name, schedule->rows[i].row);
        row->finished = mr_trial_table_row(table, cell, schedule->rows[i].row, trials) ||
                        row->retries_used > matrix->rules.retries_max;
    }
    for (size_t cell = 0; cell < matrix->cells_count; cell++) {
        const struct mr_cell *one = &matrix->cells[cell];
        for (size_t i = 0; i < one->entries_count; i++) {
            past_out->out[cell][i] =
                mr_trial_table_wrong(table, one->name, one->entries[i]) != NULL ||
                mr_trial_table_absent(table, one->name, one->entries[i]) != NULL;
        }
    }
    if (table->count > 0) {
        past_out->last_number = table->trials[table->count - 1].number;
    }
    return 0;
}

bool mr_past_is_complete(const struct mr_past *past, const struct mr_schedule *schedule)
{
    for (size_t i = 0; i < schedule->count; i++) {
        const struct mr_schedule_row *row = &schedule->rows[i];
        size_t left = 0;
        for (size_t k = 0; k < row->order_count; k++) {
            left += !past->out[row->cell][row->order[k]];
        }
        if (!past->rows[i].finished && left >= 2) {
            return false;
        }
    }
    return true;
}

void mr_past_fini(struct mr_past *past)
{
    free(past->rows);
    *past = (struct mr_past){0};
}
