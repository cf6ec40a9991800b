// runner.h: runs the schedule row by row; every finished trial is on disk before the next one
// starts.
#ifndef MR_CAMPAIGN_RUNNER_H
#define MR_CAMPAIGN_RUNNER_H

#include "race.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>

// How the rows ended. What is missing shows in results.json.
enum mr_runner_end {
    MR_RUNNER_COMPLETE,
    MR_RUNNER_BUDGET,      // the time budget is a hard stop
    MR_RUNNER_INTERRUPTED, // SIGINT or SIGTERM
};

// Runs all rows of race->schedule. 0 with *end_out; a negative errno with *fault when trials can't
// be written (disk full): then the run is over.
MR_NODISCARD int mr_runner_run(const struct mr_race *race, enum mr_runner_end *end_out,
                               struct mr_trial_fault *fault);

#endif
