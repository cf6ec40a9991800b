// base_pin_test.c: lists of cores as text, and confining a thread to them.
#include "base/pin.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void check_round(const char *text, const char *expected)
{
    struct mr_cores cores;
    char printed[256];
    assert_int_equal(mr_cores_parse(text, &cores), 0);
    mr_cores_text(&cores, printed, sizeof printed);
    assert_string_equal(printed, expected);
}

static void test_lists(void **context)
{
    (void)context;
    check_round("0", "0");
    check_round("1023", "1023");
    check_round("0,2", "0,2");
    check_round("0-3,6", "0,1,2,3,6");
    check_round("6,0-3", "0,1,2,3,6");
    check_round("2,2,1-3", "1,2,3");
    check_round("5-5", "5");
    check_round("007", "7");
}

static void test_no_lists(void **context)
{
    (void)context;
    static const char *const bad[] = {"",
                                      ",",
                                      "0,",
                                      ",0",
                                      "a",
                                      "0-",
                                      "-1",
                                      "3-1",
                                      "0--1",
                                      "0 1",
                                      "0, 1",
                                      " 0",
                                      "0;1",
                                      "1024",
                                      "0-1024",
                                      "18446744073709551616",
                                      "99999999999999999999999",
                                      "0x1",
                                      "1.5"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct mr_cores cores;
        if (mr_cores_parse(bad[i], &cores) != -EINVAL) {
            fail_msg("taken for a list of cores: '%s'", bad[i]);
        }
    }
}

static void test_text_is_cut(void **context)
{
    (void)context;
    struct mr_cores cores;
    assert_int_equal(mr_cores_parse("0-9", &cores), 0);
    char printed[8];
    memset(printed, '#', sizeof printed);
    mr_cores_text(&cores, printed, 6);
    assert_memory_equal(printed, "0,1,2\0##", 8);
}

static void test_pinning(void **context)
{
    (void)context;
    struct mr_cores allowed;
    assert_int_equal(mr_pin_allowed(&allowed), 0);
    assert_true(allowed.count >= 1);
    struct mr_cores one = {.core = {allowed.core[allowed.count - 1]}, .count = 1};
    struct mr_cores now;
    assert_int_equal(mr_pin_self(&one), 0);
    assert_int_equal(mr_pin_allowed(&now), 0);
    assert_int_equal(now.count, 1);
    assert_int_equal(now.core[0], one.core[0]);
    assert_int_equal(mr_pin_self(&allowed), 0);
    assert_int_equal(mr_pin_allowed(&now), 0);
    assert_int_equal(now.count, allowed.count);
    struct mr_cores none = {.count = 0};
    assert_int_equal(mr_pin_self(&none), -EINVAL);
    struct mr_cores absent = {.core = {MR_PIN_MAX_CORES - 1}, .count = 1};
    assert_int_equal(mr_pin_self(&absent), -EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_no_lists),
        cmocka_unit_test(test_text_is_cut),
        cmocka_unit_test(test_pinning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
