// index.h: pass 1 of the AVX2 kernel: blocks of 64 bytes to masks, and masks to an index of
// structural bytes.
//
// For every brace, bracket, colon, comma and unescaped quote outside of strings, and for the first
// byte of everything else that stands there (a number, or what has no business being there), one
// entry: its position and the byte itself. Method: Langdale, Lemire, Parsing gigabytes of JSON per
// second, VLDB J. 28 (2019).
//
// The loop over the blocks has no branch that depends on the text: what only some blocks need
// (entries, UTF-8, escapes) is put on lists, and loops of their own work these off.
#ifndef MR_RECORD_AVX2_INDEX_H
#define MR_RECORD_AVX2_INDEX_H

#include "../kernel_chunk.h"
#include "block.h"
#include "utf8.h"

// What one block hands on to the next, and how long the lists are.
struct scan {
    uint64_t in_string; // all ones inside a string
    uint64_t other;     // bit 0: the byte before is neither structural nor white space
    uint64_t escaped;   // bit 0: the next block's first byte is escaped
    size_t entries_count;
    size_t beyond_ascii_count;
    size_t escaped_blocks_count;
    size_t escapes_count;
    size_t dirty_from;
};

static inline void note_dirty(struct scan *scan, size_t offset)
{
    scan->dirty_from = offset < scan->dirty_from ? offset : scan->dirty_from;
}

static inline uint64_t prefix_xor(uint64_t bits)
{
    __m128i all_ones = _mm_set1_epi8(-1);
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)bits), all_ones, 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

// Which bytes a backslash escapes. `*carry_io`: the first byte of the block, then of the next one.
// Langdale, Lemire 2019, section 3.1.1, in the form with one subtraction.
static inline uint64_t find_escaped(uint64_t backslash, uint64_t *carry_io)
{
    const uint64_t odd = 0xAAAAAAAAAAAAAAAAu;
    uint64_t carry = *carry_io;
    uint64_t possible = backslash & ~carry;
    uint64_t codes = ((possible << 1 | odd) - possible) ^ odd;
    *carry_io = (codes & backslash) >> 63;
    return codes ^ (backslash | carry);
}

// Sorts the bytes outside of strings. 0x0C passes as a comma and 0x1A as a colon: they get entries,
// where the byte itself then fits nowhere.
static inline uint64_t find_operators(struct block v)
{
    const __m256i table =
        _mm256_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, ':', '{', ',', '}', -1, -1, -1, -1,
                         -1, -1, -1, -1, -1, -1, -1, -1, ':', '{', ',', '}', -1, -1);
    const __m256i bit = _mm256_set1_epi8(0x20);
    __m256i low = _mm256_or_si256(v.low, bit);
    __m256i high = _mm256_or_si256(v.high, bit);
    return join_masks(_mm256_cmpeq_epi8(low, _mm256_shuffle_epi8(table, v.low)),
                      _mm256_cmpeq_epi8(high, _mm256_shuffle_epi8(table, v.high)));
}

static inline uint64_t find_spaces(struct block v)
{
    const __m256i table =
        _mm256_setr_epi8(' ', -1, -1, -1, -1, -1, -1, -1, -1, '\t', '\n', -1, -1, '\r', -1, -1, ' ',
                         -1, -1, -1, -1, -1, -1, -1, -1, '\t', '\n', -1, -1, '\r', -1, -1);
    return equal_to_own(v, table);
}

// Notes what the block at `offset` has behind backslashes.
static inline void list_escapes(struct scan *scan, struct mr_scratch *scratch, size_t offset,
                                uint64_t escaped)
{
    size_t block = offset / BLOCK;
    scratch->escaped[block] = escaped;
    scratch->escapes_before[block] = (uint16_t)scan->escapes_count;
    scratch->escaped_blocks[scan->escaped_blocks_count] = (uint16_t)block;
    scan->escaped_blocks_count += escaped != 0;
    scan->escapes_count += (size_t)_mm_popcnt_u64(escaped);
}

// Not 0 where the block at `at`, or one of the three bytes before it, is not ASCII. Before a chunk
// stands a brace or bracket; what may stand before that can only lead to a needless check.
static inline uint32_t is_beyond_ascii(const uint8_t *at, struct block v)
{
    uint32_t before;
    memcpy(&before, at - 4, sizeof before);
    return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(v.low, v.high)) | (before & 0x80808000u);
}

