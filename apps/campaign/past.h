// past.h: what earlier sittings of a run have left to do, read from its trials.
#ifndef MR_CAMPAIGN_PAST_H
#define MR_CAMPAIGN_PAST_H

#include "trial/matrix.h"
#include "schedule.h"
#include "trial_table.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A row of the schedule so far.
struct mr_past_row {
    bool finished;         // it counts, or may not run again
    uint64_t attempts;     // begun
    uint64_t retries_used; // attempts that a gate or an accident ended: an interruption is none
};

struct mr_past {
    struct mr_past_row *rows;                    // by index in the schedule; NULL: there is no past
    bool out[MR_CELLS_MAX][MR_CELL_ENTRIES_MAX]; // wrong or absent: not run again
    uint64_t last_number;
};

// Reads it from the trials of a folder that ran `matrix` by `schedule`. 0 or -ENOMEM. The caller
// ends it with mr_past_fini(); an empty one (all zero) needs none.
MR_NODISCARD int mr_past_read(struct mr_past *past_out, const struct mr_matrix *matrix,
                              const struct mr_schedule *schedule,
                              const struct mr_trial_table *table);

// Whether no row of `schedule`, which is the one it was read with, can run any more.
bool mr_past_is_complete(const struct mr_past *past, const struct mr_schedule *schedule);

void mr_past_fini(struct mr_past *past);

#endif
