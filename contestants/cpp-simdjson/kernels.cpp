// kernels.cpp: see kernels.hpp.
#include "kernels.hpp"

#include <cerrno>
#include <cpuid.h>
#include <cstring>
#include <simdjson.h>

const char *const library_version = SIMDJSON_VERSION;

namespace
{

// Not every compiler's __builtin_cpu_supports() knows it (CPUID leaf 0x80000001, ECX bit 5).
bool has_lzcnt()
{
    unsigned eax, ebx, ecx, edx;
    return __get_cpuid(0x80000001, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_LZCNT) != 0;
}

// What the flags of CMakeLists.txt allow to the compiler, no less: whatever of it is missing would
// end in an illegal instruction.
bool has_haswell()
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("pclmul") && has_lzcnt();
}

bool has_icelake()
{
    return has_haswell() && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2");
}

bool has_westmere()
{
    return __builtin_cpu_supports("pclmul");
}

// Everything of the lab is built for x86-64-v2.
bool has_fallback()
{
    return true;
}

constexpr named_kernel kernels[] = {
    {.name = "icelake", .runs_here = has_icelake, .code = &cpp_simdjson_icelake, .notes = nullptr},
    {.name = "haswell",
     .runs_here = has_haswell,
     .code = &cpp_simdjson_haswell,
     .notes = &cpp_simdjson_notes_haswell},
    {.name = "westmere",
     .runs_here = has_westmere,
     .code = &cpp_simdjson_westmere,
     .notes = nullptr},
    {.name = "fallback",
     .runs_here = has_fallback,
     .code = &cpp_simdjson_fallback,
     .notes = &cpp_simdjson_notes_fallback},
};

// simdjson's own code of that name, where this machine can run it; otherwise nullptr.
const simdjson::implementation *implementation_of(const named_kernel &kernel)
{
    const simdjson::implementation *found = simdjson::get_available_implementations()[kernel.name];
    bool runs = found != nullptr && kernel.runs_here() && found->supported_by_runtime_system();
    return runs ? found : nullptr;
}

} // namespace

int kernel_choose(const char *name, const named_kernel **kernel_out)
{
    for (const named_kernel &kernel : kernels) {
        bool is_named = name != nullptr && std::strcmp(name, kernel.name) == 0;
        if (name != nullptr && !is_named) {
            continue;
        }
        const simdjson::implementation *implementation = implementation_of(kernel);
        if (implementation != nullptr) {
            simdjson::get_active_implementation() = implementation;
            *kernel_out = &kernel;
            return 0;
        }
        if (is_named) {
            return -ENOTSUP;
        }
    }
    return -ENOENT;
}

int notes_kernel_choose(const char *name, const named_kernel **kernel_out)
{
    for (const named_kernel &kernel : kernels) {
        bool is_asked_for = name == nullptr || std::strcmp(name, kernel.name) == 0;
        if (!is_asked_for || kernel.notes == nullptr) {
            continue;
        }
        if (kernel.runs_here()) {
            *kernel_out = &kernel;
            return 0;
        }
        if (name != nullptr) {
            return -ENOTSUP;
        }
    }
    return -ENOENT;
}
