// data_writer.h: a dataset's files, written so that a crash leaves no dataset, the old one or the
// new one, never a part that could be taken for one.
//
// The files are written under other names (NAME.batches.partial and so on), then get their own, the
// manifest last: without its manifest nothing is a dataset.
#ifndef MR_DATA_WRITER_H
#define MR_DATA_WRITER_H

#include "data_buffer.h"

#include "dataset/dataset.h"
#include "dataset/dataset_manifest.h"
#include "dataset/file_hash.h"

#include <matchrace/attributes.h>

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

// One file under construction.
struct mr_writer_file {
    int descriptor; // -1: not open
    bool renamed;   // it has its own name by now
    struct mr_buffer pending;
    struct mr_file_hash hash;
    struct mr_file_claim claim;
};

struct mr_writer {
    char base[PATH_MAX];
    bool replace; // an old dataset of that name is exchanged
    struct mr_writer_file file[MR_DATASET_FILES];
    uint64_t batches;
    struct mr_dataset_fault *fault; // where the words of a failure go
};

// Begins a dataset at `base`, whose folder is made where it is missing. 0; -EEXIST when one of its
// files is there and `replace` is not set; another negative errno; *fault_out says it in words and
// is used by all later calls. On success the caller ends it with mr_writer_finish() or
// mr_writer_abandon().
MR_NODISCARD int mr_writer_init(struct mr_writer *writer_out, const char *base, bool replace,
                                struct mr_dataset_fault *fault_out);

// Appends a batch: its text, its answer, its notes. 0, or a negative errno.
MR_NODISCARD int mr_writer_add(struct mr_writer *writer, const struct mr_buffer *json,
                               const struct mr_ack *answer, const struct mr_batch_notes *notes);

// Writes out what is pending, so that sizes and hashes are known: writer->file[…].claim. Once,
// after the last batch. 0, or a negative errno.
MR_NODISCARD int mr_writer_close(struct mr_writer *writer);

// After mr_writer_close(): gives the files their names and writes the manifest. 0, or a negative
// errno; then the caller abandons it. After 0 there is nothing to end.
MR_NODISCARD int mr_writer_finish(struct mr_writer *writer, const char *manifest,
                                  size_t manifest_bytes);

// Removes everything that was written.
void mr_writer_abandon(struct mr_writer *writer);

#endif
