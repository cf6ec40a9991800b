// oracle.h: the contract of a batch once more, by a JSON library: shares no code or table with
// lib/record and lib/contract.
#ifndef MR_TESTS_ORACLE_H
#define MR_TESTS_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a batch is. `canonical` (malloc'ed, NULL when empty) holds the canonical forms of its
// records, one right behind the other.
struct mr_oracle {
    bool accepted;
    uint32_t records;
    uint64_t digest;
    uint8_t *canonical;
    size_t canonical_bytes;
};

// Judges `json_bytes` bytes at `json`. The caller ends the result with mr_oracle_fini().
struct mr_oracle mr_oracle_judge(const uint8_t *json, size_t json_bytes);
void mr_oracle_fini(struct mr_oracle *oracle);

#endif
