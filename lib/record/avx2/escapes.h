// escapes.h: pass 2 of the AVX2 kernel: every escape of the chunk as what is written for it.
//
// There is no byte compress in AVX2, and squeezing eight bytes at a time by a table of shuffles
// costs more than going from escape to escape: the text between two of them is copied in one piece.
// So escapes become a list of what is written for each, in the order of the text.
#ifndef MR_RECORD_AVX2_ESCAPES_H
#define MR_RECORD_AVX2_ESCAPES_H

#include "index.h"

// By letter; no skip: no escape letter. A unit (\uXXXX) is known by its skip until it is decoded.
#define WRITES(c)                                                                                  \
    {                                                                                              \
        (c), 0, 1, 1                                                                               \
    }
#define UNIT_SKIP 0x80
static const struct mr_escape escape_of[256] = {
    ['"'] = WRITES('"'),  ['\\'] = WRITES('\\'), ['/'] = WRITES('/'),
    ['b'] = WRITES('\b'), ['f'] = WRITES('\f'),  ['n'] = WRITES('\n'),
    ['r'] = WRITES('\r'), ['t'] = WRITES('\t'),  ['u'] = {0, 0, 0, UNIT_SKIP}};

// So many letters of a block are always written.
#define LETTERS 8u

// Where the letters of all escapes stand.
__attribute__((noinline)) static void find_letters(const struct scan *scan,
                                                   struct mr_scratch *scratch)
{
    uint16_t *out = scratch->escape_at;
    for (size_t i = 0; i < scan->escaped_blocks_count; i++) {
        size_t offset = scratch->escaped_blocks[i];
        uint64_t escaped = scratch->escaped[offset / BLOCK];
        uint16_t *behind = out + _mm_popcnt_u64(escaped);
        do {
            for (unsigned j = 0; j < LETTERS; j++) {
                out[j] = (uint16_t)(offset + (size_t)_tzcnt_u64(escaped));
                escaped = _blsr_u64(escaped);
            }
            out += LETTERS;
        } while (__builtin_expect(out < behind, 0));
        out = behind;
    }
}

// Writes the list of escapes, units without their text, and the list of these. Returns their
// number.
__attribute__((noinline)) static size_t list_letters(struct scan *scan, const struct chunk *chunk)
{
    struct mr_scratch *scratch = chunk->scratch;
    size_t units = 0;
    for (size_t i = 0; i < scan->escapes_count; i++) {
        uint64_t at = scratch->escape_at[i];
        uint64_t escape;
        memcpy(&escape, &escape_of[chunk->text[at]], sizeof escape);
        if (__builtin_expect(escape == 0, 0)) {
            note_dirty(scan, at - (at != 0));
        }
        escape |= at << 32;
        memcpy(&scratch->escape[i], &escape, sizeof escape);
        scratch->unit_escape[units] = (uint16_t)i;
        units += escape >> 63;
    }
    return units;
}

// Units do not overlap in accepted text. More than stand in a chunk then: there is a fault.
#define UNITS_MAX (MR_CHUNK_BYTES / 6 + 1)

// Collects the digits of the units, and where they stand.
static inline void collect_digits(const struct chunk *chunk, size_t units)
{
    struct mr_scratch *scratch = chunk->scratch;
    for (size_t i = 0; i < units; i++) {
        uint16_t at = scratch->escape[scratch->unit_escape[i]].at;
        memcpy(scratch->digits + 4 * i, chunk->text + at + 1, 4);
        scratch->unit_at[i] = at;
    }
}

// Eight units from their digits; *wrong_out: lanes with a digit that is none.
static inline __m256i read_units(const uint8_t *digits, __m256i *wrong_out)
{
    __m256i d = load32(digits);
    __m256i decimal = _mm256_sub_epi8(d, _mm256_set1_epi8('0'));
    __m256i letter =
        _mm256_sub_epi8(_mm256_or_si256(d, _mm256_set1_epi8(0x20)), _mm256_set1_epi8('a'));
    __m256i is_decimal = _mm256_cmpeq_epi8(_mm256_min_epu8(decimal, _mm256_set1_epi8(9)), decimal);
    __m256i is_letter = _mm256_cmpeq_epi8(_mm256_min_epu8(letter, _mm256_set1_epi8(5)), letter);
    *wrong_out = _mm256_or_si256(is_decimal, is_letter);
    __m256i value =
        _mm256_blendv_epi8(_mm256_add_epi8(letter, _mm256_set1_epi8(10)), decimal, is_decimal);
    value = _mm256_and_si256(value, _mm256_set1_epi8(0x0F));
    __m256i pairs = _mm256_maddubs_epi16(value, _mm256_set1_epi16(0x0110));
    return _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00010100));
}

