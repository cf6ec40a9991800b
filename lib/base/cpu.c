// cpu.c: see cpu.h.
#include "cpu.h"

#include "text.h"

#include <cpuid.h>
#include <stdio.h>
#include <string.h>

static const char *const feature_names[] = {"avx2",       "bmi1",        "bmi2",     "pclmul",
                                            "avx512f",    "avx512bw",    "avx512dq", "avx512vl",
                                            "avx512vbmi", "avx512vbmi2", "lzcnt"};

// Not every compiler's __builtin_cpu_supports() knows it.
static bool has_lzcnt(void)
{
    unsigned eax, ebx, ecx, edx;
    return __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_LZCNT) != 0;
}

uint32_t mr_cpu_features(void)
{
    uint32_t features = 0;
    __builtin_cpu_init();
    features |= __builtin_cpu_supports("avx2") ? MR_CPU_AVX2 : 0;
    features |= __builtin_cpu_supports("bmi") ? MR_CPU_BMI1 : 0;
    features |= __builtin_cpu_supports("bmi2") ? MR_CPU_BMI2 : 0;
    features |= __builtin_cpu_supports("pclmul") ? MR_CPU_PCLMUL : 0;
    features |= __builtin_cpu_supports("avx512f") ? MR_CPU_AVX512F : 0;
    features |= __builtin_cpu_supports("avx512bw") ? MR_CPU_AVX512BW : 0;
    features |= __builtin_cpu_supports("avx512dq") ? MR_CPU_AVX512DQ : 0;
    features |= __builtin_cpu_supports("avx512vl") ? MR_CPU_AVX512VL : 0;
    features |= __builtin_cpu_supports("avx512vbmi") ? MR_CPU_AVX512VBMI : 0;
    features |= __builtin_cpu_supports("avx512vbmi2") ? MR_CPU_AVX512VBMI2 : 0;
    features |= has_lzcnt() ? MR_CPU_LZCNT : 0;
    return features;
}

void mr_cpu_features_text(uint32_t features, char *text_out, size_t capacity)
{
    struct mr_text text = mr_text_init(text_out, capacity);
    for (unsigned i = 0; i < sizeof feature_names / sizeof feature_names[0]; i++) {
        if ((features >> i & 1u) != 0) {
            mr_text_printf(&text, "%s%s", text.length == 0 ? "" : " ", feature_names[i]);
        }
    }
}

void mr_cpu_model(char *text_out, size_t capacity)
{
    struct mr_text text = mr_text_init(text_out, capacity);
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[512];
    bool found = false;
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        const char *colon = strchr(line, ':');
        if (colon != NULL && strncmp(line, "model name", 10) == 0) {
            const char *name = colon + 1 + strspn(colon + 1, " \t");
            mr_text_printf(&text, "%.*s", (int)strcspn(name, "\n"), name);
            found = true;
        }
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    if (!found) {
        mr_text_printf(&text, "unavailable");
    }
}

bool mr_cpu_is_virtual(void)
{
    unsigned eax;
    unsigned ebx;
    unsigned ecx;
    unsigned edx;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx >> 31 & 1u) != 0;
}
