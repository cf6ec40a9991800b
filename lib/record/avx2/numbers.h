// numbers.h: numbers of the AVX2 kernel: sixteen digits a lane, right-aligned, three numbers at
// once.
#ifndef MR_RECORD_AVX2_NUMBERS_H
#define MR_RECORD_AVX2_NUMBERS_H

#include "../kernel_fields.h"
#include "../kernel_numbers.h"
#include "block.h"

// Loaded from n on: masks of the last n bytes of 32, or from 16 + n on of 16. AVX2 has no masks of
// bits; sliding over this costs one load.
static const uint8_t last_bytes[64] = {
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

// Four numbers of sixteen digits: of the lower lane of `a`, of `b`, then of the upper lanes.
static inline void read_lanes(__m256i a, __m256i b, uint64_t numbers_out[4])
{
    const __m256i tens = _mm256_set1_epi16(0x010A);
    const __m256i hundreds = _mm256_set1_epi32(0x00010064);
    __m256i fours_a = _mm256_madd_epi16(_mm256_maddubs_epi16(a, tens), hundreds);
    __m256i fours_b = _mm256_madd_epi16(_mm256_maddubs_epi16(b, tens), hundreds);
    __m256i eights =
        _mm256_madd_epi16(_mm256_packus_epi32(fours_a, fours_b), _mm256_set1_epi32(0x00012710));
    __m256i whole = _mm256_add_epi64(_mm256_mul_epu32(eights, _mm256_set1_epi64x(100000000)),
                                     _mm256_srli_epi64(eights, 32));
    store32((uint8_t *)numbers_out, whole);
}

// Bytes that are no decimals 0 to 9.
static inline __m256i no_digits(__m256i digits)
{
    return _mm256_subs_epu8(digits, _mm256_set1_epi8(9));
}

// Seven digits at most, right-aligned at `end`.
static inline uint64_t few_digits(const uint8_t *end, unsigned count)
{
    uint64_t zeros = MR_SWAR_EACH('0');
    uint64_t mask = ~(UINT64_MAX >> (8 * count & 63));
    return (mr_swar_load(end - 8) & mask) | (zeros & ~mask);
}

// A value of any form, of at most 32 bytes, taken apart.
struct value_parts {
    __m256i digits; // of the mantissa, right-aligned, the dot squeezed out
    int64_t exponent;
    uint64_t negative; // 1 or 0
    bool taken; // false: it is longer, or no number. Not told yet of bytes that are no digits
};

static inline struct value_parts split_value(struct token token)
{
    struct value_parts parts;
    parts.negative = is_negative(token);
    const uint8_t *at = token.at + parts.negative;
    uint64_t length = (uint64_t)(token.end - at);
    uint32_t there = (uint32_t)(0xFFFFFFFF00000000u >> (length & 63));
    __m256i whole = load32(token.end - 32);
    __m256i lower = _mm256_or_si256(whole, _mm256_set1_epi8(0x20));
    uint32_t letter =
        (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(lower, _mm256_set1_epi8('e'))) & there;
    unsigned behind = _lzcnt_u32(letter) & 31;
    const uint8_t *end = letter == 0 ? token.end : token.end - 1 - behind;
    bool minus = (letter != 0) & (end[1] == '-');
    unsigned sign = minus | ((letter != 0) & (end[1] == '+'));
    unsigned count = behind - sign;
    uint64_t word = few_digits(token.end, count);
    int64_t power = (int64_t)mr_swar_number(word);
    bool good = mr_swar_all_digits(word) & (count - (letter != 0) < 7);
    // The mantissa.
    length = (uint64_t)(end - at);
    __m256i v = load32(end - 32);
    __m256i before = load32(end - 33);
    there = (uint32_t)(0xFFFFFFFF00000000u >> (length & 63));
    uint32_t dot =
        (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('.'))) & there;
    unsigned places = _lzcnt_u32(dot) & 31;
    // Up to the dot everything moves one place to the right.
    __m256i stays = load32(last_bytes + (dot == 0 ? 32 : places));
    __m256i counts = load32(last_bytes + ((length - (dot != 0)) & 31));
    parts.digits = _mm256_and_si256(
        _mm256_sub_epi8(_mm256_blendv_epi8(before, v, stays), _mm256_set1_epi8('0')), counts);
    parts.exponent = (minus ? -power : power) - places;
    bool dot_inside = (dot == 0) | ((places != 0) & (length - 1 > places));
    bool zero_alone = (*at != '0') | (length == 1) | (at[1] == '.');
    parts.taken = good & (length - 1 < 31) & dot_inside & zero_alone;
    return parts;
}

// The value of the parts, whose digits say `upper` and `lower`. False: look again.
static inline bool join_value(const struct value_parts *parts, uint64_t upper, uint64_t lower,
                              uint64_t *bits_out)
{
    if (upper >= 1000) {
        return false; // more than 19 digits
    }
    uint64_t bits = mr_eisel_lemire(upper * 10000000000000000u + lower, parts->exponent);
    double magnitude;
    memcpy(&magnitude, &bits, sizeof magnitude);
    *bits_out = bits | parts->negative << 63;
    return magnitude <= MR_VALUE_LIMIT;
}

