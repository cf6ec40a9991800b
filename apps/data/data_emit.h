// data_emit.h: the emitter: seeded batches of records, each with its typed values.
//
// Integer arithmetic alone, so that a seed gives the same bytes everywhere. A batch depends on the
// seed and on the batches before it, never on how many will follow.
#ifndef MR_DATA_EMIT_H
#define MR_DATA_EMIT_H

#include "data_batch.h"
#include "data_form.h"
#include "data_shape.h"

#include "base/rng.h"

#include <matchrace/attributes.h>

#include <stdint.h>

// What was written so far of one look: later records are steered towards the targets by it.
struct mr_emitted {
    uint64_t records;
    uint64_t bytes; // of simple records without white space
    uint64_t short_escapes;
    uint64_t unicode_escapes;
    uint64_t wide_bytes;
};

// An emitter, in the caller's storage; its buffers are owned.
struct mr_emitter {
    uint64_t seed;
    struct mr_form form;          // of simple records
    uint64_t batches;             // emitted so far
    uint64_t records;             // emitted so far
    struct mr_emitted emitted[2]; // by enum mr_look
    // Of the record at work: contents of its strings as written and as said, and its value.
    struct mr_buffer source_raw;
    struct mr_buffer source_said;
    struct mr_buffer message_raw;
    struct mr_buffer message_said;
    struct mr_buffer value_raw;
    uint64_t space_bytes; // of white space
};

void mr_emitter_init(struct mr_emitter *emitter_out, uint64_t seed, const struct mr_form *form);
void mr_emitter_fini(struct mr_emitter *emitter);

// A generator for one purpose (`stream`) of one batch.
struct mr_rng mr_emitter_rng(uint64_t seed, uint64_t stream, uint64_t batch);

// Emits the next batch of `records` ≤ MR_BATCH_RECORDS_MAX records into `batch`, which is cleared
// first. 0 or -ENOMEM.
MR_NODISCARD int mr_emitter_batch(struct mr_emitter *emitter, enum mr_look look, uint32_t records,
                                  struct mr_batch *batch);

#endif
