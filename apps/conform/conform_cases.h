// conform_cases.h: the case files: batches with known answers, and the totals after them.
#ifndef MR_CONFORM_CASES_H
#define MR_CONFORM_CASES_H

#include "conform_memory.h"
#include "wire/wire.h"

#include <matchrace/attributes.h>
#include <matchrace/contract.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mr_case {
    const char *name; // owned by the file
    const uint8_t *payload;
    size_t payload_bytes;
    struct mr_ack answer; // status, records, digest
    bool gap;             // the contestant has declared that it answers otherwise
};

// One file of cases, in its order, and what STATS must say after it.
struct mr_case_file {
    const char *name;
    struct mr_case *cases;
    size_t count;
    struct mr_totals totals;
    void *document;         // owned
    struct mr_bytes memory; // payloads, owned
};

#define MR_CASE_FILES 2

struct mr_case_set {
    struct mr_case_file file[MR_CASE_FILES];
    size_t gaps_count; // cases with `gap`
};

struct mr_case_fault {
    char text[512]; // names the file, the line and what to do
};

// Reads the files of `folder`. 0; -EBADMSG: a file is wrong; another negative errno: one cannot be
// read; *fault_out says which. The caller ends it with mr_cases_fini(), whatever happened.
MR_NODISCARD int mr_cases_init(struct mr_case_set *set_out, const char *folder,
                               struct mr_case_fault *fault_out);
void mr_cases_fini(struct mr_case_set *set);

// Marks as declared gaps the case called `name`, or, where there is none, those whose names begin
// with it; says how many there are.
size_t mr_cases_mark_gaps(struct mr_case_set *set, const char *name);

#endif
