// avx512_real_test.c: every emulated intrinsic gives what this processor's gives. Skipped where the
// processor has no AVX-512.
#include "intrinsics.h"

#include "base/cpu.h"
#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TURNS     20000
#define SKIP_CODE 77

// Bytes of every kind: any, and those at the ends of ranges, which random ones seldom are.
static void fill(struct mr_rng *rng, uint8_t *bytes)
{
    static const uint8_t edges[] = {0x00, 0x01, 0x0F, 0x10, 0x3F, 0x40,
                                    0x7F, 0x80, 0x81, 0xFE, 0xFF};
    bool any = mr_rng_below(rng, 2) == 0;
    for (size_t i = 0; i < 64; i++) {
        bytes[i] = any ? (uint8_t)mr_rng_next(rng) : edges[mr_rng_below(rng, sizeof edges)];
    }
}

static struct mr_intrinsics_input random_input(struct mr_rng *rng)
{
    struct mr_intrinsics_input input;
    fill(rng, input.a);
    fill(rng, input.b);
    fill(rng, input.c);
    // Much is compared for being equal.
    for (size_t i = mr_rng_below(rng, 4) * 16; i < 64; i++) {
        input.b[i] = mr_rng_below(rng, 2) == 0 ? input.a[i] : input.b[i];
    }
    input.mask = mr_rng_next(rng);
    input.mask &= mr_rng_below(rng, 4) == 0 ? mr_rng_next(rng) & mr_rng_next(rng) : UINT64_MAX;
    return input;
}

static void emulated_is_real(void **state)
{
    (void)state;
    static struct mr_intrinsics_output real[MR_INTRINSICS_MAX];
    static struct mr_intrinsics_output emulated[MR_INTRINSICS_MAX];
    struct mr_rng rng = mr_rng_seeded(20261201);
    for (size_t turn = 0; turn < TURNS; turn++) {
        struct mr_intrinsics_input input = random_input(&rng);
        size_t count = mr_intrinsics_real(&input, real);
        assert_int_equal(count, mr_intrinsics_emulated(&input, emulated));
        for (size_t i = 0; i < count; i++) {
            if (memcmp(real[i].bytes, emulated[i].bytes, 64) != 0) {
                fail_msg("turn %zu: %s is not what the processor gives", turn, real[i].call);
            }
        }
    }
}

int main(void)
{
    const uint32_t needed = MR_CPU_AVX2 | MR_CPU_BMI1 | MR_CPU_BMI2 | MR_CPU_LZCNT |
                            MR_CPU_AVX512F | MR_CPU_AVX512BW | MR_CPU_AVX512DQ | MR_CPU_AVX512VL |
                            MR_CPU_AVX512VBMI | MR_CPU_AVX512VBMI2;
    if ((mr_cpu_features() & needed) != needed) {
        puts("unavailable: this processor has no AVX-512 VBMI2 to compare with");
        return SKIP_CODE;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(emulated_is_real)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
