// import_copies.h: finding batches of the same bytes.
#ifndef MR_IMPORT_COPIES_H
#define MR_IMPORT_COPIES_H

#include "data_buffer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Hashes of the batches so far. Zeroed is empty; `seen.failed` when there was no memory.
struct mr_copies {
    struct mr_buffer seen;
};

void mr_copies_fini(struct mr_copies *copies);

// Adds the next batch and returns its hash (XXH3, 64 bits).
uint64_t mr_copies_add(struct mr_copies *copies, const void *bytes, size_t size_bytes);

// Whether two batches are the same: the first copy of all, and the batch before it that it copies.
bool mr_copies_find(struct mr_copies *copies, uint64_t *first_out, uint64_t *copy_out);

#endif
