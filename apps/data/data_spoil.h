// data_spoil.h: which batches of a dataset are spoiled, and with which fault.
#ifndef MR_DATA_SPOIL_H
#define MR_DATA_SPOIL_H

#include "data_fault.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stdint.h>

#define MR_SHARE_WHOLE 10000u // 100 percent in hundredths of one

// What to spoil.
struct mr_spoil_plan {
    uint64_t seed;
    uint32_t share_bp; // of the batches in hundredths of a percent, at most MR_SHARE_WHOLE; exact
                       // over every block of MR_SHARE_WHOLE / (their greatest divisor) batches
    bool keep_places;  // only kinds that leave records to vary
    bool large_faults; // the large kinds too
};

// The spoiler's state, in the caller's storage. Kinds come in an order drawn from the seed, all of
// them before one comes again; then each comes with its next variant.
struct mr_spoiler {
    struct mr_spoil_plan plan;
    uint8_t order[MR_FAULT_KINDS_MAX]; // of the kinds that are used
    uint32_t kinds;
    uint64_t spoiled;     // batches so far
    uint32_t block_left;  // batches left in the block whose share is exact
    uint32_t faulty_left; // of them to be spoiled
    uint64_t counts[MR_FAULT_KINDS_MAX];
};

void mr_spoiler_init(struct mr_spoiler *spoiler_out, const struct mr_spoil_plan *plan);

// Whether the batch that comes next, number `index` of the dataset, is to be spoiled. To be asked
// once a batch, in their order.
bool mr_spoiler_wants(struct mr_spoiler *spoiler, uint64_t index);

// Spoils `batch`, number `index`, and counts it. 0 or -ENOMEM.
MR_NODISCARD int mr_spoiler_spoil(struct mr_spoiler *spoiler, uint64_t index,
                                  struct mr_batch *batch, struct mr_spoilt *spoilt_out);

#endif
