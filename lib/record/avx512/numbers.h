// numbers.h: numbers of the AVX-512 kernel: sixteen digits at once, right-aligned, three numbers in
// one register.
#ifndef MR_RECORD_AVX512_NUMBERS_H
#define MR_RECORD_AVX512_NUMBERS_H

#include "../kernel_numbers.h"

// The decimals that sixteen digits a lane say: 64-bit element 2 · lane has it.
static inline __m512i sixteen_digits(__m512i digits)
{
    __m512i pairs = _mm512_maddubs_epi16(digits, _mm512_set1_epi16(0x010A));
    __m512i fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00010064));
    __m512i packed = _mm512_packus_epi32(fours, fours);
    __m512i eights = _mm512_madd_epi16(packed, _mm512_set1_epi32(0x00012710));
    return _mm512_add_epi64(_mm512_mul_epu32(eights, _mm512_set1_epi64(100000000)),
                            _mm512_srli_epi64(eights, 32));
}

// A value of at most sixteen bytes and without exponent, as its digits: the dot is squeezed out.
struct short_value {
    __m128i bytes;
    uint32_t digits;   // mask of the sixteen bytes
    uint32_t places;   // behind the dot
    uint64_t negative; // 1 or 0
    bool taken;        // false: it is longer, or has an exponent, or is no number
};

static inline struct short_value read_short_value(struct token token)
{
    struct short_value value;
    __m128i v = load16(token.end - 16);
    value.negative = is_negative(token);
    uint32_t length = (uint32_t)(token.end - token.at) - (uint32_t)value.negative;
    uint32_t there = 0xFFFF0000u >> (length & 31) & 0xFFFF;
    uint32_t dot = _mm_cmpeq_epi8_mask(v, _mm_set1_epi8('.')) & there;
    uint32_t digit = _mm_cmple_epu8_mask(_mm_sub_epi8(v, _mm_set1_epi8('0')), _mm_set1_epi8(9));
    uint32_t first = there & (0u - there);
    uint32_t zero_first = _mm_cmpeq_epi8_mask(v, _mm_set1_epi8('0')) & first;
    // Up to the dot everything moves one place to the right.
    uint32_t has_dot = dot != 0;
    uint32_t moved = (dot ^ (dot - 1)) & (0u - has_dot);
    value.bytes = _mm_mask_mov_epi8(v, (__mmask16)moved, _mm_bslli_si128(v, 1));
    value.digits = there & (there << has_dot);
    value.places = _lzcnt_u32(dot << 16 | (has_dot ^ 1) << 31);
    bool plain = ((there ^ dot) & ~digit) == 0 && (dot & (dot - 1)) == 0;
    bool dot_inside = (dot & (first | 0x8000)) == 0;
    bool zero_alone = zero_first == 0 || (zero_first << 1 & (dot | 0x10000)) != 0;
    value.taken = length - 1 < 16 && plain && dot_inside && zero_alone;
    return value;
}

// A short value from its significand.
static inline bool finish_short_value(const struct short_value *value, uint64_t significand,
                                      uint64_t *bits_out)
{
    static const double powers[16] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                      1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t bits;
    if (__builtin_expect(significand <= 1ull << 53, 1)) {
        double quotient = (double)(int64_t)significand / powers[value->places];
        memcpy(&bits, &quotient, sizeof bits);
    } else {
        bits = mr_eisel_lemire(significand, -(int64_t)value->places);
    }
    double magnitude;
    memcpy(&magnitude, &bits, sizeof magnitude);
    *bits_out = bits | value->negative << 63;
    return magnitude <= MR_VALUE_LIMIT;
}

// The first 19 of `count` digits, left-aligned, of a number with its dot `places` before its end.
// The zeros behind them count as digits where there are fewer.
static inline struct long_decimal first_digits(__m512i digits, unsigned count, unsigned places)
{
    uint64_t number[8];
    _mm512_storeu_si512(number, sixteen_digits(_mm512_maskz_mov_epi8(0x7FFFF, digits)));
    struct long_decimal decimal;
    decimal.significand = number[0] * 1000 + number[2] / 10000000000000u;
    decimal.exponent = (int64_t)count - 19 - (int64_t)places;
    decimal.more = (uint64_t)_mm512_test_epi8_mask(digits, digits) >> 19;
    return decimal;
}

