// utf8.h: one UTF-8 sequence at a time: checking and writing.
#ifndef MR_RECORD_UTF8_H
#define MR_RECORD_UTF8_H

#include <stddef.h>
#include <stdint.h>

#define MR_UTF8_MALFORMED 0
#define MR_UTF8_CUT       (-1)

// Bytes (2 to 4) of the well-formed sequence that begins at `at` < `end` with a byte >= 0x80 (RFC
// 3629 section 4). MR_UTF8_MALFORMED: none does. MR_UTF8_CUT: `end` comes too early, and up to it
// nothing is wrong.
static inline int mr_utf8_sequence(const uint8_t *at, const uint8_t *end)
{
    uint8_t lead = *at;
    int length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    // The second byte of these four leads is limited further: no overlong forms, no surrogates,
    // nothing past U+10FFFF.
    uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (int i = 1; i < length; i++) {
        if (at + i == end) {
            return MR_UTF8_CUT;
        }
        if (at[i] < low || at[i] > high) {
            return MR_UTF8_MALFORMED;
        }
        low = 0x80;
        high = 0xBF;
    }
    return length;
}

// Writes `scalar` (a Unicode scalar value) to `out` as 1 to 4 bytes; returns their number.
static inline size_t mr_utf8_write(uint32_t scalar, uint8_t out[4])
{
    if (scalar < 0x80) {
        out[0] = (uint8_t)scalar;
        return 1;
    }
    if (scalar < 0x800) {
        out[0] = (uint8_t)(0xC0 | scalar >> 6);
        out[1] = (uint8_t)(0x80 | (scalar & 0x3F));
        return 2;
    }
    if (scalar < 0x10000) {
        out[0] = (uint8_t)(0xE0 | scalar >> 12);
        out[1] = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
        out[2] = (uint8_t)(0x80 | (scalar & 0x3F));
        return 3;
    }
    out[0] = (uint8_t)(0xF0 | scalar >> 18);
    out[1] = (uint8_t)(0x80 | (scalar >> 12 & 0x3F));
    out[2] = (uint8_t)(0x80 | (scalar >> 6 & 0x3F));
    out[3] = (uint8_t)(0x80 | (scalar & 0x3F));
    return 4;
}

#endif
