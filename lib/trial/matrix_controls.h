// matrix_controls.h: controls of known size (measuring rule 14) as cells of a matrix.
#ifndef MR_TRIAL_MATRIX_CONTROLS_H
#define MR_TRIAL_MATRIX_CONTROLS_H

#include "matrix.h"

// Reads "controls" of a matrix whose cells are read, and adds a cell for each baseline (itself, its
// twin, its doses, a liar that the matrix's seed draws from the list) and one for the two object
// orders, in the workload of the cell that "like" names. Entries get code names, in an order that
// the seed draws; rows are rounded up to whole designs. Faults go to `file`.
void mr_matrix_read_controls(struct mr_json_file *file, yyjson_val *object,
                             struct mr_matrix *matrix_io);

// Whether `contestant` stands in a cell of controls as a liar, so that lies are expected of it.
bool mr_matrix_is_liar(const struct mr_matrix *matrix, const char *contestant);

#endif
