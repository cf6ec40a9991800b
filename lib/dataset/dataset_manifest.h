// dataset_manifest.h: what the lab needs of a dataset's manifest (schemas/dataset.schema.json).
#ifndef MR_DATASET_DATASET_MANIFEST_H
#define MR_DATASET_DATASET_MANIFEST_H

#include "dataset.h"
#include "file_hash.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

#define MR_MANIFEST_SCHEMA     "matchrace/dataset/1"
#define MR_MANIFEST_SIZE_LIMIT (1u << 20) // a manifest has some 6 KB

// The three files beside the manifest, in this order everywhere.
enum mr_dataset_file { MR_FILE_BATCHES, MR_FILE_ANSWERS, MR_FILE_EDITS };
#define MR_DATASET_FILES 3u

// "batches", "answers", "edits": the part of a file's name behind the dot, and its manifest key.
extern const char *const mr_dataset_file_names[MR_DATASET_FILES];

// What the manifest says of one file.
struct mr_file_claim {
    uint64_t size_bytes;
    char sha256[MR_HASH_TEXT_BYTES];
};

struct mr_manifest {
    char shape[16];
    uint64_t batches;
    uint64_t records_accepted;
    struct mr_file_claim file[MR_DATASET_FILES];
};

// Writes the common part of a dataset's files: `path` without the end of a manifest's or batches
// file's name. 0; -ENAMETOOLONG when it, with any end, does not fit into `capacity` bytes.
MR_NODISCARD int mr_dataset_base(const char *path, char *base_out, size_t capacity);

// Reads the manifest at `path` ("….json"). 0; -EBADMSG: not such a manifest, *fault_out says what;
// another negative errno, with *fault_out naming the file.
MR_NODISCARD int mr_manifest_read(const char *path, struct mr_manifest *manifest_out,
                                  struct mr_dataset_fault *fault_out);

// Writes a fault's text as printf does and returns -EBADMSG.
MR_PRINTF(2, 3) int mr_dataset_bad(struct mr_dataset_fault *fault_out, const char *format, ...);

#endif
