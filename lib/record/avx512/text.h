// text.h: strings of the AVX-512 kernel, from the text to their place.
#ifndef MR_RECORD_AVX512_TEXT_H
#define MR_RECORD_AVX512_TEXT_H

#include "index.h"

// Copies [from, end) of a text without escapes; up to 63 bytes more are overwritten at `out`.
static inline size_t copy_plain(const struct scan *scan, size_t from, size_t end, uint8_t *out)
{
    size_t length = end - from;
    size_t at = 0;
    do {
        _mm512_storeu_si512(out + at, _mm512_loadu_si512(scan->text + from + at));
        at += BLOCK;
    } while (__builtin_expect(at < length, 0));
    return length;
}

// The same of a text with escapes, block by block, dropping what does not stay. Returns the number
// of bytes written.
static inline size_t copy_kept(const struct scan *scan, size_t from, size_t end, uint8_t *out)
{
    const uint8_t *start = out;
    size_t block = from / BLOCK;
    size_t last = end / BLOCK;
    uint64_t range = UINT64_MAX << from % BLOCK;
    for (;; block++) {
        if (block == last) {
            range &= _bzhi_u64(UINT64_MAX, (unsigned)(end % BLOCK));
        }
        uint64_t keep = scan->scratch.keep[block];
        __m512i v = _mm512_load_si512(scan->scratch.copy + block * BLOCK);
        keep &= range;
        _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(keep, v));
        out += _mm_popcnt_u64(keep);
        if (block == last) {
            return (size_t)(out - start);
        }
        range = UINT64_MAX;
    }
}

static inline size_t copy_text(const struct scan *scan, size_t from, size_t end, uint8_t *out)
{
    bool plain = !scan->escapes.any || end <= scan->escapes.from;
    if (plain) {
        return copy_plain(scan, from, end, out);
    }
    if (from < scan->escapes.from) {
        // `keep` is valid from the first block with a backslash on.
        size_t head = scan->escapes.from - from;
        (void)copy_plain(scan, from, scan->escapes.from, out);
        return head + copy_kept(scan, scan->escapes.from, end, out + head);
    }
    return copy_kept(scan, from, end, out);
}

#endif
