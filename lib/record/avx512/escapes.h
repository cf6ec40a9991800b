// escapes.h: escapes of the AVX-512 kernel: letters are replaced where they stand, \uXXXX decoded
// sixteen at a time, and a mask a block says which bytes stay.
#ifndef MR_RECORD_AVX512_ESCAPES_H
#define MR_RECORD_AVX512_ESCAPES_H

#include "../scratch.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What escapes of one block hand on to the next, and the units (\uXXXX) collected in this chunk.
struct escapes {
    bool any;             // a backslash has been seen: `keep` is valid from its block on
    size_t from;          // offset of that block
    uint64_t pending;     // not 0 where the next block must be looked at
    uint64_t escaped;     // bit 0: the next block's first byte is escaped
    uint64_t digits;      // bits of the next block that are digits of a unit
    uint64_t slots;       // bits of the next block that take a unit's text
    size_t digits_count;  // bytes in scratch->digits
    size_t units_count;
    size_t marks_count;   // blocks in scratch->unit_marks
    bool open_end;        // a pair may go on in the next block
};

// Letters by their lower seven bits; 0: no escape letter; u stays what it is.
static inline __m512i letter_table(unsigned half)
{
    _Alignas(64) static const uint8_t table[128] = {
        ['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b', ['f'] = '\f',
        ['n'] = '\n', ['r'] = '\r',  ['t'] = '\t', ['u'] = 'u'};
    return _mm512_load_si512(table + (size_t)64 * half);
}

// Which bytes a backslash escapes. `*carry_io`: the first byte of the block, then of the next one.
// Langdale, Lemire 2019, section 3.1.1, in the form with one subtraction.
static inline uint64_t find_escaped(uint64_t backslash, uint64_t *carry_io, uint64_t *escaping_out)
{
    const uint64_t odd = 0xAAAAAAAAAAAAAAAAu;
    uint64_t carry = *carry_io;
    uint64_t possible = backslash & ~carry;
    uint64_t codes = ((possible << 1 | odd) - possible) ^ odd;
    uint64_t escaping = codes & backslash;
    *carry_io = escaping >> 63;
    *escaping_out = escaping;
    return codes ^ (backslash | carry);
}

// Collects the units of a block: their places, digits, and the bytes that their text will take. Of
// its escapes only the slots stay, as far as decoding fills them.
__attribute__((always_inline)) static inline void collect_units(struct escapes *escapes,
                                                                const struct mr_scratch *scratch,
                                                                size_t offset, __m512i v,
                                                                uint64_t units, uint64_t digits)
{
    _Alignas(64) static const uint8_t numbers[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    __m512i where = _mm512_maskz_compress_epi8(units, _mm512_load_si512(numbers));
    _mm512_storeu_si512(scratch->unit_at + escapes->units_count,
                        _mm512_add_epi32(_mm512_set1_epi32((int)offset),
                                         _mm512_cvtepu8_epi32(_mm512_castsi512_si128(where))));
    escapes->units_count += (size_t)_mm_popcnt_u64(units);
    _mm512_storeu_si512(scratch->digits + escapes->digits_count,
                        _mm512_maskz_compress_epi8(digits, v));
    escapes->digits_count += (size_t)_mm_popcnt_u64(digits);
    uint64_t slots = units | units << 1 | units << 2 | escapes->slots;
    scratch->unit_marks[2 * escapes->marks_count] = offset / 64;
    scratch->unit_marks[2 * escapes->marks_count + 1] = slots;
    escapes->marks_count += slots != 0;
    scratch->keep[offset / 64] &= ~digits | slots;
    escapes->digits = units >> 63 | units >> 62 | units >> 61 | units >> 60;
    escapes->slots = units >> 63 | units >> 62;
}

// A block with backslashes, or behind one: notes what stays of it and its text with the letters
// replaced. Returns the escaped bytes. *dirty_out: it cannot be accepted.
__attribute__((always_inline)) static inline uint64_t
escape_block(struct escapes *escapes, const struct mr_scratch *scratch, size_t offset, __m512i v,
             uint64_t backslash, bool *dirty_out)
{
    escapes->from = escapes->any ? escapes->from : offset;
    escapes->any = true;
    uint64_t escaping;
    uint64_t escaped = find_escaped(backslash, &escapes->escaped, &escaping);
    __m512i letters = _mm512_permutex2var_epi8(letter_table(0), v, letter_table(1));
    uint64_t wrong = _mm512_testn_epi8_mask(letters, letters) | (uint64_t)_mm512_movepi8_mask(v);
    uint64_t units = _mm512_mask_cmpeq_epi8_mask(escaped, v, _mm512_set1_epi8('u'));
    uint64_t digits = units << 1 | units << 2 | units << 3 | units << 4 | escapes->digits;
    *dirty_out = (wrong & escaped) != 0 || (digits & backslash) != 0;
    scratch->keep[offset / 64] = ~escaping;
    _mm512_storeu_si512(scratch->copy + offset, _mm512_mask_mov_epi8(v, escaped, letters));
    collect_units(escapes, scratch, offset, v, units, digits);
    escapes->open_end = units >> 53 != 0;
    escapes->pending = escapes->escaped | escapes->digits;
    return escaped;
}

// The lower two or three bytes of lanes, 0xFF where a lane has none: no byte of UTF-8 is 0xFF.
static inline __m512i unit_bytes(__m512i unit, __m512i previous, __mmask16 high, __mmask16 low)
{
    const __m512i six = _mm512_set1_epi32(0x3F);
    const __m512i cont = _mm512_set1_epi32(0x80);
    __m512i middle = _mm512_or_si512(_mm512_and_si512(_mm512_srli_epi32(unit, 6), six), cont);
    __m512i last = _mm512_or_si512(_mm512_and_si512(unit, six), cont);
    __m512i three = _mm512_or_si512(
        _mm512_or_si512(_mm512_or_si512(_mm512_srli_epi32(unit, 12), _mm512_set1_epi32(0xE0)),
                        _mm512_slli_epi32(middle, 8)),
        _mm512_slli_epi32(last, 16));
    __m512i two = _mm512_or_si512(
        _mm512_or_si512(_mm512_srli_epi32(unit, 6), _mm512_set1_epi32(0xFF00C0)),
        _mm512_slli_epi32(last, 8));
    __m512i one = _mm512_or_si512(unit, _mm512_set1_epi32(0xFFFF00));
    __m512i bytes = _mm512_mask_mov_epi32(
        three, _mm512_cmplt_epu32_mask(unit, _mm512_set1_epi32(0x800)), two);
    bytes =
        _mm512_mask_mov_epi32(bytes, _mm512_cmplt_epu32_mask(unit, _mm512_set1_epi32(0x80)), one);
    // Of a pair the high half writes the first two bytes of four, the low half the others.
    __m512i ten = _mm512_set1_epi32(0x3FF);
    __m512i top = _mm512_add_epi32(_mm512_and_si512(unit, ten), _mm512_set1_epi32(0x40));
    __m512i first_two = _mm512_or_si512(
        _mm512_or_si512(_mm512_srli_epi32(top, 8), _mm512_set1_epi32(0xFF80F0)),
        _mm512_slli_epi32(_mm512_and_si512(_mm512_srli_epi32(top, 2), six), 8));
    __m512i join = _mm512_or_si512(
        _mm512_slli_epi32(_mm512_and_si512(previous, _mm512_set1_epi32(3)), 4),
        _mm512_and_si512(_mm512_srli_epi32(unit, 6), _mm512_set1_epi32(0xF)));
    __m512i last_two = _mm512_or_si512(_mm512_or_si512(join, _mm512_set1_epi32(0xFF0080)),
                                       _mm512_slli_epi32(last, 8));
    bytes = _mm512_mask_mov_epi32(bytes, high, first_two);
    return _mm512_mask_mov_epi32(bytes, low, last_two);
}

// Sixteen units from their digits; *wrong_out: those with a digit that is none.
static inline __m512i read_units(const uint8_t *digits, __mmask16 *wrong_out)
{
    _Alignas(64) static const uint8_t values[128] = {
        ['0'] = 0x10, ['1'] = 0x11, ['2'] = 0x12, ['3'] = 0x13, ['4'] = 0x14, ['5'] = 0x15,
        ['6'] = 0x16, ['7'] = 0x17, ['8'] = 0x18, ['9'] = 0x19, ['a'] = 0x1A, ['b'] = 0x1B,
        ['c'] = 0x1C, ['d'] = 0x1D, ['e'] = 0x1E, ['f'] = 0x1F, ['A'] = 0x1A, ['B'] = 0x1B,
        ['C'] = 0x1C, ['D'] = 0x1D, ['E'] = 0x1E, ['F'] = 0x1F};
    __m512i d = _mm512_loadu_si512(digits);
    __m512i value = _mm512_permutex2var_epi8(_mm512_load_si512(values), d,
                                             _mm512_load_si512(values + 64));
    uint64_t wrong = _mm512_testn_epi8_mask(value, value) | (uint64_t)_mm512_movepi8_mask(d);
    *wrong_out = _mm512_test_epi32_mask(_mm512_movm_epi8(wrong), _mm512_set1_epi32(-1));
    value = _mm512_and_si512(value, _mm512_set1_epi8(0x0F));
    __m512i pairs = _mm512_maddubs_epi16(value, _mm512_set1_epi16(0x0110));
    return _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00010100));
}

