// sweep_files.h: what a sweep leaves in its folder, and on standard output.
#ifndef MR_CAMPAIGN_SWEEP_FILES_H
#define MR_CAMPAIGN_SWEEP_FILES_H

#include "sweep.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stdio.h>

// Writes sweep.json (schemas/sweep.schema.json), whole or not at all. 0; a negative errno with
// *fault set.
MR_NODISCARD int mr_sweep_json_write(const struct mr_sweep *sweep, struct mr_trial_fault *fault);

// Writes sweep.csv: one line a contestant and load (RFC 4180). 0; a negative errno with *fault set.
MR_NODISCARD int mr_sweep_csv_write(const struct mr_sweep *sweep, struct mr_trial_fault *fault);

// Prints the tables for people.
void mr_sweep_text(FILE *out, const struct mr_sweep *sweep);

// Writes the same to sweep.txt. 0; a negative errno with *fault set.
MR_NODISCARD int mr_sweep_text_write(const struct mr_sweep *sweep, struct mr_trial_fault *fault);

// What is missing, in one text: "ONE at 90, 110 %; ANOTHER closed loop"; "" when nothing is.
void mr_sweep_missing_text(const struct mr_sweep *sweep, char *text_out, size_t capacity);

// Writes latency.gnuplot and lets gnuplot draw latency.svg by it, which appears only when it is
// whole. 0, also where nothing can be drawn yet (*drawn_out false); -ENOENT: no gnuplot, or it
// failed; another negative errno.
MR_NODISCARD int mr_sweep_chart(const struct mr_sweep *sweep, bool *drawn_out);

#endif
