// direct.h: the guess path of the AVX2 kernel: a record of plain ASCII in canonical order is read
// without an index.
//
// May only accept what the other paths accept, with equal values: commas only say where something
// should stand; every byte of the record is then compared, a digit, or a text's.
#ifndef MR_RECORD_AVX2_DIRECT_H
#define MR_RECORD_AVX2_DIRECT_H

#include "../kernel_fields.h"
#include "block.h"
#include "numbers.h"
#include "strings.h"

// Where the commas in front of the keys should stand, from the record's brace on; in front of the
// message also that between two flags.
struct commas {
    size_t timestamp, source, kind, value, flags;
    size_t behind_flag; // or the message's
    size_t message;
};

// The message's quote stands at or before this one, so that 64 bytes may be loaded from there.
#define MESSAGE_MAX (DIRECT_BYTES - 64u)

static inline void find_commas(const uint8_t *at, const struct mr_record_style *style,
                               struct commas *commas)
{
    size_t blanks = style->colon_blanks + style->comma_blanks;
    // With an id of at most fifteen digits the source's comma stands before `from`, and with one
    // and a source that have five bytes together the kind's at or behind it.
    size_t from = 51 + style->colon_blanks + blanks;
    __m256i first = _mm256_cmpeq_epi8(load32(at), all_of(MR_ALL_COMMAS));
    uint64_t second = equal_to_all(at + from, MR_ALL_COMMAS);
    uint64_t third = equal_to_all(at + from + 64, MR_ALL_COMMAS);
    commas->timestamp = _tzcnt_u32((uint32_t)_mm256_movemask_epi8(first));
    // Sixteen digits: the microseconds of the years 2001 to 2286.
    commas->source = commas->timestamp + 29 + blanks;
    commas->kind = from + _tzcnt_u64(second);
    size_t value = _tzcnt_u64(_blsr_u64(second));
    commas->value = from + value;
    // 64 bytes from the value's comma on.
    uint64_t bits = second >> (value & 63) | third << 1 << (~value & 63);
    bits = _blsr_u64(bits);
    commas->flags = commas->value + _tzcnt_u64(bits);
    bits = _blsr_u64(bits);
    commas->behind_flag = commas->value + _tzcnt_u64(bits);
    commas->message = commas->value + _tzcnt_u64(_blsr_u64(bits));
    size_t second_flag = 0u - (size_t)(at[commas->behind_flag - 1] != ']');
    commas->message = commas->behind_flag + ((commas->message - commas->behind_flag) & second_flag);
}

// Where the closing brace is guessed to stand: known before anything else is, so that the next
// record need not wait for this one.
static inline size_t guess_end(const uint8_t *at)
{
    uint64_t third = equal_to_all(at + 128, MR_ALL_BRACES);
    if (__builtin_expect(third != 0, 1)) {
        return 128 + _tzcnt_u64(third);
    }
    uint64_t fourth = equal_to_all(at + 192, MR_ALL_BRACES);
    // Without one: a place where no message ends.
    return fourth == 0 ? 1 : 192 + _tzcnt_u64(fourth);
}

static inline __m256i two_lanes(const uint8_t *a, const uint8_t *b)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(a)), load16(b), 1);
}

// Not zero in the bytes of two lanes that are not as the literal says.
static inline __m256i differ(__m256i v, const struct mr_record_style *style, unsigned lane)
{
    const uint8_t *literal = style->literals[lane / 4] + (size_t)16 * (lane % 4);
    const uint8_t *care = style->care_bytes + (size_t)16 * lane;
    return _mm256_and_si256(_mm256_xor_si256(v, load32(literal)), load32(care));
}

// What stands between the values, sixteen bytes a piece.
static inline bool match_literals(const uint8_t *at, const struct commas *commas,
                                  const struct mr_record_style *style)
{
    __m256i a = two_lanes(at, at + commas->timestamp);
    __m256i b = two_lanes(at + commas->source, at + commas->kind - 1);
    __m256i c = two_lanes(at + commas->value - 1, at + commas->flags);
    __m256i d = _mm256_castsi128_si256(load16(at + commas->message - 1));
    __m256i wrong = _mm256_or_si256(_mm256_or_si256(differ(a, style, 0), differ(b, style, 2)),
                                    _mm256_or_si256(differ(c, style, 4), differ(d, style, 6)));
    return _mm256_testz_si256(wrong, wrong);
}

// Bytes that may not stand in a plain text: backslashes, quotes, control characters and bytes
// >= 0x80. With one bit turned the last three are, as signed numbers, those below '!'.
static inline __m256i not_plain(__m256i v)
{
    __m256i turned = _mm256_xor_si256(v, all_of(MR_ALL_TWOS));
    return _mm256_or_si256(_mm256_cmpgt_epi8(all_of(MR_ALL_EXCLAMATIONS), turned),
                           _mm256_cmpeq_epi8(v, all_of(MR_ALL_BACKSLASHES)));
}

