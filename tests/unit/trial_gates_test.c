// trial_gates_test.c: every gate just inside and just outside of every limit, unavailable, exempt
// and off.
#include <trial/gates.h>
#include <trial/rules.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct mr_gate_rules default_rules(void)
{
    struct mr_rules rules;
    mr_rules_default(&rules);
    return rules.gates;
}

static struct mr_observation healthy(void)
{
    struct mr_observation seen = mr_observation_unknown();
    seen.answers = 1;
    seen.generator_busy = 0.5;
    seen.server_busy = 0.99;
    seen.lateness_p99_ns = 1000;
    seen.gap_ns = 1e6;
    seen.overshoot_p99_ns = 60e3;
    seen.latency_p99_ns = 2e6;
    seen.headroom = 2.0;
    seen.foreign_share = 0.001;
    seen.foreign_step_share = 0.0001;
    seen.pause_share = 0.001;
    seen.pause_longest_ns = 100e3;
    seen.machine_change = 0.01;
    seen.machine_spread = 0.001;
    seen.major_faults = 0;
    seen.swapped_pages = 0;
    seen.throttled_ns = 0;
    seen.recorder_deviation = 0.001;
    seen.unseen_over_seen = 1.02;
    return seen;
}

static struct mr_observation healthy_open(void)
{
    struct mr_observation seen = healthy();
    seen.open_loop = true;
    return seen;
}

static struct mr_gate_result result_of(struct mr_observation seen, struct mr_gate_rules rules,
                                       enum mr_gate gate)
{
    struct mr_gate_result results[MR_GATE_COUNT];
    mr_gates_judge(&seen, &rules, results);
    return results[gate];
}

static enum mr_gate_outcome judge(struct mr_observation seen, struct mr_gate_rules rules,
                                  enum mr_gate gate)
{
    return result_of(seen, rules, gate).outcome;
}

static enum mr_gate_effect effect(struct mr_observation seen, struct mr_gate_rules rules)
{
    struct mr_gate_result results[MR_GATE_COUNT];
    enum mr_gate gate = MR_GATE_COUNT;
    mr_gates_judge(&seen, &rules, results);
    return mr_gates_effect(results, &rules, &gate);
}

// One limit: a field at its last good value passes, at the next double beyond it does not.
struct edge {
    enum mr_gate gate;
    size_t field;
    double last_good;
    int beyond; // +1: more is bad, −1: less is bad
    bool open_loop;
    bool grade_c;
};

#define FIELD(name) offsetof(struct mr_observation, name)

static double *field_of(struct mr_observation *seen, size_t offset)
{
    return (double *)(void *)((char *)seen + offset);
}

// Limits by hand, from the table of docs/MEASURING.md and the healthy observation: gap 1 ms, so
// lateness 100 µs; overshoot 60 µs, so 120 µs in grade C; p99 2 ms, so pauses of the floor, 1 ms;
// the smallest counter step allowed is a quarter of 0.5 %.
static const struct edge edges[] = {
    {MR_GATE_ANSWERS, FIELD(answers), 1, -1, false, false},
    {MR_GATE_SERVER_IS_LIMIT, FIELD(headroom), 1.3, -1, false, false},
    {MR_GATE_GENERATOR_KEPT_UP, FIELD(lateness_p99_ns), 100e3, 1, true, false},
    {MR_GATE_GENERATOR_KEPT_UP, FIELD(lateness_p99_ns), 120e3, 1, true, true},
    {MR_GATE_NOTHING_ELSE_RAN, FIELD(foreign_share), 0.005, 1, false, false},
    {MR_GATE_HOST_DID_NOT_PAUSE, FIELD(pause_share), 0.005, 1, false, false},
    {MR_GATE_HOST_DID_NOT_PAUSE, FIELD(pause_share), 0.005, 1, true, false},
    {MR_GATE_HOST_DID_NOT_PAUSE, FIELD(pause_longest_ns), 1e6, 1, true, false},
    {MR_GATE_MACHINE_UNCHANGED, FIELD(machine_change), 0.02, 1, false, false},
    {MR_GATE_MACHINE_UNCHANGED, FIELD(major_faults), 0, 1, false, false},
    {MR_GATE_MACHINE_UNCHANGED, FIELD(swapped_pages), 0, 1, false, false},
    {MR_GATE_MACHINE_UNCHANGED, FIELD(throttled_ns), 0, 1, false, false},
    {MR_GATE_RECORDER_SANE, FIELD(recorder_deviation), 1, 1, false, false},
    {MR_GATE_NOVELTY, FIELD(unseen_over_seen), 1.25, 1, false, false},
    {MR_GATE_NOVELTY, FIELD(unseen_over_seen), 1.25, 1, true, false},
};
#define EDGES_COUNT (sizeof edges / sizeof edges[0])

