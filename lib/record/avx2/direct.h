// direct.h: the guess path of the AVX2 kernel: a record of plain ASCII in canonical order is read
// without an index.
//
// May only accept what the other paths accept, with equal values: every quote of the record is
// accounted for, and every byte between two texts is compared.
#ifndef MR_RECORD_AVX2_DIRECT_H
#define MR_RECORD_AVX2_DIRECT_H

#include "../kernel_fields.h"
#include "block.h"
#include "numbers.h"
#include "strings.h"

#define DIRECT_WORDS (DIRECT_BYTES / 64)

// How much of it is: three words hold a compact record of 190 bytes, and two sorts of
// blanks need room.
static inline unsigned words_of(const struct mr_record_style *style)
{
    return style->colon_blanks + style->comma_blanks == 2 ? DIRECT_WORDS : DIRECT_WORDS - 1;
}

// Quotes of a record, and the few of them that lead to all others: those behind a comma or brace, 7
// a record instead of 22.
struct quotes {
    uint64_t all[DIRECT_WORDS];
    uint8_t leading[32];
    unsigned leading_count;
};

// The names of `leading` in a record with at most one flag; a second one comes before the message.
// The key id is left out: it stands right behind the brace.
enum { LEADS_TIMESTAMP, LEADS_SOURCE, LEADS_KIND, LEADS_VALUE, LEADS_FLAGS, LEADS_NEXT };

// The key of the message may stand so far from the end, so that nothing is loaded from behind what
// may be looked at.
#define MESSAGE_ROOM 32u

// Appends the places of the lowest `slots` bits.
__attribute__((always_inline)) static inline void list_bits(uint8_t *out, uint64_t bits,
                                                            unsigned base, unsigned slots)
{
    for (unsigned i = 0; i < slots; i++) {
        out[i] = (uint8_t)(base + (unsigned)_tzcnt_u64(bits));
        bits = _blsr_u64(bits);
    }
}

// Whether all bytes are plain ASCII and no backslash.
static inline bool is_plain(const struct block v[DIRECT_WORDS], unsigned words)
{
    const __m256i backslash = _mm256_set1_epi8('\\');
    __m256i least = _mm256_min_epi8(v[0].low, v[0].high);
    __m256i bad = _mm256_or_si256(_mm256_cmpeq_epi8(v[0].low, backslash),
                                  _mm256_cmpeq_epi8(v[0].high, backslash));
    for (unsigned i = 1; i < words; i++) {
        least = _mm256_min_epi8(least, _mm256_min_epi8(v[i].low, v[i].high));
        bad = _mm256_or_si256(bad, _mm256_or_si256(_mm256_cmpeq_epi8(v[i].low, backslash),
                                                   _mm256_cmpeq_epi8(v[i].high, backslash)));
    }
    // As signed numbers control characters and bytes >= 0x80 are below a blank.
    bad = _mm256_or_si256(bad, _mm256_cmpgt_epi8(_mm256_set1_epi8(' '), least));
    return _mm256_testz_si256(bad, bad);
}

// The bytes behind which a leading quote stands: commas and braces, with blanks between them and
// the quote where the style has some behind commas.
__attribute__((always_inline)) static inline uint64_t
find_leading(struct block v, const struct mr_record_style *style, uint64_t carry_io[2])
{
    const __m256i both =
        _mm256_setr_epi8(-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, '{', ',', -1, -1, -1, -1, -1,
                         -1, -1, -1, -1, -1, -1, -1, -1, -1, '{', ',', -1, -1, -1);
    if (style->comma_blanks == 0) {
        uint64_t leads = equal_to_own(v, both);
        uint64_t behind = leads << 1 | carry_io[0];
        carry_io[0] = leads >> 63;
        return behind;
    }
    uint64_t comma = equal_to(v, ',');
    uint64_t brace = equal_to(v, '{');
    uint64_t behind = comma << 2 | brace << 1 | carry_io[0] | carry_io[1];
    carry_io[0] = comma >> 62;
    carry_io[1] = brace >> 63;
    return behind;
}

