// race_progress.h: one live line on a terminal: what runs, how far it is, how long it still takes.
#ifndef MR_CAMPAIGN_RACE_PROGRESS_H
#define MR_CAMPAIGN_RACE_PROGRESS_H

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mr_race_progress {
    bool live; // standard error is a terminal
    size_t total;
    size_t done;
    uint64_t start_ns;
};

// Begins a progress of `total` equal steps. Nothing is printed where standard error is no terminal.
void mr_race_progress_init(struct mr_race_progress *progress_out, size_t total);

// Shows that step `done` (from 0) is under way, described as printf does.
MR_PRINTF(2, 3)
void mr_race_progress_show(struct mr_race_progress *progress, const char *format, ...);

// One step more is finished.
void mr_race_progress_step(struct mr_race_progress *progress);

// Wipes the line.
void mr_race_progress_fini(struct mr_race_progress *progress);

#endif
