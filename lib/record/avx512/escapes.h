// escapes.h: escapes of the AVX-512 kernel: letters are replaced where they stand, \uXXXX decoded
// sixteen at a time, and a mask a block says which bytes stay.
#ifndef MR_RECORD_AVX512_ESCAPES_H
#define MR_RECORD_AVX512_ESCAPES_H

#include "../scratch.h"
#include "../uint128.h"

#include <immintrin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What escapes of one block hand on to the next, and the units (\uXXXX) noted in this chunk.
struct escapes {
    size_t from;      // offset of the first block that was looked at; SIZE_MAX: none yet
    uint64_t pending; // not 0 where the next block must be looked at
    uint64_t escaped; // bit 0: the next block's first byte is escaped
    uint64_t units;   // the last block's
    size_t marked_count;
};

// The numbers 0 to 63.
static inline __m512i byte_numbers(void)
{
    _Alignas(64) static const uint8_t numbers[64] = {
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
        22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
        44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};
    return _mm512_load_si512(numbers);
}

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

// A block with backslashes, or behind one: notes what stays of it, its text with the letters
// replaced, and its units. Returns the escaped bytes. *faults_out is not 0 when something cannot be
// accepted.
__attribute__((always_inline)) static inline uint64_t
escape_block(struct escapes *escapes, struct mr_scratch *scratch, size_t offset, __m512i v,
             uint64_t backslash, uint64_t *faults_out)
{
    uint64_t escaping;
    uint64_t escaped = find_escaped(backslash, &escapes->escaped, &escaping);
    __m512i letters = _mm512_permutex2var_epi8(letter_table(0), v, letter_table(1));
    __mmask64 wrong = _kor_mask64(_mm512_testn_epi8_mask(letters, letters), _mm512_movepi8_mask(v));
    uint64_t units = _mm512_mask_cmpeq_epi8_mask(escaped, v, _mm512_set1_epi8('u'));
    *faults_out = _kand_mask64(wrong, escaped);
    scratch->keep[offset / 64] = ~escaping;
    _mm512_store_si512(scratch->copy + offset, _mm512_mask_mov_epi8(v, escaped, letters));
    // Units of the last five bytes go on in the next block.
    scratch->marked[escapes->marked_count] = (uint32_t)offset;
    scratch->marks[escapes->marked_count] = units;
    escapes->marked_count += (units | escapes->units >> 59) != 0;
    escapes->units = units;
    escapes->pending = escapes->escaped | units >> 59;
    return escaped;
}

// Bits that `units`, each in the places of `pattern` behind it, take in this block and in the next.
// Units of accepted text stand six bytes apart, so that nothing overlaps; where they do not the
// lowest marks are right, and the text is refused for the backslash there.
static inline uint64_t spread(uint64_t units, unsigned pattern, uint64_t *carry_io)
{
    mr_uint128 wide = (mr_uint128)units * pattern;
    uint64_t bits = (uint64_t)wide | *carry_io;
    *carry_io = (uint64_t)(wide >> 64);
    return bits;
}