// Finds the quotes of the record at `at`. False: it is not plain ASCII without escapes, or has too
// many leading quotes anywhere.
__attribute__((always_inline)) static inline bool
find_quotes(const uint8_t *at, const struct mr_record_style *style, struct quotes *quotes)
{
    unsigned words = words_of(style);
    struct block v[DIRECT_WORDS];
    uint64_t leading[DIRECT_WORDS];
    uint64_t carry[2] = {0, 0};
    for (unsigned i = 0; i < words; i++) {
        v[i] = load_block(at + (size_t)64 * i);
        quotes->all[i] = equal_to(v[i], '"');
        leading[i] = quotes->all[i] & find_leading(v[i], style, carry);
    }
    // Zeros where a word had more than is listed: nothing matches there.
    memset(quotes->leading, 0, sizeof quotes->leading);
    leading[0] = _blsr_u64(leading[0]);
    unsigned first = (unsigned)_mm_popcnt_u64(leading[0]);
    unsigned second = first + (unsigned)_mm_popcnt_u64(leading[1]);
    list_bits(quotes->leading, leading[0], 0, 3);
    list_bits(quotes->leading + (first & 7), leading[1], 64, 5);
    list_bits(quotes->leading + (second & 15), leading[2], 128, 4);
    unsigned third = second + (unsigned)_mm_popcnt_u64(leading[2]);
    quotes->leading_count = third;
    if (words == DIRECT_WORDS) {
        list_bits(quotes->leading + (third & 15), leading[3], 192, 3);
        quotes->leading_count += (unsigned)_mm_popcnt_u64(leading[3]);
    }
    return first <= 3 && second <= first + 5 && (words < DIRECT_WORDS || third <= second + 4) &&
           is_plain(v, words);
}

static inline __m256i two_lanes(const uint8_t *a, const uint8_t *b)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load16(a)), load16(b), 1);
}

// All ones in the bytes of two lanes that are as the literal says, or do not count: zeros of it.
static inline __m256i agree(__m256i v, const uint8_t *literals)
{
    __m256i text = load32(literals);
    return _mm256_or_si256(_mm256_cmpeq_epi8(text, v),
                           _mm256_cmpeq_epi8(text, _mm256_setzero_si256()));
}

// What stands between the values, sixteen bytes a piece; `message`: where its key stands.
__attribute__((always_inline)) static inline bool
match_literals(const uint8_t *at, const uint8_t *leading, unsigned message,
               const struct mr_record_style *style)
{
    const uint8_t *comma = at - 1 - style->comma_blanks;
    const uint8_t *quote = comma - 1;
    __m256i a = two_lanes(at, comma + leading[LEADS_TIMESTAMP]);
    __m256i b = two_lanes(comma + leading[LEADS_SOURCE], quote + leading[LEADS_KIND]);
    __m256i c = two_lanes(quote + leading[LEADS_VALUE], comma + leading[LEADS_FLAGS]);
    __m256i d = _mm256_castsi128_si256(load16(quote + message));
    __m256i all = _mm256_and_si256(
        _mm256_and_si256(agree(a, style->literals[0]), agree(b, style->literals[0] + 32)),
        _mm256_and_si256(agree(c, style->literals[1]), agree(d, style->literals[1] + 32)));
    return _mm256_movemask_epi8(all) == -1;
}

// The quotes before `end` < DIRECT_BYTES.
static inline unsigned count_quotes(const struct quotes *quotes, unsigned words, unsigned end)
{
    unsigned count = 0;
    for (unsigned i = 0; i < words; i++) {
        unsigned here = end > 64 * i ? end - 64 * i : 0;
        count += (unsigned)_mm_popcnt_u64(_bzhi_u64(quotes->all[i], here));
    }
    return count;
}

// The first quote at or behind `from`; DIRECT_BYTES: there is none.
static inline unsigned next_quote(const struct quotes *quotes, unsigned words, unsigned from)
{
    for (unsigned i = from / 64; i < words; i++) {
        uint64_t bits = quotes->all[i] & (i == from / 64 ? UINT64_MAX << from % 64 : UINT64_MAX);
        if (bits != 0) {
            return 64 * i + (unsigned)_tzcnt_u64(bits);
        }
    }
    return DIRECT_BYTES;
}

// Where the message ends that begins at `from`: at `next`, if another record follows.
static inline unsigned find_message_end(const uint8_t *at, const struct quotes *quotes,
                                        unsigned words, unsigned from, const uint8_t *next)
{
    uint32_t between;
    memcpy(&between, next, sizeof between);
    if (__builtin_expect((between & 0xFFFFFF) == 0x2C7D22 && next >= at + from, 1)) {
        return (unsigned)(next - at);
    }
    return next_quote(quotes, words, from);
}

