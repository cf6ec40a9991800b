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

static inline struct short_value read_short_value(struct token token)
{
    struct short_value value;
    __m128i v = load16(token.end - 16);
    value.negative = *token.at == '-';
    uint32_t length = (uint32_t)(token.end - token.at) - value.negative;
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

// As kernel_numbers.h says.
static inline bool read_mantissa(const uint8_t *at, const uint8_t *end, struct long_decimal *out)
{
    uint64_t length = (uint64_t)(end - at);
    if (length - 1 >= 32) {
        return false;
    }
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(end - 32));
    __m256i before = _mm256_loadu_si256((const __m256i *)(const void *)(end - 33));
    uint32_t there = (uint32_t)(0xFFFFFFFF00000000u >> length);
    uint32_t dot = _mm256_cmpeq_epi8_mask(v, _mm256_set1_epi8('.')) & there;
    uint32_t first = there & (0u - there);
    uint32_t zero_first = _mm256_cmpeq_epi8_mask(v, _mm256_set1_epi8('0')) & first;
    // Up to the dot everything moves one place to the right.
    uint32_t has_dot = dot != 0;
    uint32_t moved = (dot ^ (dot - 1)) & (0u - has_dot);
    uint32_t kept = there & there << has_dot;
    __m256i digits =
        _mm256_maskz_sub_epi8(kept, _mm256_mask_mov_epi8(v, moved, before), _mm256_set1_epi8('0'));
    uint64_t number[8];
    _mm512_storeu_si512(number, sixteen_digits(_mm512_castsi256_si512(digits)));
    *out = join_digits(number[0], number[2]);
    out->exponent -= _lzcnt_u32(dot | (has_dot ^ 1) << 31);
    bool zero_alone = zero_first == 0 || length == 1 || (zero_first << 1 & dot) != 0;
    return _mm256_cmpgt_epu8_mask(digits, _mm256_set1_epi8(9)) == 0 && zero_alone &&
           (dot & (first | 0x80000000u)) == 0;
}

// Reads id, timestamp and value into the head of a record. False: something is no number of its
// kind. `short_id`: an id of more than sixteen digits need not be read.
__attribute__((always_inline)) static inline bool
read_numbers_with(struct token id, struct token timestamp, struct token value,
                  const uint8_t *text_end, bool short_id, struct mr_record *head)
{
    uint32_t id_length = (uint32_t)(id.end - id.at);
    uint32_t timestamp_length = (uint32_t)(timestamp.end - timestamp.at);
    struct short_value small = read_short_value(value);
    uint32_t id_mask = (uint32_t)(0xFFFFFFFF00000000u >> (id_length & 63));
    uint32_t timestamp_mask = 0xFFFF0000u >> (timestamp_length & 31) & 0xFFFF;
    uint64_t there = (uint64_t)(id_mask >> 16) | (uint64_t)timestamp_mask << 16 |
                     (uint64_t)(small.digits & (0u - (uint32_t)small.taken)) << 32 |
                     (short_id ? 0 : (uint64_t)(id_mask & 0xFFFF) << 48);
    __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(load16(id.end - 16)),
                                          load16(timestamp.end - 16), 1);
    __m256i high = short_id ? _mm256_zextsi128_si256(small.bytes)
                            : _mm256_inserti128_si256(_mm256_castsi128_si256(small.bytes),
                                                      load16(id.end - 32), 1);
    __m512i v = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    __m512i digits = _mm512_maskz_sub_epi8(there, v, _mm512_set1_epi8('0'));
    bool all_digits = _mm512_cmpgt_epu8_mask(digits, _mm512_set1_epi8(9)) == 0;
    uint64_t number[8];
    _mm512_storeu_si512(number, sixteen_digits(digits));
    head->id = short_id ? number[0] : number[6] * 10000000000000000u + number[0];
    head->timestamp_us = number[2];
    bool lengths = id_length - 1 < (short_id ? 16 : 19) && timestamp_length - 1 < 16;
    bool no_zeros =
        (*id.at != '0' || id_length == 1) && (*timestamp.at != '0' || timestamp_length == 1);
    bool is_value = small.taken ? finish_short_value(&small, number[4], &head->value_bits)
                                : read_long_value(&value, text_end, &head->value_bits);
    return all_digits && lengths && no_zeros && head->id <= MR_ID_MAX && is_value;
}

static inline bool read_numbers(struct token id, struct token timestamp, struct token value,
                                const uint8_t *text_end, struct mr_record *head)
{
    return read_numbers_with(id, timestamp, value, text_end, false, head);
}

#endif
