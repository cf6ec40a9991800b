// trial_marks_test.c: every mark just inside and just outside of its limit, unavailable and exempt.
#include <trial/marks.h>
#include <trial/rules.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct mr_observation calm(void)
{
    struct mr_observation seen = mr_observation_unknown();
    seen.throughput_slope = 0.001;
    seen.throughput_slope_low = -0.002;
    seen.throughput_slope_high = 0.004;
    seen.thread_imbalance = 0.05;
    seen.overloaded = 0;
    seen.warmup_slope = 0.001;
    seen.warmup_slope_low = -0.002;
    seen.warmup_slope_high = 0.004;
    seen.compiled_methods = 0;
    return seen;
}

static enum mr_gate_outcome judge(struct mr_observation seen, enum mr_mark mark)
{
    struct mr_rules rules;
    struct mr_gate_result results[MR_MARK_COUNT];
    mr_rules_default(&rules);
    mr_marks_judge(&seen, &rules.marks, results);
    return results[mark].outcome;
}

static void test_not_steady(void **state)
{
    (void)state;
    struct mr_observation seen = calm();
    assert_int_equal(judge(seen, MR_MARK_NOT_STEADY), MR_GATE_PASSED);
    for (int sign = -1; sign <= 1; sign += 2) {
        seen = calm();
        seen.throughput_slope = sign * 0.02;
        assert_int_equal(judge(seen, MR_MARK_NOT_STEADY), MR_GATE_PASSED);
        seen.throughput_slope = sign * nextafter(0.02, 1);
        assert_int_equal(judge(seen, MR_MARK_NOT_STEADY), MR_GATE_FAILED);
    }
    seen = calm();
    seen.throughput_slope_low = -0.03;
    seen.throughput_slope_high = 0.03;
    assert_int_equal(judge(seen, MR_MARK_NOT_STEADY), MR_GATE_PASSED);
    seen.throughput_slope_low = nextafter(-0.03, -1);
    assert_int_equal(judge(seen, MR_MARK_NOT_STEADY), MR_GATE_FAILED);
    seen.throughput_slope_low = -0.03;
    seen.throughput_slope_high = nextafter(0.03, 1);
    assert_int_equal(judge(seen, MR_MARK_NOT_STEADY), MR_GATE_FAILED);
}

static void test_others(void **state)
{
    (void)state;
    struct mr_observation seen = calm();
    seen.thread_imbalance = 0.25;
    assert_int_equal(judge(seen, MR_MARK_UNBALANCED_THREADS), MR_GATE_PASSED);
    seen.thread_imbalance = nextafter(0.25, 1);
    assert_int_equal(judge(seen, MR_MARK_UNBALANCED_THREADS), MR_GATE_FAILED);
    seen.open_loop = true;
    assert_int_equal(judge(seen, MR_MARK_OVERLOADED), MR_GATE_PASSED);
    seen.overloaded = 1;
    assert_int_equal(judge(seen, MR_MARK_OVERLOADED), MR_GATE_FAILED);
}

// Not shown to be flat, or compiling still: warm-up was ended by its limit.
static void test_warmup(void **state)
{
    (void)state;
    struct mr_observation seen = calm();
    assert_int_equal(judge(seen, MR_MARK_WARMUP_AT_MAXIMUM), MR_GATE_PASSED);
    seen.compiled_methods = NAN; // a runtime without such a thing
    assert_int_equal(judge(seen, MR_MARK_WARMUP_AT_MAXIMUM), MR_GATE_PASSED);
    seen.compiled_methods = 1;
    assert_int_equal(judge(seen, MR_MARK_WARMUP_AT_MAXIMUM), MR_GATE_FAILED);
    seen.warmup_slope = NAN; // proven all the same
    assert_int_equal(judge(seen, MR_MARK_WARMUP_AT_MAXIMUM), MR_GATE_FAILED);
    seen.compiled_methods = 0; // compiles nothing, but may be filling caches
    assert_int_equal(judge(seen, MR_MARK_WARMUP_AT_MAXIMUM), MR_GATE_UNAVAILABLE);
    for (int sign = -1; sign <= 1; sign += 2) {
        seen = calm();
        seen.warmup_slope = sign * 0.02;
        assert_int_equal(judge(seen, MR_MARK_WARMUP_AT_MAXIMUM), MR_GATE_PASSED);
        seen.warmup_slope = sign * nextafter(0.02, 1);
        assert_int_equal(judge(seen, MR_MARK_WARMUP_AT_MAXIMUM), MR_GATE_FAILED);
    }
    seen = calm();
    seen.warmup_slope_low = -0.03;
    seen.warmup_slope_high = 0.03;
    assert_int_equal(judge(seen, MR_MARK_WARMUP_AT_MAXIMUM), MR_GATE_PASSED);
    seen.warmup_slope_high = nextafter(0.03, 1);
    assert_int_equal(judge(seen, MR_MARK_WARMUP_AT_MAXIMUM), MR_GATE_FAILED);
    seen.warmup_slope_high = 0.03;
    seen.warmup_slope_low = nextafter(-0.03, -1);
    assert_int_equal(judge(seen, MR_MARK_WARMUP_AT_MAXIMUM), MR_GATE_FAILED);
}

// Flat and compiling nothing is not enough of one who compiles while it runs.
static void test_managed_warmup(void **state)
{
    (void)state;
    struct mr_observation seen = calm();
    seen.managed_warmup_ns = 8e9;
    assert_int_equal(judge(seen, MR_MARK_WARMUP_AT_MAXIMUM), MR_GATE_PASSED);
    seen.managed_warmup_ns = nextafter(8e9, 0);
    assert_int_equal(judge(seen, MR_MARK_WARMUP_AT_MAXIMUM), MR_GATE_FAILED);
}

static void test_unavailable_and_exempt(void **state)
{
    (void)state;
    struct mr_observation seen = mr_observation_unknown();
    assert_int_equal(judge(seen, MR_MARK_NOT_STEADY), MR_GATE_UNAVAILABLE);
    assert_int_equal(judge(seen, MR_MARK_UNBALANCED_THREADS), MR_GATE_UNAVAILABLE);
    assert_int_equal(judge(seen, MR_MARK_OVERLOADED), MR_GATE_EXEMPT);
    assert_int_equal(judge(seen, MR_MARK_WARMUP_AT_MAXIMUM), MR_GATE_UNAVAILABLE);
    seen.open_loop = true;
    assert_int_equal(judge(seen, MR_MARK_NOT_STEADY), MR_GATE_EXEMPT);
    assert_int_equal(judge(seen, MR_MARK_OVERLOADED), MR_GATE_UNAVAILABLE);
    seen = calm();
    seen.throughput_slope_high = INFINITY; // too few points for an interval
    assert_int_equal(judge(seen, MR_MARK_NOT_STEADY), MR_GATE_UNAVAILABLE);
    assert_string_equal(mr_mark_outcome_name(MR_GATE_FAILED), "marked");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_steady),
        cmocka_unit_test(test_others),
        cmocka_unit_test(test_warmup),
        cmocka_unit_test(test_managed_warmup),
        cmocka_unit_test(test_unavailable_and_exempt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
