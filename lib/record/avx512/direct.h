// direct.h: the guess path of the AVX-512 kernel: a record of plain ASCII in canonical order, with
// a blank behind each colon or comma or none, is read without an index.
//
// May only accept what the other paths accept, with equal values: every quote of the record is
// accounted for, and every byte between two texts is compared.
#ifndef MR_RECORD_AVX512_DIRECT_H
#define MR_RECORD_AVX512_DIRECT_H

#include "../kernel_fields.h"
#include "escapes.h"
#include "numbers.h"

// Where the quotes of a record stand, from its brace on, by their number.
struct quotes {
    uint8_t at[4 * 64 + 64];
    unsigned bracket;        // of the flags, the closing one
    unsigned before_bracket; // quotes before it
};

// Finds the quotes of the record at `at`. False: it is not plain ASCII without escapes.
static inline bool find_quotes(const uint8_t *at, struct quotes *quotes)
{
    __m512i a = _mm512_loadu_si512(at);
    __m512i b = _mm512_loadu_si512(at + 64);
    __m512i c = _mm512_loadu_si512(at + 128);
    __m512i d = _mm512_loadu_si512(at + 192);
    const __m512i quote = _mm512_set1_epi8('"');
    uint64_t in_a = _mm512_cmpeq_epi8_mask(a, quote);
    uint64_t in_b = _mm512_cmpeq_epi8_mask(b, quote);
    uint64_t in_c = _mm512_cmpeq_epi8_mask(c, quote);
    uint64_t in_d = _mm512_cmpeq_epi8_mask(d, quote);
    __m512i numbers = byte_numbers();
    const __m512i next = _mm512_set1_epi8(64);
    unsigned count_a = (unsigned)_mm_popcnt_u64(in_a);
    unsigned count_b = count_a + (unsigned)_mm_popcnt_u64(in_b);
    unsigned count_c = count_b + (unsigned)_mm_popcnt_u64(in_c);
    _mm512_storeu_si512(quotes->at, _mm512_maskz_compress_epi8(in_a, numbers));
    numbers = _mm512_add_epi8(numbers, next);
    _mm512_storeu_si512(quotes->at + count_a, _mm512_maskz_compress_epi8(in_b, numbers));
    numbers = _mm512_add_epi8(numbers, next);
    _mm512_storeu_si512(quotes->at + count_b, _mm512_maskz_compress_epi8(in_c, numbers));
    numbers = _mm512_add_epi8(numbers, next);
    _mm512_storeu_si512(quotes->at + count_c, _mm512_maskz_compress_epi8(in_d, numbers));
    // The flags' closing bracket stands in the second or third block of nearly all records.
    const __m512i bracket = _mm512_set1_epi8(']');
    uint64_t close_b = _mm512_cmpeq_epi8_mask(b, bracket);
    uint64_t close_c = _mm512_cmpeq_epi8_mask(c, bracket);
    unsigned first_b = (unsigned)_tzcnt_u64(close_b);
    unsigned first_c = (unsigned)_tzcnt_u64(close_c);
    unsigned before_b = count_a + (unsigned)_mm_popcnt_u64(_bzhi_u64(in_b, first_b));
    unsigned before_c = count_b + (unsigned)_mm_popcnt_u64(_bzhi_u64(in_c, first_c));
    quotes->bracket = close_b != 0 ? 64 + first_b : 128 + first_c;
    quotes->before_bracket = close_b != 0 ? before_b : before_c;
    // As signed numbers control characters and bytes >= 0x80 are below a blank.
    __m512i least = _mm512_min_epi8(_mm512_min_epi8(a, b), _mm512_min_epi8(c, d));
    const __m512i backslash = _mm512_set1_epi8('\\');
    __m512i distance = _mm512_min_epu8(
        _mm512_min_epu8(_mm512_xor_si512(a, backslash), _mm512_xor_si512(b, backslash)),
        _mm512_min_epu8(_mm512_xor_si512(c, backslash), _mm512_xor_si512(d, backslash)));
    return (_mm512_cmplt_epi8_mask(least, _mm512_set1_epi8(' ')) |
            _mm512_testn_epi8_mask(distance, distance)) == 0 &&
           (close_b | close_c) != 0;
}

static inline __m512i four_lanes(const uint8_t *a, const uint8_t *b, const uint8_t *c,
                                 const uint8_t *d)
{
    __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(load16(a)), load16(b), 1);
    __m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(load16(c)), load16(d), 1);
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

// What stands between the values, sixteen bytes a piece.
static inline bool match_literals(const uint8_t *at, const struct quotes *quotes,
                                  const struct mr_record_style *style)
{
    const uint8_t *q = quotes->at;
    const uint8_t *behind_comma = at - 1 - style->comma_blanks;
    __m512i one = four_lanes(at, behind_comma + q[2], behind_comma + q[4], at + q[7]);
    __m512i two = four_lanes(at + q[11], behind_comma + q[14], at + quotes->bracket, at);
    __mmask64 wrong =
        _mm512_mask_cmpneq_epi8_mask(style->care[0], one, _mm512_loadu_si512(style->literals[0])) |
        _mm512_mask_cmpneq_epi8_mask(style->care[1], two, _mm512_loadu_si512(style->literals[1]));
    return wrong == 0;
}

