// data_places.h: choosing records of a batch whose timestamp may be varied while it races.
#ifndef MR_DATA_PLACES_H
#define MR_DATA_PLACES_H

#include "data_batch.h"

#include "base/rng.h"
#include "dataset/dataset.h"

#include <stdint.h>

#define MR_PLACES_WANTED 4u // a batch

// Records of a batch to be left alone: [first, last]; first > last leaves none alone.
struct mr_spoilt {
    uint32_t first;
    uint32_t last;
};

// Chooses up to MR_PLACES_WANTED different records at random, those with at least 8 digits first,
// and fills notes_out->place and places_count: offsets into batch->json as it is now, records into
// batch->records (valid as long as that is not touched). Sets notes_out->totals to nothing.
void mr_places_choose(const struct mr_batch *batch, struct mr_spoilt spoilt, struct mr_rng *rng,
                      struct mr_batch_notes *notes_out);

#endif
