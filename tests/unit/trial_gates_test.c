// trial_gates_test.c: every gate at, below and above its threshold, unavailable, exempt and off.
#include <trial/gates.h>
#include <trial/rules.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct mr_gate_rules default_rules(void)
{
    struct mr_rules rules;
    mr_rules_default(&rules);
    return rules.gates;
}

static struct mr_observation healthy(void)
{
    return (struct mr_observation){.answers = 1,
                                   .generator_busy = 0.5,
                                   .server_busy = 0.99,
                                   .lateness_p99_ns = 1000,
                                   .gap_ns = 1e6,
                                   .headroom = 2.0,
                                   .foreign_share = 0.001,
                                   .pause_share = 0.001,
                                   .machine_change = 0.01,
                                   .recorder_deviation = 0.001};
}

static enum mr_gate_outcome judge(struct mr_observation seen, struct mr_gate_rules rules,
                                  enum mr_gate gate)
{
    struct mr_gate_result results[MR_GATE_COUNT];
    mr_gates_judge(&seen, &rules, results);
    return results[gate].outcome;
}

static bool excludes(struct mr_observation seen, struct mr_gate_rules rules)
{
    struct mr_gate_result results[MR_GATE_COUNT];
    mr_gates_judge(&seen, &rules, results);
    return mr_gates_exclude(results, &rules);
}

static void test_healthy_passes(void **state)
{
    (void)state;
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        assert_int_equal(judge(healthy(), default_rules(), (enum mr_gate)gate), MR_GATE_PASSED);
    }
    assert_false(excludes(healthy(), default_rules()));
}

static void test_wrong_answers_always_exclude(void **state)
{
    (void)state;
    struct mr_observation seen = healthy();
    seen.answers = 0;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_ANSWERS), MR_GATE_FAILED);
    assert_true(excludes(seen, default_rules()));
    seen.null_contestant = true; // no exemption from answering rightly
    assert_true(excludes(seen, default_rules()));
}

static void test_busy_generator(void **state)
{
    (void)state;
    struct mr_observation seen = healthy();
    seen.generator_busy = 0.91;
    seen.server_busy = 0.94;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_FAILED);
    seen.server_busy = 0.95; // its cores are full: the generator is not the limit
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_PASSED);
    seen.server_busy = NAN;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_FAILED);
    seen.generator_busy = 0.90;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_PASSED);
    seen.generator_busy = 0.99;
    seen.null_contestant = true;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_EXEMPT);
}

static void test_lateness(void **state)
{
    (void)state;
    struct mr_observation seen = healthy();
    seen.open_loop = true;
    seen.gap_ns = 100e3; // a tenth of it is below the floor of 50 us
    seen.lateness_p99_ns = 50e3;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_PASSED);
    seen.lateness_p99_ns = 50001;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_FAILED);
    seen.gap_ns = 1e6;
    seen.lateness_p99_ns = 100e3;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_PASSED);
}

static void test_unavailable_is_never_passed(void **state)
{
    (void)state;
    struct mr_observation seen = {.answers = 1,
                                  .generator_busy = NAN,
                                  .server_busy = NAN,
                                  .lateness_p99_ns = NAN,
                                  .gap_ns = NAN,
                                  .headroom = NAN,
                                  .foreign_share = NAN,
                                  .pause_share = NAN,
                                  .machine_change = NAN,
                                  .recorder_deviation = NAN};
    for (int gate = MR_GATE_GENERATOR_KEPT_UP; gate < MR_GATE_COUNT; gate++) {
        assert_int_equal(judge(seen, default_rules(), (enum mr_gate)gate), MR_GATE_UNAVAILABLE);
    }
    assert_false(excludes(seen, default_rules()));
}

static void test_actions(void **state)
{
    (void)state;
    struct mr_observation seen = healthy();
    seen.foreign_share = 0.1;
    struct mr_gate_rules rules = default_rules();
    assert_true(excludes(seen, rules));
    rules.action[MR_GATE_NOTHING_ELSE_RAN] = MR_GATE_MARK;
    assert_int_equal(judge(seen, rules, MR_GATE_NOTHING_ELSE_RAN), MR_GATE_FAILED);
    assert_false(excludes(seen, rules));
    rules.action[MR_GATE_NOTHING_ELSE_RAN] = MR_GATE_OFF;
    assert_int_equal(judge(seen, rules, MR_GATE_NOTHING_ELSE_RAN), MR_GATE_SKIPPED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_healthy_passes),
        cmocka_unit_test(test_wrong_answers_always_exclude),
        cmocka_unit_test(test_busy_generator),
        cmocka_unit_test(test_lateness),
        cmocka_unit_test(test_unavailable_is_never_passed),
        cmocka_unit_test(test_actions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
