// avx512_memory.h: loads and stores of 64 bytes, emulated so that they fault where the instruction
// does: all 64 bytes must be there, whatever becomes of them, and of a masked load those that the
// mask names.
#ifndef MR_TESTS_EMULATION_AVX512_MEMORY_H
#define MR_TESTS_EMULATION_AVX512_MEMORY_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

// Reads a byte, which the compiler may not leave out.
static inline void emulated_touch(const uint8_t *at)
{
    (void)*(const volatile uint8_t *)at;
}

// 64 bytes are on two pages at most: without the touches the compiler reads only what is used.
static inline __m512i emulated_mm512_loadu_si512(const void *at)
{
    const uint8_t *bytes = at;
    emulated_touch(bytes);
    emulated_touch(bytes + 63);
    __m512i value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline void emulated_mm512_storeu_si512(void *at, __m512i value)
{
    memcpy(at, &value, sizeof value);
    // As if it were looked at: else the compiler may store only what no later store covers.
    __asm__ volatile("" : : "m"(*(const uint8_t(*)[64])at));
}

// The instruction faults where `at` is not a multiple of 64.
static inline void emulated_need_alignment(const void *at)
{
    if ((uintptr_t)at % 64 != 0) {
        __builtin_trap();
    }
}

static inline __m512i emulated_mm512_load_si512(const void *at)
{
    emulated_need_alignment(at);
    return emulated_mm512_loadu_si512(at);
}

static inline void emulated_mm512_store_si512(void *at, __m512i value)
{
    emulated_need_alignment(at);
    emulated_mm512_storeu_si512(at, value);
}

// Byte by byte: no byte that the mask leaves out is read.
static inline __m512i emulated_mm512_mask_loadu_epi8(__m512i other, __mmask64 mask, const void *at)
{
    const uint8_t *from = at;
    uint8_t bytes[64];
    memcpy(bytes, &other, sizeof bytes);
    for (; mask != 0; mask = _blsr_u64(mask)) {
        size_t i = (size_t)_tzcnt_u64(mask);
        bytes[i] = *(const volatile uint8_t *)(from + i);
    }
    __m512i value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

static inline __m512i emulated_mm512_maskz_loadu_epi8(__mmask64 mask, const void *at)
{
    return emulated_mm512_mask_loadu_epi8((__m512i){0}, mask, at);
}

#endif
