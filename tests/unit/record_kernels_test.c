// record_kernels_test.c: parser objects: the table of kernels, the choice, and what happens without
// memory.
#include "counting_alloc.h"
#include "kernels.h"

#include "base/cpu.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void test_the_table(void **context)
{
    (void)context;
    assert_true(mr_kernel_count() >= 1);
    assert_string_equal(mr_kernel_by_index(0).name, "scalar");
    assert_string_equal(mr_kernel_by_index(0).needs, "");
    assert_true(mr_kernel_by_index(0).supported);
    for (size_t i = 0; i < mr_kernel_count(); i++) {
        struct mr_kernel_info info = mr_kernel_by_index(i);
        assert_true(info.name != NULL && info.name[0] != '\0');
        // Who needs instructions says so to people, and the other way round.
        bool says = info.needs != NULL && info.needs[0] != '\0';
        assert_non_null(info.needs);
        assert_int_equal(says, mr_kernels[i].features != 0);
        assert_int_equal(info.supported, (mr_kernels[i].features & ~mr_cpu_features()) == 0);
        for (size_t other = 0; other < i; other++) {
            assert_string_not_equal(mr_kernel_by_index(other).name, info.name);
        }
    }
}

// What the compiler may use for a kernel must be asked of the processor, or it meets instructions
// that it does not have; LZCNT would even run there, as another one.
static uint32_t features_of(const char *flags)
{
    static const struct {
        const char *flag;
        uint32_t feature; // 0: everything of the lab is built for it
    } table[] = {
        {"avx2", MR_CPU_AVX2},
        {"bmi", MR_CPU_BMI1},
        {"bmi2", MR_CPU_BMI2},
        {"lzcnt", MR_CPU_LZCNT},
        {"popcnt", 0},
        {"pclmul", MR_CPU_PCLMUL},
        {"avx512f", MR_CPU_AVX512F},
        {"avx512bw", MR_CPU_AVX512BW},
        {"avx512dq", MR_CPU_AVX512DQ},
        {"avx512vl", MR_CPU_AVX512VL},
        {"avx512vbmi", MR_CPU_AVX512VBMI},
        {"avx512vbmi2", MR_CPU_AVX512VBMI2},
    };
    char words[512];
    (void)snprintf(words, sizeof words, "%s", flags);
    uint32_t features = 0;
    for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
        bool known = strncmp(word, "-m", 2) != 0 || strncmp(word, "-mtune", 6) == 0;
        for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
            bool is_this = !known && strcmp(word + 2, table[i].flag) == 0;
            features |= is_this ? table[i].feature : 0;
            known |= is_this;
        }
        assert_true(known);
    }
    return features;
}

static void test_features_are_those_compiled_for(void **context)
{
    (void)context;
    for (size_t i = 0; i < mr_kernels_count; i++) {
        const char *flags = strcmp(mr_kernels[i].name, "avx2") == 0     ? MR_AVX2_FLAGS
                            : strcmp(mr_kernels[i].name, "avx512") == 0 ? MR_AVX512_FLAGS
                                                                        : "";
        assert_int_equal(features_of(flags) & ~mr_kernels[i].features, 0);
    }
}

static void test_every_kernel_by_name(void **context)
{
    (void)context;
    for (size_t i = 0; i < mr_kernel_count(); i++) {
        struct mr_kernel_info info = mr_kernel_by_index(i);
        struct mr_parser *parser = NULL;
        int result = mr_parser_create(info.name, &parser);
        assert_int_equal(result, info.supported ? 0 : -ENOTSUP);
        if (result == 0) {
            assert_string_equal(mr_parser_kernel(parser), info.name);
            mr_parser_destroy(parser);
        }
    }
}

static void test_the_fastest_by_default(void **context)
{
    (void)context;
    const char *fastest = NULL;
    for (size_t i = 0; i < mr_kernel_count(); i++) {
        fastest = mr_kernel_by_index(i).supported ? mr_kernel_by_index(i).name : fastest;
    }
    struct mr_parser *parser;
    assert_int_equal(mr_parser_create(NULL, &parser), 0);
    assert_string_equal(mr_parser_kernel(parser), fastest);
    mr_parser_destroy(parser);
}

static void test_unknown_names(void **context)
{
    (void)context;
    static const char *const names[] = {"",        "Scalar", "scala",          "scalars",
                                        "scalar ", "sse42",  "avx512-emulated"};
    struct mr_parser *untouched = (struct mr_parser *)&names;
    struct mr_parser *parser = untouched;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(mr_parser_create(names[i], &parser), -ENOENT);
        assert_ptr_equal(parser, untouched);
    }
    mr_parser_destroy(NULL);
}

// Every allocation that making and using a parser needs fails in turn: told, nothing lost. The
// parse itself may fail only with MR_ERROR_MEMORY.
static void test_out_of_memory(void **context)
{
    (void)context;
    static const uint8_t padded[MR_PAD_FRONT + 2 + MR_PAD_BACK] = {[MR_PAD_FRONT] = '[',
                                                                   [MR_PAD_FRONT + 1] = ']'};
    _Alignas(64) uint8_t records[MR_RECORDS_SLACK + 2];
    for (size_t i = 0; i < mr_kernel_count(); i++) {
        if (!mr_kernel_by_index(i).supported) {
            continue;
        }
        bool whole = false;
        for (uint64_t number = 1; !whole; number++) {
            struct mr_parser *parser;
            mr_alloc_reset();
            mr_alloc_fail_from(number);
            int result = mr_parser_create(mr_kernel_by_index(i).name, &parser);
            assert_true(result == 0 || result == -ENOMEM);
            if (result == 0) {
                struct mr_result parsed;
                mr_parser_parse(parser, padded + MR_PAD_FRONT, 2, records, &parsed);
                whole = mr_alloc_counts().calls < number;
                assert_int_equal(parsed.error, whole ? MR_OK : parsed.error);
                assert_true(parsed.error == MR_OK || parsed.error == MR_ERROR_MEMORY);
                mr_parser_destroy(parser);
            }
            mr_alloc_fail_from(0);
            assert_int_equal(mr_alloc_counts().live, 0);
        }
        assert_true(mr_alloc_counts().calls >= 1);
    }
}

// An empty text as the very first thing that a parser sees.
static void test_empty_first(void **context)
{
    (void)context;
    static const uint8_t padded[MR_PAD_FRONT + MR_PAD_BACK] = {[MR_PAD_FRONT] = '[', ']'};
    _Alignas(64) uint8_t records[MR_RECORDS_SLACK];
    for (size_t i = 0; i < mr_kernel_count(); i++) {
        struct mr_parser *parser;
        if (!mr_kernel_by_index(i).supported) {
            continue;
        }
        assert_int_equal(mr_parser_create(mr_kernel_by_index(i).name, &parser), 0);
        struct mr_result result;
        memset(&result, 0xA5, sizeof result);
        mr_parser_parse(parser, padded + MR_PAD_FRONT, 0, records, &result);
        assert_int_equal(result.error, MR_ERROR_EMPTY);
        assert_int_equal(result.error_offset, 0);
        mr_parser_destroy(parser);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_table),
        cmocka_unit_test(test_features_are_those_compiled_for),
        cmocka_unit_test(test_every_kernel_by_name),
        cmocka_unit_test(test_the_fastest_by_default),
        cmocka_unit_test(test_unknown_names),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_empty_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
