// dataset_edits.h: the file NAME.edits: each batch's totals and the places where it may be varied.
//
// The format is in docs/DATASETS.md. Everything is little-endian and stands at multiples of 8, so
// that canonical forms are used where they lie in the mapped file.
#ifndef MR_DATASET_DATASET_EDITS_H
#define MR_DATASET_DATASET_EDITS_H

#include "dataset.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

// The file's first 8 bytes.
#define MR_EDITS_MAGIC       "MREDITS1"
#define MR_EDITS_MAGIC_BYTES 8u

// Bytes that mr_edits_encode() writes for `notes`; a multiple of 8. Of a place, `record_digest` and
// `timestamp_us` are not looked at.
size_t mr_edits_bytes(const struct mr_batch_notes *notes);

// Writes one batch's entry: mr_edits_bytes(notes) bytes, aligned to 8.
void mr_edits_encode(const struct mr_batch_notes *notes, uint8_t *bytes_out);

// Reads the whole file at `bytes` (aligned to 8, used as long as the notes are) into
// dataset->notes, which has dataset->frames.count entries, and checks it against frames and
// answers. 0, or -EBADMSG with *fault_out beginning with `path`.
MR_NODISCARD int mr_edits_decode(const uint8_t *bytes, size_t size_bytes, const char *path,
                                 struct mr_dataset *dataset, struct mr_dataset_fault *fault_out);

#endif
