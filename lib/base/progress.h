// progress.h: one line on a terminal with the time left, for work that takes a while.
#ifndef MR_BASE_PROGRESS_H
#define MR_BASE_PROGRESS_H

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stdint.h>

// The line's state, in the caller's storage. Nothing is ever written where standard error is no
// terminal. Like the command line (cli.h) it belongs to main.
struct mr_progress {
    char what[112]; // "making data/messy"
    bool terminal;
    bool shown; // there is a line to wipe
    uint64_t start_ns;
    uint64_t next_ns; // no line before
};

// Begins now; `what` is copied, cut where it does not fit.
void mr_progress_init(struct mr_progress *progress_out, const char *what);

// Says what is under way now, as printf does.
MR_PRINTF(2, 3) void mr_progress_say(struct mr_progress *progress, const char *format, ...);

// Shows how far the work is, twice a second at most, once it is clear that it takes over 5 s.
void mr_progress_show(struct mr_progress *progress, uint64_t done, uint64_t total);

// Wipes the line.
void mr_progress_fini(struct mr_progress *progress);

#endif
