// scratch.h: the memory that the vector kernels work in: index, stream, masks and escapes of one
// chunk of text.
#ifndef MR_RECORD_SCRATCH_H
#define MR_RECORD_SCRATCH_H

#include <matchrace/attributes.h>

#include <stdint.h>

// A chunk stays in the second-level cache together with its index, and the text alone in the first.
// Positions in it fit 16 bits.
#define MR_CHUNK_BYTES 32768u

// What vector stores may overwrite behind the last entry of an array, and what loads may look at.
#define MR_SCRATCH_SLACK 128u

// A block of 64 bytes: its quotes, its bytes inside of strings (opening quotes included).
struct mr_outside {
    uint64_t quote;
    uint64_t in_string;
    uint64_t offset;
};

// Arrays that are used together stand together; padding is nothing beside a quarter of a megabyte.
struct mr_scratch { // NOLINT(clang-analyzer-optin.performance.Padding)
    _Alignas(64) uint8_t stream[MR_CHUNK_BYTES + MR_SCRATCH_SLACK];    // the structural bytes
    _Alignas(64) uint16_t position[MR_CHUNK_BYTES + MR_SCRATCH_SLACK]; // where each of them stands
    _Alignas(64) uint8_t copy[MR_CHUNK_BYTES + MR_SCRATCH_SLACK]; // letters of escapes replaced
    _Alignas(64) uint64_t keep[MR_CHUNK_BYTES / 64 + 3]; // by block: the bytes of `copy` that stay
    // Units are the escapes \uXXXX.
    _Alignas(64) uint8_t digits[MR_CHUNK_BYTES + MR_SCRATCH_SLACK];       // four for each
    _Alignas(64) uint16_t unit_at[MR_CHUNK_BYTES / 2 + MR_SCRATCH_SLACK]; // where its u stands
    _Alignas(
        64) uint8_t unit_text[MR_CHUNK_BYTES / 2 + MR_SCRATCH_SLACK]; // UTF-8, three bytes each
    _Alignas(64) uint64_t
        marks[MR_CHUNK_BYTES / 64 + 1];       // by marked block: units, then what takes their text
    uint32_t marked[MR_CHUNK_BYTES / 64 + 1]; // offsets of the blocks that have marks
    // Of the AVX2 kernel: lists of blocks that need more work.
    struct mr_outside outside[MR_CHUNK_BYTES / 64 + 1]; // blocks that are not all inside a string
    uint16_t beyond_ascii[MR_CHUNK_BYTES / 64 + 1];     // offsets of blocks to be checked for UTF-8
    uint64_t escaped[MR_CHUNK_BYTES / 64 + 1];          // by block: the bytes behind a backslash
    uint64_t touched[MR_CHUNK_BYTES / 64 + 1]; // by block: not 0 where `copy` differs from the text
    uint16_t escaped_blocks[MR_CHUNK_BYTES / 64 + 1]; // offsets of these
};

#endif
