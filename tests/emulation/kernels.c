// kernels.c: the table of kernels of the programs of this folder, instead of lib/record/kernels.c:
// the specification, and the AVX-512 kernel with emulated intrinsics. No other program has it.
#include "record/kernels.h"

#include "base/cpu.h"

// lib/record/record_avx512.c as CMakeLists.txt compiles it here.
void mr_record_avx512_emulated(struct mr_parser *parser, const uint8_t *json, size_t json_bytes,
                               uint8_t *records_out, struct mr_result *result_out);

const struct mr_kernel mr_kernels[] = {
    {.name = "scalar", .needs = "", .features = 0, .parse = mr_record_scalar},
    {.name = "avx512-emulated",
     .needs = "AVX2, BMI1, BMI2, LZCNT, PCLMUL",
     .features = MR_CPU_AVX2 | MR_CPU_BMI1 | MR_CPU_BMI2 | MR_CPU_LZCNT | MR_CPU_PCLMUL,
     .has_scratch = true,
     .parse = mr_record_avx512_emulated},
};
const size_t mr_kernels_count = sizeof mr_kernels / sizeof mr_kernels[0];
