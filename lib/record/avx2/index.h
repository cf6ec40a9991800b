// index.h: pass 1 of the AVX2 kernel: blocks of 64 bytes to masks, and masks to an index of
// structural bytes.
//
// For every brace, bracket, colon, comma and unescaped quote outside of strings, and for the first
// byte of everything else that stands there (a number, or what has no business being there), one
// entry: its position and the byte itself. Method: Langdale, Lemire, Parsing gigabytes of JSON per
// second, VLDB J. 28 (2019).
//
// The loop over all blocks has no branch that depends on the text, and only looks for strings: most
// blocks of long messages lie inside of one. What else a block needs (its entries, UTF-8, escapes)
// is put on lists, and loops of their own work these off.
#ifndef MR_RECORD_AVX2_INDEX_H
#define MR_RECORD_AVX2_INDEX_H

#include "../kernel_chunk.h"
#include "block.h"
#include "utf8_faults.h"

// What one block hands on to the next, and how long the lists are.
struct scan {
    uint64_t in_string; // all ones inside a string
    uint64_t escaped;   // bit 0: the next block's first byte is escaped
    uint64_t reaching;  // not 0: an escape of this block may write to the next
    size_t escaped_blocks_count;
    size_t outside_count;
    size_t beyond_ascii_count;
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

// Not 0 where the block at `at`, or one of the three bytes before it, is not ASCII. Before a chunk
// stands a brace or bracket; what may stand before that can only lead to a needless check.
static inline uint32_t is_beyond_ascii(const uint8_t *at, struct block v)
{
    uint32_t before;
    memcpy(&before, at - 4, sizeof before);
    return (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(v.low, v.high)) | (before & 0x80808000u);
}

// Bytes below a blank. Asking the whole block first with one minimum is a branch missed at each
// line end of indented text.
static inline uint64_t find_control(struct block v)
{
    const __m256i last = _mm256_set1_epi8(0x1F);
    return join_masks(_mm256_cmpeq_epi8(_mm256_min_epu8(v.low, last), v.low),
                      _mm256_cmpeq_epi8(_mm256_min_epu8(v.high, last), v.high));
}

// Looks at the block at `at`, which is the chunk's at `offset` (or a copy of its tail). Returns its
// control characters in strings.
__attribute__((always_inline)) static inline uint64_t
index_block(struct scan *scan, struct mr_scratch *scratch, const uint8_t *at, size_t offset)
{
    struct block v = load_block(at);
    uint64_t backslash = equal_to(v, '\\');
    uint64_t escaped = find_escaped(backslash, &scan->escaped);
    uint64_t quote = equal_to(v, '"') & ~escaped;
    uint64_t in_string = prefix_xor(quote) ^ scan->in_string;
    scan->in_string = (uint64_t)((int64_t)in_string >> 63);
    struct mr_outside *outside = &scratch->outside[scan->outside_count];
    outside->quote = quote;
    outside->in_string = in_string;
    outside->offset = offset;
    scan->outside_count += (in_string & ~quote) != UINT64_MAX;
    uint64_t touched = escaped | scan->reaching;
    scan->reaching = escaped >> 62;
    scratch->escaped[offset / BLOCK] = escaped;
    scratch->touched[offset / BLOCK] = touched;
    scratch->keep[offset / BLOCK] = escaped | ~backslash;
    scratch->escaped_blocks[scan->escaped_blocks_count] = (uint16_t)offset;
    scan->escaped_blocks_count += touched != 0;
    scratch->beyond_ascii[scan->beyond_ascii_count] = (uint16_t)offset;
    scan->beyond_ascii_count += is_beyond_ascii(at, v) != 0;
    return find_control(v) & in_string;
}

// Finds the first block with a control character in a string. All blocks are looked at once more,
// so that the lists end up as they were.
__attribute__((noinline)) static void find_dirty(struct scan *scan_io, const struct chunk *chunk)
{
    struct scan scan = {.dirty_from = SIZE_MAX};
    for (size_t offset = 0; offset + BLOCK <= chunk->bytes; offset += BLOCK) {
        if (index_block(&scan, chunk->scratch, chunk->text + offset, offset) != 0) {
            note_dirty(scan_io, offset);
        }
    }
}

// Looks at all whole blocks. A function of its own, so that what goes from block to block stays in
// registers.
__attribute__((noinline)) static void index_blocks(struct scan *scan_io, const struct chunk *chunk)
{
    struct scan scan = *scan_io;
    struct mr_scratch *scratch = chunk->scratch;
    const uint8_t *text = chunk->text;
    size_t last = chunk->bytes;
    uint64_t control = 0;
    for (size_t offset = 0; offset + BLOCK <= last; offset += BLOCK) {
        __builtin_prefetch(text + offset + PREFETCH_BYTES);
        control |= index_block(&scan, scratch, text + offset, offset);
    }
    *scan_io = scan;
    if (__builtin_expect(control != 0, 0)) {
        find_dirty(scan_io, chunk);
    }
}

// Looks at what is left behind the last whole block: `room` gets it, followed by blanks.
static inline void index_tail(struct scan *scan, struct chunk *chunk, uint8_t room[32 + BLOCK])
{
    size_t left = chunk->bytes % BLOCK;
    size_t offset = chunk->bytes - left;
    memset(room + 32, ' ', BLOCK);
    memcpy(room, chunk->text + offset - 32, 32 + left);
    size_t listed = scan->beyond_ascii_count;
    uint64_t control = index_block(scan, chunk->scratch, room + 32, offset);
    scan->beyond_ascii_count = listed;
    if (control != 0) {
        note_dirty(scan, offset);
    }
    if (has_utf8_faults(room + 32)) {
        note_dirty(scan, offset < 4 ? 0 : offset - 4);
    }
}

// Works off the list of blocks that are not ASCII.
__attribute__((noinline)) static void check_utf8(struct scan *scan, const struct chunk *chunk)
{
    for (size_t i = 0; i < scan->beyond_ascii_count; i++) {
        size_t offset = chunk->scratch->beyond_ascii[i];
        if (__builtin_expect(has_utf8_faults(chunk->text + offset), 0)) {
            note_dirty(scan, offset < 4 ? 0 : offset - 4);
        }
    }
}

// Writes the entries of the block at `offset` of `text` behind `count` others, sixteen bytes of
// text a step. Returns how many there are then.
__attribute__((always_inline)) static inline size_t append_block(const uint8_t *text,
                                                                 uint8_t *stream,
                                                                 uint16_t *position, size_t count,
                                                                 size_t offset, uint64_t entries)
{
    const __m256i sixteen = _mm256_set1_epi16(16);
    __m256i base = _mm256_set1_epi16((short)offset);
    for (unsigned i = 0; i < BLOCK; i += 16) {
        uint16_t part = (uint16_t)(entries >> i);
        __m128i bits = load_set_bits(part);
        __m128i bytes = _mm_shuffle_epi8(load16(text + offset + i), bits);
        __m256i places = _mm256_add_epi16(base, _mm256_cvtepu8_epi16(bits));
        _mm_storeu_si128((__m128i *)(void *)(stream + count), bytes);
        _mm256_storeu_si256((__m256i *)(void *)(position + count), places);
        count += (size_t)_mm_popcnt_u32(part);
        base = _mm256_add_epi16(base, sixteen);
    }
    return count;
}

// The entries of a block that is not all inside a string. `*other_io`: bit 0 says that the byte
// before is neither structural nor white space. (Where blocks between two of the list are inside a
// string, it is clear.)
static inline uint64_t find_entries(struct block v, const struct mr_outside *outside,
                                    uint64_t *other_io)
{
    uint64_t operators = find_operators(v);
    uint64_t inside = outside->in_string | outside->quote;
    uint64_t other = ~(operators | find_spaces(v) | inside);
    uint64_t starts = other & ~(other << 1 | *other_io);
    *other_io = other >> 63;
    return (operators & ~outside->in_string) | outside->quote | starts;
}

// Works off the list of blocks with entries. `tail`: what to read of a last, cut-off one. Returns
// how many entries there are.
__attribute__((noinline)) static size_t
append_entries(const struct scan *scan, const struct chunk *chunk, const uint8_t *tail)
{
    struct mr_scratch *scratch = chunk->scratch;
    const uint8_t *text = chunk->text;
    size_t bytes = chunk->bytes;
    size_t count = 0;
    uint64_t other = 0;
    const struct mr_outside *behind = scratch->outside + scan->outside_count;
    for (const struct mr_outside *outside = scratch->outside; outside < behind; outside++) {
        size_t offset = outside->offset;
        const uint8_t *at = offset + BLOCK <= bytes ? text + offset : tail;
        uint64_t entries = find_entries(load_block(at), outside, &other);
        count = append_block(text, scratch->stream, scratch->position, count, offset, entries);
    }
    return count;
}

#endif