// What is known of eight units.
struct units {
    __m256i unit;
    __m256i before; // the unit in front of each
    __m256i high;   // lanes that are the high half of a pair
    __m256i low;
};

// The two or three bytes of each unit; of a pair the high half writes the first two of four, the
// low half the others. What stands above them is of no account.
static inline __m256i unit_bytes(const struct units *units)
{
    const __m256i six = _mm256_set1_epi32(0x3F);
    __m256i unit = units->unit;
    __m256i middle = _mm256_and_si256(_mm256_srli_epi32(unit, 6), six);
    __m256i last = _mm256_or_si256(_mm256_and_si256(unit, six), _mm256_set1_epi32(0x80));
    __m256i last_second = _mm256_slli_epi32(last, 8);
    __m256i three =
        _mm256_or_si256(_mm256_or_si256(_mm256_srli_epi32(unit, 12), _mm256_set1_epi32(0x80E0)),
                        _mm256_or_si256(_mm256_slli_epi32(middle, 8), _mm256_slli_epi32(last, 16)));
    __m256i two = _mm256_or_si256(
        _mm256_or_si256(_mm256_srli_epi32(unit, 6), _mm256_set1_epi32(0xC0)), last_second);
    __m256i bytes =
        _mm256_blendv_epi8(two, three, _mm256_cmpgt_epi32(unit, _mm256_set1_epi32(0x7FF)));
    bytes = _mm256_blendv_epi8(unit, bytes, _mm256_cmpgt_epi32(unit, _mm256_set1_epi32(0x7F)));
    __m256i top =
        _mm256_add_epi32(_mm256_and_si256(unit, _mm256_set1_epi32(0x3FF)), _mm256_set1_epi32(0x40));
    __m256i first_two =
        _mm256_or_si256(_mm256_or_si256(_mm256_srli_epi32(top, 8), _mm256_set1_epi32(0x80F0)),
                        _mm256_slli_epi32(_mm256_and_si256(_mm256_srli_epi32(top, 2), six), 8));
    __m256i join =
        _mm256_or_si256(_mm256_slli_epi32(_mm256_and_si256(units->before, _mm256_set1_epi32(3)), 4),
                        _mm256_and_si256(middle, _mm256_set1_epi32(0xF)));
    __m256i last_two = _mm256_or_si256(_mm256_or_si256(join, _mm256_set1_epi32(0x80)), last_second);
    bytes = _mm256_blendv_epi8(bytes, first_two, units->high);
    return _mm256_blendv_epi8(bytes, last_two, units->low);
}

// Puts eight units to their escapes.
static inline void place_units(const struct units *units, __m256i at, const uint16_t *unit_escape,
                               struct mr_scratch *scratch)
{
    // One byte, one more from 0x80 on, one more from 0x800 on except for halves of pairs.
    __m256i more = _mm256_add_epi32(
        _mm256_cmpgt_epi32(units->unit, _mm256_set1_epi32(0x7F)),
        _mm256_andnot_si256(_mm256_or_si256(units->high, units->low),
                            _mm256_cmpgt_epi32(units->unit, _mm256_set1_epi32(0x7FF))));
    __m256i length = _mm256_sub_epi32(_mm256_set1_epi32(5 << 8 | 1), more);
    __m256i upper = _mm256_or_si256(at, _mm256_slli_epi32(length, 16));
    __m256i lower = unit_bytes(units);
    struct mr_escape escape[8];
    store32((uint8_t *)escape, _mm256_unpacklo_epi32(lower, upper));
    store32((uint8_t *)(escape + 4), _mm256_unpackhi_epi32(lower, upper));
    // Unpacking works within 128 bits.
    static const uint8_t order[8] = {0, 1, 4, 5, 2, 3, 6, 7};
    for (unsigned i = 0; i < 8; i++) {
        scratch->escape[unit_escape[i]] = escape[order[i]];
    }
}

