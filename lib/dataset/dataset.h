// dataset.h: a dataset as the lab sees it: batches, expected answers, and where a batch may be
// varied.
//
// NAME.batches  BATCH frames as on the wire (given to contestants)
// NAME.answers  one 32-byte ACK payload a frame
// NAME.edits    per batch: its totals, and records whose timestamp may be changed, with their
//               canonical form; never given to contestants
// NAME.json     the manifest
// The formats are in docs/DATASETS.md. Made by apps/data, byte by byte through dataset_edits.h.
// Reading an open dataset is thread-safe.
#ifndef MR_DATASET_DATASET_H
#define MR_DATASET_DATASET_H

#include "wire/frames.h"
#include "wire/wire.h"

#include <matchrace/attributes.h>
#include <matchrace/contract.h>

#include <stddef.h>
#include <stdint.h>

#define MR_PLACES_MAX 8 // a batch

// A record of a batch whose timestamp may be changed without changing the batch's verdict.
struct mr_edit_place {
    uint32_t digits_offset;        // of the timestamp's first digit in the payload
    uint32_t digits_count;         // 2..18
    uint64_t timestamp_min_others; // over the batch's other records; UINT64_MAX and 0 when none
    uint64_t timestamp_max_others;
    const struct mr_record *record; // canonical form, aligned to 8; NULL in a rejected batch
    uint64_t record_digest;         // of `record`; 0 in a rejected batch
    uint64_t timestamp_us;          // what the digits say in the file
};

// What the lab knows of one batch beside its answer.
struct mr_batch_notes {
    uint64_t turns_of_all; // below that all places take part in turn; 0: not known
    uint32_t places_count;
    struct mr_edit_place place[MR_PLACES_MAX];
    struct mr_totals totals; // of this batch alone, from the emitter's values
};

struct mr_dataset {
    char name[64];   // last part of the path
    char shape[16];  // "simple", "messy", "rejects", "mixed-1", "import"
    char sha256[65]; // of NAME.batches, from the manifest
    struct mr_frames frames;
    struct mr_ack *answers;       // frames.count of them
    struct mr_batch_notes *notes; // frames.count of them
    uint64_t records;             // of all accepted batches, by their answers
    struct mr_map *edits_map;     // owned
};

struct mr_dataset_fault {
    char text[320]; // names the file, the place and what to do
};

// Opens the dataset at `path` (the common part NAME of its files; the name of its manifest or
// batches file does too) and checks that its files belong together: sizes and SHA-256 of each file
// against the manifest, one answer and one entry of notes a frame, notes that agree with the
// answers, and digits at every place that say the record's timestamp. 0; -EBADMSG: foreign,
// truncated or changed, *fault_out says which file and where; another negative errno, with
// *fault_out naming the file. On success the caller ends it with mr_dataset_fini(); after a failure
// there is nothing to end.
MR_NODISCARD int mr_dataset_init(struct mr_dataset *dataset_out, const char *path,
                                 struct mr_dataset_fault *fault_out);

// Like mr_dataset_init(), but the SHA-256 of the files is not computed: for a process whose parent
// did so just before. Sizes, structure and counts are checked all the same.
MR_NODISCARD int mr_dataset_init_trusted(struct mr_dataset *dataset_out, const char *path,
                                         struct mr_dataset_fault *fault_out);

// For who reads an open dataset in random order while something is timed: puts what it holds into
// large pages, where the kernel has them. Optional, and nothing changes but the cost.
void mr_dataset_settle(struct mr_dataset *dataset);

void mr_dataset_fini(struct mr_dataset *dataset);

// A variation of one batch: some digits of one record's timestamp exchanged.
struct mr_edit {
    uint32_t offset;                   // in the payload
    uint32_t count;                    // digits exchanged, 1..7; 0: none
    uint8_t digits[8];                 // what stands there instead
    struct mr_ack answer;              // what the contestant must say now
    const struct mr_edit_place *place; // NULL: no digit is exchanged
    uint64_t timestamp_us;             // of the changed record
};

// How many variations batch `index` has: the turns that mr_edit_make() takes. 0 for a batch without
// places (an empty batch, or one whose fault spoils every record); some 10 million a place
// otherwise.
uint64_t mr_edit_turns(const struct mr_dataset *dataset, size_t index);

// Variation number `turn` of batch `index`: different turns give different bytes, and all differ
// from the file's. The places of the batch take turns; only low digits change, never the first.
// False when `turn` is not below mr_edit_turns().
MR_NODISCARD bool mr_edit_make(const struct mr_dataset *dataset, size_t index, uint64_t turn,
                               struct mr_edit *edit_out);

// Asks the memory for what is read of batch `index` at `turn` by mr_edit_make_unanswered(), and for
// the record that mr_edit_answer() will read: so that it is there when they are called. Nothing
// else happens.
void mr_edit_expect_notes(const struct mr_dataset *dataset, size_t index, uint64_t turn);
void mr_edit_expect_record(const struct mr_edit *edit);

// Turns in which every place of `notes` takes part.
uint64_t mr_edit_turns_of_all(const struct mr_batch_notes *notes);

// mr_edit_make() in two steps, between which something else may be done: the first one leaves the
// answer as that of the file's batch, so its digest is wrong; the second one sets the digest.
// `index` is that of the first step.
MR_NODISCARD bool mr_edit_make_unanswered(const struct mr_dataset *dataset, size_t index,
                                          uint64_t turn, struct mr_edit *edit_out);
void mr_edit_answer(const struct mr_dataset *dataset, size_t index, struct mr_edit *edit_io);

// No variation: batch `index` as it is in the file, for benchmarks of what variation costs.
void mr_edit_none(const struct mr_dataset *dataset, size_t index, struct mr_edit *edit_out);

#endif
