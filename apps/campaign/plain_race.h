// plain_race.h: a race of one cell that a command puts together from a few wishes: its matrix.
#ifndef MR_CAMPAIGN_PLAIN_RACE_H
#define MR_CAMPAIGN_PLAIN_RACE_H

#include "trial/fault.h"
#include "trial/matrix.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Who runs. A contestant is a name, or the path of its folder.
struct mr_plain_entry {
    const char *contestant; // "NAME", "PATH/NAME", "NAME@VARIANT"
    const char *as;         // what it is called in this race
    bool managed;           // its code is compiled while it runs: it is warmed for longer
};

struct mr_plain_comparison {
    size_t a; // indices of entries
    size_t b;
    bool primary; // gets a verdict
};

// Texts are the caller's.
struct mr_plain_race {
    const char *name;
    const char *title;
    const char *driver;  // served, stepped, simulated
    const char *mode;    // drain, totals, keep, fresh
    const char *dataset; // its path; NULL: made, of `shape`
    const char *shape;
    double margin;          // of the verdicts, a share
    double minutes;         // of racing that rows are planned for, > 0
    double minutes_at_most; // then it is ended, complete or not
    uint64_t seed;          // of the schedule
    struct mr_plain_entry entries[MR_CELL_ENTRIES_MAX];
    size_t entries_count;
    struct mr_plain_comparison comparisons[MR_CELL_COMPARISONS_MAX];
    size_t comparisons_count;
    uint64_t rows; // of mr_plain_race_rows()
};

// Sets `rows` to the most that fit into the minutes, in whole designs (every order equally often).
// 0; -EINVAL where not even the fewest that can decide anything fit: *fault says how many minutes
// would do.
MR_NODISCARD int mr_plain_race_rows(struct mr_plain_race *race, struct mr_trial_fault *fault);

// Writes the matrix. 0; a negative errno with *fault set.
MR_NODISCARD int mr_plain_race_write(const struct mr_plain_race *race, const char *path,
                                     struct mr_trial_fault *fault);

#endif