// Reads up to two flags; the brackets stand right before and behind.
static inline bool read_direct_flags(const uint8_t *at, const struct quotes *quotes, unsigned count,
                                     const struct mr_record_style *style, uint8_t *flags_out)
{
    const uint8_t *q = quotes->at + 16;
    const struct mr_word_slot *a = find_word(&mr_flag_table, load_u64(at + q[0] + 1));
    const struct mr_word_slot *b = find_word(&mr_flag_table, load_u64(at + q[2] + 1));
    uint32_t wrong_a =
        _mm_mask_cmpneq_epi8_mask(a->text_mask, load16(at + q[0] + 1), load16(a->text));
    uint32_t wrong_b =
        _mm_mask_cmpneq_epi8_mask(b->text_mask, load16(at + q[2] + 1), load16(b->text));
    unsigned bit_a = count > 0 ? 1u << a->code : 0;
    unsigned bit_b = count > 1 ? 1u << b->code : 0;
    wrong_a = count > 0 ? wrong_a : 0;
    unsigned between = 2u + style->comma_blanks;
    bool parted = q[2] == q[1] + between && at[q[1] + 1] == ',' &&
                  (style->comma_blanks == 0 || at[q[1] + 2] == ' ');
    wrong_b = count > 1 ? wrong_b | !parted : 0;
    // Without flags the brackets touch; else the first quote stands behind one, the last before the
    // other.
    unsigned open = quotes->at[15] + 2u + style->colon_blanks;
    unsigned last = count == 0 ? open : q[2 * count - 1];
    unsigned first = count == 0 ? quotes->bracket : q[0];
    *flags_out = (uint8_t)(bit_a | bit_b);
    return (wrong_a | wrong_b | (bit_a & bit_b)) == 0 && quotes->bracket == last + 1 &&
           first == open + 1;
}

// Reads the record at `at`, of which DIRECT_BYTES may be looked at; it must end before `end`. NULL,
// or the position behind its brace; its typed form stands at `place`.
__attribute__((always_inline)) static inline const uint8_t *
read_direct(const uint8_t *at, const uint8_t *end, const struct mr_record_style *style,
            uint8_t *place)
{
    struct quotes quotes;
    if (!find_quotes(at, &quotes)) {
        return NULL;
    }
    const uint8_t *q = quotes.at;
    unsigned flags_count = (quotes.before_bracket - 16) / 2;
    unsigned colon_blanks = style->colon_blanks;
    unsigned comma_blanks = style->comma_blanks;
    const uint8_t *message = at + quotes.bracket + 13 + colon_blanks + comma_blanks;
    const uint8_t *message_end = at + q[(quotes.before_bracket + 3) & 63];
    if (flags_count > 2 || (quotes.before_bracket & 1) != 0 ||
        !match_literals(at, &quotes, style) || message_end + 2 > end || message_end < message ||
        message_end[1] != '}') {
        return NULL;
    }
    struct mr_record *head = (struct mr_record *)(void *)place;
    const uint8_t *behind_comma = at - 1 - comma_blanks;
    struct token id = {at + 6 + colon_blanks, behind_comma + q[2]};
    struct token timestamp = {at + q[2] + 12 + colon_blanks, behind_comma + q[4]};
    struct token value = {at + q[13] + 2 + colon_blanks, behind_comma + q[14]};
    bool good = read_short_numbers(id, timestamp, value, end, head);
    uint64_t kind = load_u64(at + q[10] + 1);
    const struct mr_word_slot *slot = find_word(&mr_kind_table, kind);
    good &= is_word(slot, kind);
    head->kind = slot->code;
    good &= read_direct_flags(at, &quotes, flags_count, style, &head->flags);
    size_t source_bytes = (size_t)(q[7] - q[6]) - 1;
    if (!good || source_bytes - 1 >= MR_SOURCE_BYTES_MAX) {
        return NULL;
    }
    uint8_t *text = place + MR_RECORD_HEAD_BYTES;
    if (!MR_WITHOUT_COPIES) {
        _mm512_storeu_si512(text, _mm512_loadu_si512(at + q[6] + 1));
    }
    text += source_bytes;
    size_t message_bytes = (size_t)(message_end - message);
    for (size_t i = 0; !MR_WITHOUT_COPIES && i < message_bytes; i += 64) {
        _mm512_storeu_si512(text + i, _mm512_loadu_si512(message + i));
    }
    head->source_bytes = (uint16_t)source_bytes;
    head->message_bytes = (uint32_t)message_bytes;
    return message_end + 2;
}

#endif
