// data_fault_site.h: a good batch in which a fault is being planted, and exchanging parts of its
// text.
#ifndef MR_DATA_FAULT_SITE_H
#define MR_DATA_FAULT_SITE_H

#include "data_batch.h"
#include "data_fault_op.h"

#include "base/rng.h"

#include <stddef.h>
#include <stdint.h>

// A fault being planted.
struct mr_fault_site {
    struct mr_batch *batch;
    struct mr_rng *rng;
    uint32_t victim;          // index of its record
    struct mr_record_map map; // of that record
    struct mr_buffer text;    // what goes in
};

// Exchanges [start, end) of the batch's text for site->text and moves the extents along.
void mr_fault_exchange(struct mr_fault_site *site, uint32_t start, uint32_t end);

// Sets site->text to the variant's text, with `size_bytes` bytes of `instead` for every "%".
void mr_fault_fill(struct mr_fault_site *site, const struct mr_fault_variant *variant,
                   const void *instead, size_t size_bytes);

// Exchanges `extent` for the variant's text, "%" being what stands there.
void mr_fault_exchange_extent(struct mr_fault_site *site, const struct mr_fault_variant *variant,
                              struct mr_extent extent);

// Where the array's opening bracket stands, and what is behind its closing one, in a good text.
uint32_t mr_fault_array_start(const struct mr_batch *batch);
uint32_t mr_fault_array_end(const struct mr_batch *batch);

#endif