// Collects the places and digits of the noted units, and marks the slots that their text will
// take. Returns their number. Where digits are cut off by an escape it stops: *fault_io is then a
// position at or before it, and *marked_count_io what comes before. (Units that do not overlap are
// one in six bytes at most, which scratch has room for.)
static inline size_t collect_units(const uint8_t *text, size_t *marked_count_io,
                                   struct mr_scratch *scratch, size_t *fault_io)
{
    uint64_t digits_carry = 0;
    uint64_t slots_carry = 0;
    size_t units_count = 0;
    size_t digits_count = 0;
    for (size_t i = 0; i < *marked_count_io; i++) {
        size_t offset = scratch->marked[i];
        uint64_t units = scratch->marks[i];
        __m512i v = _mm512_loadu_si512(text + offset);
        uint64_t digits = spread(units, 0x1E, &digits_carry);
        uint64_t slots = spread(units, 0x7, &slots_carry);
        if (__builtin_expect(_mm512_mask_cmpeq_epi8_mask(digits, v, _mm512_set1_epi8('\\')) != 0,
                             0)) {
            size_t before = offset < 8 ? 0 : offset - 8;
            *fault_io = before < *fault_io ? before : *fault_io;
            *marked_count_io = i;
            break;
        }
        __m512i where = _mm512_maskz_compress_epi8(units, byte_numbers());
        _mm256_storeu_si256((__m256i *)(void *)(scratch->unit_at + units_count),
                            _mm256_add_epi16(_mm256_set1_epi16((short)offset),
                                             _mm256_cvtepu8_epi16(_mm512_castsi512_si128(where))));
        _mm512_storeu_si512(scratch->digits + digits_count, _mm512_maskz_compress_epi8(digits, v));
        units_count += (size_t)_mm_popcnt_u64(units);
        digits_count += (size_t)_mm_popcnt_u64(digits);
        // Of the units only the slots stay, as far as decoding fills them.
        scratch->keep[offset / 64] &= ~digits | slots;
        scratch->marks[i] = slots;
    }
    return units_count;
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
    __m512i two =
        _mm512_or_si512(_mm512_or_si512(_mm512_srli_epi32(unit, 6), _mm512_set1_epi32(0xFF00C0)),
                        _mm512_slli_epi32(last, 8));
    __m512i one = _mm512_or_si512(unit, _mm512_set1_epi32(0xFFFF00));
    __m512i bytes =
        _mm512_mask_mov_epi32(three, _mm512_cmplt_epu32_mask(unit, _mm512_set1_epi32(0x800)), two);
    bytes =
        _mm512_mask_mov_epi32(bytes, _mm512_cmplt_epu32_mask(unit, _mm512_set1_epi32(0x80)), one);
    // Of a pair the high half writes the first two bytes of four, the low half the others.
    __m512i ten = _mm512_set1_epi32(0x3FF);
    __m512i top = _mm512_add_epi32(_mm512_and_si512(unit, ten), _mm512_set1_epi32(0x40));
    __m512i first_two =
        _mm512_or_si512(_mm512_or_si512(_mm512_srli_epi32(top, 8), _mm512_set1_epi32(0xFF80F0)),
                        _mm512_slli_epi32(_mm512_and_si512(_mm512_srli_epi32(top, 2), six), 8));
    __m512i join =
        _mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(previous, _mm512_set1_epi32(3)), 4),
                        _mm512_and_si512(_mm512_srli_epi32(unit, 6), _mm512_set1_epi32(0xF)));
    __m512i last_two = _mm512_or_si512(_mm512_or_si512(join, _mm512_set1_epi32(0xFF0080)),
                                       _mm512_slli_epi32(last, 8));
    bytes = _mm512_mask_mov_epi32(bytes, high, first_two);
    return _mm512_mask_mov_epi32(bytes, low, last_two);
}

// Sixteen units from their digits; *wrong_out: those with a digit that is none.
static inline __m512i sixteen_units(const uint8_t *digits, __mmask16 *wrong_out)
{
    _Alignas(64) static const uint8_t values[128] = {
        ['0'] = 0x10, ['1'] = 0x11, ['2'] = 0x12, ['3'] = 0x13, ['4'] = 0x14, ['5'] = 0x15,
        ['6'] = 0x16, ['7'] = 0x17, ['8'] = 0x18, ['9'] = 0x19, ['a'] = 0x1A, ['b'] = 0x1B,
        ['c'] = 0x1C, ['d'] = 0x1D, ['e'] = 0x1E, ['f'] = 0x1F, ['A'] = 0x1A, ['B'] = 0x1B,
        ['C'] = 0x1C, ['D'] = 0x1D, ['E'] = 0x1E, ['F'] = 0x1F};
    __m512i d = _mm512_loadu_si512(digits);
    __m512i value =
        _mm512_permutex2var_epi8(_mm512_load_si512(values), d, _mm512_load_si512(values + 64));
    uint64_t wrong = _mm512_testn_epi8_mask(value, value) | (uint64_t)_mm512_movepi8_mask(d);
    *wrong_out = _mm512_test_epi32_mask(_mm512_movm_epi8(wrong), _mm512_set1_epi32(-1));
    value = _mm512_and_si512(value, _mm512_set1_epi8(0x0F));
    __m512i pairs = _mm512_maddubs_epi16(value, _mm512_set1_epi16(0x0110));
    return _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00010100));
}