// Reads up to two flags between `open`, behind the bracket, and the closing bracket at `close`.
// `second`: the second one's quote, or 0. *quotes_out: how many quotes they have.
__attribute__((always_inline)) static inline bool
read_direct_flags(const uint8_t *at, unsigned open, unsigned second, unsigned close,
                  const struct mr_record_style *style, uint8_t *flags_out, unsigned *quotes_out)
{
    // Arithmetic all along: how many flags there are cannot be foreseen.
    unsigned any = close != open;
    unsigned both = second != 0;
    const struct mr_word_slot *a = find_word(&mr_flag_table, load_u64(at + open + 1));
    const struct mr_word_slot *b = find_word(&mr_flag_table, load_u64(at + second + 1));
    uint32_t wrong_a = word_differs(a, at + open + 1) | (at[open] ^ '"');
    uint32_t wrong_b = word_differs(b, at + second + 1);
    unsigned end_a = open + 1 + (unsigned)_mm_popcnt_u32(a->text_mask);
    unsigned end_b = second + 1 + (unsigned)_mm_popcnt_u32(b->text_mask);
    unsigned bit_a = any << a->code;
    unsigned bit_b = both << b->code;
    uint32_t apart = (second ^ (end_a + 1 + style->comma_blanks)) | (at[end_a] ^ ',');
    apart |= style->comma_blanks != 0 ? at[end_a + 1] ^ ' ' : 0;
    unsigned end = open;
    end ^= (end ^ end_a) & (0u - any);
    end ^= (end ^ end_b) & (0u - both);
    *flags_out = (uint8_t)(bit_a | bit_b);
    *quotes_out = 2 * (any + both);
    return ((wrong_a & (0u - any)) | ((wrong_b | apart) & (0u - both)) | (bit_a & bit_b) |
            (end ^ close)) == 0;
}

// As kernel_batch.h says.
__attribute__((always_inline)) static inline const uint8_t *
read_direct(const uint8_t *at, const uint8_t *end, const struct mr_record_style *style,
            uint8_t *place)
{
    struct quotes quotes;
    const uint8_t *leading = quotes.leading;
    if (!find_quotes(at, style, &quotes)) {
        return NULL;
    }
    const uint8_t *comma = at - 1 - style->comma_blanks;
    const uint8_t *quote = comma - 1;
    unsigned blanks = style->colon_blanks;
    unsigned words = words_of(style);
    // In front of the message's key stands the flags' bracket.
    bool two_flags = quote[leading[LEADS_NEXT]] != ']';
    unsigned message = leading[LEADS_NEXT + two_flags];
    if (quotes.leading_count < 6u + two_flags || message > 64 * words - MESSAGE_ROOM ||
        !match_literals(at, leading, message, style)) {
        return NULL;
    }
    unsigned text_from = message + 11 + blanks;
    unsigned text_end = find_message_end(at, &quotes, words, text_from,
                                         quote + leading[LEADS_NEXT + 1 + two_flags] - 2);
    const uint8_t *source = at + leading[LEADS_SOURCE] + 10 + blanks;
    size_t source_bytes = (size_t)(quote + leading[LEADS_KIND] - source);
    struct mr_record *head = (struct mr_record *)(void *)place;
    struct token id = {at + 6 + blanks, comma + leading[LEADS_TIMESTAMP]};
    struct token timestamp = {at + leading[LEADS_TIMESTAMP] + 12 + blanks,
                              comma + leading[LEADS_SOURCE]};
    struct token value = {at + leading[LEADS_VALUE] + 8 + blanks, comma + leading[LEADS_FLAGS]};
    bool good = read_plain_numbers(id, timestamp, value, end, head);
    uint64_t kind = load_u64(at + leading[LEADS_KIND] + 8 + blanks);
    const struct mr_word_slot *slot = find_word(&mr_kind_table, kind);
    good &= is_word(slot, kind);
    head->kind = slot->code;
    unsigned flag_quotes;
    good &= read_direct_flags(at, leading[LEADS_FLAGS] + 9u + blanks,
                              two_flags ? leading[LEADS_NEXT] : 0, (unsigned)(quote + message - at),
                              style, &head->flags, &flag_quotes);
    // Seven keys, three texts, the flags: no other quote may stand anywhere.
    good &=
        text_end < 64 * words - 1 && count_quotes(&quotes, words, text_end + 1) == 20 + flag_quotes;
    if (!good || source_bytes - 1 >= MR_SOURCE_BYTES_MAX || at + text_end + 2 > end ||
        at[text_end + 1] != '}') {
        return NULL;
    }
    uint8_t *text = place + MR_RECORD_HEAD_BYTES;
    size_t message_bytes = text_end - text_from;
    copy_plain(source, source_bytes, text);
    copy_plain(at + text_from, message_bytes, text + source_bytes);
    head->source_bytes = (uint16_t)source_bytes;
    head->message_bytes = (uint32_t)message_bytes;
    return at + text_end + 2;
}

#endif
