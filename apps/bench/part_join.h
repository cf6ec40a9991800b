// part_join.h: the records of a dataset put together to batches of another size.
#ifndef MR_BENCH_PART_JOIN_H
#define MR_BENCH_PART_JOIN_H

#include "part.h"

// Fills data->batch with batches of `records` records each, in their order, without white space
// between records; the last one may have fewer. data->frames must hold batches that are accepted.
// 0; -ENOMEM; -EBADMSG with *fault_out: a batch is none of records.
MR_NODISCARD int mr_part_join(struct mr_part_data *data, uint32_t records,
                              struct mr_frames_fault *fault_out);

#endif
