// data_fault.h: the faults that spoil a batch, one of each kind of the contract's section 1.
#ifndef MR_DATA_FAULT_H
#define MR_DATA_FAULT_H

#include "data_batch.h"
#include "data_places.h"

#include "base/rng.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>

// A kind of fault; its variants stand in data_fault.c.
struct mr_fault_kind {
    const char *name;  // "key-twice"
    const char *about; // what the contract says of it, a few words
    bool no_places;    // leaves no record that could be varied
    bool large;        // makes a batch of some 5 MB
};

#define MR_FAULT_KINDS_MAX 64u

// The kinds in the order in which they are planted.
extern const struct mr_fault_kind mr_fault_kinds[];
extern const size_t mr_fault_kinds_count; // at most MR_FAULT_KINDS_MAX

// How many variants kind `kind` has, at least 1.
size_t mr_fault_variants(size_t kind);

// Plants variant `variant` of `kind` at a random place of the good batch `batch`, which must have
// at least one record. The text and the extents change, the typed records stay; *spoilt_out names
// the records whose text is not to be touched any more. 0 or -ENOMEM.
MR_NODISCARD int mr_fault_plant(size_t kind, size_t variant, struct mr_rng *rng,
                                struct mr_batch *batch, struct mr_spoilt *spoilt_out);

#endif
