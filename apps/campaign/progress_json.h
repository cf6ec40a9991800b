// progress_json.h: how far a run is, as a line of JSON on standard output after each trial.
#ifndef MR_CAMPAIGN_PROGRESS_JSON_H
#define MR_CAMPAIGN_PROGRESS_JSON_H

#include "trial/trial_file.h"

#include <stddef.h>
#include <stdint.h>

// How far the run is behind a trial.
struct mr_run_progress {
    uint64_t start_ns;     // of this sitting
    size_t trials_before;  // of earlier sittings
    size_t trials_done;    // with those
    size_t trials_planned; // rows that run again come on top
    size_t excluded;       // in this sitting
};

// Seconds that are left, judged by this sitting; NAN before its first trial.
double mr_run_progress_left_s(const struct mr_run_progress *progress, uint64_t now_ns);

// Prints a line about `trial`, whose cell has `rows` rows, and hands it to the kernel.
void mr_progress_json(const struct mr_run_progress *progress, const struct mr_trial *trial,
                      uint64_t rows, uint64_t now_ns);

#endif
