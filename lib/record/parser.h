// parser.h: the inside of a parser object, shared by parser.c and the kernels.
#ifndef MR_RECORD_PARSER_H
#define MR_RECORD_PARSER_H

#include <matchrace/record.h>

struct mr_kernel;

// A parser. Kernels that need scratch memory keep it here; scalar needs none.
struct mr_parser {
    const struct mr_kernel *kernel; // chosen once, never NULL
};

#endif
