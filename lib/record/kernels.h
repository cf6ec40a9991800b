// kernels.h: the table of kernels: the ways to parse, by instruction set.
#ifndef MR_RECORD_KERNELS_H
#define MR_RECORD_KERNELS_H

#include "parser.h"

// A kernel. All kernels give the same results as "scalar" byte for byte, error code, record and
// offset included (the rules stand at the top of record_scalar.c).
struct mr_kernel {
    const char *name;
    const char *needs; // for people; "" for none
    uint32_t features; // bits of enum mr_cpu_feature that must be there
    bool has_scratch;  // parser->scratch must be there
    // As mr_parser_parse(), whose checks have been made; `parser` may be used for scratch.
    void (*parse)(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                  uint8_t *records_out, struct mr_result *result_out);
};

// The kernels from the slowest to the fastest; mr_kernels_count entries, at least one.
extern const struct mr_kernel mr_kernels[];
extern const size_t mr_kernels_count;

// record_scalar.c.
void mr_record_scalar(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                      uint8_t *records_out, struct mr_result *result_out);

// record_avx2.c.
void mr_record_avx2(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                    uint8_t *records_out, struct mr_result *result_out);

// record_avx512.c.
void mr_record_avx512(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                      uint8_t *records_out, struct mr_result *result_out);

#endif
