// data_plan.h: what the emitter's next record is to be: its typed values and how they are written.
#ifndef MR_DATA_PLAN_H
#define MR_DATA_PLAN_H

#include "data_emit.h"
#include "data_space.h"

#include <stdbool.h>
#include <stdint.h>

// What the record at work is made of beside its strings, which stand in the emitter's buffers.
struct mr_record_plan {
    struct mr_record head;
    uint8_t order[MR_KEY_COUNT];
    uint8_t flags[MR_FLAG_COUNT]; // in the order of writing
    uint32_t flags_count;
    enum mr_space space;
    int escaped_key; // written with escapes, or -1
    bool escaped_kind;
    bool escaped_flag; // the first one
};

// Plans a record of `look` in *plan_out and fills the emitter's buffers with its strings and its
// value. A failed allocation shows in the buffers.
void mr_record_plan_make(struct mr_emitter *emitter, enum mr_look look, struct mr_rng *rng,
                         struct mr_record_plan *plan_out);

#endif