// Where the high halves of pairs were, the next unit must be a low half right behind it, and
// nowhere else may one be. Bit i of the result: unit i breaks this.
static inline uint32_t broken_pairs(__m512i unit, __m512i distance, __mmask16 there,
                                    uint32_t *behind_high_io, __mmask16 *high_out,
                                    __mmask16 *low_out)
{
    __m512i upper = _mm512_and_si512(unit, _mm512_set1_epi32(0xFC00));
    __mmask16 high = there & _mm512_cmpeq_epi32_mask(upper, _mm512_set1_epi32(0xD800));
    __mmask16 low = there & _mm512_cmpeq_epi32_mask(upper, _mm512_set1_epi32(0xDC00));
    __mmask16 adjacent = _mm512_cmpeq_epi32_mask(distance, _mm512_set1_epi32(6));
    uint32_t behind_high = (uint32_t)high << 1 | *behind_high_io;
    // Behind the last unit no low half comes.
    uint32_t expected = behind_high & (there == 0xFFFF ? 0xFFFF : UINT32_MAX);
    *behind_high_io = behind_high >> 16;
    *high_out = high;
    *low_out = low;
    return (expected ^ low) | (low & ~(uint32_t)adjacent);
}

static inline __m512i load_units_at(const uint16_t *unit_at)
{
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)unit_at));
}

// Decodes the chunk's units into scratch->unit_text. SIZE_MAX, or a position at or before the first
// one that cannot be accepted, and not before the unit in front of it.
static inline size_t decode_units(size_t units_count, struct mr_scratch *scratch)
{
    size_t fault = SIZE_MAX;
    __m512i previous = _mm512_setzero_si512();
    __m512i previous_at = _mm512_set1_epi32(-64);
    uint32_t behind_high = 0;
    for (size_t i = 0; i < units_count; i += 16) {
        size_t left = units_count - i;
        __mmask16 there = (__mmask16)_bzhi_u32(0xFFFF, left < 16 ? (unsigned)left : 16);
        __mmask16 wrong;
        __mmask16 high;
        __mmask16 low;
        __m512i unit = sixteen_units(scratch->digits + 4 * i, &wrong);
        __m512i at = load_units_at(scratch->unit_at + i);
        __m512i before = _mm512_alignr_epi32(unit, previous, 15);
        __m512i distance = _mm512_sub_epi32(at, _mm512_alignr_epi32(at, previous_at, 15));
        uint32_t broken =
            broken_pairs(unit, distance, there, &behind_high, &high, &low) | (wrong & there);
        if (__builtin_expect(broken != 0, 0) && fault == SIZE_MAX) {
            size_t first = i + (size_t)__builtin_ctz(broken);
            fault = scratch->unit_at[first == 0 ? 0 : first - 1] - 1u;
        }
        __m512i bytes = unit_bytes(unit, before, high, low);
        _mm512_storeu_si512(scratch->unit_text + 3 * i,
                            _mm512_maskz_compress_epi8(0x7777777777777777u, bytes));
        previous = unit;
        previous_at = at;
    }
    // A high half that ends a full group was the last unit.
    if (behind_high != 0 && fault == SIZE_MAX) {
        fault = scratch->unit_at[units_count - 1] - 1u;
    }
    return fault;
}

// Puts the chunk's decoded units to their places in scratch->copy, and what stays to `keep`.
static inline void place_units(size_t marked_count, struct mr_scratch *scratch)
{
    const uint8_t *text = scratch->unit_text;
    for (size_t i = 0; i < marked_count; i++) {
        size_t block = scratch->marked[i] / 64;
        uint64_t slots = scratch->marks[i];
        __m512i v = _mm512_load_si512(scratch->copy + 64 * block);
        v = _mm512_mask_expand_epi8(v, slots, _mm512_loadu_si512(text));
        text += _mm_popcnt_u64(slots);
        scratch->keep[block] &= _mm512_cmpneq_epi8_mask(v, _mm512_set1_epi8(-1));
        _mm512_store_si512(scratch->copy + 64 * block, v);
    }
}

#endif
