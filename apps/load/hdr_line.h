// hdr_line.h: one interval as a line of HdrHistogram's log, format 1.3: times, maximum, and the
// counts as V2 encoding, zlib and base64.
#ifndef MR_LOAD_HDR_LINE_H
#define MR_LOAD_HDR_LINE_H

#include "stats/mr_hist.h"

#include <matchrace/attributes.h>

#include <stdint.h>
#include <stdio.h>

// Where an interval lies and what it is of.
struct mr_hdr_interval {
    const char *tag;   // NULL: none; no comma, space or line end in it
    uint64_t start_ns; // after the log's start time
    uint64_t length_ns;
};

// Writes the line of `hist` to `file`, compressing on the way; not for while something is timed. 0
// or -ENOMEM; errors of the file stay in it.
MR_NODISCARD int mr_hdr_line_write(FILE *file, const struct mr_hdr_interval *interval,
                                   const struct mr_hist *hist);

#endif
