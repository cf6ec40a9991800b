// index.h: pass 1 of the AVX-512 kernel: blocks of 64 bytes to an index of structural bytes.
//
// For every brace, bracket, colon, comma and unescaped quote outside of strings, and for the first
// byte of everything else that stands there (a number, or what has no business being there), one
// entry: its position and the byte itself. Method: Langdale, Lemire, Parsing gigabytes of JSON per
// second, VLDB J. 28 (2019); UTF-8: Keiser, Lemire, Validating UTF-8 in less than one instruction
// per byte, SPE 51 (2021).
#ifndef MR_RECORD_AVX512_INDEX_H
#define MR_RECORD_AVX512_INDEX_H

#include "escapes.h"

#include "../scratch.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BLOCK 64u

// What one block hands on to the next, and where pass 1 has come to.
struct scan {
    const uint8_t *text;
    size_t text_bytes;
    struct mr_scratch scratch; // a copy: the compiler keeps its pointers in registers
    size_t next;         // offset of the next block
    size_t count;        // entries of index and stream
    size_t dirty_from;   // at or before the first byte that cannot be accepted; SIZE_MAX: none
    uint64_t in_string;  // all ones inside a string
    uint64_t other;      // bit 0: the byte before is neither structural nor white space
    uint64_t high_tail;  // the last block's bytes >= 0x80, of its last three
    bool dense;           // the chunk before was full of escapes
    struct escapes escapes;
};

static inline uint64_t prefix_xor(uint64_t bits)
{
    __m128i all_ones = _mm_set1_epi8(-1);
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), all_ones, 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

// Byte c at index c % 64 for the twelve bytes that are white space, operators, quote or backslash:
// no two of them share the lower six bits.
static inline __m512i class_table(void)
{
    _Alignas(64) static const uint8_t table[64] = {
        [0x00] = 0xFF,         [' ' & 63] = ' ', ['\t'] = '\t',     ['\n'] = '\n', ['\r'] = '\r',
        ['{' & 63] = '{',      ['}' & 63] = '}', ['[' & 63] = '[', [']' & 63] = ']',
        [':' & 63] = ':',      [',' & 63] = ','};
    return _mm512_load_si512(table);
}

