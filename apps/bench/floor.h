// floor.h: what no parser of this job can do without, in loops of its own: reading the text,
// checking that it is UTF-8, and the digest of the typed records.
#ifndef MR_BENCH_FLOOR_H
#define MR_BENCH_FLOOR_H

#include "part.h"

// The sum of all 8-byte words of every payload.
mr_part_pass mr_floor_read;
// The number of payloads that are UTF-8.
mr_part_pass mr_floor_utf8;
// The sum of the records' digests, which is the dataset's.
mr_part_pass mr_floor_digest;
// The three, one after the other, each over the whole dataset.
mr_part_pass mr_floor_all;

#endif