// Whether the block has control characters in a string. One minimum asks for any at all first.
static inline bool has_control(struct block v, uint64_t in_string)
{
    const __m256i last = _mm256_set1_epi8(0x1F);
    __m256i below = _mm256_subs_epu8(_mm256_set1_epi8(0x20), _mm256_min_epu8(v.low, v.high));
    if (__builtin_expect(_mm256_testz_si256(below, below), 1)) {
        return false;
    }
    uint64_t control = join_masks(_mm256_cmpeq_epi8(_mm256_min_epu8(v.low, last), v.low),
                                  _mm256_cmpeq_epi8(_mm256_min_epu8(v.high, last), v.high));
    return (control & in_string) != 0;
}

// Looks at the block at `at`, which is the chunk's at `offset` (or a copy of its tail).
__attribute__((always_inline)) static inline void
index_block(struct scan *scan, struct mr_scratch *scratch, const uint8_t *at, size_t offset)
{
    struct block v = load_block(at);
    uint64_t escaped = find_escaped(equal_to(v, '\\'), &scan->escaped);
    uint64_t quote = equal_to(v, '"') & ~escaped;
    uint64_t in_string = prefix_xor(quote) ^ scan->in_string;
    scan->in_string = (uint64_t)((int64_t)in_string >> 63);
    uint64_t operators = find_operators(v);
    uint64_t other = ~(operators | find_spaces(v) | in_string | quote);
    uint64_t starts = other & ~(other << 1 | scan->other);
    scan->other = other >> 63;
    uint64_t entries = (operators & ~in_string) | quote | starts;
    scratch->entries[scan->entries_count] = entries;
    scratch->entries_at[scan->entries_count] = (uint16_t)offset;
    scan->entries_count += entries != 0;
    list_escapes(scan, scratch, offset, escaped);
    scratch->beyond_ascii[scan->beyond_ascii_count] = (uint16_t)offset;
    scan->beyond_ascii_count += is_beyond_ascii(at, v) != 0;
    if (__builtin_expect(has_control(v, in_string), 0)) {
        note_dirty(scan, offset);
    }
}

// Looks at the last block, of which `left` < 64 bytes are the chunk's: blanks follow them.
static inline void index_tail(struct scan *scan, struct chunk *chunk, size_t offset, size_t left)
{
    uint8_t room[32 + BLOCK];
    memset(room + 32, ' ', BLOCK);
    memcpy(room, chunk->text + offset - 32, 32 + left);
    size_t listed = scan->beyond_ascii_count;
    index_block(scan, chunk->scratch, room + 32, offset);
    scan->beyond_ascii_count = listed;
    if (has_utf8_faults(room + 32)) {
        note_dirty(scan, offset < 4 ? 0 : offset - 4);
    }
}

// Works off the list of blocks that are not ASCII.
static inline void check_utf8(struct scan *scan, const struct chunk *chunk)
{
    for (size_t i = 0; i < scan->beyond_ascii_count; i++) {
        size_t offset = chunk->scratch->beyond_ascii[i];
        if (__builtin_expect(has_utf8_faults(chunk->text + offset), 0)) {
            note_dirty(scan, offset < 4 ? 0 : offset - 4);
        }
    }
}

// Writes the first `slots` entries of a mask: that many are always written.
__attribute__((always_inline)) static inline uint64_t append_some(const struct chunk *chunk,
                                                                  size_t count, size_t offset,
                                                                  uint64_t entries, unsigned slots)
{
    uint16_t *position = chunk->scratch->position + count;
    uint8_t *stream = chunk->scratch->stream + count;
    for (unsigned i = 0; i < slots; i++) {
        size_t at = offset + (size_t)_tzcnt_u64(entries);
        position[i] = (uint16_t)at;
        stream[i] = chunk->text[at];
        entries = _blsr_u64(entries);
    }
    return entries;
}

// Works off the list of masks with entries. Returns how many entries there are.
static inline size_t append_entries(const struct scan *scan, const struct chunk *chunk)
{
    const struct mr_scratch *scratch = chunk->scratch;
    size_t count = 0;
    for (size_t i = 0; i < scan->entries_count; i++) {
        size_t offset = scratch->entries_at[i];
        uint64_t entries = scratch->entries[i];
        size_t behind = count + (size_t)_mm_popcnt_u64(entries);
        entries = append_some(chunk, count, offset, entries, 12);
        for (count += 12; __builtin_expect(count < behind, 0); count += 6) {
            entries = append_some(chunk, count, offset, entries, 6);
        }
        count = behind;
    }
    return count;
}

#endif
