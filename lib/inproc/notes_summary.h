// notes_summary.h: the last line of the job `notes`: who ran, how, and what it took.
#ifndef MR_INPROC_NOTES_SUMMARY_H
#define MR_INPROC_NOTES_SUMMARY_H

#include "notes_run.h"

#include <matchrace/attributes.h>

struct mr_notes_summary {
    const struct mr_notes_options *options;
    const struct mr_notes_contestant *contestant;
    const void *writer;
    const struct mr_steadiness *steadiness;
    uint64_t data_peak_rss_bytes; // when the notes were made, before anything was written
    uint64_t held_bytes;          // by one iteration, before release
};

// Prints it. 0, or a negative errno.
MR_NODISCARD int mr_notes_summary_print(const struct mr_notes_summary *summary);

#endif
