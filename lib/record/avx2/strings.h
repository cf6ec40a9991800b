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

// Writes the bytes of the block at `from` that `keep` has, sixteen a step, to `out`; up to 16 more
// are overwritten. Returns the position behind them.
static inline uint8_t *copy_kept(const uint8_t *from, uint64_t keep, uint8_t *out)
{
    for (unsigned i = 0; i < BLOCK; i += 16) {
        uint16_t part = (uint16_t)(keep >> i);
        __m128i kept = _mm_shuffle_epi8(load16(from + i), load_set_bits(part));
        _mm_storeu_si128((__m128i *)(void *)out, kept);
        out += _mm_popcnt_u32(part);
    }
    return out;
}

// Whether all of the bytes [from, end) stay. May say no of more than 56.
static inline bool stays_whole(const struct chunk *chunk, size_t from, size_t end)
{
    const uint8_t *keep = (const uint8_t *)chunk->scratch->keep;
    uint64_t drop = ~load_u64(keep + from / 8) >> from % 8;
    return end - from <= 56 && _bzhi_u64(drop, (unsigned)(end - from)) == 0;
}

static inline size_t copy_text(const struct chunk *chunk, size_t from, size_t end, uint8_t *out)
{
    if (end <= chunk->escapes_from || stays_whole(chunk, from, end)) {
        copy_plain(chunk->text + from, end - from, out);
        return end - from;
    }
    const struct mr_scratch *scratch = chunk->scratch;
    const uint8_t *text = chunk->text;
    const uint8_t *start = out;
    uint64_t range = UINT64_MAX << from % BLOCK;
    for (size_t at = from - from % BLOCK; at < end; at += BLOCK) {
        uint64_t left = end - at;
        range = left < BLOCK ? _bzhi_u64(range, (unsigned)left) : range;
        uint64_t keep = scratch->keep[at / BLOCK] & range;
        const uint8_t *block = (scratch->touched[at / BLOCK] != 0 ? scratch->copy : text) + at;
        out = copy_kept(block, keep, out);
        range = UINT64_MAX;
    }
    return (size_t)(out - start);
}

#endif
