// data_batch.h: a batch at work: its JSON text, its typed records, and where each record stands.
#ifndef MR_DATA_BATCH_H
#define MR_DATA_BATCH_H

#include "data_buffer.h"

#include <matchrace/attributes.h>
#include <matchrace/contract.h>

#include <stdint.h>

// The keys in the order of the contract's example.
enum mr_key {
    MR_KEY_ID,
    MR_KEY_TIMESTAMP,
    MR_KEY_SOURCE,
    MR_KEY_KIND,
    MR_KEY_VALUE,
    MR_KEY_FLAGS,
    MR_KEY_MESSAGE,
};
#define MR_KEY_COUNT 7u
extern const char *const mr_key_names[MR_KEY_COUNT];

// Bytes [start, end) of the text.
struct mr_extent {
    uint32_t start;
    uint32_t end;
};

// `extent` has MR_BATCH_RECORDS_MAX places and is owned, as are the buffers. A record's extent goes
// from its opening brace to behind the closing one.
struct mr_batch {
    struct mr_buffer json;
    struct mr_buffer records; // canonical forms, mr_record_stride() apart
    struct mr_extent *extent;
    uint32_t count;
};

// An empty batch. 0 or -ENOMEM; ends with mr_batch_fini().
MR_NODISCARD int mr_batch_init(struct mr_batch *batch_out);
void mr_batch_fini(struct mr_batch *batch);

// Empties the batch and keeps its memory.
void mr_batch_clear(struct mr_batch *batch);

// Appends the canonical form; source and message lengths are those of `head`.
void mr_batch_add_record(struct mr_batch *batch, const struct mr_record *head,
                         const uint8_t *source, const uint8_t *message);

// Where every token of one record stands: strings with their quotes, arrays with their brackets.
struct mr_record_map {
    struct mr_extent record;
    struct mr_extent key[MR_KEY_COUNT]; // by enum mr_key
    struct mr_extent value[MR_KEY_COUNT];
    uint8_t order[MR_KEY_COUNT]; // order[i]: the key that comes i-th
};

// Maps the record at `extent` of `json`, which must be one that the contract accepts (asserted as
// far as it is looked at).
void mr_record_map_make(const uint8_t *json, struct mr_extent extent,
                        struct mr_record_map *map_out);

#endif
