// compare.h: comparing bytes in the AVX-512 kernel, for kernel_fields.h.
#ifndef MR_RECORD_AVX512_COMPARE_H
#define MR_RECORD_AVX512_COMPARE_H

#include "../kernel_fields.h"

static inline uint64_t equal_bytes(const uint8_t *at, uint8_t byte)
{
    return _mm512_cmpeq_epi8_mask(_mm512_loadu_si512(at), _mm512_set1_epi8((char)byte));
}

static inline uint64_t differing_bytes(const uint8_t *at, const uint8_t *other)
{
    return _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(at), _mm512_loadu_si512(other));
}

static inline uint32_t word_differs(const struct mr_word_slot *slot, const uint8_t *at)
{
    return _mm_mask_cmpneq_epi8_mask(slot->text_mask, load16(at), load16(slot->text));
}

#endif
