// trial_table.h: all trials of a run's folder, and which of them count for a row.
#ifndef MR_CAMPAIGN_TRIAL_TABLE_H
#define MR_CAMPAIGN_TRIAL_TABLE_H

#include "trial/matrix.h"
#include "trial/trial_file.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <dirent.h>
#include <stdint.h>

// The names of a run's trial files, in the order of their numbers.
struct mr_trial_names {
    struct dirent **name;
    size_t count;
};

// Lists `folder`/trials. 0; a negative errno with *fault set. The caller ends it with
// mr_trial_names_fini(), whatever happened.
MR_NODISCARD int mr_trial_names_init(struct mr_trial_names *names_out, const char *folder,
                                     struct mr_trial_fault *fault);
void mr_trial_names_fini(struct mr_trial_names *names);

struct mr_trial_table {
    struct mr_trial *trials; // by number
    struct mr_json_file *files;
    char (*names)[256]; // file names without folder
    size_t count;
};

// Reads every file of `folder`/trials, in the order of their numbers.
// 0; a negative errno with *fault set. The caller ends it with mr_trial_table_fini(), whatever
// happened.
MR_NODISCARD int mr_trial_table_init(struct mr_trial_table *table_out, const char *folder,
                                     struct mr_trial_fault *fault);
void mr_trial_table_fini(struct mr_trial_table *table);

// Time from the start to the end of the trials of `cell`, in which trials of a row that run in turn
// share theirs.
double mr_trial_table_spent_s(const struct mr_trial_table *table, const char *cell);

// The trial that made `entry` wrong in `cell`, or NULL.
const struct mr_trial *mr_trial_table_wrong(const struct mr_trial_table *table, const char *cell,
                                            const char *entry);

// The trial that says why `entry` is absent from `cell`, or NULL.
const struct mr_trial *mr_trial_table_absent(const struct mr_trial_table *table, const char *cell,
                                             const char *entry);

// The trials of row `row` of `cell` that count, by entry (NULL where an entry was out of the race
// by then). False when the row has no clean attempt: something was excluded, or it was interrupted.
bool mr_trial_table_row(const struct mr_trial_table *table, const struct mr_cell *cell,
                        uint64_t row, const struct mr_trial *trials_out[MR_CELL_ENTRIES_MAX]);

// No row was attempted more often than this.
uint64_t mr_trial_table_attempts(const struct mr_trial_table *table);

// Whether the trial was cut short by a signal or the budget, which is no fault of its row's.
bool mr_trial_was_interrupted(const struct mr_trial *trial);

// The same of attempt `attempt` of the row as if no gate had excluded anything: trials that ran to
// their figures, excluded ones too. False when the attempt did not end by itself: it is whole, or
// ended at a trial that was excluded.
bool mr_trial_table_attempt(const struct mr_trial_table *table, const struct mr_cell *cell,
                            uint64_t row, uint64_t attempt,
                            const struct mr_trial *trials_out[MR_CELL_ENTRIES_MAX]);

#endif
