// kernels.c: see kernels.h.
#include "kernels.h"

const struct mr_kernel mr_kernels[] = {
    {.name = "scalar", .needs = "", .features = 0, .parse = mr_record_scalar},
};
const size_t mr_kernels_count = sizeof mr_kernels / sizeof mr_kernels[0];
