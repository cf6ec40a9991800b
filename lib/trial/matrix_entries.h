// matrix_entries.h: who races in a cell, under which load, and who is compared with whom.
#ifndef MR_TRIAL_MATRIX_ENTRIES_H
#define MR_TRIAL_MATRIX_ENTRIES_H

#include "matrix.h"

// Reads "contestants" and "comparisons" of the cell `object`, whose other keys are in *cell_io
// already, and checks that they are fair: the same load on both sides, everything verified, and no
// verdict over a throughput that the plan fixes; a cell that measures the generator is free of the
// first two. Faults go to `file`.
void mr_matrix_read_entries(struct mr_json_file *file, yyjson_val *object, struct mr_cell *cell_io);

#endif
