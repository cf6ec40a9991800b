// kernels.hpp: the kernels by name, and which of them this machine can run.
#ifndef CPP_SIMDJSON_KERNELS_HPP
#define CPP_SIMDJSON_KERNELS_HPP

#include "kernel.hpp"

// The names that --kernel takes, the fastest first.
inline constexpr char kernels_help[] = "icelake, haswell, westmere, fallback";

// simdjson's version. (Not from its header in main.cpp, which takes as long to compile as all
// else.)
extern const char *const library_version;

// A kernel, by the name that simdjson gives to it.
struct named_kernel {
    const char *name;
    bool (*runs_here)();
    const simdjson_kernel *code;
    const simdjson_notes_kernel *notes; // nullptr: there is none of this name
};

// The names that --kernel takes for `notes`.
inline constexpr char notes_kernels_help[] = "haswell, fallback";

// Chooses a kernel for the whole process and tells simdjson, whose first pass then is of the same
// one. `name` as for --kernel; nullptr takes the fastest that runs here. 0; -ENOENT: there is no
// such kernel; -ENOTSUP: this machine can't run it. All threads must ask for the same one.
[[nodiscard]] int kernel_choose(const char *name, const named_kernel **kernel_out);

// The same for writing notes, of the kernels that have code for it.
[[nodiscard]] int notes_kernel_choose(const char *name, const named_kernel **kernel_out);

#endif
