// report_never.h: entries of a cell of which no trial counts although several ran: no accident, so
// that another run would end alike.
#ifndef MR_REPORT_NEVER_H
#define MR_REPORT_NEVER_H

#include <yyjson.h>

#include <stddef.h>
#include <stdio.h>

// Writes a line for each such entry, with its last trial's reason, and what to do. Returns how many
// there are.
size_t mr_report_never_counted(FILE *out, yyjson_val *results);

#endif
