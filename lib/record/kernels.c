// kernels.c: see kernels.h.
#include "kernels.h"

#include "base/cpu.h"

const struct mr_kernel mr_kernels[] = {
    {.name = "scalar", .needs = "", .features = 0, .parse = mr_record_scalar},
    {.name = "avx2",
     .needs = "AVX2, BMI1, BMI2, LZCNT, PCLMUL",
     .features = MR_CPU_AVX2 | MR_CPU_BMI1 | MR_CPU_BMI2 | MR_CPU_LZCNT | MR_CPU_PCLMUL,
     .has_scratch = true,
     .parse = mr_record_avx2},
    {.name = "avx512",
     .needs = "AVX-512 F, BW, DQ, VL, VBMI, VBMI2; AVX2, BMI1, BMI2, LZCNT, PCLMUL",
     .features = MR_CPU_AVX2 | MR_CPU_BMI1 | MR_CPU_BMI2 | MR_CPU_LZCNT | MR_CPU_PCLMUL |
                 MR_CPU_AVX512F | MR_CPU_AVX512BW | MR_CPU_AVX512DQ | MR_CPU_AVX512VL |
                 MR_CPU_AVX512VBMI | MR_CPU_AVX512VBMI2,
     .has_scratch = true,
     .parse = mr_record_avx512},
};
const size_t mr_kernels_count = sizeof mr_kernels / sizeof mr_kernels[0];