// Makes at most 19 digits of 32: the upper sixteen and the lower sixteen.
static inline struct long_decimal join_digits(uint64_t upper, uint64_t lower)
{
    static const uint64_t powers[17] = {1,
                                        10,
                                        100,
                                        1000,
                                        10000,
                                        100000,
                                        1000000,
                                        10000000,
                                        100000000,
                                        1000000000,
                                        10000000000,
                                        100000000000,
                                        1000000000000,
                                        10000000000000,
                                        100000000000000,
                                        1000000000000000,
                                        10000000000000000};
    unsigned cut = 0;
    // The digits may not have been checked yet: the bound is for what are none.
    while (cut < 13 && upper >= powers[3 + cut]) {
        cut++;
    }
    struct long_decimal decimal = {.exponent = cut};
    decimal.significand = upper * powers[16 - cut] + lower / powers[cut];
    decimal.more = lower % powers[cut];
    return decimal;
}

// The mantissa [at, end) of at most 32 bytes, without sign. False: it is none.
static inline bool read_mantissa(const uint8_t *at, const uint8_t *end, struct long_decimal *out)
{
    uint64_t length = (uint64_t)(end - at);
    if (length - 1 >= 32) {
        return false;
    }
    __m256i v = load32(end - 32);
    __m256i before = load32(end - 33);
    uint32_t there = (uint32_t)(0xFFFFFFFF00000000u >> length);
    uint32_t dot =
        (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('.'))) & there;
    unsigned places = _lzcnt_u32(dot) & 31;
    // Up to the dot everything moves one place to the right.
    __m256i stays = load32(last_bytes + (dot == 0 ? 32 : places));
    __m256i counts = load32(last_bytes + length - (dot != 0));
    __m256i digits = _mm256_and_si256(
        _mm256_sub_epi8(_mm256_blendv_epi8(before, v, stays), _mm256_set1_epi8('0')), counts);
    uint64_t number[4];
    read_lanes(digits, digits, number);
    *out = join_digits(number[0], number[2]);
    out->exponent -= places;
    bool dot_inside = dot == 0 || (places != 0 && length - 1 > places);
    bool zero_alone = *at != '0' || length == 1 || at[1] == '.';
    __m256i wrong = no_digits(digits);
    return _mm256_testz_si256(wrong, wrong) && zero_alone && dot_inside;
}

// A number of at most 32 bytes, of any form. False as read_any_value().
__attribute__((noinline)) static bool read_long_value(const struct token *token,
                                                      const uint8_t *text_end, uint64_t *bits_out)
{
    const uint8_t *at = token->at + (*token->at == '-');
    uint64_t length = (uint64_t)(token->end - at);
    if (length - 1 >= 32) {
        return read_any_value(token, text_end, bits_out);
    }
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(token->end - 32));
    __m256i lower = _mm256_or_si256(v, _mm256_set1_epi8(0x20));
    uint32_t letter =
        (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(lower, _mm256_set1_epi8('e'))) &
        (uint32_t)(0xFFFFFFFF00000000u >> length);
    const uint8_t *end = letter == 0 ? token->end : token->end - 1 - _lzcnt_u32(letter);
    int64_t exponent = 0;
    struct long_decimal decimal;
    if ((letter != 0 && !read_exponent(end + 1, token->end, &exponent)) ||
        !read_mantissa(at, end, &decimal)) {
        return read_any_value(token, text_end, bits_out);
    }
    decimal.exponent += exponent;
    return finish_long_value(token, &decimal, text_end, bits_out);
}

// Whether id and timestamp, which are digits, are as the contract says.
static inline bool check_integers(struct token id, struct token timestamp,
                                  const struct mr_record *head)
{
    bool lengths =
        (uint64_t)(id.end - id.at) - 1 < 19 && (uint64_t)(timestamp.end - timestamp.at) - 1 < 18;
    bool no_zeros = ((*id.at != '0') | (id.end - id.at == 1)) &
                    ((*timestamp.at != '0') | (timestamp.end - timestamp.at == 1));
    return lengths && no_zeros && head->id <= MR_ID_MAX &&
           head->timestamp_us <= MR_TIMESTAMP_US_MAX;
}

static inline __m256i integer_digits(struct token token)
{
    uint32_t length = (uint32_t)(token.end - token.at);
    return _mm256_and_si256(_mm256_sub_epi8(load32(token.end - 32), _mm256_set1_epi8('0')),
                            load32(last_bytes + (length & 31)));
}

