// any_order.h: the second guess path of the AVX2 kernel: plain records with their keys in any
// order, spaced as the one before was, are read without an index.
//
// A quote with a colon behind it ends a key; seven of them name all places, for a value ends where
// the next key begins. None of this is believed: every byte of the record is then compared, a
// digit, or a text's, so that this accepts only what the other paths accept, with equal values.
#ifndef MR_RECORD_AVX2_ANY_ORDER_H
#define MR_RECORD_AVX2_ANY_ORDER_H

#include "../reader.h"
#include "direct.h"

// Keys must end in so many bytes from the first key on.
#define KEYS_BYTES 256u

// From a record's brace on so many bytes must be left: it ends in them, or is not read.
#define ANY_ORDER_BYTES (KEYS_BYTES + 192u)

// In each 64 bytes of a record so many keys may end.
#define KEYS_A_BLOCK 5u

// White space in front of a key that can be learned.
#define GAP_MAX 15u

// How records are spaced.
struct spacing {
    __m128i gap;        // a comma and the white space before each key, right-aligned
    __m128i care;       // bytes of it that count
    __m128i care_first; // the same for the first key, without the comma
    size_t gap_bytes;   // white space only
    const struct mr_key_literal *keys;
};

// Learns the spacing of the record whose brace stands at `brace`; what cannot be learned will not
// match.
static inline void learn_spacing(const uint8_t *brace, struct spacing *spacing)
{
    size_t gap = 0;
    while (gap < GAP_MAX && mr_is_space(brace[1 + gap])) {
        gap++;
    }
    const uint8_t *key = brace + 1 + gap;
    uint8_t before[16];
    memcpy(before, key - sizeof before, sizeof before);
    before[GAP_MAX - gap] = ',';
    __m128i quotes = _mm_cmpeq_epi8(load16(key + 1), _mm_set1_epi8('"'));
    unsigned letters = _tzcnt_u32((uint32_t)_mm_movemask_epi8(quotes)) & 15;
    spacing->gap = load16(before);
    spacing->care = load16(last_bytes + 16 + gap + 1);
    spacing->care_first = load16(last_bytes + 16 + gap);
    spacing->gap_bytes = gap;
    spacing->keys = mr_key_literals[key[1 + letters + 2] == ' '];
}

// Lists where keys end, from the first one's quote on, those of the next record too. Returns how
// many there are; 0: too many.
static inline size_t list_keys(const uint8_t *first, uint32_t *ends)
{
    size_t count = 0;
    for (unsigned block = 0; block < KEYS_BYTES; block += BLOCK) {
        struct block v = load_block(first + block);
        struct block behind = load_block(first + block + 1);
        uint64_t bits = equal_to(v, '"') & equal_to(behind, ':');
        size_t found = (size_t)_mm_popcnt_u64(bits);
        for (unsigned i = 0; i < KEYS_A_BLOCK; i++) {
            ends[count + i] = block + (uint32_t)_tzcnt_u64(bits);
            bits = _blsr_u64(bits);
        }
        if (__builtin_expect(bits != 0, 0)) {
            return 0;
        }
        count += found;
        // Of most records the last block is not needed.
        if (block == 2 * BLOCK && count >= MR_KEY_COUNT) {
            break;
        }
    }
    return count;
}

// Where a record's values stand, by key: [low half, high half) from its first key's quote on.
struct values {
    uint64_t range[MR_KEY_COUNT + 1];
    size_t behind; // the record's brace
    bool ordered;  // the keys stand in the contract's order
};

static inline struct token value_token(const uint8_t *first, const struct values *values,
                                       enum mr_key key)
{
    uint64_t range = values->range[key];
    return (struct token){first + (uint32_t)range, first + (range >> 32)};
}

// The first brace at or behind `begin`, from `first` on; 0: there is none near.
static inline size_t find_brace(const uint8_t *first, size_t begin)
{
    for (size_t at = begin; at + BLOCK <= ANY_ORDER_BYTES - 1 - GAP_MAX; at += BLOCK) {
        uint64_t braces = equal_to_all(first + at, MR_ALL_BRACES);
        if (__builtin_expect(braces != 0, 1)) {
            return at + _tzcnt_u64(braces);
        }
    }
    return 0;
}