static void test_edges(void **state)
{
    (void)state;
    for (size_t i = 0; i < EDGES_COUNT; i++) {
        const struct edge *edge = &edges[i];
        struct mr_observation seen = healthy();
        seen.open_loop = edge->open_loop;
        seen.grade_c = edge->grade_c;
        double *field = field_of(&seen, edge->field);
        *field = edge->last_good;
        assert_int_equal(judge(seen, default_rules(), edge->gate), MR_GATE_PASSED);
        *field = nextafter(edge->last_good, edge->beyond > 0 ? INFINITY : -INFINITY);
        struct mr_gate_result result = result_of(seen, default_rules(), edge->gate);
        assert_int_equal(result.outcome, MR_GATE_FAILED);
        assert_true(result.figure == *field);
        assert_true(result.threshold == edge->last_good);
        assert_true(result.text[0] != '\0');
    }
}

// The same fields unknown, or endless: unavailable, never passed and never failed.
static void test_unavailable_is_never_passed(void **state)
{
    (void)state;
    static const double unknown[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < EDGES_COUNT; i++) {
        const struct edge *edge = &edges[i];
        bool where_readable = edge->field == FIELD(major_faults) ||
                              edge->field == FIELD(swapped_pages) ||
                              edge->field == FIELD(throttled_ns);
        for (size_t k = 0; k < sizeof unknown / sizeof unknown[0]; k++) {
            struct mr_observation seen = healthy();
            seen.open_loop = edge->open_loop;
            seen.grade_c = edge->grade_c;
            *field_of(&seen, edge->field) = unknown[k];
            assert_int_equal(judge(seen, default_rules(), edge->gate),
                             where_readable ? MR_GATE_PASSED : MR_GATE_UNAVAILABLE);
        }
    }
    struct mr_observation nothing = mr_observation_unknown();
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        for (int open_loop = 0; open_loop < 2; open_loop++) {
            nothing.open_loop = open_loop == 1;
            enum mr_gate_outcome outcome = judge(nothing, default_rules(), (enum mr_gate)gate);
            assert_true(outcome == MR_GATE_UNAVAILABLE ||
                        (gate == MR_GATE_SERVER_IS_LIMIT && outcome == MR_GATE_EXEMPT));
        }
    }
    assert_int_equal(effect(nothing, default_rules()), MR_EFFECT_NONE);
}

static void test_healthy_passes(void **state)
{
    (void)state;
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        assert_int_equal(judge(healthy(), default_rules(), (enum mr_gate)gate), MR_GATE_PASSED);
    }
    assert_int_equal(effect(healthy(), default_rules()), MR_EFFECT_NONE);
    assert_int_equal(judge(healthy_open(), default_rules(), MR_GATE_SERVER_IS_LIMIT),
                     MR_GATE_EXEMPT);
}

static void test_busy_generator(void **state)
{
    (void)state;
    struct mr_observation seen = healthy();
    seen.server_busy = 0.5;
    seen.generator_busy = nextafter(0.90, 0);
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_PASSED);
    seen.generator_busy = 0.90; // less than 90 % is asked
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_FAILED);
    seen.server_busy = nextafter(0.95, 0);
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_FAILED);
    seen.server_busy = 0.95; // its cores are full: the generator is not the limit
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_PASSED);
    seen.server_busy = NAN;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_FAILED);
    seen.server_busy = 0.99;
    seen.generator_busy = NAN;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_UNAVAILABLE);
}

static void test_who_is_exempt(void **state)
{
    (void)state;
    struct mr_observation seen = healthy();
    seen.null_contestant = true;
    seen.generator_busy = 0.99;
    seen.server_busy = 0.1;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_EXEMPT);
    assert_int_equal(judge(seen, default_rules(), MR_GATE_SERVER_IS_LIMIT), MR_GATE_EXEMPT);
    seen.open_loop = true;
    seen.lateness_p99_ns = 1e9;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_EXEMPT);
    seen.foreign_share = 0.5; // but not from what the host does, nor from answering rightly
    assert_int_equal(judge(seen, default_rules(), MR_GATE_NOTHING_ELSE_RAN), MR_GATE_FAILED);
    seen.answers = 0;
    assert_int_equal(effect(seen, default_rules()), MR_EFFECT_WRONG);
    seen = mr_observation_unknown();
    seen.in_process = true;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_EXEMPT);
    assert_int_equal(judge(seen, default_rules(), MR_GATE_RECORDER_SANE), MR_GATE_EXEMPT);
    assert_int_equal(judge(seen, default_rules(), MR_GATE_NOTHING_ELSE_RAN), MR_GATE_UNAVAILABLE);
}

