// notes_run.h: the iterations of the job `notes`: variant by variant, timed, printed with
// the text's digest, which the caller compares.
#ifndef MR_INPROC_NOTES_RUN_H
#define MR_INPROC_NOTES_RUN_H

#include "notes_data.h"
#include "steadiness.h"

#include <matchrace/attributes.h>
#include <matchrace/notes_main.h>

// What the command line asks for.
struct mr_notes_options {
    const char *command; // "NAME notes", before every message
    enum mr_notes_form form;
    enum mr_corpus corpus;
    enum mr_notes_profile profile;
    const char *kernel; // or NULL
    const char *output; // a file for the first text, or NULL
    uint64_t count;
    uint64_t seed;
    uint64_t repeat; // 0: until warm, or until standard input ends
    bool step;
};

// Runs them and prints a line each and one at the end. The exit code; what went wrong has been said
// in one line. Called by main only.
int mr_notes_run(const struct mr_notes_options *options,
                 const struct mr_notes_contestant *contestant);

#endif
