// foreign_kernels.h: parsers of other languages as kernels of C's tests.
#ifndef MR_TESTS_FOREIGN_KERNELS_H
#define MR_TESTS_FOREIGN_KERNELS_H

#include "checker.h"

#include <matchrace/result.h>

#include <stddef.h>
#include <stdint.h>

// As mr_parser_parse(), from any thread; of the totals in *result_out only what the parser made on
// its way, valid until the same thread's next call.
typedef void (*mr_foreign_parse)(const uint8_t *json, size_t json_bytes, uint8_t *records_out,
                                 struct mr_result *result_out);

// Adds a kernel behind the ones that are there; at most 6. `name` must stay.
void mr_foreign_kernel(const char *name, mr_foreign_parse parse);

// Runs the test program `name` of tests/differential ("strings" for strings_test.c) with the
// kernels that are there. What its main() returns, or -1: there is none of this name.
int mr_foreign_suite(const char *name);

// The name of suite `index`, NULL behind the last.
const char *mr_foreign_suite_name(size_t index);

// A checker for texts of up to `json_bytes_max` bytes, never NULL; for mr_foreign_check() and
// mr_foreign_same().
struct mr_checker *mr_foreign_checker(size_t json_bytes_max);
void mr_foreign_checker_end(struct mr_checker *checker);

// mr_checker_all(): the text through all kernels and the oracle. NULL, or what is wrong.
const char *mr_foreign_check(struct mr_checker *checker, const uint8_t *json, size_t json_bytes);

// mr_checker_kernels(): the same without the oracle, which is slower than all kernels.
const char *mr_foreign_same(struct mr_checker *checker, const uint8_t *json, size_t json_bytes);

// A table of the C parser as it lies in memory: "mr_set_bits" and such. NULL: there is none of this
// name.
const void *mr_foreign_table(const char *name, size_t *bytes_out);

// Sizes and offsets of structs that cross the border, in an order that the caller knows; returns
// how many.
size_t mr_foreign_layout(uint32_t layout_out[32]);

// XXH3_64bits(), as xxhash.h compiles here.
uint64_t mr_foreign_xxh3(const void *bytes, size_t count);

#endif