static void test_lateness(void **state)
{
    (void)state;
    struct mr_observation seen = healthy_open();
    seen.gap_ns = 100e3; // a tenth of it is below the floor of 50 µs
    seen.lateness_p99_ns = 50e3;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_PASSED);
    seen.lateness_p99_ns = nextafter(50e3, INFINITY);
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_FAILED);
    seen.grade_c = true; // 2 × 60 µs of the host's own
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_PASSED);
    seen.overshoot_p99_ns = NAN; // it might excuse the lateness: nobody knows
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_UNAVAILABLE);
    seen.lateness_p99_ns = 50e3; // needs no excuse
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_PASSED);
    seen.grade_c = false;
    seen.gap_ns = NAN;
    seen.lateness_p99_ns = 51e3;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_UNAVAILABLE);
}

// A slow start of the generator: its sleeps were ended so late that any lateness would pass. Up to
// 1 ms the host's own lateness is an allowance, beyond it nobody can say.
static void test_lateness_after_a_slow_start(void **state)
{
    (void)state;
    struct mr_observation seen = healthy_open();
    seen.grade_c = true;
    seen.overshoot_p99_ns = 500e3;
    seen.lateness_p99_ns = 1e6;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_PASSED);
    seen.lateness_p99_ns = nextafter(1e6, INFINITY);
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_FAILED);
    seen.overshoot_p99_ns = nextafter(500e3, INFINITY); // it would excuse a little more
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_UNAVAILABLE);
    seen.overshoot_p99_ns = 20e6;
    seen.lateness_p99_ns = 30e6;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_UNAVAILABLE);
    seen.lateness_p99_ns = 100e3; // a tenth of the gap needs no excuse
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_PASSED);
    seen.grade_c = false; // with a spare core there is none
    seen.lateness_p99_ns = nextafter(100e3, INFINITY);
    assert_int_equal(judge(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP), MR_GATE_FAILED);
}

static void test_coarse_counter(void **state)
{
    (void)state;
    struct mr_observation seen = healthy();
    seen.foreign_step_share = 0.005 / 4; // 10 ms in 8 s of one core
    assert_int_equal(judge(seen, default_rules(), MR_GATE_NOTHING_ELSE_RAN), MR_GATE_PASSED);
    seen.foreign_step_share = nextafter(0.005 / 4, 1);
    assert_int_equal(judge(seen, default_rules(), MR_GATE_NOTHING_ELSE_RAN), MR_GATE_UNAVAILABLE);
    seen.foreign_share = 0.5; // too coarse to fail, too
    assert_int_equal(judge(seen, default_rules(), MR_GATE_NOTHING_ELSE_RAN), MR_GATE_UNAVAILABLE);
    seen.foreign_step_share = NAN;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_NOTHING_ELSE_RAN), MR_GATE_UNAVAILABLE);
    seen = healthy();
    seen.foreign_share = -0.005; // by rounding
    assert_int_equal(judge(seen, default_rules(), MR_GATE_NOTHING_ELSE_RAN), MR_GATE_PASSED);
    seen.foreign_share = nextafter(-0.005, -1); // the accounts do not add up
    assert_int_equal(judge(seen, default_rules(), MR_GATE_NOTHING_ELSE_RAN), MR_GATE_UNAVAILABLE);
}

static void test_pauses(void **state)
{
    (void)state;
    struct mr_observation seen = healthy();
    seen.pause_longest_ns = 30e6; // spoils a tail, no rate
    assert_int_equal(judge(seen, default_rules(), MR_GATE_HOST_DID_NOT_PAUSE), MR_GATE_PASSED);
    seen.open_loop = true;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_HOST_DID_NOT_PAUSE), MR_GATE_FAILED);
    seen.latency_p99_ns = 120e6; // a quarter of it
    assert_int_equal(judge(seen, default_rules(), MR_GATE_HOST_DID_NOT_PAUSE), MR_GATE_PASSED);
    seen.latency_p99_ns = nextafter(120e6, 0);
    assert_int_equal(judge(seen, default_rules(), MR_GATE_HOST_DID_NOT_PAUSE), MR_GATE_FAILED);
    seen.latency_p99_ns = NAN; // n too small for it
    assert_int_equal(judge(seen, default_rules(), MR_GATE_HOST_DID_NOT_PAUSE), MR_GATE_UNAVAILABLE);
    seen.pause_share = 0.5; // one proven failure is enough
    assert_int_equal(judge(seen, default_rules(), MR_GATE_HOST_DID_NOT_PAUSE), MR_GATE_FAILED);
}

