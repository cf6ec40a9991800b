// escapes.h: pass 2 of the AVX2 kernel: a copy of the blocks that escapes touch, the letters
// replaced where they stand, and which of its bytes stay.
//
// All of a block's letters are looked at together, whatever they are: going from escape to escape
// took five times as many instructions. Units (\uXXXX) come on a list of their own; what is written
// for one stands from its letter on.
#ifndef MR_RECORD_AVX2_ESCAPES_H
#define MR_RECORD_AVX2_ESCAPES_H

#include "index.h"

// So many units of a block are always listed.
#define UNITS 4u

// Bytes of ones where `bits` has ones.
static inline __m256i bytes_of_bits(uint32_t bits)
{
    const __m256i own = _mm256_set1_epi64x((long long)0x8040201008040201u);
    const __m256i places =
        _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
    __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32((int)bits), places);
    return _mm256_cmpeq_epi8(_mm256_and_si256(spread, own), own);
}

static inline __m256i in_both_lanes(const char sixteen[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)sixteen));
}

// Replaces the letters of `v` that are `escaped`. *wrong_io: gets bytes that are no such letters.
//
// A letter's place in the tables is its lower half and a number by its upper half, so that no two
// share one.
static inline __m256i replace_letters(__m256i v, __m256i escaped, __m256i *wrong_io)
{
    static const char shift[16] = {[5] = 1, [6] = 2, [7] = 7};
    static const char letter[16] = {[0] = 'n',  [2] = '"',  [4] = 'b',   [8] = 'f', [9] = 'r',
                                    [11] = 't', [12] = 'u', [13] = '\\', [15] = '/'};
    static const char text[16] = {[0] = '\n',  [2] = '"',  [4] = '\b',  [8] = '\f', [9] = '\r',
                                  [11] = '\t', [12] = 'u', [13] = '\\', [15] = '/'};
    const __m256i half = _mm256_set1_epi8(0x0F);
    __m256i upper = _mm256_and_si256(_mm256_srli_epi16(v, 4), half);
    __m256i place = _mm256_and_si256(
        _mm256_add_epi8(v, _mm256_shuffle_epi8(in_both_lanes(shift), upper)), half);
    __m256i known = _mm256_cmpeq_epi8(v, _mm256_shuffle_epi8(in_both_lanes(letter), place));
    *wrong_io = _mm256_or_si256(*wrong_io, _mm256_andnot_si256(known, escaped));
    return _mm256_blendv_epi8(v, _mm256_shuffle_epi8(in_both_lanes(text), place), escaped);
}

// Copies the listed blocks with their letters replaced, and lists where the units' letters stand.
// Returns the number of units.
__attribute__((noinline)) static size_t copy_letters(struct scan *scan, const struct chunk *chunk)
{
    struct mr_scratch *scratch = chunk->scratch;
    const uint8_t *text = chunk->text;
    uint16_t *out = scratch->unit_at;
    size_t count = scan->escaped_blocks_count;
    for (size_t i = 0; i < count; i++) {
        size_t offset = scratch->escaped_blocks[i];
        uint64_t escaped = scratch->escaped[offset / BLOCK];
        struct block v = load_block(text + offset);
        __m256i wrong = _mm256_setzero_si256();
        store32(scratch->copy + offset,
                replace_letters(v.low, bytes_of_bits((uint32_t)escaped), &wrong));
        store32(scratch->copy + offset + 32,
                replace_letters(v.high, bytes_of_bits((uint32_t)(escaped >> 32)), &wrong));
        if (__builtin_expect(!_mm256_testz_si256(wrong, wrong), 0)) {
            note_dirty(scan, offset);
        }
        uint64_t units = equal_to(v, 'u') & escaped;
        uint16_t *behind = out + _mm_popcnt_u64(units);
        do {
            for (unsigned j = 0; j < UNITS; j++) {
                out[j] = (uint16_t)(offset + (size_t)_tzcnt_u64(units));
                units = _blsr_u64(units);
            }
            out += UNITS;
        } while (__builtin_expect(out < behind, 0));
        out = behind;
    }
    return (size_t)(out - scratch->unit_at);
}

// Units do not overlap in accepted text. More than stand in a chunk then: there is a fault.
#define UNITS_MAX (MR_CHUNK_BYTES / 6 + 1)

// Collects the digits of the units.
static inline void collect_digits(const struct chunk *chunk, size_t units)
{
    struct mr_scratch *scratch = chunk->scratch;
    const uint8_t *text = chunk->text + 1;
    for (size_t i = 0; i < units; i++) {
        memcpy(scratch->digits + 4 * i, text + scratch->unit_at[i], 4);
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

// Puts eight units to their letters' places in the copy; what is left of their digits goes.
static inline void place_units(const struct units *units, const uint16_t *unit_at,
                               struct mr_scratch *scratch)
{
    // One byte, one more from 0x80 on, one more from 0x800 on except for halves of pairs.
    __m256i more = _mm256_add_epi32(
        _mm256_cmpgt_epi32(units->unit, _mm256_set1_epi32(0x7F)),
        _mm256_andnot_si256(_mm256_or_si256(units->high, units->low),
                            _mm256_cmpgt_epi32(units->unit, _mm256_set1_epi32(0x7FF))));
    __m256i length = _mm256_sub_epi32(_mm256_set1_epi32(1), more);
    // Of the letter and its four digits.
    __m256i drop = _mm256_and_si256(_mm256_sllv_epi32(_mm256_set1_epi32(0x1F), length),
                                    _mm256_set1_epi32(0x1F));
    uint32_t text[8];
    uint32_t drops[8];
    store32((uint8_t *)text, unit_bytes(units));
    store32((uint8_t *)drops, drop);
    for (unsigned i = 0; i < 8; i++) {
        size_t at = unit_at[i];
        uint64_t dropped = drops[i];
        memcpy(scratch->copy + at, &text[i], sizeof text[i]);
        scratch->keep[at / BLOCK] &= ~(dropped << at % BLOCK);
        scratch->keep[at / BLOCK + 1] &= ~(dropped >> 1 >> (~at % BLOCK));
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

// Decodes the chunk's units into the copy. SIZE_MAX, or a position at or before the first one
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
        place_units(&units, scratch->unit_at + i, scratch);
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
    size_t units = copy_letters(scan, chunk);
    if (units > UNITS_MAX) {
        note_dirty(scan, 0);
        return;
    }
    if (units > 0) {
        collect_digits(chunk, units);
        // Lanes behind the last unit write behind the chunk.
        for (size_t i = 0; i < 8; i++) {
            scratch->unit_at[units + i] = MR_CHUNK_BYTES + BLOCK;
        }
        size_t fault = decode_units(units, scratch);
        scan->dirty_from = fault < scan->dirty_from ? fault : scan->dirty_from;
    }
}

#endif
