// data_making.h: the work of `matchrace data make`: a shape and a seed in, a dataset out.
#ifndef MR_DATA_MAKING_H
#define MR_DATA_MAKING_H

#include "data_fault.h"
#include "data_form.h"
#include "data_shape.h"

#include "dataset/dataset.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stdint.h>

// What to make. All texts are the caller's.
struct mr_make_request {
    struct mr_shape shape;
    const char *out;
    uint64_t seed;
    uint64_t batches; // 0: by bytes
    uint64_t bytes;   // of JSON, at least; 0: by batches
    uint32_t batch_records;
    uint32_t reject_bp; // batches with a fault, in hundredths of a percent
    bool large_faults;
    struct mr_form form; // plain where the shape has no simple records
    bool force;
    int (*stopped)(void); // asked between batches; not 0 ends the making with -EINTR
};

// What came of it.
struct mr_make_result {
    uint64_t batches;
    uint64_t batches_rejected;
    uint64_t records;
    uint64_t bytes;          // of JSON
    double bytes_per_record; // before faults were planted
    uint32_t fault_kinds;    // that this request plants
    uint32_t fault_kinds_seen;
    struct mr_dataset_fault fault;
};

// Makes a dataset. 0, or a negative errno (-EINVAL: a batch is larger than a frame; -EEXIST: it is
// there already) with result_out->fault in words; then nothing was left behind.
MR_NODISCARD int mr_make(const struct mr_make_request *request, struct mr_make_result *result_out);

#endif
