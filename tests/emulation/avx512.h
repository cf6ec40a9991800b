// avx512.h: the AVX-512 intrinsics that the AVX-512 kernel uses, for processors without AVX-512.
// For tests alone: included before everything else in the kernel's own source, so that the same
// lines are compiled for AVX2.
//
// Most are SIMDe's (simde/x86/avx512.h), the others stand in avx512_memory.h, avx512_masks.h and
// avx512_more.h.
// One that is missing here does not compile: gcc and clang refuse their own for AVX2.
#ifndef MR_TESTS_EMULATION_AVX512_H
#define MR_TESTS_EMULATION_AVX512_H

#include "avx512_masks.h"
#include "avx512_memory.h"
#include "avx512_more.h"

#include <immintrin.h>
#include <simde/x86/avx512.h>

// Compilers have some of them as macros.
#undef _kand_mask64
#undef _kor_mask64
#undef _mm512_add_epi16
#undef _mm512_add_epi32
#undef _mm512_add_epi64
#undef _mm512_add_epi8
#undef _mm512_alignr_epi32
#undef _mm512_and_si512
#undef _mm512_broadcast_i32x4
#undef _mm512_castsi256_si512
#undef _mm512_castsi512_pd
#undef _mm512_castsi512_si128
#undef _mm512_castsi512_si256
#undef _mm512_cmpeq_epi32_mask
#undef _mm512_cmpeq_epi8_mask
#undef _mm512_cmpgt_epu8_mask
#undef _mm512_cmple_epu8_mask
#undef _mm512_cmplt_epi8_mask
#undef _mm512_cmplt_epu32_mask
#undef _mm512_cmplt_epu8_mask
#undef _mm512_cmpneq_epi8_mask
#undef _mm512_cvtepu16_epi32
#undef _mm512_cvtepu8_epi16
#undef _mm512_cvttpd_epi64
#undef _mm512_extracti64x4_epi64
#undef _mm512_inserti64x4
#undef _mm512_load_si512
#undef _mm512_loadu_si512
#undef _mm512_madd_epi16
#undef _mm512_maddubs_epi16
#undef _mm512_mask_cmpeq_epi8_mask
#undef _mm512_mask_cmple_epu8_mask
#undef _mm512_mask_cmpneq_epi8_mask
#undef _mm512_mask_expand_epi8
#undef _mm512_mask_loadu_epi8
#undef _mm512_mask_mov_epi32
#undef _mm512_mask_mov_epi64
#undef _mm512_mask_mov_epi8
#undef _mm512_mask_test_epi8_mask
#undef _mm512_mask_testn_epi8_mask
#undef _mm512_maskz_compress_epi8
#undef _mm512_maskz_loadu_epi8
#undef _mm512_maskz_mov_epi8
#undef _mm512_maskz_sub_epi8
#undef _mm512_max_epi64
#undef _mm512_min_epi64
#undef _mm512_min_epi8
#undef _mm512_min_epu8
#undef _mm512_movepi8_mask
#undef _mm512_movm_epi8
#undef _mm512_mul_epu32
#undef _mm512_mul_pd
#undef _mm512_multishift_epi64_epi8
#undef _mm512_or_si512
#undef _mm512_packus_epi32
#undef _mm512_permutex2var_epi64
#undef _mm512_permutex2var_epi8
#undef _mm512_permutexvar_epi8
#undef _mm512_set1_epi16
#undef _mm512_set1_epi32
#undef _mm512_set1_epi64
#undef _mm512_set1_epi8
#undef _mm512_set1_pd
#undef _mm512_setr_epi64
#undef _mm512_setzero_si512
#undef _mm512_shuffle_epi8
#undef _mm512_shuffle_i64x2
#undef _mm512_slli_epi32
#undef _mm512_slli_epi64
#undef _mm512_sllv_epi64
#undef _mm512_srai_epi64
#undef _mm512_srli_epi16
#undef _mm512_srli_epi32
#undef _mm512_srli_epi64
#undef _mm512_store_si512
#undef _mm512_storeu_si512
#undef _mm512_sub_epi32
#undef _mm512_sub_epi8
#undef _mm512_subs_epu8
#undef _mm512_ternarylogic_epi32
#undef _mm512_test_epi32_mask
#undef _mm512_test_epi8_mask
#undef _mm512_testn_epi8_mask
#undef _mm512_xor_si512
#undef _mm_cmpeq_epi8_mask
#undef _mm_cmple_epu8_mask
#undef _mm_mask_cmpneq_epi8_mask
#undef _mm_mask_mov_epi8

