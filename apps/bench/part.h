// part.h: one part of the job of parsing, as a pass over a dataset that can be timed.
//
// A part's figures are compared with those of whole parsers, so what it needs beforehand (typed
// records, spoiled batches) is prepared outside of the time.
#ifndef MR_BENCH_PART_H
#define MR_BENCH_PART_H

#include "wire/frames.h"

#include <matchrace/attributes.h>
#include <matchrace/record.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A batch's JSON text, with the padding that parsers may load.
struct mr_part_batch {
    uint8_t *json;
    uint32_t json_bytes;
};

// The dataset and what parts have made of it. Everything is owned.
struct mr_part_data {
    struct mr_frames frames;
    struct mr_part_batch *batch; // what is passed over: in the frames, or in `joined`
    size_t batches;
    uint64_t payload_bytes;   // of all of them
    uint8_t *joined;          // batches of other sizes than the dataset's
    uint64_t records;         // of accepted batches
    struct mr_parser *parser; // of the kernel that parts leave something out of
    uint8_t *place;           // of one batch's records
    uint8_t *canonical;       // typed records of all accepted batches, one behind the other
    size_t canonical_bytes;
    struct mr_totals totals;
};

struct mr_part;

// One pass. The result depends on all that was done, so that nothing can be left out.
typedef uint64_t mr_part_pass(const struct mr_part *part, struct mr_part_data *data);

// The work of a kernel (lib/record/kernels.h).
typedef void mr_part_kernel(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                            uint8_t *records_out, struct mr_result *result_out);

struct mr_part {
    const char *name;
    const char *about;
    bool needs_kernel;
    bool needs_canonical;
    uint32_t batch_records; // records are put together to batches of so many; 0: as they are
    bool spoils; // has its own copy of the batches, with a fault in the last record of each
    bool totals; // the totals are kept
    mr_part_kernel *kernel;
    mr_part_pass *pass;
};

// All parts; ends with one without name.
extern const struct mr_part mr_parts[];

// The part called `name`, or NULL.
const struct mr_part *mr_part_by_name(const char *name);

// Reads `path`.batches and prepares what the part needs. 0; -ENOTSUP: this machine lacks what the
// kernel needs; -EBADMSG: the file is none, or a batch is not what the part can be run on; another
// negative errno. What is wrong stands in `fault_out`. The caller ends it with mr_part_data_fini(),
// whatever happened.
MR_NODISCARD int mr_part_data_init(struct mr_part_data *data_out, const struct mr_part *part,
                                   const char *path, struct mr_frames_fault *fault_out);
void mr_part_data_fini(struct mr_part_data *data);

#endif
