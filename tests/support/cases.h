// cases.h: the batches with known answers of tests/cases/, and the totals that they add up to.
#ifndef MR_TESTS_CASES_H
#define MR_TESTS_CASES_H

#include <matchrace/attributes.h>
#include <matchrace/contract.h>

#include <stddef.h>
#include <stdint.h>

// A batch and its answer. Everything belongs to the struct mr_cases that it came with.
struct mr_case {
    char *name;
    uint8_t *payload; // not NULL, also when empty
    size_t payload_bytes;
    uint32_t status; // 0 accepted, 1 rejected
    uint32_t records;
    uint64_t digest;
};

struct mr_cases {
    struct mr_case *item;
    size_t count;
};

// Reads a file of one JSON object a line. 0; a negative errno; -EINVAL for a line that is no case.
// On success the caller ends it with mr_cases_fini().
MR_NODISCARD int mr_cases_read(const char *path, struct mr_cases *cases_out);
void mr_cases_fini(struct mr_cases *cases);

// Reads from `path` (totals.json) the totals that STATS must say after all of the file `name`. 0,
// a negative errno, or -EINVAL.
MR_NODISCARD int mr_cases_totals(const char *path, const char *name, struct mr_totals *totals_out);

#endif