// Where the high halves of pairs were, the next unit must be a low half right behind it, and
// nowhere else may one be. Bit i of the result: unit i breaks this.
static inline uint32_t broken_pairs(const struct units *units, __m256i distance, uint32_t there,
                                    uint32_t *behind_high_io)
{
    __m256i adjacent = _mm256_cmpeq_epi32(distance, _mm256_set1_epi32(6));
    uint32_t high = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(units->high)) & there;
    uint32_t low = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(units->low)) & there;
    uint32_t near = (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(adjacent));
    uint32_t behind_high = high << 1 | *behind_high_io;
    // Behind the last unit no low half comes.
    uint32_t expected = behind_high & (there == 0xFF ? 0xFF : UINT32_MAX);
    *behind_high_io = behind_high >> 8;
    return (expected ^ low) | (low & ~near);
}

// The lanes of `v`, one further, with the last one of `before` in front.
static inline __m256i shift_lanes(__m256i v, __m256i before)
{
    return _mm256_alignr_epi8(v, _mm256_permute2x128_si256(before, v, 0x21), 12);
}

// Decodes the chunk's units into their escapes. SIZE_MAX, or a position at or before the first one
// that cannot be accepted, and not before the unit in front of it.
__attribute__((noinline)) static size_t decode_units(size_t units_count, struct mr_scratch *scratch)
{
    const __m256i upper = _mm256_set1_epi32(0xFC00);
    size_t fault = SIZE_MAX;
    __m256i previous = _mm256_setzero_si256();
    __m256i previous_at = _mm256_set1_epi32(-64);
    uint32_t behind_high = 0;
    for (size_t i = 0; i < units_count; i += 8) {
        size_t left = units_count - i;
        uint32_t there = _bzhi_u32(0xFF, left < 8 ? (unsigned)left : 8);
        __m256i right;
        struct units units;
        units.unit = read_units(scratch->digits + 4 * i, &right);
        units.before = shift_lanes(units.unit, previous);
        __m256i half = _mm256_and_si256(units.unit, upper);
        units.high = _mm256_cmpeq_epi32(half, _mm256_set1_epi32(0xD800));
        units.low = _mm256_cmpeq_epi32(half, _mm256_set1_epi32(0xDC00));
        __m256i at = _mm256_cvtepu16_epi32(
            _mm_loadu_si128((const __m128i *)(const void *)(scratch->unit_at + i)));
        __m256i distance = _mm256_sub_epi32(at, shift_lanes(at, previous_at));
        __m256i all_right = _mm256_cmpeq_epi32(right, _mm256_set1_epi32(-1));
        uint32_t wrong = ~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(all_right)) & there;
        uint32_t broken = broken_pairs(&units, distance, there, &behind_high) | wrong;
        if (__builtin_expect(broken != 0, 0) && fault == SIZE_MAX) {
            size_t first = i + (size_t)__builtin_ctz(broken);
            fault = scratch->unit_at[first == 0 ? 0 : first - 1] - 1u;
        }
        place_units(&units, at, scratch->unit_escape + i, scratch);
        previous = units.unit;
        previous_at = at;
    }
    // A high half that ends a full group was the last unit.
    if (behind_high != 0 && fault == SIZE_MAX) {
        fault = scratch->unit_at[units_count - 1] - 1u;
    }
    return fault;
}

// Pass 2.
static inline void read_escapes(struct scan *scan, const struct chunk *chunk)
{
    struct mr_scratch *scratch = chunk->scratch;
    find_letters(scan, scratch);
    size_t units = list_letters(scan, chunk);
    if (units > UNITS_MAX) {
        note_dirty(scan, 0);
        return;
    }
    // Lanes behind the last unit go to escapes behind the last one.
    for (size_t i = 0; i < 8; i++) {
        scratch->unit_escape[units + i] = (uint16_t)(scan->escapes_count + i);
    }
    if (units > 0) {
        collect_digits(chunk, units);
        size_t fault = decode_units(units, scratch);
        scan->dirty_from = fault < scan->dirty_from ? fault : scan->dirty_from;
    }
}

#endif
