// race.h: what a run carries with it: matrix, entries, data, cores, folder, time left.
#ifndef MR_CAMPAIGN_RACE_H
#define MR_CAMPAIGN_RACE_H

#include "entry.h"
#include "libraries.h"
#include "past.h"
#include "rate_maximum.h"
#include "schedule.h"

#include "base/pin.h"
#include "host/patience.h"
#include "host/probe_set.h"
#include "host/assignment.h"
#include "host/topology.h"
#include "trial/matrix.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// One dataset of the matrix, made and verified; what a whole pass over it must give.
struct mr_race_data {
    const struct mr_dataset_spec *spec;
    char path[PATH_MAX]; // the common part of its files' names
    char name[64];
    char shape[16];
    char sha256[65];
    uint64_t batches;
    uint64_t records;         // of accepted batches
    uint64_t payload_bytes;   // of all batches
    uint64_t digest;          // sum over accepted batches
    char feed_path[PATH_MAX]; // what stepped contestants are given; "" where no cell needs it
    uint64_t feed_digest;     // of a whole pass over the feed
};

// The part of a run in which program, machine, contestants and data stayed the same.
struct mr_stratum {
    uint64_t number;      // 1: the first; 0: that, too
    uint64_t first_trial; // that belongs to it
    char changes[400];    // since the one before
};

struct mr_race {
    const char *program; // this program's own path
    const char *folder;  // where results go
    struct mr_matrix matrix;
    struct mr_entries entries;
    struct mr_schedule schedule;
    struct mr_past past; // of earlier sittings
    struct mr_stratum stratum;
    int lock_fd;                            // held while the run goes on
    struct mr_race_data data[MR_CELLS_MAX]; // by cell
    struct mr_rate_maxima maxima;           // what shares in the matrix are shares of
    struct mr_topology topology;
    struct mr_assignment cores; // of server, generator and nobody
    double beside_over_alone;   // fixed work on a server core, generator core busy over idle; NAN:
                                // not measured
    struct mr_probe_set probe;  // fixed work on the trial's cores; loops 0: not calibrated
    int wake_fd;                // readable when the run shall end (SIGINT, SIGTERM)
    uint64_t deadline_ns;       // of the budget
    uint64_t last_row_ns;       // no row begins after it; MR_FOREVER: the budget alone counts
    uint64_t feed_seed;         // of the feeds' draws; in no file while contestants run
    bool json_progress;         // a line on standard output after each trial
    FILE *log;                  // append-only, one line an event
    const char *conformance[MR_ENTRIES_MAX]; // by entry: "full", "gaps declared", or what failed
    bool not_conformant[MR_ENTRIES_MAX];     // by entry: it is not timed
    char absent[MR_ENTRIES_MAX][400];        // by entry: why this machine cannot run it, or ""
    struct mr_libraries libraries[MR_ENTRIES_MAX]; // by entry: what its program loads
};

// Patience of at most `duration_ns`, called off by signals, never beyond the budget.
struct mr_patience mr_race_patience(const struct mr_race *race, uint64_t duration_ns);

// Writes one line to the run's log, with time; the line goes to the disk before the call returns.
MR_PRINTF(2, 3) void mr_race_log(const struct mr_race *race, const char *format, ...);

#endif
