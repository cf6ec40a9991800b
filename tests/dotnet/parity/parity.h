// parity.h: what the C kernels make on their way, for tests that compare another language's port with them pass by pass.
#ifndef MR_TESTS_PARITY_H
#define MR_TESTS_PARITY_H

#include <matchrace/record.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Everything else of the library is hidden, so that its tables are reached as in a program.
#define MR_PARITY_EXPORT __attribute__((visibility("default")))

// A parser of the C kernel called `kernel`, or NULL.
MR_PARITY_EXPORT struct mr_parser *mr_parity_parser(const char *kernel);
MR_PARITY_EXPORT void mr_parity_end(struct mr_parser *parser);

// mr_parser_parse().
MR_PARITY_EXPORT void mr_parity_parse(struct mr_parser *parser, const uint8_t *json,
                                      size_t json_bytes, uint8_t *records_out,
                                      struct mr_result *result_out);

// What passes 1 and 2 of the AVX2 kernel say of a chunk besides their arrays.
struct mr_parity_scan {
    uint64_t count;
    uint64_t dirty_from;
    uint64_t escapes_from;
    uint64_t escaped_blocks; // of the list of blocks that escapes touch
    uint64_t outside;        // of the list of blocks with entries
    uint64_t beyond_ascii;   // of the list of blocks that are not ASCII
    uint64_t units;          // of the list of \uXXXX
};

// The bytes of struct mr_scratch, which are zeros before the first scan.
MR_PARITY_EXPORT size_t mr_parity_scratch_bytes(void);

// Runs passes 1 and 2 of the AVX2 kernel over `bytes` bytes at `text`, with room around as for
// mr_parser_parse(), into `scratch` (aligned to 64).
MR_PARITY_EXPORT void mr_parity_scan(const uint8_t *text, size_t bytes, void *scratch,
                    struct mr_parity_scan *scan_out);

// The three numbers of a record by the AVX2 kernel, each [at, end), with 64 readable bytes around:
// by the form for plain records where `is_short`.
MR_PARITY_EXPORT bool mr_parity_numbers(const uint8_t *const at[3], const uint8_t *const end[3],
                       const uint8_t *text_end, bool is_short, struct mr_record *head_out);

#endif
