// index.h: pass 1 of the AVX-512 kernel: blocks of 64 bytes to an index of structural bytes.
//
// For every brace, bracket, colon, comma and unescaped quote outside of strings, and for the first
// byte of everything else that stands there (a number, or what has no business being there), one
// entry: its position and the byte itself. Method: Langdale, Lemire, Parsing gigabytes of JSON per
// second, VLDB J. 28 (2019); UTF-8: Keiser, Lemire, Validating UTF-8 in less than one instruction
// per byte, SPE 51 (2021).
#ifndef MR_RECORD_AVX512_INDEX_H
#define MR_RECORD_AVX512_INDEX_H

#include "../ablation.h"
#include "../kernel_chunk.h"
#include "../kernel_utf8.h"
#include "escapes.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What one block hands on to the next.
struct scan {
    size_t count;
    __m512i base;       // the block's offset in each 16-bit lane
    uint64_t in_string; // all ones inside a string
    uint64_t other;     // bit 0: the byte before is neither structural nor white space
    uint64_t high_tail; // the last block's bytes >= 0x80, of its last three
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
        [0x00] = 0xFF,    [' ' & 63] = ' ', ['\t'] = '\t',    ['\n'] = '\n',
        ['\r'] = '\r',    ['{' & 63] = '{', ['}' & 63] = '}', ['[' & 63] = '[',
        [']' & 63] = ']', [':' & 63] = ':', [',' & 63] = ','};
    return _mm512_load_si512(table);
}

static inline __m512i every_lane(const void *sixteen)
{
    return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)sixteen));
}

// A mask of what cannot stand in UTF-8: `v` with the bytes before each of its own.
static inline __mmask64 utf8_faults(__m512i v, __m512i before1, __m512i before2, __m512i before3)
{
    const __m512i first_high = every_lane(utf8_first_high);
    const __m512i first_low = every_lane(utf8_first_low);
    const __m512i second_high = every_lane(utf8_second_high);
    const __m512i low_half = _mm512_set1_epi8(0x0F);
    __m512i a =
        _mm512_shuffle_epi8(first_high, _mm512_and_si512(_mm512_srli_epi16(before1, 4), low_half));
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
static inline __m512i load_block(const struct chunk *chunk, size_t offset)
{
    size_t left = chunk->bytes - offset;
    if (__builtin_expect(left >= BLOCK, 1)) {
        return _mm512_loadu_si512(chunk->text + offset);
    }
    return _mm512_mask_loadu_epi8(_mm512_set1_epi8(' '), _bzhi_u64(UINT64_MAX, (unsigned)left),
                                  chunk->text + offset);
}

// The bytes `distance` before each of the block's. What stands before the chunk does not count: a
// record begins there.
static inline __m512i load_before(const struct chunk *chunk, size_t offset, unsigned distance)
{
    return offset == 0 ? _mm512_maskz_loadu_epi8(UINT64_MAX << distance, chunk->text - distance)
                       : _mm512_loadu_si512(chunk->text + offset - distance);
}

// `dense`: most blocks have such bytes, so that asking first would cost more than it saves. Returns
// the faults.
__attribute__((always_inline)) static inline uint64_t
check_utf8(struct scan *scan, const struct chunk *chunk, size_t offset, __m512i v, bool dense)
{
    uint64_t faults = 0;
    uint64_t high = dense ? 0 : (uint64_t)_mm512_movepi8_mask(v);
    if (!MR_WITHOUT_UTF8 && (dense || (high | scan->high_tail) != 0)) {
        faults = utf8_faults(v, load_before(chunk, offset, 1), load_before(chunk, offset, 2),
                             load_before(chunk, offset, 3));
    }
    scan->high_tail = high >> 61;
    return faults;
}

// Appends the entries of a block: at most 64, whatever is stored behind them.
__attribute__((always_inline)) static inline void
append_entries(struct scan *scan, const struct chunk *chunk, __m512i v, uint64_t entries)
{
    uint16_t *position = chunk->scratch->position + scan->count;
    unsigned count = (unsigned)_mm_popcnt_u64(entries);
    __m512i base = scan->base;
    __m512i where = _mm512_maskz_compress_epi8(entries, byte_numbers());
    _mm512_storeu_si512(chunk->scratch->stream + scan->count,
                        _mm512_maskz_compress_epi8(entries, v));
    __m512i low = _mm512_cvtepu8_epi16(_mm512_castsi512_si256(where));
    _mm512_storeu_si512(position, _mm512_add_epi16(base, low));
    if (__builtin_expect(count > 32, 0)) {
        __m512i high = _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64(where, 1));
        _mm512_storeu_si512(position + 32, _mm512_add_epi16(base, high));
    }
    scan->count += count;
    scan->base = _mm512_add_epi16(base, _mm512_set1_epi16(BLOCK));
}

// Reads the block at `offset`. `dense`: escapes and bytes >= 0x80 are taken for granted. Returns
// marks of what cannot be accepted, not always where it stands: 0 when there is nothing.
__attribute__((always_inline)) static inline uint64_t
index_block(struct scan *scan, const struct chunk *chunk, size_t offset, bool dense)
{
    __m512i v = load_block(chunk, offset);
    __builtin_prefetch(chunk->text + offset + PREFETCH_BYTES);
    __m512i space = _mm512_set1_epi8(' ');
    uint64_t faults = 0;
    uint64_t classed = _mm512_cmpeq_epi8_mask(v, _mm512_permutexvar_epi8(v, class_table()));
    uint64_t low = _mm512_cmple_epu8_mask(v, space);
    uint64_t backslash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('\\'));
    uint64_t quote = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('"'));
    if (dense || __builtin_expect((backslash | scan->escapes.pending) != 0, 0)) {
        if (!dense && scan->escapes.from == SIZE_MAX) {
            scan->escapes.from = offset;
        }
        quote &= ~escape_block(&scan->escapes, chunk->scratch, offset, v, backslash, &faults);
    } else if (scan->escapes.from != SIZE_MAX) {
        chunk->scratch->keep[offset / BLOCK] = UINT64_MAX;
        _mm512_store_si512(chunk->scratch->copy + offset, v);
    }
    uint64_t in_string = prefix_xor(quote) ^ scan->in_string;
    scan->in_string = (uint64_t)((int64_t)in_string >> 63);
    uint64_t other = ~(classed | in_string | quote);
    uint64_t starts = other & ~(other << 1 | scan->other);
    scan->other = other >> 63;
    uint64_t operators = classed & ~(low | in_string);
    append_entries(scan, chunk, v, operators | quote | starts);
    faults |= check_utf8(scan, chunk, offset, v, dense);
    return faults | (_mm512_cmplt_epu8_mask(v, space) & in_string);
}

#endif
