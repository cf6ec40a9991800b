// sweep.h: what a sweep carries with it: options, race, rows, and everything that was measured.
#ifndef MR_CAMPAIGN_SWEEP_H
#define MR_CAMPAIGN_SWEEP_H

#include "race.h"
#include "race_open.h"
#include "sweep_limit.h"
#include "sweep_options.h"
#include "sweep_plan.h"

#include "trial/trial_file.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A series of the generator's result. NAN: n too small for it, or not measured.
struct mr_sweep_series {
    uint64_t n;
    double p50_ns;
    double p90_ns;
    double p99_ns;
    double p99_9_ns;
    double max_ns;
};

// One trial, as far as a sweep's results need it; everything else stands in its file.
struct mr_sweep_trial {
    uint64_t number; // of trials/NNNNN.json
    size_t entry;
    size_t load;         // index of its percent; MR_SWEEP_LOAD only
    uint64_t rate_per_s; // 0: closed loop
    uint64_t window_ns;
    uint64_t repeat;
    uint64_t attempt;
    double achieved_per_s;
    uint64_t planned;
    uint64_t backlog_begin;
    uint64_t backlog_end;
    uint64_t censored;
    double lateness_p99_ns;
    struct mr_sweep_series latency; // closed loop: nothing
    struct mr_sweep_series service_time;
    enum mr_sweep_phase phase;
    enum mr_trial_outcome outcome;
    bool measured; // the generator left a result
    bool overloaded;
    bool gate_failed[MR_GATE_COUNT];
    char reason[512];
};

// A contestant of the sweep.
struct mr_sweep_entry {
    const struct mr_entry *entry;
    const char *conformance;
    char wrong[512];      // why it is out; empty: it is not
    double maximum_per_s; // of the closed loop, median of the repeats; NAN: not known
    struct mr_limit_search limit;
};

enum mr_sweep_end {
    MR_SWEEP_COMPLETE,
    MR_SWEEP_BUDGET, // the time budget is a hard stop
    MR_SWEEP_SIGNAL,
    MR_SWEEP_RUNNING, // what sweep.json says until the end is known
};

// About 2 MB: allocated, not on a stack.
struct mr_sweep {
    struct mr_sweep_options options;
    struct mr_race_self self;
    struct mr_race race; // a matrix of one cell, which a trial's own copy of it changes
    struct mr_sweep_rows rows;
    struct mr_sweep_entry entry[MR_CELL_ENTRIES_MAX];
    size_t entries_count;
    struct mr_sweep_trial *trial; // in the order in which they ran
    size_t trials_count;
    size_t trials_capacity;
    enum mr_sweep_end end;
    char reproduce[2 * PATH_MAX];
    char started_utc[21];
};

// The rate at `load` for a contestant; 0: its maximum, or the one that counts, is not known.
uint64_t mr_sweep_rate_of(const struct mr_sweep *sweep, size_t entry, size_t load);

#endif
