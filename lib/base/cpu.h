// cpu.h: what this processor can do, asked once per caller; nothing is cached globally.
#ifndef MR_BASE_CPU_H
#define MR_BASE_CPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One bit a feature. The set is what kernels may require, no more.
enum mr_cpu_feature {
    MR_CPU_AVX2 = 1u << 0,
    MR_CPU_BMI1 = 1u << 1,
    MR_CPU_BMI2 = 1u << 2,
    MR_CPU_PCLMUL = 1u << 3,
    MR_CPU_AVX512F = 1u << 4,
    MR_CPU_AVX512BW = 1u << 5,
    MR_CPU_AVX512DQ = 1u << 6,
    MR_CPU_AVX512VL = 1u << 7,
    MR_CPU_AVX512VBMI = 1u << 8,
    MR_CPU_AVX512VBMI2 = 1u << 9,
    MR_CPU_LZCNT = 1u << 10, // without it the instruction runs, and counts wrongly
};

// Bits of enum mr_cpu_feature that both processor and kernel support. Thread-safe.
uint32_t mr_cpu_features(void);

// Writes the names of `features`, separated by a space, in the order of the enum; always ends with
// a zero byte, cut at `capacity`. No features: the empty string.
void mr_cpu_features_text(uint32_t features, char *text_out, size_t capacity);

// The model name of /proc/cpuinfo, or "unavailable"; always ends with a zero byte.
void mr_cpu_model(char *text_out, size_t capacity);

// Whether a hypervisor says that it runs this machine (CPUID leaf 1, ECX bit 31).
bool mr_cpu_is_virtual(void);

#endif
