// data_importer.h: the work of `matchrace data import`: files in, a dataset out.
#ifndef MR_DATA_IMPORTER_H
#define MR_DATA_IMPORTER_H

#include "dataset/dataset.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_IMPORT_FAULTS_SHOWN 20u

// What to import. All texts are the caller's.
struct mr_import_request {
    const char *const *paths;
    size_t paths_count;
    const char *out;
    uint32_t batch_records;
    bool force;
    const char *command; // for the manifest
    // Called for each of the first MR_IMPORT_FAULTS_SHOWN records that are no records.
    void (*show_fault)(const char *text);
    // Asked between batches; not 0 ends the import with -EINTR.
    int (*stopped)(void);
};

// What came of it.
struct mr_import_result {
    uint64_t batches;
    uint64_t records;
    uint64_t bytes;
    uint64_t faults; // all of them, shown or not
    struct mr_dataset_fault fault;
};

// Imports. 0; -EBADMSG when a record was rejected or two batches are the same (nothing was
// written); another negative errno. result_out->fault says it in words.
MR_NODISCARD int mr_import(const struct mr_import_request *request,
                           struct mr_import_result *result_out);

#endif
