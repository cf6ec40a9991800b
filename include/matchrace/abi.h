// abi.h: how the structs of this build lie in memory, for callers that were not compiled with these
// headers (P/Invoke, ctypes): they compare before their first call.
#ifndef MATCHRACE_ABI_H
#define MATCHRACE_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// Goes up whenever a function, struct or constant of contract.h, record.h or result.h changes in a
// way that an older caller would not survive; the number behind libmatchrace.so is the same.
#define MR_ABI_VERSION 0u

// The layout of a build. All sizes and offsets in bytes.
struct mr_abi {
    uint32_t version;         // MR_ABI_VERSION
    uint32_t abi_bytes;       // sizeof(struct mr_abi)
    uint32_t record_bytes;    // sizeof(struct mr_record)
    uint32_t record_last;     // offset of its last field, message_bytes
    uint32_t result_bytes;    // sizeof(struct mr_result)
    uint32_t result_last;     // offset of its last field
    uint32_t totals_bytes;    // sizeof(struct mr_totals)
    uint32_t totals_last;     // offset of its last field
    uint32_t pad_front_bytes; // MR_PAD_FRONT
    uint32_t pad_back_bytes;  // MR_PAD_BACK
    uint32_t slack_bytes;     // MR_RECORDS_SLACK
};

// The layout of the library that runs; constant, never NULL.
const struct mr_abi *mr_abi(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
