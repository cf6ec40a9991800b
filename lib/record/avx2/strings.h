// strings.h: strings of the AVX2 kernel, from the text to their place.
#ifndef MR_RECORD_AVX2_STRINGS_H
#define MR_RECORD_AVX2_STRINGS_H

#include "../kernel_fields.h"
#include "escapes.h"

// Copies `length` bytes without escapes; up to 63 more are overwritten.
static inline void copy_plain(const uint8_t *from, size_t length, uint8_t *out)
{
    size_t at = 0;
    do {
        __m256i low = load32(from + at);
        __m256i high = load32(from + at + 32);
        store32(out + at, low);
        store32(out + at + 32, high);
        at += BLOCK;
    } while (__builtin_expect(at < length, 0));
}

// How many escapes of the chunk stand before `offset`.
static inline size_t escapes_before(const struct chunk *chunk, size_t offset)
{
    size_t block = offset / BLOCK;
    uint64_t before = _bzhi_u64(chunk->scratch->escaped[block], (unsigned)(offset % BLOCK));
    return chunk->scratch->escapes_before[block] + (size_t)_mm_popcnt_u64(before);
}

static inline size_t copy_text(const struct chunk *chunk, size_t from, size_t end, uint8_t *out)
{
    const uint8_t *start = out;
    const uint8_t *source = chunk->text + from;
    if (end > chunk->escapes_from) {
        const struct mr_escape *escape = chunk->scratch->escape + escapes_before(chunk, from);
        const struct mr_escape *behind = chunk->scratch->escape + escapes_before(chunk, end);
        for (; escape < behind; escape++) {
            const uint8_t *letter = chunk->text + escape->at;
            size_t length = (size_t)(letter - 1 - source);
            copy_plain(source, length, out);
            out += length;
            memcpy(out, &escape->text, sizeof escape->text);
            out += escape->bytes;
            source = letter + escape->skip;
        }
    }
    size_t length = (size_t)(chunk->text + end - source);
    copy_plain(source, length, out);
    return (size_t)(out - start) + length;
}

#endif
