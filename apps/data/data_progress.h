// data_progress.h: a line on a terminal with the time left, for work that takes a while.
#ifndef MR_DATA_PROGRESS_H
#define MR_DATA_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

// The line's state, in the caller's storage.
struct mr_progress {
    const char *what; // "making data/messy"
    bool terminal;    // standard error is one; nothing is ever written elsewhere
    bool shown;       // there is a line to wipe
    uint64_t start_ns;
    uint64_t next_ns; // no line before
};

void mr_progress_init(struct mr_progress *progress_out, const char *what);

// Shows how far the work is, twice a second at most, once it is clear that it takes over 5 s.
void mr_progress_show(struct mr_progress *progress, uint64_t done, uint64_t total);

// Wipes the line.
void mr_progress_fini(struct mr_progress *progress);

#endif
