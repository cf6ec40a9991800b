// intrinsics.h: each AVX-512 intrinsic that the kernel uses, called once on given bytes: as the
// processor has it, and emulated.
#ifndef MR_TESTS_EMULATION_INTRINSICS_H
#define MR_TESTS_EMULATION_INTRINSICS_H

#include <stddef.h>
#include <stdint.h>

#define MR_INTRINSICS_MAX 128

struct mr_intrinsics_input {
    _Alignas(64) uint8_t a[64];
    uint8_t b[64];
    uint8_t c[64];
    uint64_t mask;
};

// What a call gave; of a mask, zeros behind its bytes.
struct mr_intrinsics_output {
    const char *call;
    uint8_t bytes[64];
};

// Both write the same calls in the same order, at most MR_INTRINSICS_MAX, and return their number.
// The first needs a processor with AVX-512 F, BW, DQ, VL, VBMI, VBMI2, the second AVX2 and BMI.
size_t mr_intrinsics_real(const struct mr_intrinsics_input *input,
                          struct mr_intrinsics_output *output);
size_t mr_intrinsics_emulated(const struct mr_intrinsics_input *input,
                              struct mr_intrinsics_output *output);

#endif
