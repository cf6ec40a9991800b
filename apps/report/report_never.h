// report_never.h: entries of a cell of which no trial counts although several ran: no accident, so
// that another run would end alike.
#ifndef MR_REPORT_NEVER_H
#define MR_REPORT_NEVER_H

#include <yyjson.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// A walk over them: begin with zeros.
struct mr_never {
    size_t cell_index;
    size_t entry_index; // of the next one in its cell
    yyjson_val *cell;
    yyjson_val *entry;
    size_t excluded;  // trials: all that it had
    yyjson_val *last; // of them
};

// False: there is no further one.
bool mr_never_next(yyjson_val *results, struct mr_never *at);

// Writes a line for each such entry, with its last trial's reason, and what to do. Returns how many
// there are.
size_t mr_report_never_counted(FILE *out, yyjson_val *results);

#endif
