// swar.h: eight bytes at a time in one 64-bit word (little-endian: the first byte is the lowest).
#ifndef MR_RECORD_SWAR_H
#define MR_RECORD_SWAR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define MR_SWAR_EACH(byte) (0x0101010101010101u * (byte))

// The eight bytes from `at` on.
static inline uint64_t mr_swar_load(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

// Marks (top bit set) the bytes of `word` that end a run of plain ASCII in a JSON string: quote,
// backslash, control characters, bytes >= 0x80. With bit 1 turned, quotes and control characters
// are all below '!', and nothing else is. Bytes above a marked one may be marked wrongly (borrow);
// the lowest mark is always right.
static inline uint64_t mr_swar_not_plain(uint64_t word)
{
    uint64_t quote_or_control = (word ^ MR_SWAR_EACH(0x02u)) - MR_SWAR_EACH((uint8_t)'!');
    uint64_t backslash = (word ^ MR_SWAR_EACH((uint8_t)'\\')) - MR_SWAR_EACH(1u);
    return (quote_or_control | backslash | word) & MR_SWAR_EACH(0x80u);
}

// The index (0 to 7) of the lowest mark of `marks` != 0.
static inline unsigned mr_swar_first(uint64_t marks)
{
    return (unsigned)__builtin_ctzll(marks) / 8;
}

// Whether all eight bytes are ASCII digits: each has the high half 3, and keeps it when 6 is added.
static inline bool mr_swar_all_digits(uint64_t word)
{
    uint64_t high_halves = MR_SWAR_EACH(0xF0u);
    return ((word & high_halves) | ((word + MR_SWAR_EACH(0x06u)) & high_halves) >> 4) ==
           MR_SWAR_EACH(0x33u);
}

// The number that eight ASCII digits say: pairs, then fours, then all.
static inline uint64_t mr_swar_number(uint64_t word)
{
    word -= MR_SWAR_EACH('0');
    word = word * 10 + (word >> 8);
    uint64_t fours_a = (word & 0x000000FF000000FFu) * (100 + (1000000ull << 32));
    uint64_t fours_b = (word >> 16 & 0x000000FF000000FFu) * (1 + (10000ull << 32));
    return (fours_a + fours_b) >> 32;
}

#endif
