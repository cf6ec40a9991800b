// text.h: strings of the AVX-512 kernel, from the text to their place.
#ifndef MR_RECORD_AVX512_TEXT_H
#define MR_RECORD_AVX512_TEXT_H

#include "index.h"

// Copies [from, end) of a text without escapes; up to 63 bytes more are overwritten at `out`.
static inline size_t copy_plain(const struct chunk *chunk, size_t from, size_t end, uint8_t *out)
{
    size_t length = end - from;
    size_t at = 0;
    do {
        _mm512_storeu_si512(out + at, _mm512_loadu_si512(chunk->text + from + at));
        at += BLOCK;
    } while (__builtin_expect(at < length, 0));
    return length;
}

// The same of a text with escapes, block by block, dropping what does not stay. Returns the number
// of bytes written.
static inline size_t copy_kept(const struct chunk *chunk, size_t from, size_t end, uint8_t *out)
{
    const uint8_t *start = out;
    size_t block = from / BLOCK;
    size_t last = end / BLOCK;
    uint64_t range = UINT64_MAX << from % BLOCK;
    for (;; block++) {
        if (block == last) {
            range &= _bzhi_u64(UINT64_MAX, (unsigned)(end % BLOCK));
        }
        uint64_t keep = chunk->scratch->keep[block];
        __m512i v = _mm512_load_si512(chunk->scratch->copy + block * BLOCK);
        keep &= range;
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(keep, v));
        out += _mm_popcnt_u64(keep);
        if (block == last) {
            return (size_t)(out - start);
        }
        range = UINT64_MAX;
    }
}

// The same of a text of at most two blocks, whether it needs both or not.
static inline size_t copy_short(const struct chunk *chunk, size_t from, size_t end, uint8_t *out)
{
    size_t block = from / BLOCK;
    bool two = end / BLOCK != block;
    uint64_t behind = _bzhi_u64(UINT64_MAX, (unsigned)(end % BLOCK));
    uint64_t keep =
        chunk->scratch->keep[block] & UINT64_MAX << from % BLOCK & (two ? UINT64_MAX : behind);
    uint64_t more = two ? chunk->scratch->keep[block + 1] & behind : 0;
    const uint8_t *source = chunk->scratch->copy + block * BLOCK;
    size_t first = (size_t)_mm_popcnt_u64(keep);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(keep, _mm512_load_si512(source)));
    _mm512_storeu_si512(out + first,
                        _mm512_maskz_compress_epi8(more, _mm512_load_si512(source + BLOCK)));
    return first + (size_t)_mm_popcnt_u64(more);
}

// The same, whether `keep` is valid there or not yet.
__attribute__((noinline)) static size_t copy_unescaped(const struct chunk *chunk, size_t from,
                                                       size_t end, uint8_t *out)
{
    if (from < chunk->escapes_from) {
        // `keep` is valid from the first block with a backslash on.
        size_t head = chunk->escapes_from - from;
        (void)copy_plain(chunk, from, chunk->escapes_from, out);
        return head + copy_kept(chunk, chunk->escapes_from, end, out + head);
    }
    if (end / BLOCK - from / BLOCK < 2) {
        return copy_short(chunk, from, end, out);
    }
    return copy_kept(chunk, from, end, out);
}

__attribute__((always_inline)) static inline size_t copy_text(const struct chunk *chunk,
                                                              size_t from, size_t end, uint8_t *out)
{
    return __builtin_expect(end <= chunk->escapes_from, 1) ? copy_plain(chunk, from, end, out)
                                                           : copy_unescaped(chunk, from, end, out);
}

#endif
