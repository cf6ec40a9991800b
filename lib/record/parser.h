// parser.h: the inside of a parser object, shared by parser.c and the kernels.
#ifndef MR_RECORD_PARSER_H
#define MR_RECORD_PARSER_H

#include "scratch.h"

#include <matchrace/record.h>

struct mr_kernel;

// A parser.
struct mr_parser {
    const struct mr_kernel *kernel; // chosen once, never NULL
    struct mr_scratch *scratch;     // owned; NULL where the kernel needs none
    // How the last batch looked: hints for speed alone, no answer depends on them.
    bool dense;              // its last chunk was full of escapes
    uint32_t chunk_bytes;    // 0: no batch yet
    struct mr_totals totals; // of the last batch, where the kernel makes them
};

#endif