// As kernel_fields.h says. All values go one way, whatever their form: messy ones change it from
// record to record, and a branch missed costs more than the longer way.
static inline bool read_numbers(struct token id, struct token timestamp, struct token value,
                                const uint8_t *text_end, struct mr_record *head)
{
    struct value_parts parts = split_value(value);
    __m256i id_lanes = integer_digits(id);
    __m256i timestamp_lanes = integer_digits(timestamp);
    uint64_t number[4];
    uint64_t digits[4];
    read_lanes(id_lanes, timestamp_lanes, number);
    read_lanes(parts.digits, parts.digits, digits);
    __m256i wrong = _mm256_or_si256(no_digits(id_lanes), no_digits(timestamp_lanes));
    __m256i wrong_value = no_digits(parts.digits);
    bool is_value = parts.taken && _mm256_testz_si256(wrong_value, wrong_value) &&
                    join_value(&parts, digits[0], digits[2], &head->value_bits);
    if (__builtin_expect(!is_value, 0)) {
        is_value = read_long_value(&value, text_end, &head->value_bits);
    }
    head->id = number[0] * 10000000000000000u + number[2];
    head->timestamp_us = number[1] * 10000000000000000u + number[3];
    return is_value && _mm256_testz_si256(wrong, wrong) && check_integers(id, timestamp, head);
}

// As read_numbers(), kept out of the way of the numbers that are usual.
__attribute__((noinline)) static bool
read_rare_numbers(const struct token *id, const struct token *timestamp, const struct token *value,
                  const uint8_t *text_end, struct mr_record *head)
{
    return read_numbers(*id, *timestamp, *value, text_end, head);
}

// Shuffles of a value's lane by its dot's place: what stands up to there moves one place to the
// right, over the dot; behind it the lane's last byte becomes 0. Row 15: there is no dot.
#define NONE 0x80
static const uint8_t squeeze_dot[16][16] = {
    {NONE, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, NONE},
    {NONE, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, NONE},
    {NONE, 0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, NONE},
    {NONE, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, NONE},
    {NONE, 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, NONE},
    {NONE, 0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, NONE},
    {NONE, 0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, NONE},
    {NONE, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, NONE},
    {NONE, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, NONE},
    {NONE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, NONE},
    {NONE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, NONE},
    {NONE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, NONE},
    {NONE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, NONE},
    {NONE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, NONE},
    {NONE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, NONE},
    {NONE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}};
#undef NONE

// As read_numbers(), for an id of at most fifteen digits, a timestamp of sixteen, and a value of at
// most fifteen bytes without exponent; anything else the slow way.
//
// The value's lane ends with the byte behind it, which stands for the dot where there is none: so
// up to the dot everything moves one place to the right, always. Where there is one, the lane's
// last digit is an added zero, and the dot's place counts it.
__attribute__((always_inline)) static inline bool
read_short_numbers(struct token id, struct token timestamp, struct token value,
                   const uint8_t *text_end, struct mr_record *head)
{
    const __m256i zeros = all_of(MR_ALL_ZEROS);
    uint64_t negative = is_negative(value);
    const uint8_t *first = value.at + negative;
    uint32_t id_length = (uint32_t)(id.end - id.at);
    uint32_t length = (uint32_t)(value.end - first);
    uint32_t begin = 15 - length; // in the lane
    // The dot is looked for from the value's begin on, which is known before its end is.
    uint32_t token_length = (uint32_t)(value.end - value.at);
    __m128i dots = _mm_cmpeq_epi8(load16(value.at), _mm256_castsi256_si128(all_of(MR_ALL_DOTS)));
    uint32_t ends = (uint32_t)_mm_movemask_epi8(dots) | 1u << (token_length & 31);
    uint32_t dot = (15 - token_length + _tzcnt_u32(ends)) & 15;
    __m128i v = load16(value.end - 15);
    __m128i squeezed =
        _mm_shuffle_epi8(_mm_sub_epi8(v, _mm256_castsi256_si128(zeros)), load16(squeeze_dot[dot]));
    __m128i value_digits = _mm_and_si128(squeezed, load16(last_bytes + 16 + (length & 15)));
    // The upper lane counts whole.
    __m256i text = _mm256_inserti128_si256(_mm256_castsi128_si256(load16(id.end - 16)),
                                           load16(timestamp.end - 16), 1);
    __m256i digits =
        _mm256_and_si256(_mm256_sub_epi8(text, zeros), load32(last_bytes + 16 + (id_length & 15)));
    __m256i others = _mm256_zextsi128_si256(value_digits);
    __m256i wrong = _mm256_subs_epu8(_mm256_max_epu8(digits, others), all_of(MR_ALL_NINES));
    // Zeros lead only before the dot (as for the other two, 0 itself is rare); the dot is neither
    // first nor last.
    if (__builtin_expect(*id.at == '0' || *timestamp.at == '0' || dot == begin || dot == 14 ||
                             (*first == '0' && dot != begin + 1) ||
                             ((id_length - 1) | id_length | (length - 1) | length) > 15 ||
                             timestamp.end - timestamp.at != 16 ||
                             !_mm256_testz_si256(wrong, wrong),
                         0)) {
        return read_rare_numbers(&id, &timestamp, &value, text_end, head);
    }
    uint64_t number[4];
    read_lanes(digits, others, number);
    head->id = number[0];
    head->timestamp_us = number[2];
    head->value_bits = divide_by_power(number[1], dot) | negative << 63;
    return true;
}

#endif