// SIMDe's.
#define _mm512_add_epi16             simde_mm512_add_epi16
#define _mm512_add_epi32             simde_mm512_add_epi32
#define _mm512_add_epi64             simde_mm512_add_epi64
#define _mm512_add_epi8              simde_mm512_add_epi8
#define _mm512_and_si512             simde_mm512_and_si512
#define _mm512_broadcast_i32x4       simde_mm512_broadcast_i32x4
#define _mm512_castsi256_si512       simde_mm512_castsi256_si512
#define _mm512_castsi512_pd          simde_mm512_castsi512_pd
#define _mm512_castsi512_si128       simde_mm512_castsi512_si128
#define _mm512_castsi512_si256       simde_mm512_castsi512_si256
#define _mm512_cmpeq_epi32_mask      simde_mm512_cmpeq_epi32_mask
#define _mm512_cmpeq_epi8_mask       simde_mm512_cmpeq_epi8_mask
#define _mm512_extracti64x4_epi64    simde_mm512_extracti64x4_epi64
#define _mm512_inserti64x4           simde_mm512_inserti64x4
#define _mm512_madd_epi16            simde_mm512_madd_epi16
#define _mm512_maddubs_epi16         simde_mm512_maddubs_epi16
#define _mm512_mask_cmpeq_epi8_mask  simde_mm512_mask_cmpeq_epi8_mask
#define _mm512_mask_mov_epi32        simde_mm512_mask_mov_epi32
#define _mm512_mask_mov_epi64        simde_mm512_mask_mov_epi64
#define _mm512_mask_mov_epi8         simde_mm512_mask_mov_epi8
#define _mm512_maskz_mov_epi8        simde_mm512_maskz_mov_epi8
#define _mm512_maskz_sub_epi8        simde_mm512_maskz_sub_epi8
#define _mm512_max_epi64             simde_mm512_max_epi64
#define _mm512_min_epi64             simde_mm512_min_epi64
#define _mm512_min_epi8              simde_mm512_min_epi8
#define _mm512_min_epu8              simde_mm512_min_epu8
#define _mm512_movm_epi8             simde_mm512_movm_epi8
#define _mm512_mul_epu32             simde_mm512_mul_epu32
#define _mm512_mul_pd                simde_mm512_mul_pd
#define _mm512_multishift_epi64_epi8 simde_mm512_multishift_epi64_epi8
#define _mm512_or_si512              simde_mm512_or_si512
#define _mm512_packus_epi32          simde_mm512_packus_epi32
#define _mm512_permutex2var_epi64    simde_mm512_permutex2var_epi64
#define _mm512_permutex2var_epi8     simde_mm512_permutex2var_epi8
#define _mm512_permutexvar_epi8      simde_mm512_permutexvar_epi8
#define _mm512_set1_epi16            simde_mm512_set1_epi16
#define _mm512_set1_epi32            simde_mm512_set1_epi32
#define _mm512_set1_epi64            simde_mm512_set1_epi64
#define _mm512_set1_epi8             simde_mm512_set1_epi8
#define _mm512_set1_pd               simde_mm512_set1_pd
#define _mm512_setr_epi64            simde_mm512_setr_epi64
#define _mm512_setzero_si512         simde_mm512_setzero_si512
#define _mm512_shuffle_epi8          simde_mm512_shuffle_epi8
#define _mm512_shuffle_i64x2         simde_mm512_shuffle_i64x2
#define _mm512_slli_epi32            simde_mm512_slli_epi32
#define _mm512_slli_epi64            simde_mm512_slli_epi64
#define _mm512_sllv_epi64            simde_mm512_sllv_epi64
#define _mm512_srli_epi16            simde_mm512_srli_epi16
#define _mm512_srli_epi32            simde_mm512_srli_epi32
#define _mm512_srli_epi64            simde_mm512_srli_epi64
#define _mm512_sub_epi32             simde_mm512_sub_epi32
#define _mm512_sub_epi8              simde_mm512_sub_epi8
#define _mm512_subs_epu8             simde_mm512_subs_epu8
#define _mm512_ternarylogic_epi32    simde_mm512_ternarylogic_epi32
#define _mm512_test_epi32_mask       simde_mm512_test_epi32_mask
#define _mm512_xor_si512             simde_mm512_xor_si512
#define _mm_cmple_epu8_mask          simde_mm_cmple_epu8_mask
#define _mm_mask_cmpneq_epi8_mask    simde_mm_mask_cmpneq_epi8_mask
#define _mm_mask_mov_epi8            simde_mm_mask_mov_epi8

