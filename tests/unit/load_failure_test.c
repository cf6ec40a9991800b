// load_failure_test.c: gates of the generator: failing, switched off, and what is counted then.
#include "load_failure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static struct mr_load_failure without(const char *names)
{
    struct mr_load_failure failure = {.verdict = MR_LOAD_OK};
    const char *unknown;
    assert_true(mr_load_gates_off_parse(names, &failure.gates, &unknown));
    return failure;
}

static void names_are_read(void **state)
{
    (void)state;
    struct mr_load_failure failure = without("stats,answers");
    assert_true(failure.gates.off[MR_LOAD_STATS] && failure.gates.off[MR_LOAD_ANSWERS]);
    assert_false(failure.gates.off[MR_LOAD_KEPT] || failure.gates.off[MR_LOAD_EARLY]);
    static const char *const wrong[] = {"",         "answer",   "answersx",
                                        "answers,", ",answers", "kept,noise,stats"};
    static const char *const from[] = {"", "answer", "answersx", "", ",answers", "noise,stats"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const char *unknown;
        assert_false(mr_load_gates_off_parse(wrong[i], &failure.gates, &unknown));
        assert_string_equal(unknown, from[i]);
    }
}

static void a_gate_that_is_on_fails_once(void **state)
{
    (void)state;
    struct mr_load_failure failure = without("kept");
    struct mr_load_place place = {.batch = 7};
    assert_false(mr_load_fail_at(&failure, MR_LOAD_EARLY, &place, "first"));
    assert_false(mr_load_fail(&failure, MR_LOAD_WRONG, MR_LOAD_STATS, "second"));
    assert_int_equal(failure.verdict, MR_LOAD_WRONG);
    assert_int_equal(failure.gate, MR_LOAD_EARLY);
    assert_string_equal(failure.text, "first");
    assert_string_equal(mr_load_verdict_name(&failure), "wrong");
}

static void a_gate_that_is_off_counts(void **state)
{
    (void)state;
    struct mr_load_failure failure = without("early,kept");
    struct mr_load_place place = {.batch = 7};
    assert_true(mr_load_fail_at(&failure, MR_LOAD_EARLY, &place, "a"));
    assert_true(mr_load_fail(&failure, MR_LOAD_WRONG, MR_LOAD_EARLY, "b"));
    assert_int_equal(failure.verdict, MR_LOAD_OK);
    assert_int_equal(failure.gates.overlooked[MR_LOAD_EARLY], 2);
    assert_string_equal(mr_load_verdict_name(&failure), "not verified");
    // A server that is silent, or an environment that fails, is no matter of a gate.
    assert_false(mr_load_fail(&failure, MR_LOAD_STALLED, MR_LOAD_EARLY, "c"));
    assert_string_equal(mr_load_verdict_name(&failure), "stalled");
}

static void a_run_without_switches_is_ok(void **state)
{
    (void)state;
    struct mr_load_failure failure = {.verdict = MR_LOAD_OK};
    assert_false(mr_load_any_gate_off(&failure));
    assert_string_equal(mr_load_verdict_name(&failure), "ok");
}

static void threads_add_up(void **state)
{
    (void)state;
    struct mr_load_failure whole = without("answers");
    struct mr_load_failure part[2] = {without("answers"), without("answers")};
    assert_true(mr_load_fail(&part[0], MR_LOAD_WRONG, MR_LOAD_ANSWERS, "a"));
    assert_true(mr_load_fail(&part[1], MR_LOAD_WRONG, MR_LOAD_ANSWERS, "b"));
    assert_false(mr_load_fail(&part[1], MR_LOAD_WRONG, MR_LOAD_LOST, "c"));
    for (int round = 0; round < 2; round++) { // a second time nothing is counted twice
        mr_load_failure_take(&whole, &part[0]);
        mr_load_failure_take(&whole, &part[1]);
        assert_int_equal(whole.gates.overlooked[MR_LOAD_ANSWERS], 2);
        assert_int_equal(whole.gate, MR_LOAD_LOST);
        assert_string_equal(whole.text, "c");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read),
        cmocka_unit_test(a_gate_that_is_on_fails_once),
        cmocka_unit_test(a_gate_that_is_off_counts),
        cmocka_unit_test(a_run_without_switches_is_ok),
        cmocka_unit_test(threads_add_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
