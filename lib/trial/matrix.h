// matrix.h: what a campaign races: cells, contestants, comparisons, rules
// (schemas/matrix.schema.json).
#ifndef MR_TRIAL_MATRIX_H
#define MR_TRIAL_MATRIX_H

#include "json_file.h"
#include "matrix_load.h"
#include "rules.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_CELLS_MAX            64
#define MR_CELL_ENTRIES_MAX     16
#define MR_CELL_COMPARISONS_MAX 16

// The data of a cell: a made dataset, or one that exists at `path`.
struct mr_dataset_spec {
    const char *path; // NULL: made from the rest
    const char *shape;
    uint64_t seed;
    uint64_t bytes;
    uint64_t batch_records;
    double reject_share; // < 0: the shape's own
    // Of simple records (options of `matchrace data make`); shares of 1.
    const char *keys;      // fixed, shuffled
    const char *space;     // compact, spaced, lines
    uint64_t record_bytes; // 0: the shape's own
    double messy_share;
    double escape_share;
    double non_ascii_share;
};

// Two entries of a cell that are compared; their indices in `entries`. A target is a bound that the
// speed ratio A : B is held against; 0: none.
struct mr_comparison {
    size_t a;
    size_t b;
    bool primary; // gets a verdict
    double at_least;
    double at_most;
};

// What an entry of a cell of controls is (measuring rule 14). Gates and estimates know it by its
// code name alone; who concludes from these opens the mapping.
enum mr_control {
    MR_CONTROL_NONE,
    MR_CONTROL_BASELINE,
    MR_CONTROL_TWIN,         // the baseline once more
    MR_CONTROL_DOSE,         // the baseline with more work, of a known size
    MR_CONTROL_LIAR,         // gives wrong answers
    MR_CONTROL_OBJECT_ORDER, // the baseline's objects, linked in another order
};

// One workload with the contestants that run it.
struct mr_cell {
    const char *name;
    const char *driver; // served, stepped, simulated
    const char *job;
    const char *mode;   // drain, totals, keep, fresh
    const char *metric; // the one that is compared
    struct mr_dataset_spec data;
    const char *measures; // contestant, generator: only there may loads differ within a comparison
    struct mr_cell_load load; // of every entry that has none of its own
    uint64_t server_threads;
    uint64_t rows;
    const char *entries[MR_CELL_ENTRIES_MAX];       // what they are called here, each once
    const char *contestants[MR_CELL_ENTRIES_MAX];   // who runs: "NAME", "PATH/NAME", "NAME@VARIANT"
    struct mr_cell_load loads[MR_CELL_ENTRIES_MAX]; // what each of them gets
    bool optional[MR_CELL_ENTRIES_MAX]; // left out, with the reason, where it cannot run here
    size_t entries_count;
    struct mr_comparison comparisons[MR_CELL_COMPARISONS_MAX];
    size_t comparisons_count;
    bool is_control;  // made from the matrix's "controls"
    const char *like; // of one of controls: the cell whose work it does; else NULL
    enum mr_control control[MR_CELL_ENTRIES_MAX];
    uint64_t dose_ppm[MR_CELL_ENTRIES_MAX]; // millionths of its own work that it does beside it
};

struct mr_matrix {
    struct mr_json_file json;
    const char *name;
    const char *title;
    uint64_t budget_ns; // hard stop
    uint64_t seed;      // of the schedule and the generator
    struct mr_rules rules;
    struct mr_cell cells[MR_CELLS_MAX];
    size_t cells_count;   // those of controls stand last
    size_t primary_count; // comparisons with a verdict, over all cells
};

// Reads and checks the matrix at `path`. 0; -EBADMSG: unknown key, wrong value, too few rows
// (measuring rule 13), …: *fault names file, line and key; another negative errno: unreadable.
// The caller ends it with mr_matrix_fini(), whatever happened.
MR_NODISCARD int mr_matrix_load(struct mr_matrix *matrix_out, const char *path,
                                struct mr_trial_fault *fault);
void mr_matrix_fini(struct mr_matrix *matrix);

#endif
