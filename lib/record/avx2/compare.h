// compare.h: comparing bytes in the AVX2 kernel, for kernel_fields.h.
#ifndef MR_RECORD_AVX2_COMPARE_H
#define MR_RECORD_AVX2_COMPARE_H

#include "../kernel_fields.h"
#include "block.h"

static inline uint64_t equal_bytes(const uint8_t *at, uint8_t byte)
{
    return equal_to(load_block(at), byte);
}

static inline uint64_t differing_bytes(const uint8_t *at, const uint8_t *other)
{
    struct block a = load_block(at);
    struct block b = load_block(other);
    return ~join_masks(_mm256_cmpeq_epi8(a.low, b.low), _mm256_cmpeq_epi8(a.high, b.high));
}

static inline uint32_t word_differs(const struct mr_word_slot *slot, const uint8_t *at)
{
    __m128i equal = _mm_cmpeq_epi8(load16(at), load16(slot->text));
    return ~(uint32_t)_mm_movemask_epi8(equal) & slot->text_mask;
}

#endif
