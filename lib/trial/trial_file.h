// trial_file.h: one finished trial as it stands on disk: who, when, what was measured, what the
// gates said.
//
// schemas/trial.schema.json. Written once, whole, before the next trial starts.
#ifndef MR_TRIAL_TRIAL_FILE_H
#define MR_TRIAL_TRIAL_FILE_H

#include "gates.h"
#include "json_file.h"
#include "marks.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_METRICS_MAX 48

// One figure of a trial. Names and units are constant texts, or belong to the open file.
struct mr_metric {
    const char *name;
    const char *unit;
    bool higher_is_better;
    double value; // NAN: unavailable
};

// What became of a trial.
enum mr_trial_outcome {
    MR_TRIAL_COUNTED,  // it stands, if the rest of its row does
    MR_TRIAL_EXCLUDED, // a gate or an accident of the host: its row runs again
    MR_TRIAL_WRONG,    // wrong answers, or the contestant failed: never run again in this cell
    MR_TRIAL_ABSENT,   // this machine cannot run it: never run at all
};

struct mr_trial {
    uint64_t number; // over the whole run, from 1
    const char *cell;
    uint64_t row;
    uint64_t position; // in the row, from 0
    uint64_t attempt;  // of the row, from 0
    const char *entry;
    uint64_t seed; // of the generator
    const char *started_utc;
    uint64_t start_ns;
    uint64_t end_ns;
    enum mr_trial_outcome before_gates; // what its driver and its row made of it
    enum mr_trial_outcome outcome;      // with what the gates said
    char reason[512];                   // empty when counted
    struct mr_observation observation;  // what the gates and marks are judged by
    struct mr_gate_result gates[MR_GATE_COUNT];
    struct mr_gate_result marks[MR_MARK_COUNT]; // MR_GATE_FAILED: marked
    struct mr_metric metrics[MR_METRICS_MAX];
    size_t metrics_count;
};

// Adds a figure. Asserted: there is room.
void mr_trial_metric(struct mr_trial *trial, struct mr_metric metric);

// The figure called `name`, or NULL.
const struct mr_metric *mr_trial_find(const struct mr_trial *trial, const char *name);

// Writes the trial to `path` with `details` (an object of `doc`: everything else that the driver
// saw) and fsyncs it. 0, or a negative errno.
MR_NODISCARD int mr_trial_write(const char *path, const struct mr_trial *trial, yyjson_mut_doc *doc,
                                yyjson_mut_val *details);

// Reads a trial file. Gates and marks are read with outcome, figure, threshold and text, without
// their single figures: mr_trial_judge() makes those again from the observation. Texts of
// *trial_out belong to *json_out, which the caller ends with mr_json_file_fini() whatever happened.
// 0, or a negative errno with *fault set.
MR_NODISCARD int mr_trial_read(struct mr_trial *trial_out, struct mr_json_file *json_out,
                               const char *path, struct mr_trial_fault *fault);

// "counted", "excluded", "wrong", "absent"; constant.
const char *mr_trial_outcome_name(enum mr_trial_outcome outcome);

#endif
