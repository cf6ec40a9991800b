// kernel_chunk.h: a piece of text that a vector kernel reads at once, and small loads.
#ifndef MR_RECORD_KERNEL_CHUNK_H
#define MR_RECORD_KERNEL_CHUNK_H

#include "scratch.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BLOCK 64u

// What the guess path looks at from a record's brace on; longer records go the other way.
#define DIRECT_BYTES 256u

// How far ahead the text is asked for: the hardware's own prefetch stops at each page's end, and
// between two chunks.
#define PREFETCH_BYTES 4096u

// A chunk: text that begins where a record may begin, so that no state comes from before it.
struct chunk {
    const uint8_t *text;
    size_t bytes; // at most MR_CHUNK_BYTES
    struct mr_scratch *scratch;
    size_t count;        // entries of index and stream
    size_t dirty_from;   // at or before the first byte that cannot be accepted; SIZE_MAX: none
    size_t escapes_from; // offset of the first block with a backslash; SIZE_MAX: none
};

static inline uint64_t load_u64(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static inline __m128i load16(const uint8_t *at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)at);
}

#endif
