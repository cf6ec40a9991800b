// serve.h: what a native contestant needs to be served: a table of functions, and its main.
//
//     int main(int argc, char **argv) { return mr_serve_main(argc, argv, &my_contestant); }
//
// lib/serve does sockets, framing, modes, totals, ring and the command line of section 6 of
// docs/PROTOCOL.md; the contestant parses. Usable from C and C++.
#ifndef MATCHRACE_SERVE_H
#define MATCHRACE_SERVE_H

#include <matchrace/contract.h>
#include <matchrace/library.h>
#include <matchrace/record.h>
#include <matchrace/result.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// One payload to parse.
struct mr_payload {
    uint8_t *json;     // MR_PAD_FRONT readable bytes stand before, MR_PAD_BACK behind
    size_t json_bytes; // 0 is possible
    bool writable;     // true: the parser may change json[0..json_bytes) for good, and the
                       // MR_PAD_BACK bytes behind if it puts them back before it returns
};

// What the command line says about the parser.
struct mr_parser_options {
    const char *kernel; // --kernel, or NULL: the best that runs here
};

// A contestant. All functions must be there; all texts are constant.
struct mr_contestant {
    const char *name;
    const char *version;
    const char *language;
    const char *build_flags;  // compiler and flags of the parser's own source
    const char *kernels_help; // the words that --kernel takes, for --help
    // Makes a parser (one a thread). 0; -ENOENT: no such kernel; -ENOTSUP: this machine can't run
    // it; another negative errno.
    int (*create)(const struct mr_parser_options *options, void **parser_out);
    void (*destroy)(void *parser);
    // Parses a batch strictly by section 1. `records_out` has mr_records_capacity(json_bytes)
    // bytes, aligned to 8, and receives the records as mr_parser_parse() writes them; nothing of
    // them may point into the payload.
    void (*parse)(void *parser, const struct mr_payload *payload, uint8_t *records_out,
                  struct mr_result *result_out);
    // The parser variant that really runs.
    const char *(*kernel)(const void *parser);
    // Fills at most MR_LIBRARIES_MAX entries, returns their number.
    size_t (*libraries)(const void *parser, struct mr_library *libraries_out);
};

// The library that computes the digest and is linked into every contestant served by lib/serve, for
// the list of libraries.
struct mr_library mr_serve_digest_library(void);

// The contestant's main: `serve …` and `parse …`. Returns the exit code (0, 1, 2).
int mr_serve_main(int argc, char **argv, const struct mr_contestant *contestant);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