// Our own.
#define _kand_mask64                 emulated_kand_mask64
#define _kor_mask64                  emulated_kor_mask64
#define _mm512_alignr_epi32          emulated_mm512_alignr_epi32
#define _mm512_cmpgt_epu8_mask       emulated_mm512_cmpgt_epu8_mask
#define _mm512_cmple_epu8_mask       emulated_mm512_cmple_epu8_mask
#define _mm512_cmplt_epi8_mask       emulated_mm512_cmplt_epi8_mask
#define _mm512_cmplt_epu32_mask      emulated_mm512_cmplt_epu32_mask
#define _mm512_cmplt_epu8_mask       emulated_mm512_cmplt_epu8_mask
#define _mm512_cmpneq_epi8_mask      emulated_mm512_cmpneq_epi8_mask
#define _mm512_cvtepu16_epi32        emulated_mm512_cvtepu16_epi32
#define _mm512_cvtepu8_epi16         emulated_mm512_cvtepu8_epi16
#define _mm512_cvttpd_epi64          emulated_mm512_cvttpd_epi64
#define _mm512_load_si512            emulated_mm512_load_si512
#define _mm512_loadu_si512           emulated_mm512_loadu_si512
#define _mm512_mask_cmple_epu8_mask  emulated_mm512_mask_cmple_epu8_mask
#define _mm512_mask_cmpneq_epi8_mask emulated_mm512_mask_cmpneq_epi8_mask
#define _mm512_mask_expand_epi8      emulated_mm512_mask_expand_epi8
#define _mm512_mask_loadu_epi8       emulated_mm512_mask_loadu_epi8
#define _mm512_mask_test_epi8_mask   emulated_mm512_mask_test_epi8_mask
#define _mm512_mask_testn_epi8_mask  emulated_mm512_mask_testn_epi8_mask
#define _mm512_maskz_compress_epi8   emulated_mm512_maskz_compress_epi8
#define _mm512_maskz_loadu_epi8      emulated_mm512_maskz_loadu_epi8
#define _mm512_movepi8_mask          emulated_mm512_movepi8_mask
#define _mm512_srai_epi64            emulated_mm512_srai_epi64
#define _mm512_store_si512           emulated_mm512_store_si512
#define _mm512_storeu_si512          emulated_mm512_storeu_si512
#define _mm512_test_epi8_mask        emulated_mm512_test_epi8_mask
#define _mm512_testn_epi8_mask       emulated_mm512_testn_epi8_mask
#define _mm_cmpeq_epi8_mask          emulated_mm_cmpeq_epi8_mask

#endif
