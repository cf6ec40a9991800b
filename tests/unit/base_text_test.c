// base_text_test.c: text of bounded size, random numbers, the clock, names of CPU features.
#include "base/clock.h"
#include "base/cpu.h"
#include "base/rng.h"
#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_text_fits(void **context)
{
    (void)context;
    char bytes[12];
    struct mr_text text = mr_text_init(bytes, sizeof bytes);
    assert_string_equal(bytes, "");
    mr_text_printf(&text, "%d-%s", 42, "ab");
    mr_text_printf(&text, "%s", "");
    mr_text_printf(&text, "%s", "123456");
    assert_string_equal(bytes, "42-ab123456");
    assert_int_equal(text.length, 11);
    assert_false(text.cut);
}

// At every capacity: never a byte too far, always ended, and cut once something was left out.
static void test_text_is_cut(void **context)
{
    (void)context;
    for (size_t capacity = 1; capacity <= 12; capacity++) {
        char bytes[16];
        memset(bytes, '#', sizeof bytes);
        struct mr_text text = mr_text_init(bytes, capacity);
        mr_text_printf(&text, "%s", "abcde");
        mr_text_printf(&text, "%s", "fghij");
        assert_memory_equal(bytes, "abcdefghij", text.length);
        assert_int_equal(text.length, capacity <= 10 ? capacity - 1 : 10);
        assert_int_equal(bytes[text.length], '\0');
        assert_int_equal(text.cut, capacity <= 10);
        for (size_t i = capacity; i < sizeof bytes; i++) {
            assert_int_equal(bytes[i], '#');
        }
    }
}

static void test_json_strings(void **context)
{
    (void)context;
    char bytes[128];
    struct mr_text text = mr_text_init(bytes, sizeof bytes);
    mr_text_json_string(&text, "a\"b\\c/\n\t\x01\x1f\x7f\xC3\xA9%s");
    assert_string_equal(bytes, "\"a\\\"b\\\\c/\\u000a\\u0009\\u0001\\u001f\x7f\xC3\xA9%s\"");
    assert_false(text.cut);
    struct mr_text small = mr_text_init(bytes, 4);
    mr_text_json_string(&small, "abcdef");
    assert_true(small.cut);
    assert_int_equal(strlen(bytes), 3);
}

// The draws of SplitMix64 for the seed 1234567, as published with other implementations.
static void test_random_numbers(void **context)
{
    (void)context;
    struct mr_rng rng = mr_rng_seeded(1234567);
    assert_int_equal(mr_rng_next(&rng), 6457827717110365317u);
    assert_int_equal(mr_rng_next(&rng), 3203168211198807973u);
    assert_int_equal(mr_rng_next(&rng), 9817491932198370423u);
    assert_int_equal(mr_rng_next(&rng), 4593380528125082431u);
    assert_int_equal(mr_rng_next(&rng), 16408922859458223821u);
    unsigned met[7] = {0};
    for (unsigned i = 0; i < 7000; i++) {
        met[mr_rng_below(&rng, 7)]++;
        uint64_t between = mr_rng_between(&rng, 10, 12);
        assert_in_range(between, 10, 12);
        assert_int_equal(mr_rng_below(&rng, 1), 0);
    }
    for (unsigned i = 0; i < 7; i++) {
        assert_in_range(met[i], 850, 1150);
    }
}

static void test_clock(void **context)
{
    (void)context;
    uint64_t before = mr_clock_ns();
    mr_clock_sleep_until(before + 2 * MR_NS_PER_MS);
    uint64_t after = mr_clock_ns();
    assert_true(after >= before + 2 * MR_NS_PER_MS);
    mr_clock_sleep_until(before); // has passed: returns
    assert_true(mr_clock_ns() >= after);
    char text[21];
    memset(text, '#', sizeof text);
    mr_clock_utc_text(text);
    static const char shape[] = "dddd-dd-ddTdd:dd:ddZ";
    assert_int_equal(strlen(text), sizeof shape - 1);
    for (size_t i = 0; i < sizeof shape; i++) {
        bool digit = text[i] >= '0' && text[i] <= '9';
        assert_true(shape[i] == 'd' ? digit : text[i] == shape[i]);
    }
    assert_true(strncmp(text, "2024", 4) >= 0);
}

static void test_cpu_features(void **context)
{
    (void)context;
    char text[128];
    mr_cpu_features_text(0, text, sizeof text);
    assert_string_equal(text, "");
    mr_cpu_features_text(MR_CPU_AVX2 | MR_CPU_BMI2 | MR_CPU_AVX512VBMI2, text, sizeof text);
    assert_string_equal(text, "avx2 bmi2 avx512vbmi2");
    mr_cpu_features_text(MR_CPU_AVX2 | MR_CPU_BMI2, text, 4);
    assert_string_equal(text, "avx");
    mr_cpu_features_text(MR_CPU_LZCNT, text, sizeof text);
    assert_string_equal(text, "lzcnt");
    // Nothing beyond the names known here.
    assert_int_equal(mr_cpu_features() & ~(2u * MR_CPU_LZCNT - 1), 0);
    mr_cpu_model(text, sizeof text);
    assert_true(strlen(text) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_fits),    cmocka_unit_test(test_text_is_cut),
        cmocka_unit_test(test_json_strings), cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_clock),        cmocka_unit_test(test_cpu_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