// Copies the message at `from`, before `last`, when its end is not where it was guessed. Returns
// its bytes; SIZE_MAX: it does not end there.
__attribute__((noinline)) static size_t copy_long_message(const uint8_t *from, const uint8_t *last,
                                                          uint8_t *out)
{
    for (size_t bytes = 0; from + bytes + 32 <= last; bytes += 32) {
        __m256i v = load32(from + bytes);
        store32(out + bytes, v);
        uint32_t bad = (uint32_t)_mm256_movemask_epi8(not_plain(v));
        if (bad != 0) {
            bytes += _tzcnt_u32(bad);
            bool ends = from[bytes] == '"' && from[bytes + 1] == '}';
            return ends ? bytes : SIZE_MAX;
        }
    }
    return SIZE_MAX;
}

// Copies the message at `from` up to its quote, which is guessed to stand at `guess`, to `out`.
// Returns the position behind its brace, or NULL: it is not plain.
static inline const uint8_t *copy_message(const uint8_t *from, const uint8_t *guess,
                                          const uint8_t *last, uint8_t *out, struct mr_record *head)
{
    struct block v = load_block(from);
    store32(out, v.low);
    store32(out + 32, v.high);
    uint64_t bytes = _tzcnt_u64(join_masks(not_plain(v.low), not_plain(v.high)));
    head->message_bytes = (uint32_t)(guess - from);
    if (__builtin_expect(from + bytes == guess && *guess == '"', 1)) {
        return guess + 2;
    }
    bytes = copy_long_message(from, last, out);
    head->message_bytes = (uint32_t)bytes;
    return bytes == SIZE_MAX ? NULL : from + bytes + 2;
}

// Reads the flag behind the quote at `quote`. Returns the position behind its closing quote, or
// NULL. Adds it to the flags.
__attribute__((always_inline)) static inline const uint8_t *read_flag(const uint8_t *quote,
                                                                      uint8_t *flags_io)
{
    const struct mr_word_slot *slot = find_word(&mr_flag_table, load_u64(quote + 1));
    unsigned bit = 1u << slot->code;
    if ((word_differs(slot, quote + 1) | (uint32_t)(*quote ^ '"') | (*flags_io & bit)) != 0) {
        return NULL;
    }
    *flags_io = (uint8_t)(*flags_io | bit);
    return quote + 1 + slot->bytes;
}

// Reads up to two flags between the brackets. False: they are none.
__attribute__((always_inline)) static inline bool
read_direct_flags(const uint8_t *at, const struct commas *commas,
                  const struct mr_record_style *style, uint8_t *flags_out)
{
    const uint8_t *open = at + commas->flags + 10 + style->colon_blanks + style->comma_blanks;
    const uint8_t *comma = at + commas->behind_flag;
    const uint8_t *close = at + commas->message - 1;
    uint8_t flags = 0;
    const uint8_t *behind = open;
    if (open != close) {
        behind = read_flag(open, &flags);
        if (comma < close) {
            if (behind != comma || (style->comma_blanks != 0 && comma[1] != ' ')) {
                return false;
            }
            behind = read_flag(comma + 1 + style->comma_blanks, &flags);
        }
    }
    *flags_out = flags;
    return behind == close;
}

// Reads all but the texts into the head.
__attribute__((always_inline)) static inline bool read_head(const uint8_t *at, const uint8_t *end,
                                                            const struct commas *commas,
                                                            const struct mr_record_style *style,
                                                            struct mr_record *head)
{
    size_t colon = style->colon_blanks;
    size_t blanks = colon + style->comma_blanks;
    struct token id = {at + 6 + colon, at + commas->timestamp};
    struct token timestamp = {at + commas->timestamp + 13 + blanks, at + commas->source};
    struct token value = {at + commas->value + 9 + blanks, at + commas->flags};
    if (!read_short_numbers(id, timestamp, value, end, head)) {
        return false;
    }
    const uint8_t *kind = at + commas->kind + 9 + blanks;
    uint64_t word = load_u64(kind);
    const struct mr_word_slot *slot = find_word(&mr_kind_table, word);
    head->kind = slot->code;
    return is_word(slot, word) && kind + slot->bytes == at + commas->value &&
           read_direct_flags(at, commas, style, &head->flags);
}

// As kernel_batch.h says.
__attribute__((always_inline)) static inline const uint8_t *
read_direct(const uint8_t *at, const uint8_t *end, const struct mr_record_style *style,
            uint8_t *place)
{
    struct commas commas;
    find_commas(at, style, &commas);
    const uint8_t *guess = at + guess_end(at) - 1;
    size_t blanks = style->colon_blanks + style->comma_blanks;
    size_t message = commas.message + 12 + blanks;
    if (message > MESSAGE_MAX || !match_literals(at, &commas, style)) {
        return NULL;
    }
    struct mr_record *head = (struct mr_record *)(void *)place;
    size_t source = commas.source + 11 + blanks;
    size_t source_bytes = commas.kind - 1 - source;
    uint8_t *text = place + MR_RECORD_HEAD_BYTES;
    __m256i v = load32(at + source);
    store32(text, v);
    uint32_t bad = (uint32_t)_mm256_movemask_epi8(not_plain(v));
    head->source_bytes = (uint16_t)source_bytes;
    if (!read_head(at, end, &commas, style, head) || source_bytes - 1 >= 32 ||
        _tzcnt_u32(bad) != source_bytes) {
        return NULL;
    }
    const uint8_t *behind =
        copy_message(at + message, guess, at + DIRECT_BYTES - 1, text + source_bytes, head);
    return behind == NULL || behind > end ? NULL : behind;
}

#endif