// The mantissa [at, end) of a number, 1 to 64 bytes without sign. False: it is none.
static inline bool read_mantissa(const uint8_t *at, const uint8_t *end, struct long_decimal *out)
{
    unsigned length = (unsigned)(end - at);
    __m512i v = _mm512_loadu_si512(end - 64);
    __m512i digits = _mm512_sub_epi8(v, _mm512_set1_epi8('0'));
    uint64_t there = UINT64_MAX << ((64 - length) & 63);
    uint64_t digit = _mm512_mask_cmple_epu8_mask(there, digits, _mm512_set1_epi8(9));
    uint64_t dot = _mm512_mask_cmpeq_epi8_mask(there, v, _mm512_set1_epi8('.'));
    uint64_t nonzero = _mm512_mask_test_epi8_mask(digit, digits, digits);
    // From the first digit on that is not zero.
    uint64_t kept = digit & (0 - (nonzero & (0 - nonzero)));
    unsigned places = dot == 0 ? 0 : (unsigned)_lzcnt_u64(dot);
    *out = first_digits(_mm512_maskz_compress_epi8(kept, digits), (unsigned)_mm_popcnt_u64(kept),
                        places);
    uint64_t first = there & (0 - there);
    bool one_dot = (digit | dot) == there && (dot & (dot - 1)) == 0;
    bool dot_inside = (dot & (first | 1ull << 63)) == 0;
    bool zero_alone = *at != '0' || length == 1 || at[1] == '.';
    return one_dot && dot_inside && zero_alone;
}

// A number of at most 64 bytes, of any form. False as read_any_value().
__attribute__((noinline)) static bool read_long_value(const struct token *token,
                                                      const uint8_t *text_end, uint64_t *bits_out)
{
    const uint8_t *at = token->at + (*token->at == '-');
    size_t length = (size_t)(token->end - at);
    if (length - 1 >= 64) {
        return read_any_value(token, text_end, bits_out);
    }
    __m512i v = _mm512_loadu_si512(token->end - 64);
    __m512i lower = _mm512_or_si512(v, _mm512_set1_epi8(0x20));
    uint64_t letter = _mm512_mask_cmpeq_epi8_mask(UINT64_MAX << ((64 - length) & 63), lower,
                                                  _mm512_set1_epi8('e'));
    const uint8_t *end = letter == 0 ? token->end : token->end - 1 - _lzcnt_u64(letter);
    int64_t exponent = 0;
    struct long_decimal decimal;
    if (end == at || (letter != 0 && !read_exponent(end + 1, token->end, &exponent)) ||
        !read_mantissa(at, end, &decimal)) {
        return read_any_value(token, text_end, bits_out);
    }
    decimal.exponent += exponent;
    return finish_long_value(token, &decimal, text_end, bits_out);
}

// The number whose lower sixteen digits are known: those before them, at most two, are added.
// False: one is no digit.
__attribute__((noinline)) static bool add_upper_digits(struct token token, uint64_t *number_io)
{
    bool digits = true;
    uint64_t upper = 0;
    for (const uint8_t *at = token.at; at < token.end - 16; at++) {
        uint64_t digit = (uint64_t)*at - '0';
        digits &= digit <= 9;
        upper = 10 * upper + digit;
    }
    *number_io += upper * 10000000000000000u;
    return digits && *number_io <= MR_TIMESTAMP_US_MAX;
}

// Reads id, timestamp and value into the head of a record. False: something is no number of its
// kind.
static inline bool read_numbers(struct token id, struct token timestamp, struct token value,
                                const uint8_t *text_end, struct mr_record *head)
{
    uint32_t id_length = (uint32_t)(id.end - id.at);
    uint32_t timestamp_length = (uint32_t)(timestamp.end - timestamp.at);
    struct short_value small = read_short_value(value);
    uint32_t id_mask = (uint32_t)(0xFFFFFFFF00000000u >> (id_length & 63));
    bool long_timestamp = timestamp_length > 16;
    uint32_t timestamp_mask =
        long_timestamp ? 0xFFFF : 0xFFFF0000u >> (timestamp_length & 31) & 0xFFFF;
    uint64_t there = (uint64_t)(id_mask >> 16) | (uint64_t)timestamp_mask << 16 |
                     (uint64_t)(small.digits & (0u - (uint32_t)small.taken)) << 32 |
                     (uint64_t)(id_mask & 0xFFFF) << 48;
    __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(load16(id.end - 16)),
                                          load16(timestamp.end - 16), 1);
    __m256i high =
        _mm256_inserti128_si256(_mm256_castsi128_si256(small.bytes), load16(id.end - 32), 1);
    __m512i v = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    __m512i digits = _mm512_maskz_sub_epi8(there, v, _mm512_set1_epi8('0'));
    bool all_digits = _mm512_cmpgt_epu8_mask(digits, _mm512_set1_epi8(9)) == 0;
    uint64_t number[8];
    _mm512_storeu_si512(number, sixteen_digits(digits));
    head->id = number[6] * 10000000000000000u + number[0];
    head->timestamp_us = number[2];
    bool lengths = id_length - 1 < 19 && timestamp_length - 1 < 18;
    if (__builtin_expect(long_timestamp && lengths, 0)) {
        lengths = add_upper_digits(timestamp, &head->timestamp_us);
    }
    bool no_zeros =
        (*id.at != '0' || id_length == 1) && (*timestamp.at != '0' || timestamp_length == 1);
    bool is_value = small.taken ? finish_short_value(&small, number[4], &head->value_bits)
                                : read_long_value(&value, text_end, &head->value_bits);
    return all_digits && lengths && no_zeros && head->id <= MR_ID_MAX && is_value;
}

