// rivals.h: the contestants that are linked in here, as judges of what the kernels say.
//
// A contestant's own main hands its table of functions to mr_serve_main(); here that is caught, so
// that whatever a contestant is made of, it is the code that races which is asked.
#ifndef MR_TESTS_RIVALS_H
#define MR_TESTS_RIVALS_H

#include "checker.h"

#include <matchrace/serve.h>

#define MR_RIVALS_MAX 8

struct mr_rival {
    const char *name;
    const char *kernel;
    void (*parse)(void *parser, const struct mr_payload *payload, uint8_t *records_out,
                  struct mr_result *result_out);
    void *parser;
};

struct mr_rivals {
    struct mr_rival rival[MR_RIVALS_MAX];
    size_t count;
    char complaint[256];
};

// All that were linked in and run here; names them on standard output.
struct mr_rivals mr_rivals_init(void);

// Asks every rival about the text that mr_checker_kernels() or mr_checker_all() has judged last
// with *expected, once as a text that may be changed and once as one that may not. NULL when
// verdict, records, digest, totals and typed records are the same; else what is not.
const char *mr_rivals_check(struct mr_rivals *rivals, struct mr_checker *checker,
                            const uint8_t *json, size_t json_bytes,
                            const struct mr_result *expected);

#endif
