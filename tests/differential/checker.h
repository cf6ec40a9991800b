// checker.h: one text through every kernel of this machine: they must agree with each other in
// everything, and with the oracle in what the contract says.
#ifndef MR_TESTS_CHECKER_H
#define MR_TESTS_CHECKER_H

#include "guard_page.h"

#include "base/rng.h"

#include <matchrace/record.h>

#define MR_CHECKER_KERNELS_MAX 8

// A parser of each kernel (the first is scalar, the specification), and the places that they work
// in: text and records end right before forbidden pages.
struct mr_checker {
    struct mr_parser *parser[MR_CHECKER_KERNELS_MAX];
    size_t parsers;
    size_t json_bytes_max;
    struct mr_guarded text;
    struct mr_guarded records;       // of the specification
    struct mr_guarded other_records; // of the kernel that is compared with it
    struct mr_rng rng;               // fills what nobody may look at
    char complaint[512];
};

// A checker for texts of up to `json_bytes_max` bytes, with every kernel that this machine
// supports; names on standard output those that it does not.
struct mr_checker mr_checker_init(size_t json_bytes_max);
void mr_checker_fini(struct mr_checker *checker);

// Parses the text with every kernel, with random bytes around it. NULL when all agree with the
// specification and what this says is well-formed; else what is wrong. *result_out (may be NULL) is
// the specification's.
const char *mr_checker_kernels(struct mr_checker *checker, const uint8_t *json, size_t json_bytes,
                               struct mr_result *result_out);

// The same, and asks the oracle.
const char *mr_checker_all(struct mr_checker *checker, const uint8_t *json, size_t json_bytes,
                           struct mr_result *result_out);

// Compares what is at json[0..json_bytes) in a place of the caller's (who filled what is around it)
// with *expected. NULL, or what is wrong.
const char *mr_checker_same(struct mr_checker *checker, const uint8_t *json, size_t json_bytes,
                            const struct mr_result *expected);

#endif
