// result.h: what a parser of the contract says about one batch, and the reasons for a rejection.
#ifndef MATCHRACE_RESULT_H
#define MATCHRACE_RESULT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// Why a batch is rejected; the number goes out in ACK as advice for people (0 = accepted, not
// told).
enum mr_error {
    MR_OK = 0,
    MR_ERROR_REJECTED = 1,       // rejected, and the parser does not say why
    MR_ERROR_EMPTY = 2,          // no JSON text, or only white space
    MR_ERROR_BOM = 3,            // the text begins with a byte order mark
    MR_ERROR_UTF8 = 4,           // not valid UTF-8
    MR_ERROR_SYNTAX = 5,         // another byte was needed here
    MR_ERROR_TRUNCATED = 6,      // the text ends too early
    MR_ERROR_TRAILING = 7,       // something stands behind the array
    MR_ERROR_CONTROL = 8,        // a raw byte below 0x20 in a string
    MR_ERROR_ESCAPE = 9,         // a bad or cut-off escape
    MR_ERROR_SURROGATE = 10,     // an escape names a lone surrogate
    MR_ERROR_NUMBER = 11,        // not a JSON number
    MR_ERROR_TYPE = 12,          // a value of another type than its key's
    MR_ERROR_INTEGER_RANGE = 13, // id or timestamp out of its range
    MR_ERROR_VALUE_RANGE = 14,   // value beyond ±1e15 after rounding
    MR_ERROR_LENGTH = 15,        // source or message too short or too long
    MR_ERROR_KEY_UNKNOWN = 16,
    MR_ERROR_KEY_TWICE = 17,
    MR_ERROR_KEY_MISSING = 18,
    MR_ERROR_KIND = 19, // not one of the eight kinds
    MR_ERROR_FLAG = 20, // not one of the eight flags
    MR_ERROR_FLAG_TWICE = 21,
    MR_ERROR_RECORDS_MAX = 22, // more than 65,535 records
    MR_ERROR_MEMORY = 23,      // out of memory: an accident of the host, told as a rejection
};

struct mr_totals; // contract.h

// The outcome of one batch. On rejection `records`, `digest` and `used_bytes` are 0.
struct mr_result {
    uint32_t error;        // enum mr_error
    uint32_t records;      // accepted records
    uint64_t digest;       // sum of their digests
    uint64_t used_bytes;   // sum of their strides in the caller's place
    uint32_t error_record; // index of the record in which reading stopped
    uint64_t error_offset; // offset of the byte at fault in the JSON text
    // What the batch adds to the totals (docs/PROTOCOL.md, section 3), where the parser made it on
    // its way; NULL: it did not, or rejected. The parser's, until its next batch.
    const struct mr_totals *totals;
};

// A sentence for people about enum mr_error, without place; never NULL (unknown codes included).
const char *mr_error_text(uint32_t error);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
