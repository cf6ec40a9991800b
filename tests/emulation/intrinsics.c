// intrinsics.c: see intrinsics.h. Compiled twice, as MR_INTRINSICS: for AVX-512, and for AVX2 with
// avx512.h included before.
#include "intrinsics.h"

#include <immintrin.h>
#include <string.h>

struct calls {
    __m512i a, b, c;
    __m128i short_a, short_b;
    uint64_t mask;
    const uint8_t *from; // 64 bytes
    struct mr_intrinsics_output *output;
    size_t count;
};

static uint8_t *begin_output(struct calls *calls, const char *call)
{
    struct mr_intrinsics_output *output = &calls->output[calls->count++];
    output->call = call;
    memset(output->bytes, 0, sizeof output->bytes);
    return output->bytes;
}

// What the call gives, whatever its type, as an output.
#define OUTPUT(call)                                                                               \
    do {                                                                                           \
        __typeof__(call) given = call;                                                             \
        memcpy(begin_output(calls, #call), &given, sizeof given);                                  \
    } while (0)

static void compute(struct calls *calls)
{
    __m512i a = calls->a;
    __m512i b = calls->b;
    OUTPUT(_mm512_add_epi8(a, b));
    OUTPUT(_mm512_add_epi16(a, b));
    OUTPUT(_mm512_add_epi32(a, b));
    OUTPUT(_mm512_add_epi64(a, b));
    OUTPUT(_mm512_sub_epi8(a, b));
    OUTPUT(_mm512_sub_epi32(a, b));
    OUTPUT(_mm512_maskz_sub_epi8(calls->mask, a, b));
    OUTPUT(_mm512_subs_epu8(a, b));
    OUTPUT(_mm512_and_si512(a, b));
    OUTPUT(_mm512_or_si512(a, b));
    OUTPUT(_mm512_xor_si512(a, b));
    OUTPUT(_mm512_ternarylogic_epi32(a, b, calls->c, 0x80));
    OUTPUT(_mm512_min_epi8(a, b));
    OUTPUT(_mm512_min_epu8(a, b));
    OUTPUT(_mm512_min_epi64(a, b));
    OUTPUT(_mm512_max_epi64(a, b));
    OUTPUT(_mm512_madd_epi16(a, b));
    OUTPUT(_mm512_maddubs_epi16(a, b));
    OUTPUT(_mm512_mul_epu32(a, b));
    OUTPUT(_mm512_mul_pd(_mm512_castsi512_pd(a), _mm512_set1_pd(1024.0)));
    OUTPUT(_mm512_cvttpd_epi64(_mm512_castsi512_pd(a)));
    OUTPUT(_kand_mask64(calls->mask, ~(calls->mask << 7)));
    OUTPUT(_kor_mask64(calls->mask, calls->mask << 7));
}

static void shift(struct calls *calls)
{
    __m512i a = calls->a;
    OUTPUT(_mm512_slli_epi32(a, 2));
    OUTPUT(_mm512_slli_epi32(a, 16));
    OUTPUT(_mm512_slli_epi64(a, 3));
    OUTPUT(_mm512_sllv_epi64(a, calls->b));
    OUTPUT(_mm512_sllv_epi64(a, _mm512_and_si512(calls->b, _mm512_set1_epi64(0x38))));
    OUTPUT(_mm512_srli_epi16(a, 4));
    OUTPUT(_mm512_srli_epi32(a, 12));
    OUTPUT(_mm512_srli_epi64(a, 1));
    OUTPUT(_mm512_srli_epi64(a, 32));
    OUTPUT(_mm512_srai_epi64(a, 1));
    OUTPUT(_mm512_srai_epi64(a, 63));
    OUTPUT(_mm512_srai_epi64(a, 64));
    OUTPUT(_mm512_multishift_epi64_epi8(a, calls->b));
}

static void compare(struct calls *calls)
{
    __m512i a = calls->a;
    __m512i b = calls->b;
    uint64_t mask = calls->mask;
    OUTPUT(_mm512_cmpeq_epi8_mask(a, b));
    OUTPUT(_mm512_cmpeq_epi32_mask(a, b));
    OUTPUT(_mm512_cmpneq_epi8_mask(a, b));
    OUTPUT(_mm512_cmpgt_epu8_mask(a, b));
    OUTPUT(_mm512_cmple_epu8_mask(a, b));
    OUTPUT(_mm512_cmplt_epi8_mask(a, b));
    OUTPUT(_mm512_cmplt_epu8_mask(a, b));
    OUTPUT(_mm512_cmplt_epu32_mask(a, b));
    OUTPUT(_mm512_mask_cmpeq_epi8_mask(mask, a, b));
    OUTPUT(_mm512_mask_cmple_epu8_mask(mask, a, b));
    OUTPUT(_mm512_mask_cmpneq_epi8_mask(mask, a, b));
    OUTPUT(_mm512_mask_test_epi8_mask(mask, a, b));
    OUTPUT(_mm512_mask_testn_epi8_mask(mask, a, b));
    OUTPUT(_mm512_test_epi8_mask(a, b));
    OUTPUT(_mm512_test_epi32_mask(a, b));
    OUTPUT(_mm512_testn_epi8_mask(a, b));
    OUTPUT(_mm512_movepi8_mask(a));
    OUTPUT(_mm_cmpeq_epi8_mask(calls->short_a, calls->short_b));
    OUTPUT(_mm_cmple_epu8_mask(calls->short_a, calls->short_b));
    OUTPUT(_mm_mask_cmpneq_epi8_mask((__mmask16)mask, calls->short_a, calls->short_b));
}

static void move(struct calls *calls)
{
    __m512i a = calls->a;
    __m512i b = calls->b;
    __m512i c = calls->c;
    uint64_t mask = calls->mask;
    OUTPUT(_mm512_mask_mov_epi8(a, mask, b));
    OUTPUT(_mm512_mask_mov_epi32(a, (__mmask16)mask, b));
    OUTPUT(_mm512_mask_mov_epi64(a, (__mmask8)mask, b));
    OUTPUT(_mm512_maskz_mov_epi8(mask, a));
    OUTPUT(_mm_mask_mov_epi8(calls->short_a, (__mmask16)mask, calls->short_b));
    OUTPUT(_mm512_movm_epi8(mask));
    OUTPUT(_mm512_maskz_compress_epi8(mask, a));
    OUTPUT(_mm512_mask_expand_epi8(a, mask, b));
    OUTPUT(_mm512_permutexvar_epi8(a, b));
    OUTPUT(_mm512_permutex2var_epi8(a, b, c));
    OUTPUT(_mm512_permutex2var_epi64(a, b, c));
    OUTPUT(_mm512_shuffle_epi8(a, b));
    OUTPUT(_mm512_shuffle_i64x2(a, b, 0xEE));
    OUTPUT(_mm512_packus_epi32(a, b));
    OUTPUT(_mm512_alignr_epi32(a, b, 15));
    OUTPUT(_mm512_cvtepu8_epi16(_mm512_castsi512_si256(a)));
    OUTPUT(_mm512_cvtepu16_epi32(_mm512_castsi512_si256(a)));
    OUTPUT(_mm512_castsi512_si128(a));
    OUTPUT(_mm512_castsi512_si256(a));
    OUTPUT(_mm512_castsi512_si256(_mm512_castsi256_si512(_mm512_castsi512_si256(a))));
    OUTPUT(_mm512_extracti64x4_epi64(a, 1));
    OUTPUT(_mm512_inserti64x4(a, _mm512_castsi512_si256(b), 1));
    OUTPUT(_mm512_broadcast_i32x4(calls->short_a));
}

static void set(struct calls *calls)
{
    uint8_t byte = calls->from[0];
    long long wide[8];
    memcpy(wide, calls->from, sizeof wide);
    OUTPUT(_mm512_setzero_si512());
    OUTPUT(_mm512_set1_epi8((char)byte));
    OUTPUT(_mm512_set1_epi16((short)wide[0]));
    OUTPUT(_mm512_set1_epi32((int)wide[0]));
    OUTPUT(_mm512_set1_epi64(wide[0]));
    OUTPUT(_mm512_set1_pd(1024.0 * byte));
    OUTPUT(
        _mm512_setr_epi64(wide[0], wide[1], wide[2], wide[3], wide[4], wide[5], wide[6], wide[7]));
}

static void use_memory(struct calls *calls)
{
    _Alignas(64) uint8_t memory[128] = {0};
    memcpy(memory + 1, calls->from, 64);
    OUTPUT(_mm512_load_si512(memory));
    OUTPUT(_mm512_loadu_si512(memory + 1));
    OUTPUT(_mm512_mask_loadu_epi8(calls->b, calls->mask, memory + 1));
    OUTPUT(_mm512_maskz_loadu_epi8(calls->mask, memory + 1));
    _mm512_store_si512(memory, calls->b);
    memcpy(begin_output(calls, "_mm512_store_si512()"), memory, 64);
    _mm512_storeu_si512(memory + 1, calls->c);
    memcpy(begin_output(calls, "_mm512_storeu_si512()"), memory + 1, 64);
}

size_t MR_INTRINSICS(const struct mr_intrinsics_input *input, struct mr_intrinsics_output *output)
{
    struct calls calls = {.mask = input->mask, .from = input->a, .output = output};
    memcpy(&calls.a, input->a, sizeof calls.a);
    memcpy(&calls.b, input->b, sizeof calls.b);
    memcpy(&calls.c, input->c, sizeof calls.c);
    memcpy(&calls.short_a, input->a, sizeof calls.short_a);
    memcpy(&calls.short_b, input->b, sizeof calls.short_b);
    compute(&calls);
    shift(&calls);
    compare(&calls);
    move(&calls);
    set(&calls);
    use_memory(&calls);
    return calls.count;
}
