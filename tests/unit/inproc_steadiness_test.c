// inproc_steadiness_test.c: the warm-up rule on made-up times.
#include "inproc/steadiness.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define MS 1000000ull
#define S  1000000000ull

struct course {
    struct mr_steadiness steadiness;
    uint64_t now_ns;
    uint64_t compiled;
};

static struct course begin(void)
{
    struct course course = {.now_ns = 1000 * S, .compiled = 100};
    assert_int_equal(mr_steadiness_init(&course.steadiness, course.now_ns, course.compiled), 0);
    return course;
}

// An iteration of `took_ns`, and a quarter of that for its verification.
static void add(struct course *course, uint64_t took_ns)
{
    course->now_ns += took_ns + took_ns / 4;
    mr_steadiness_add(&course->steadiness, took_ns, course->now_ns, course->compiled);
}

// Repeats iterations of `took_ns` until the rule says enough; the time that went by.
static uint64_t repeat(struct course *course, uint64_t took_ns)
{
    while (!mr_is_enough(&course->steadiness, course->now_ns)) {
        add(course, took_ns);
    }
    return course->now_ns - course->steadiness.begin_ns;
}

static void test_even_times(void **context)
{
    (void)context;
    static const uint64_t took_ns[] = {20000, MS, 100 * MS, 400 * MS};
    for (size_t i = 0; i < sizeof took_ns / sizeof took_ns[0]; i++) {
        struct course course = begin();
        uint64_t since_ns = repeat(&course, took_ns[i]);
        assert_in_range(since_ns, 8 * S, 9 * S);
        assert_true(mr_is_steady(&course.steadiness));
        assert_true(course.steadiness.last.median_ns == (double)took_ns[i]);
        assert_true(course.steadiness.iterations >= 10);
        mr_steadiness_fini(&course.steadiness);
    }
}

// Ten iterations, and two windows of five, are waited for beyond the 8 s.
static void test_slow_iterations(void **context)
{
    (void)context;
    struct course course = begin();
    assert_in_range(repeat(&course, 2 * S), 25 * S, 25 * S);
    assert_int_equal(course.steadiness.iterations, 10);
    assert_true(mr_is_steady(&course.steadiness));
    mr_steadiness_fini(&course.steadiness);
    course = begin();
    assert_in_range(repeat(&course, 6 * S), 30 * S, 38 * S);
    assert_false(mr_is_steady(&course.steadiness));
    mr_steadiness_fini(&course.steadiness);
}

static void test_first_and_ten(void **context)
{
    (void)context;
    struct course course = begin();
    for (uint64_t i = 1; i <= 12; i++) {
        add(&course, i * MS);
    }
    assert_int_equal(course.steadiness.first_ns, MS);
    assert_int_equal(course.steadiness.first_ten_ns, 55 * MS);
    assert_false(mr_is_enough(&course.steadiness, course.now_ns));
    mr_steadiness_fini(&course.steadiness);
}

// Times that fall by half after 8 s: the plateau before is no end when the fall is in sight.
static void test_late_fall(void **context)
{
    (void)context;
    struct course course = begin();
    while (course.now_ns - course.steadiness.begin_ns < 7500 * MS) {
        add(&course, 100 * MS);
    }
    uint64_t since_ns = repeat(&course, 50 * MS);
    assert_in_range(since_ns, 9 * S, 11 * S);
    assert_true(course.steadiness.last.median_ns == 50e6);
    mr_steadiness_fini(&course.steadiness);
}

static void test_compiling_is_not_steady(void **context)
{
    (void)context;
    struct course course = begin();
    while (course.now_ns - course.steadiness.begin_ns < 12 * S) {
        assert_false(mr_is_enough(&course.steadiness, course.now_ns));
        add(&course, 100 * MS);
        course.compiled++;
    }
    assert_false(mr_is_steady(&course.steadiness));
    uint64_t since_ns = repeat(&course, 100 * MS);
    assert_in_range(since_ns, 14 * S, 16 * S);
    mr_steadiness_fini(&course.steadiness);
}

static void test_never_steady(void **context)
{
    (void)context;
    struct course course = begin();
    uint64_t took_ns = 10 * MS;
    while (!mr_is_enough(&course.steadiness, course.now_ns)) {
        add(&course, took_ns);
        took_ns += took_ns / 50;
    }
    assert_true(course.now_ns - course.steadiness.begin_ns >= 30 * S);
    assert_false(mr_is_steady(&course.steadiness));
    mr_steadiness_fini(&course.steadiness);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_even_times),
        cmocka_unit_test(test_slow_iterations),
        cmocka_unit_test(test_first_and_ten),
        cmocka_unit_test(test_late_fall),
        cmocka_unit_test(test_compiling_is_not_steady),
        cmocka_unit_test(test_never_steady),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
