// cpp_kernels_test.cpp: which kernel of cpp-simdjson is chosen, on processors that are made up.
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <simdjson.h>
// Behind the others: it defines fail() as a macro.
extern "C" {
#include <setjmp.h>

#include <cmocka.h>
}

namespace
{

std::set<std::string> features;

int has_feature(const char *name)
{
    return features.count(name) != 0 ? 1 : 0;
}

} // namespace

// The source under test asks this processor instead.
#define __builtin_cpu_supports has_feature
#include "../../contestants/cpp-simdjson/kernels.cpp" // NOLINT(bugprone-suspicious-include)

extern "C" {
const simdjson_kernel cpp_simdjson_icelake = {};
const simdjson_kernel cpp_simdjson_haswell = {};
const simdjson_kernel cpp_simdjson_westmere = {};
const simdjson_kernel cpp_simdjson_fallback = {};
const simdjson_notes_kernel cpp_simdjson_notes_haswell = {};
const simdjson_notes_kernel cpp_simdjson_notes_fallback = {};
}

namespace
{

const char *const all[] = {"pclmul",   "avx2",       "bmi",        "bmi2",
                           "avx512f",  "avx512bw",   "avx512cd",   "avx512dq",
                           "avx512vl", "avx512vbmi", "avx512vbmi2"};
constexpr size_t of_haswell = 4;
constexpr size_t of_icelake = sizeof all / sizeof *all;

void processor_with(size_t count)
{
    features = std::set<std::string>(all, all + count);
}

// The name of the chosen kernel, or the error; simdjson's own must be the same one.
std::string choice(const char *name)
{
    const named_kernel *kernel = nullptr;
    int failed = kernel_choose(name, &kernel);
    if (failed != 0) {
        return failed == -ENOTSUP ? "not supported" : failed == -ENOENT ? "no such" : "another";
    }
    assert_string_equal(kernel->name, simdjson::get_active_implementation()->name().c_str());
    return kernel->name;
}

// What simdjson itself lets run on the machine of this test.
bool runs_really(const char *name)
{
    return simdjson::get_available_implementations()[name]->supported_by_runtime_system();
}

void the_best_that_runs_is_chosen(void **)
{
    processor_with(0);
    assert_string_equal(choice(nullptr).c_str(), "fallback");
    processor_with(1);
    assert_string_equal(choice(nullptr).c_str(), runs_really("westmere") ? "westmere" : "fallback");
    processor_with(of_icelake);
    if (runs_really("icelake")) {
        assert_string_equal(choice(nullptr).c_str(), "icelake");
    }
}

// Without any single one of its features a kernel does not run.
void each_feature_is_needed(void **)
{
    for (size_t left_out = 0; left_out < of_icelake; left_out++) {
        processor_with(of_icelake);
        features.erase(all[left_out]);
        assert_string_equal(choice("icelake").c_str(), "not supported");
        bool haswell = left_out >= of_haswell && runs_really("haswell");
        assert_string_equal(choice("haswell").c_str(), haswell ? "haswell" : "not supported");
        assert_string_equal(choice("fallback").c_str(), "fallback");
    }
}

void what_simdjson_does_not_let_run_is_not_chosen(void **)
{
    processor_with(of_icelake);
    for (const char *name : {"icelake", "haswell", "westmere", "fallback"}) {
        assert_string_equal(choice(name).c_str(), runs_really(name) ? name : "not supported");
    }
}

void unknown_names_are_told_apart(void **)
{
    processor_with(of_icelake);
    for (const char *name : {"", "avx2", "icelake ", "Haswell", "unsupported"}) {
        assert_string_equal(choice(name).c_str(), "no such");
    }
}

} // namespace

int main()
{
    const CMUnitTest tests[] = {
        cmocka_unit_test(the_best_that_runs_is_chosen),
        cmocka_unit_test(each_feature_is_needed),
        cmocka_unit_test(what_simdjson_does_not_let_run_is_not_chosen),
        cmocka_unit_test(unknown_names_are_told_apart),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