// Finds the values of the record whose first key's quote is `first`. False: it is not so spaced, or
// not seven different keys.
__attribute__((always_inline)) static inline bool
find_values(const uint8_t *first, const struct spacing *spacing, struct values *values)
{
    uint32_t ends[KEYS_BYTES / BLOCK * KEYS_A_BLOCK];
    if (list_keys(first, ends) < MR_KEY_COUNT) {
        return false;
    }
    __m128i wrong = _mm_setzero_si128();
    unsigned seen = 0;
    unsigned unordered = 0;
    bool misplaced = false; // something stands before the first key
    unsigned code = MR_KEY_COUNT;
    size_t begin = 0;
    for (unsigned i = 0; i < MR_KEY_COUNT; i++) {
        size_t end = ends[i];
        uint32_t letters = (uint32_t)(load_u64(first + end - 8) >> 48);
        const struct mr_key_literal *key =
            &spacing->keys[letters * mr_key_literals_multiplier >> 29];
        const uint8_t *start = first + end - key->key_bytes - 1;
        misplaced |= i == 0 && start != first;
        size_t comma = (size_t)(start - first) - spacing->gap_bytes - 1;
        values->range[code] = begin | comma << 32;
        code = key->code;
        begin = end + key->tail_bytes;
        seen |= 1u << code;
        unordered |= code ^ i;
        __m128i literal = _mm_and_si128(
            _mm_xor_si128(load16(first + begin - 16), load16(key->text)), load16(key->care_bytes));
        __m128i gap = _mm_and_si128(_mm_xor_si128(load16(start - 16), spacing->gap),
                                    i == 0 ? spacing->care_first : spacing->care);
        wrong = _mm_or_si128(wrong, _mm_or_si128(literal, gap));
    }
    if (!_mm_testz_si128(wrong, wrong) || misplaced || seen != (1u << MR_KEY_COUNT) - 1) {
        return false;
    }
    size_t brace = find_brace(first, begin);
    if (brace == 0) {
        return false;
    }
    values->behind = brace + 1;
    values->ordered = unordered == 0;
    while (mr_is_space(first[brace - 1])) {
        brace--;
    }
    values->range[code] = begin | brace << 32;
    return true;
}

// Reads the flags between the brackets, the first of which stands before `token`. False: they are
// none.
static inline bool read_bracketed_flags(struct token token, uint8_t *flags_out)
{
    const uint8_t *close = token.end - 1;
    const uint8_t *at = token.at;
    uint8_t flags = 0;
    if (at != close) {
        at = read_flag(at, &flags);
        while (at != NULL && at < close && *at == ',') {
            at = read_flag(at + 1 + (at[1] == ' '), &flags);
        }
    }
    *flags_out = flags;
    return at == close && *close == ']';
}

// Copies a plain text that `token` holds with its closing quote. Returns its bytes; SIZE_MAX: it is
// not plain.
static inline size_t copy_plain_text(struct token token, uint8_t *out)
{
    size_t bytes = (size_t)(token.end - token.at) - 1;
    for (size_t at = 0; at <= bytes; at += BLOCK) {
        struct block v = load_block(token.at + at);
        store32(out + at, v.low);
        store32(out + at + 32, v.high);
        uint64_t bad = join_masks(not_plain(v.low), not_plain(v.high));
        if (bad != 0) {
            return at + _tzcnt_u64(bad) == bytes && token.at[bytes] == '"' ? bytes : SIZE_MAX;
        }
    }
    return SIZE_MAX;
}

// Reads the values into the head.
static inline bool read_values(const uint8_t *first, const uint8_t *end,
                               const struct values *values, struct mr_record *head)
{
    if (!read_short_numbers(value_token(first, values, MR_KEY_ID),
                            value_token(first, values, MR_KEY_TIMESTAMP),
                            value_token(first, values, MR_KEY_VALUE), end, head)) {
        return false;
    }
    struct token kind = value_token(first, values, MR_KEY_KIND);
    uint64_t word = load_u64(kind.at);
    const struct mr_word_slot *slot = find_word(&mr_kind_table, word);
    head->kind = slot->code;
    return is_word(slot, word) && kind.at + slot->bytes == kind.end &&
           read_bracketed_flags(value_token(first, values, MR_KEY_FLAGS), &head->flags);
}

// As kernel_batch.h says.
__attribute__((always_inline)) static inline const uint8_t *
read_any_order(const uint8_t *brace, const uint8_t *end, const struct spacing *spacing,
               uint8_t *place, bool *ordered_out)
{
    const uint8_t *first = brace + 1 + spacing->gap_bytes;
    struct values values;
    struct mr_record *head = (struct mr_record *)(void *)place;
    if (!find_values(first, spacing, &values) || !read_values(first, end, &values, head)) {
        return NULL;
    }
    uint8_t *text = place + MR_RECORD_HEAD_BYTES;
    size_t source = copy_plain_text(value_token(first, &values, MR_KEY_SOURCE), text);
    if (source - 1 >= MR_SOURCE_BYTES_MAX) {
        return NULL;
    }
    size_t message = copy_plain_text(value_token(first, &values, MR_KEY_MESSAGE), text + source);
    head->source_bytes = (uint16_t)source;
    head->message_bytes = (uint32_t)message;
    *ordered_out = values.ordered;
    return message == SIZE_MAX ? NULL : first + values.behind;
}

#endif
