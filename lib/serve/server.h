// server.h: a whole server: parsers, loops and threads, from its options to SIGTERM.
#ifndef MR_SERVE_SERVER_H
#define MR_SERVE_SERVER_H

#include <matchrace/attributes.h>
#include <matchrace/serve.h>

#include <stdint.h>

// What the command line says.
struct mr_server_options {
    const char *command; // "NAME serve", before every message
    const char *listen;  // HOST:PORT
    const char *kernel;  // or NULL
    enum mr_mode mode;
    unsigned threads;
    uint32_t max_payload_bytes;
    uint64_t max_kept_bytes;
    uint64_t max_connections;
    uint64_t dose_ppm; // planted slowness; 0: none
};

#define MR_THREADS_MAX 256u

// Serves until SIGTERM. The exit code; what went wrong has been said in one line. Called by main
// only, once.
int mr_server_main(const struct mr_server_options *options, const struct mr_contestant *contestant);

// Says why a parser could not be made, in one line on standard error; the exit code. Called by
// main only.
int mr_parser_failed(const char *command, const char *kernel,
                     const struct mr_contestant *contestant, int failed);

#endif
