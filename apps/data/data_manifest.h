// data_manifest.h: writing a dataset's manifest (schemas/dataset.schema.json).
#ifndef MR_DATA_MANIFEST_H
#define MR_DATA_MANIFEST_H

#include "data_composition.h"
#include "data_form.h"
#include "data_writer.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a manifest says. All texts are the caller's.
struct mr_manifest_facts {
    const char *name;
    const char *shape;
    const struct mr_form *form; // NULL: plain
    bool seeded;                // false: imported, there is no seed
    uint64_t seed;
    uint32_t batch_records;
    uint32_t reject_bp; // hundredths of a percent
    uint64_t batches;
    uint64_t batches_rejected;
    uint64_t records_accepted;
    const struct mr_composition *composition;
    const uint64_t *faults; // by kind of fault, mr_fault_kinds_count of them; NULL: none
    const struct mr_writer_file *files; // MR_DATASET_FILES, closed
    const char *computed_by;
    const char *command; // that makes the dataset again
};

// The manifest's text, malloc'ed, ending in a newline; NULL when there is no memory.
MR_NODISCARD char *mr_manifest_text(const struct mr_manifest_facts *facts, size_t *bytes_out);

#endif
