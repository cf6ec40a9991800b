// file_hash.h: SHA-256 (FIPS 180-4) as hex digits, over pieces; libmd does the work.
#ifndef MR_DATASET_FILE_HASH_H
#define MR_DATASET_FILE_HASH_H

#include <matchrace/attributes.h>

#include <sha2.h>
#include <stddef.h>

#define MR_HASH_TEXT_BYTES 65u // 64 hex digits and a zero byte

// A hash under construction, in the caller's storage.
struct mr_file_hash {
    SHA2_CTX context;
};

// Starts a hash of nothing.
void mr_file_hash_init(struct mr_file_hash *hash);

// Goes on over `size_bytes` bytes; `bytes` may be NULL when there are none.
void mr_file_hash_add(struct mr_file_hash *hash, const void *bytes, size_t size_bytes);

// Ends the hash and writes its lower-case hex digits; `hash` must be started again to be used.
void mr_file_hash_text(struct mr_file_hash *hash, char text_out[MR_HASH_TEXT_BYTES]);

// The same of the file at `path`. 0, or a negative errno.
MR_NODISCARD int mr_file_hash_of(const char *path, char text_out[MR_HASH_TEXT_BYTES]);

#endif
