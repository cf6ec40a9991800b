// conform_made.h: batches that the kit makes itself, with answers known from its own typed values.
#ifndef MR_CONFORM_MADE_H
#define MR_CONFORM_MADE_H

#include "conform_memory.h"

#include <matchrace/contract.h>

#include <stddef.h>
#include <stdint.h>

// One record as values and, where it matters, as text.
struct mr_made_record {
    uint64_t id;
    uint64_t timestamp_us;
    const char *source;
    uint8_t kind;
    uint8_t flags;
    double value;
    const char *value_text; // how `value` is written; NULL: "%.17g"
    const char *message;    // letters that need no escape
    size_t message_bytes;   // `message` is repeated to this length; 0: empty
};

// A batch under construction. All zero is none.
struct mr_made {
    struct mr_bytes json;
    uint32_t records;
    uint64_t digest;
};

void mr_made_begin(struct mr_made *made);
void mr_made_add(struct mr_made *made, const struct mr_made_record *record);
void mr_made_end(struct mr_made *made);
void mr_made_fini(struct mr_made *made);

// A whole batch of `count` short records whose ids and timestamps begin with `first`; the memory of
// `made` is used again.
void mr_made_plain(struct mr_made *made, uint64_t first, uint32_t count);

// The same with messages of `message_bytes` letters.
void mr_made_long(struct mr_made *made, uint64_t first, uint32_t count, size_t message_bytes);

#endif
