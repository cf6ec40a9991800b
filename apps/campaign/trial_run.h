// trial_run.h: one trial from its first line to its file, the same for rows of a matrix and points
// of a sweep.
#ifndef MR_CAMPAIGN_TRIAL_RUN_H
#define MR_CAMPAIGN_TRIAL_RUN_H

#include "driver.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stdint.h>

// What is fixed of a trial before it begins. Everything outlives the trial.
struct mr_trial_plan {
    const struct mr_race *race;
    const struct mr_cell *cell;
    const struct mr_race_data *data;
    const struct mr_cell_load *load;
    const char *contestant; // who runs
    const char *entry;      // what it is called in the cell
    uint64_t dose_ppm;      // a control's planted slowness; 0: none
    uint64_t number;        // over the whole run, from 1
    uint64_t row;
    uint64_t position; // in the row
    uint64_t attempt;  // of the row
    uint64_t retry;    // of the row, less attempts that were interrupted
    uint64_t seed;     // of the generator
};

// Fills *run_out: nothing is seen yet, so every figure of the observation is unavailable. The doc
// is freed by mr_trial_run_end(). *run_out may not move meanwhile.
void mr_trial_run_begin(struct mr_trial_run *run_out, const struct mr_trial_plan *plan);

// Why a trial that was cut short does not count: no fault of its row's.
#define MR_TRIAL_INTERRUPTED "the run was ended (signal or time budget) in mid-trial"

// Notes that a signal or the budget ended the trial.
void mr_trial_run_interrupt(struct mr_trial_run *run);

// Lets `driver` run the trial from prepare to finish, and ends what the contestant left behind.
// True when a signal or the budget cut it short.
bool mr_trial_run_drive(struct mr_trial_run *run, const struct mr_driver *driver);

// Judges the trial by the rules, writes race->folder/trials/NNNNN.json, frees run->doc and notes in
// the log what does not count. 0; a negative errno with *fault set: it could not be written, or
// −EPROTO: a gate says that this program has a bug, so the run must end.
MR_NODISCARD int mr_trial_run_end(struct mr_trial_run *run, struct mr_trial_fault *fault);

#endif
