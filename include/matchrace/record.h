// record.h: the strict parser of matchrace: JSON text of a batch in, typed records and digest out.
//
// Reads exactly the texts that section 1 of docs/PROTOCOL.md accepts. A parser object owns its
// scratch memory; nothing global is written; any number of parsers work on any number of threads,
// one thread at a time each. The result does not depend on locale or rounding mode settings other
// than the default (round to nearest, no flush to zero).
#ifndef MATCHRACE_RECORD_H
#define MATCHRACE_RECORD_H

#include <matchrace/attributes.h>
#include <matchrace/contract.h>
#include <matchrace/result.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// Bytes before and behind the JSON text that must be readable memory of the caller's. They are
// loaded at most, never looked at as content: whatever stands there changes nothing.
#define MR_PAD_FRONT 64u
#define MR_PAD_BACK  64u

// A parser. Opaque.
struct mr_parser;

// One way to do the work, by instruction set.
struct mr_kernel_info {
    const char *name;  // as for mr_parser_create()
    const char *needs; // instruction sets, for people; "" for none
    bool supported;    // by this processor and kernel
};

// The number of kernels built in; the slowest (the specification, "scalar") has index 0.
size_t mr_kernel_count(void);

// What kernel `index` < mr_kernel_count() is.
struct mr_kernel_info mr_kernel_by_index(size_t index);

// Makes a parser. `kernel` names the kernel to use; NULL takes the fastest that this machine has.
// 0; -ENOENT: no kernel of that name; -ENOTSUP: this machine lacks its instructions; -ENOMEM.
// The caller ends it with mr_parser_destroy().
MR_NODISCARD int mr_parser_create(const char *kernel, struct mr_parser **parser_out);

// Ends `parser`; NULL is allowed.
void mr_parser_destroy(struct mr_parser *parser);

// The name of the kernel that really runs; a constant string.
const char *mr_parser_kernel(const struct mr_parser *parser);

// Parses one batch. `json`: `json_bytes` bytes (0 is allowed: rejected) with MR_PAD_FRONT readable
// bytes before and MR_PAD_BACK behind; not changed. `records_out`: mr_records_capacity(json_bytes)
// writable bytes, aligned to 8, not overlapping `json`; the accepted records stand there as struct
// mr_record, each mr_record_stride() behind the one before; on rejection its content is undefined.
// *result_out says what happened; errors have record index and byte offset.
void mr_parser_parse(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                     uint8_t *records_out, struct mr_result *result_out);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