// Decodes the chunk's units into scratch->unit_text. SIZE_MAX, or a position at or before
// the first one that cannot be accepted.
static inline size_t decode_units(const struct escapes *escapes, const struct mr_scratch *scratch)
{
    size_t fault = SIZE_MAX;
    __m512i previous = _mm512_setzero_si512();
    __m512i previous_at = _mm512_set1_epi32(-64);
    uint32_t carry_high = 0;
    for (size_t i = 0; i < escapes->units_count; i += 16) {
        size_t left = escapes->units_count - i;
        __mmask16 there = (__mmask16)_bzhi_u32(0xFFFF, left < 16 ? (unsigned)left : 16);
        __mmask16 wrong;
        __m512i unit = read_units(scratch->digits + 4 * i, &wrong);
        __m512i at = _mm512_loadu_si512(scratch->unit_at + i);
        __m512i before = _mm512_alignr_epi32(unit, previous, 15);
        __m512i before_at = _mm512_alignr_epi32(at, previous_at, 15);
        __m512i upper = _mm512_and_si512(unit, _mm512_set1_epi32(0xFC00));
        __mmask16 high = there & _mm512_cmpeq_epi32_mask(upper, _mm512_set1_epi32(0xD800));
        __mmask16 low = there & _mm512_cmpeq_epi32_mask(upper, _mm512_set1_epi32(0xDC00));
        __mmask16 next = _mm512_cmpeq_epi32_mask(_mm512_sub_epi32(at, before_at), _mm512_set1_epi32(6));
        // Where a high half was, the next unit must be a low one right behind it, and no other is.
        // Behind the last unit nothing follows.
        uint32_t behind_high = (uint32_t)high << 1 | carry_high;
        uint32_t expected = behind_high & (left <= 16 ? UINT32_MAX : 0xFFFF);
        uint32_t odd = (expected ^ low) | (low & ~(uint32_t)next) | (wrong & there);
        if (__builtin_expect(odd != 0, 0)) {
            size_t where = scratch->unit_at[i == 0 ? 0 : i - 1] - 1;
            fault = where < fault ? where : fault;
        }
        carry_high = (uint32_t)high >> 15;
        __m512i bytes = unit_bytes(unit, before, high, low);
        _mm512_storeu_si512(scratch->unit_text + 3 * i,
                            _mm512_maskz_compress_epi8(0x7777777777777777u, bytes));
        previous = unit;
        previous_at = at;
    }
    return fault;
}

// Puts the chunk's decoded units to their places in scratch->copy, and what stays to `keep`.
static inline void place_units(const struct escapes *escapes, const struct mr_scratch *scratch)
{
    const uint8_t *text = scratch->unit_text;
    for (size_t i = 0; i < escapes->marks_count; i++) {
        size_t block = scratch->unit_marks[2 * i];
        uint64_t slots = scratch->unit_marks[2 * i + 1];
        __m512i v = _mm512_load_si512(scratch->copy + 64 * block);
        v = _mm512_mask_expand_epi8(v, slots, _mm512_loadu_si512(text));
        text += _mm_popcnt_u64(slots);
        uint64_t filled = _mm512_cmpneq_epi8_mask(v, _mm512_set1_epi8(-1));
        scratch->keep[block] &= filled;
        _mm512_store_si512(scratch->copy + 64 * block, v);
    }
}

#endif