// As read_numbers(), kept out of the way of the numbers that are usual.
__attribute__((noinline)) static bool
read_rare_numbers(const struct token *id, const struct token *timestamp, const struct token *value,
                  const uint8_t *text_end, struct mr_record *head)
{
    return read_numbers(*id, *timestamp, *value, text_end, head);
}

// A value of at most fifteen bytes without exponent, as a lane of sixteen digits.
//
// The lane ends with the byte behind the value, which stands for the dot where there is none: so up
// to the dot everything moves one place to the right, always. Where there is one, the lane's last
// digit is an added zero, and the dot's place counts it.
struct value_lane {
    __m128i bytes;
    uint32_t kept; // mask of its digits
    uint32_t dot;  // mask of the dot, or of what stands for it
    uint32_t length;
    uint32_t fault; // not 0: the dot stands first or last
};

static inline struct value_lane read_value_lane(struct token token, uint64_t negative)
{
    struct value_lane lane;
    lane.length = (uint32_t)(token.end - token.at) - (uint32_t)negative;
    __m128i v = load16(token.end - 15);
    uint32_t there = (uint16_t)(0xFFFF0000u >> (lane.length & 31)) >> 1;
    uint32_t dots = _mm_cmpeq_epi8_mask(v, _mm_set1_epi8('.')) & there;
    lane.dot = dots | 0x8000;
    uint32_t moved = _blsmsk_u32(lane.dot);
    lane.bytes = _mm_mask_mov_epi8(v, (__mmask16)moved, _mm_bslli_si128(v, 1));
    // With a dot the lane's last byte is none of the value's.
    lane.kept = there << 1 & (moved | 0x7FFF);
    uint32_t first = there & (0u - there);
    lane.fault = dots & (first | 0x4000);
    return lane;
}

// Reads an id and a timestamp of at most sixteen digits and a value of at most fifteen bytes
// without exponent; anything else the slow way. False: something is no number of its kind.
__attribute__((always_inline)) static inline bool
read_short_numbers(struct token id, struct token timestamp, struct token value,
                   const uint8_t *text_end, struct mr_record *head)
{
    uint64_t negative = is_negative(value);
    uint32_t id_length = (uint32_t)(id.end - id.at);
    uint32_t timestamp_length = (uint32_t)(timestamp.end - timestamp.at);
    struct value_lane lane = read_value_lane(value, negative);
    uint32_t id_kept = (uint16_t)(0xFFFF0000u >> (id_length & 31));
    uint32_t timestamp_kept = 0xFFFF0000u >> (timestamp_length & 31) << 16;
    uint64_t kept = (uint64_t)(id_kept | timestamp_kept) | (uint64_t)lane.kept << 32;
    __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(load16(id.end - 16)),
                                          load16(timestamp.end - 16), 1);
    __m512i text =
        _mm512_inserti64x4(_mm512_castsi256_si512(low), _mm256_zextsi128_si256(lane.bytes), 1);
    __m512i digits = _mm512_maskz_sub_epi8(kept, text, _mm512_set1_epi8('0'));
    uint64_t wrong = _mm512_cmpgt_epu8_mask(digits, _mm512_set1_epi8(9));
    // No lane's first digit may be zero, but for its last place and right before the dot.
    const uint64_t last = 0x800080008000;
    uint64_t not_first = (kept << 1 & ~0x000100010001ull) | last | (uint64_t)lane.dot << 32;
    uint64_t zeros = _mm512_mask_testn_epi8_mask(kept & ~not_first, digits, digits);
    uint32_t lengths = (id_length - 1) | (timestamp_length - 1) | (lane.length - 1) | lane.length;
    if (__builtin_expect((wrong | zeros | lane.fault | (lengths & ~15u)) != 0, 0)) {
        return read_rare_numbers(&id, &timestamp, &value, text_end, head);
    }
    uint64_t number[8];
    _mm512_storeu_si512(number, sixteen_digits(digits));
    head->id = number[0];
    head->timestamp_us = number[2];
    head->value_bits = divide_by_power(number[4], (unsigned)_tzcnt_u32(lane.dot)) | negative << 63;
    return true;
}

#endif
