// record_scalar.h: the specification in steps, for the vector kernels: what they do not read
// themselves, odd records and everything that is rejected, they let the specification read.
#ifndef MR_RECORD_RECORD_SCALAR_H
#define MR_RECORD_RECORD_SCALAR_H

#include "reader.h"

#include <matchrace/result.h>

#include <stdint.h>

enum mr_step {
    MR_STEP_RECORD, // one more record was read
    MR_STEP_END,    // the array's closing bracket was read
    MR_STEP_FAULT,  // the reader has stopped
};

// Reads everything before the first record. The position behind the array's opening bracket, or
// NULL after a fault.
const uint8_t *mr_scalar_begin(struct mr_reader *reader);

// Reads what follows at *at_io, which stands behind the opening bracket or behind a record: one
// record with the comma before it, or the closing bracket. Moves *at_io behind it. A record is
// written to `records` + result->used_bytes and added to `records` and `used_bytes` of *result, not
// to its digest.
enum mr_step mr_scalar_step(struct mr_reader *reader, const uint8_t **at_io, uint8_t *records,
                            struct mr_result *result);

// Reads what stands behind the closing bracket: white space, or a fault.
void mr_scalar_end(struct mr_reader *reader, const uint8_t *at);

// What to say of a batch: *read, or the reader's fault in its place.
struct mr_result mr_scalar_result(const struct mr_reader *reader, const struct mr_result *read);

#endif