// A mask of what cannot stand in UTF-8: `v` with the bytes before each of its own.
static inline __mmask64 utf8_faults(__m512i v, __m512i before1, __m512i before2, __m512i before3)
{
    enum { TOO_SHORT = 1, TOO_LONG = 2, OVERLONG_3 = 4, TOO_LARGE = 8, SURROGATE = 16,
           OVERLONG_2 = 32, TOO_LARGE_1000 = 64, OVERLONG_4 = 64, TWO_CONTS = 128,
           CARRY = TOO_SHORT | TOO_LONG | TWO_CONTS };
    const __m512i first_high = _mm512_broadcast_i32x4(_mm_setr_epi8(
        TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG, TOO_LONG,
        (char)TWO_CONTS, (char)TWO_CONTS, (char)TWO_CONTS, (char)TWO_CONTS,
        TOO_SHORT | OVERLONG_2, TOO_SHORT, TOO_SHORT | OVERLONG_3 | SURROGATE,
        TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4));
    const __m512i first_low = _mm512_broadcast_i32x4(_mm_setr_epi8(
        (char)(CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4), (char)(CARRY | OVERLONG_2),
        (char)CARRY, (char)CARRY, (char)(CARRY | TOO_LARGE),
        (char)(CARRY | TOO_LARGE | TOO_LARGE_1000), (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
        (char)(CARRY | TOO_LARGE | TOO_LARGE_1000), (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
        (char)(CARRY | TOO_LARGE | TOO_LARGE_1000), (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
        (char)(CARRY | TOO_LARGE | TOO_LARGE_1000), (char)(CARRY | TOO_LARGE | TOO_LARGE_1000),
        (char)(CARRY | TOO_LARGE | TOO_LARGE_1000 | SURROGATE),
        (char)(CARRY | TOO_LARGE | TOO_LARGE_1000), (char)(CARRY | TOO_LARGE | TOO_LARGE_1000)));
    const __m512i second_high = _mm512_broadcast_i32x4(_mm_setr_epi8(
        TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT,
        (char)(TOO_LONG | OVERLONG_2 | TWO_CONTS | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4),
        (char)(TOO_LONG | OVERLONG_2 | TWO_CONTS | OVERLONG_3 | TOO_LARGE),
        (char)(TOO_LONG | OVERLONG_2 | TWO_CONTS | SURROGATE | TOO_LARGE),
        (char)(TOO_LONG | OVERLONG_2 | TWO_CONTS | SURROGATE | TOO_LARGE), TOO_SHORT, TOO_SHORT,
        TOO_SHORT, TOO_SHORT));
    const __m512i low_half = _mm512_set1_epi8(0x0F);
    __m512i a = _mm512_shuffle_epi8(first_high,
                                    _mm512_and_si512(_mm512_srli_epi16(before1, 4), low_half));
    __m512i b = _mm512_shuffle_epi8(first_low, _mm512_and_si512(before1, low_half));
    __m512i c =
        _mm512_shuffle_epi8(second_high, _mm512_and_si512(_mm512_srli_epi16(v, 4), low_half));
    __m512i special = _mm512_ternarylogic_epi32(a, b, c, 0x80);
    __m512i third = _mm512_subs_epu8(before2, _mm512_set1_epi8((char)(0xE0 - 0x80)));
    __m512i fourth = _mm512_subs_epu8(before3, _mm512_set1_epi8((char)(0xF0 - 0x80)));
    // (third | fourth) & 0x80 must be what `special` says of two continuation bytes.
    __m512i must = _mm512_and_si512(_mm512_or_si512(third, fourth), _mm512_set1_epi8((char)0x80));
    return _mm512_test_epi8_mask(_mm512_xor_si512(must, special), _mm512_set1_epi8(-1));
}

// The block at `offset`, blanks behind the end of the text.
static inline __m512i load_block(const struct scan *scan, size_t offset)
{
    size_t left = scan->text_bytes - offset;
    if (left >= BLOCK) {
        return _mm512_loadu_si512(scan->text + offset);
    }
    return _mm512_mask_loadu_epi8(_mm512_set1_epi8(' '), _bzhi_u64(UINT64_MAX, (unsigned)left),
                                  scan->text + offset);
}

// The bytes `distance` before each of the block's; none stand before the text.
static inline __m512i load_before(const struct scan *scan, size_t offset, unsigned distance)
{
    if (offset == 0) {
        __mmask64 there = UINT64_MAX << distance;
        return _mm512_maskz_loadu_epi8(
            there & _bzhi_u64(UINT64_MAX, scan->text_bytes >= BLOCK ? BLOCK : (unsigned)scan->text_bytes + distance),
            scan->text - distance);
    }
    return _mm512_loadu_si512(scan->text + offset - distance);
}

static inline void note_dirty(struct scan *scan, size_t offset)
{
    scan->dirty_from = offset < scan->dirty_from ? offset : scan->dirty_from;
}

// `dense`: most blocks have such bytes, so that asking first would cost more than it saves.
__attribute__((always_inline)) static inline void check_utf8(struct scan *scan, size_t offset, __m512i v, bool dense)
{
    uint64_t high = (uint64_t)_mm512_movepi8_mask(v);
    if (dense || (high | scan->high_tail) != 0) {
        if (__builtin_expect(utf8_faults(v, load_before(scan, offset, 1),
                                         load_before(scan, offset, 2),
                                         load_before(scan, offset, 3)) != 0,
                             0)) {
            note_dirty(scan, offset < 4 ? 0 : offset - 4);
        }
    }
    scan->high_tail = high >> 61;
}

// Appends the entries of the block at `offset`: at most 64, whatever is stored behind them.
__attribute__((always_inline)) static inline void append_entries(struct scan *scan, size_t offset, __m512i v, uint64_t entries)
{
    _Alignas(64) static const uint8_t numbers[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    uint32_t *position = scan->scratch.position + scan->count;
    unsigned count = (unsigned)_mm_popcnt_u64(entries);
    _mm512_storeu_si512(scan->scratch.stream + scan->count,
                        _mm512_maskz_compress_epi8(entries, v));
    __m512i where = _mm512_maskz_compress_epi8(entries, _mm512_load_si512(numbers));
    __m512i base = _mm512_set1_epi32((int)offset);
    _mm512_storeu_si512(position, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(where))));
    _mm512_storeu_si512(position + 16, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(where, 1))));
    if (__builtin_expect(count > 32, 0)) {
        _mm512_storeu_si512(position + 32, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(where, 2))));
        _mm512_storeu_si512(position + 48, _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(where, 3))));
    }
    scan->count += count;
}

// Reads the block at `offset`. `dense`: escapes and bytes >= 0x80 are taken for granted.
__attribute__((always_inline)) static inline void index_block(struct scan *scan, size_t offset,
                                                              bool dense)
{
    __m512i v = load_block(scan, offset);
    __m512i space = _mm512_set1_epi8(' ');
    uint64_t classed = _mm512_cmpeq_epi8_mask(v, _mm512_permutexvar_epi8(v, class_table()));
    uint64_t low = _mm512_cmple_epu8_mask(v, space);
    uint64_t backslash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\'));
    uint64_t quote = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('"'));
    if (dense || __builtin_expect((backslash | scan->escapes.pending) != 0, 0)) {
        bool dirty = false;
        quote &= ~escape_block(&scan->escapes, &scan->scratch, offset, v, backslash, &dirty);
        if (__builtin_expect(dirty, 0)) {
            note_dirty(scan, offset);
        }
    } else if (scan->escapes.any) {
        scan->scratch.keep[offset / BLOCK] = UINT64_MAX;
        _mm512_store_si512(scan->scratch.copy + offset, v);
    }
    uint64_t in_string = prefix_xor(quote) ^ scan->in_string;
    scan->in_string = (uint64_t)((int64_t)in_string >> 63);
    uint64_t other = ~(classed | in_string | quote);
    uint64_t starts = other & ~(other << 1 | scan->other);
    scan->other = other >> 63;
    uint64_t operators = classed & ~(low | in_string);
    append_entries(scan, offset, v, operators | quote | starts);
    check_utf8(scan, offset, v, dense);
    if (__builtin_expect((_mm512_cmplt_epu8_mask(v, space) & in_string) != 0, 0)) {
        note_dirty(scan, offset);
    }
}

#endif
