// driver.h: how a trial is run: one interface for every kind of job.
//
// A driver returns named metrics; schedule, gates, statistics and report know only cells and
// metrics. The runner calls prepare, warm, measure (once a step), verify, finish. Drivers that are
// interleaved are prepared and warmed together for a whole row and then measured step by step in
// turn.
#ifndef MR_CAMPAIGN_DRIVER_H
#define MR_CAMPAIGN_DRIVER_H

#include "host_watch.h"
#include "race.h"

#include "trial/trial_file.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// What the trials of a row share that run in turn; the runner's.
struct mr_trial_row {
    struct mr_trial_run *runs;
    size_t runs_count;
    struct mr_host_work work; // the fixed work before and after all of them
};

// One trial under way. The runner owns it; `state` is the driver's.
struct mr_trial_run {
    const struct mr_race *race;
    const struct mr_cell *cell;
    const struct mr_race_data *data;
    const struct mr_entry *entry;
    const struct mr_cell_load *load; // every rate of it is known
    const char *mode;                // the cell's, or the variant's
    uint64_t dose_ppm;               // a control's planted slowness; 0: none
    uint64_t retry;                  // of the row, less attempts that were interrupted
    char started_utc[21];
    struct mr_trial trial;
    struct mr_observation observation; // becomes the trial's when it is judged
    struct mr_trial_row *row;          // of an interleaved driver, else NULL
    pid_t pid;                         // of the contestant while it is meant to run, 0: it is not
    yyjson_mut_doc *doc;               // of the trial's file
    yyjson_mut_val *details;           // an object: what the driver saw beside the metrics
    void *state;
};

// What a call of a driver came to.
enum mr_driver_result {
    MR_DRIVER_OK,
    MR_DRIVER_FAILED,      // trial.outcome and reason are set; finish follows
    MR_DRIVER_INTERRUPTED, // a signal or the end of the budget; finish follows
};

struct mr_driver {
    const char *name;
    bool interleaved;
    enum mr_driver_result (*prepare)(struct mr_trial_run *run);
    enum mr_driver_result (*warm)(struct mr_trial_run *run);
    enum mr_driver_result (*measure)(struct mr_trial_run *run);
    enum mr_driver_result (*verify)(struct mr_trial_run *run);
    // Ends everything that prepare began, whatever happened; a contestant that does not end well
    // fails here.
    enum mr_driver_result (*finish)(struct mr_trial_run *run);
};

extern const struct mr_driver mr_driver_served;
extern const struct mr_driver mr_driver_stepped;
extern const struct mr_driver mr_driver_simulated;

// The driver called `name` (matrix.c allows no other; asserted).
const struct mr_driver *mr_driver_by_name(const char *name);

// Sets outcome and reason, and returns MR_DRIVER_FAILED. The first failure stands, but what makes a
// contestant wrong outweighs an accident.
MR_PRINTF(3, 4)
enum mr_driver_result mr_trial_run_fail(struct mr_trial_run *run, enum mr_trial_outcome outcome,
                                        const char *format, ...);

#endif
