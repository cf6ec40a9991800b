// trial_judgement_test.c: a trial judged, written, read and judged again: the same; under another
// threshold something else; and never by who ran.
#define _GNU_SOURCE
#include "temp_folder.h"

#include <trial/judgement.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

// Figures that no short decimal can hold, so that a rounded file would show.
static struct mr_trial seen_trial(void)
{
    struct mr_trial trial = {.number = 3,
                             .cell = "c",
                             .entry = "x",
                             .started_utc = "2026-11-30T12:00:00Z",
                             .observation = mr_observation_unknown()};
    trial.observation.answers = 1;
    trial.observation.generator_busy = nextafter(0.9, 0);
    trial.observation.server_busy = 1.0 / 3;
    trial.observation.foreign_share = nextafter(0.005, 1);
    trial.observation.foreign_step_share = 0.00125;
    trial.observation.pause_share = INFINITY; // as unknown as NAN, before and after the file
    trial.observation.machine_change = 0.02;
    trial.observation.machine_spread = 0.01 / 3;
    trial.observation.recorder_deviation = 1;
    trial.observation.throughput_slope = -0.1 / 7;
    trial.observation.throughput_slope_low = -0.4 / 7;
    trial.observation.throughput_slope_high = 0.1 / 7;
    trial.observation.grade_c = true;
    return trial;
}

static void expect_same(const struct mr_trial *a, const struct mr_trial *b)
{
    assert_int_equal(a->outcome, b->outcome);
    assert_string_equal(a->reason, b->reason);
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        assert_int_equal(a->gates[gate].outcome, b->gates[gate].outcome);
        assert_string_equal(a->gates[gate].text, b->gates[gate].text);
    }
    for (int mark = 0; mark < MR_MARK_COUNT; mark++) {
        assert_int_equal(a->marks[mark].outcome, b->marks[mark].outcome);
        assert_string_equal(a->marks[mark].text, b->marks[mark].text);
    }
}

static void test_judged_again(void **state)
{
    (void)state;
    struct temp_folder folder = temp_folder_make();
    char path[256];
    (void)snprintf(path, sizeof path, "%s/1.json", folder.path);
    struct mr_rules rules;
    mr_rules_default(&rules);
    struct mr_trial trial = seen_trial();
    assert_int_equal(mr_trial_judge(&trial, &rules), MR_EFFECT_EXCLUDED);
    assert_int_equal(trial.outcome, MR_TRIAL_EXCLUDED);
    assert_non_null(strstr(trial.reason, "gate nothing_else_ran: foreign share"));
    assert_int_equal(trial.marks[MR_MARK_NOT_STEADY].outcome, MR_GATE_FAILED);
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    assert_int_equal(mr_trial_write(path, &trial, doc, NULL), 0);
    yyjson_mut_doc_free(doc);

    struct mr_trial read;
    struct mr_json_file json;
    struct mr_trial_fault fault;
    assert_int_equal(mr_trial_read(&read, &json, path, &fault), 0);
    expect_same(&read, &trial);
    assert_true(read.observation.server_busy == trial.observation.server_busy);
    assert_true(read.observation.grade_c && !read.observation.open_loop);
    (void)mr_trial_judge(&read, &rules);
    expect_same(&read, &trial);

    rules.gates.foreign_share_max = nextafter(0.005, 1);
    assert_int_equal(mr_trial_judge(&read, &rules), MR_EFFECT_NONE);
    assert_int_equal(read.outcome, MR_TRIAL_COUNTED);
    assert_string_equal(read.reason, "");
    rules.marks.slope_interval_max = 1;
    (void)mr_trial_judge(&read, &rules);
    assert_int_equal(read.marks[MR_MARK_NOT_STEADY].outcome, MR_GATE_PASSED);
    rules.gates.machine_change_max = 0.01;
    rules.gates.machine_spread_factor = 1;
    (void)mr_trial_judge(&read, &rules);
    assert_int_equal(read.outcome, MR_TRIAL_EXCLUDED);
    mr_json_file_fini(&json);
    temp_folder_remove(&folder);
}

// What happened before the gates is no matter of thresholds.
static void test_accidents_stand(void **state)
{
    (void)state;
    struct mr_rules rules;
    mr_rules_default(&rules);
    struct mr_trial trial = seen_trial();
    trial.before_gates = MR_TRIAL_WRONG;
    (void)snprintf(trial.reason, sizeof trial.reason, "digest: wrong");
    assert_int_equal(mr_trial_judge(&trial, &rules), MR_EFFECT_NONE);
    assert_int_equal(trial.outcome, MR_TRIAL_WRONG);
    assert_string_equal(trial.reason, "digest: wrong");
    trial.before_gates = MR_TRIAL_EXCLUDED;
    trial.observation.foreign_share = 0;
    (void)mr_trial_judge(&trial, &rules);
    assert_int_equal(trial.outcome, MR_TRIAL_EXCLUDED);
    trial.before_gates = MR_TRIAL_COUNTED;
    trial.observation.answers = 0;
    assert_int_equal(mr_trial_judge(&trial, &rules), MR_EFFECT_WRONG);
    assert_int_equal(trial.outcome, MR_TRIAL_WRONG);
}

static void test_recorder_aborts(void **state)
{
    (void)state;
    struct mr_rules rules;
    mr_rules_default(&rules);
    struct mr_trial trial = seen_trial();
    trial.observation.recorder_deviation = nextafter(1, 2);
    assert_int_equal(mr_trial_judge(&trial, &rules), MR_EFFECT_ABORTED);
    assert_int_equal(trial.outcome, MR_TRIAL_EXCLUDED);
    rules.gates.action[MR_GATE_RECORDER_SANE] = MR_GATE_MARK;
    assert_int_equal(mr_trial_judge(&trial, &rules), MR_EFFECT_EXCLUDED); // by the foreign time
}

static void test_nobody_is_known(void **state)
{
    (void)state;
    static const char *const entries[] = {"y", "x@drain", "a-tuned", "", "zz@fresh"};
    struct mr_rules rules;
    mr_rules_default(&rules);
    struct mr_trial first = seen_trial();
    (void)mr_trial_judge(&first, &rules);
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        struct mr_trial other = seen_trial();
        other.entry = entries[i];
        other.number = 100 + i;
        other.position = i;
        other.cell = entries[i];
        mr_trial_metric(&other, (struct mr_metric){"records_per_s", "records/s", true, 1e9});
        (void)mr_trial_judge(&other, &rules);
        expect_same(&other, &first);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judged_again),
        cmocka_unit_test(test_accidents_stand),
        cmocka_unit_test(test_recorder_aborts),
        cmocka_unit_test(test_nobody_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
