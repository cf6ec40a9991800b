// notes_kernels.c: see notes_kernels.h.
#include "notes_kernels.h"

#include "base/cpu.h"

const struct mr_notes_kernel mr_notes_kernels[] = {
    {.name = "scalar"},
    {.name = "avx2",
     .features = MR_CPU_AVX2 | MR_CPU_BMI1 | MR_CPU_BMI2,
     .write = mr_notes_avx2,
     .widen = mr_widen_avx2},
};
const size_t mr_notes_kernels_count = sizeof mr_notes_kernels / sizeof mr_notes_kernels[0];