static void test_machine(void **state)
{
    (void)state;
    struct mr_observation seen = healthy();
    seen.machine_spread = 0.02;
    seen.machine_change = 0.06; // 3 × 2 %
    assert_int_equal(judge(seen, default_rules(), MR_GATE_MACHINE_UNCHANGED), MR_GATE_PASSED);
    seen.machine_change = nextafter(0.06, 1);
    assert_int_equal(judge(seen, default_rules(), MR_GATE_MACHINE_UNCHANGED), MR_GATE_FAILED);
    // A host on which the fixed work scatters by 4 % judges no change of more than 2 %.
    seen.machine_spread = 0.1 / 3;
    seen.machine_change = 0.1;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_MACHINE_UNCHANGED), MR_GATE_PASSED);
    seen.machine_spread = 0.04;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_MACHINE_UNCHANGED), MR_GATE_UNAVAILABLE);
    seen.machine_change = 0.02;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_MACHINE_UNCHANGED), MR_GATE_PASSED);
    seen.machine_change = 1.5;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_MACHINE_UNCHANGED), MR_GATE_UNAVAILABLE);
    seen.machine_spread = NAN;
    assert_int_equal(judge(seen, default_rules(), MR_GATE_MACHINE_UNCHANGED), MR_GATE_UNAVAILABLE);
    seen.machine_change = NAN; // the fixed work is the gate; counters alone do not pass it
    assert_int_equal(judge(seen, default_rules(), MR_GATE_MACHINE_UNCHANGED), MR_GATE_UNAVAILABLE);
    seen.swapped_pages = 1; // but fail it
    assert_int_equal(judge(seen, default_rules(), MR_GATE_MACHINE_UNCHANGED), MR_GATE_FAILED);
    seen = healthy();
    seen.throttled_ns = NAN;
    struct mr_gate_result result = result_of(seen, default_rules(), MR_GATE_MACHINE_UNCHANGED);
    assert_int_equal(result.outcome, MR_GATE_PASSED);
    assert_int_equal(result.figures_count, 4);
    assert_int_equal(result.figures[3].outcome, MR_GATE_UNAVAILABLE);
    assert_non_null(strstr(result.text, "throttled unavailable"));
}

static void test_actions(void **state)
{
    (void)state;
    struct mr_observation seen = healthy();
    struct mr_gate_rules rules = default_rules();
    seen.foreign_share = 0.1;
    assert_int_equal(effect(seen, rules), MR_EFFECT_EXCLUDED);
    rules.action[MR_GATE_NOTHING_ELSE_RAN] = MR_GATE_MARK;
    assert_int_equal(judge(seen, rules, MR_GATE_NOTHING_ELSE_RAN), MR_GATE_FAILED);
    assert_int_equal(effect(seen, rules), MR_EFFECT_NONE);
    rules.action[MR_GATE_NOTHING_ELSE_RAN] = MR_GATE_OFF;
    assert_int_equal(judge(seen, rules, MR_GATE_NOTHING_ELSE_RAN), MR_GATE_SKIPPED);
    seen.headroom = 1; // a mark of the cell
    assert_int_equal(effect(seen, rules), MR_EFFECT_NONE);
    seen.pause_share = 0.5;
    seen.recorder_deviation = 1.5; // a bug of ours is graver than a pause
    assert_int_equal(effect(seen, rules), MR_EFFECT_ABORTED);
    seen.answers = 0;
    assert_int_equal(effect(seen, rules), MR_EFFECT_WRONG);
}

static void test_texts(void **state)
{
    (void)state;
    struct mr_observation seen = healthy_open();
    seen.lateness_p99_ns = 123.4e3;
    assert_string_equal(result_of(seen, default_rules(), MR_GATE_GENERATOR_KEPT_UP).text,
                        "lateness p99 123.4 µs, at most 100 µs");
    seen.foreign_share = 0.0071;
    assert_string_equal(result_of(seen, default_rules(), MR_GATE_NOTHING_ELSE_RAN).text,
                        "foreign share 0.71 %, at most 0.5 %; foreign step share 0.01 %, at most "
                        "0.125 %");
    seen.pause_longest_ns = 2.5e6;
    seen.latency_p99_ns = NAN;
    assert_string_equal(result_of(seen, default_rules(), MR_GATE_HOST_DID_NOT_PAUSE).text,
                        "pause share 0.1 %, at most 0.5 %; pause longest 2.5 ms, at most 1 ms and "
                        "a part that is unavailable");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),          cmocka_unit_test(test_unavailable_is_never_passed),
        cmocka_unit_test(test_healthy_passes), cmocka_unit_test(test_busy_generator),
        cmocka_unit_test(test_who_is_exempt),  cmocka_unit_test(test_lateness),
        cmocka_unit_test(test_coarse_counter), cmocka_unit_test(test_pauses),
        cmocka_unit_test(test_machine),        cmocka_unit_test(test_actions),
        cmocka_unit_test(test_texts),          cmocka_unit_test(test_lateness_after_a_slow_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
