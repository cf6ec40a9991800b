// load_dataset.h: a small dataset made in memory for the unit tests of the generator.
#ifndef MR_TESTS_LOAD_DATASET_H
#define MR_TESTS_LOAD_DATASET_H

#include <dataset/dataset.h>

#include <stddef.h>
#include <stdint.h>

// What each batch of the dataset holds.
struct load_batch {
    uint32_t records;      // accepted ones; 0 is an empty array, which has no variation
    uint32_t digits_count; // of each timestamp, 2..16
    uint32_t text_bytes;   // of each message
    int rejected;          // the batch is answered by a rejection all the same
};

// A dataset of `count` batches; everything in it agrees. Every record of a batch (up to
// MR_PLACES_MAX) is a place. Asserts on failure.
void load_dataset_make(struct mr_dataset *dataset_out, const struct load_batch *batches,
                       size_t count);
void load_dataset_drop(struct mr_dataset *dataset);

// The records of batch `index` as the dataset has them, one behind the other: pointer to record
// `which`.
struct mr_record *load_dataset_record(const struct mr_dataset *dataset, size_t index,
                                      uint32_t which);

#endif
