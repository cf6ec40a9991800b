// trial_file_test.c: a trial written and read back, with figures that are unavailable, and files
// that are no trial.
#define _GNU_SOURCE
#include "temp_folder.h"

#include <trial/trial_file.h>

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct mr_trial make_trial(void)
{
    struct mr_trial trial = {.number = 7,
                             .cell = "simple/keep",
                             .row = 3,
                             .position = 1,
                             .attempt = 2,
                             .entry = "x@<script>",
                             .seed = UINT64_MAX,
                             .started_utc = "2026-11-30T12:00:00Z",
                             .start_ns = 5,
                             .end_ns = 9,
                             .outcome = MR_TRIAL_EXCLUDED,
                             .reason = "gate \"x\""};
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        trial.gates[gate] = (struct mr_gate_result){
            .outcome = MR_GATE_UNAVAILABLE, .figure = NAN, .threshold = 0.5};
    }
    trial.gates[MR_GATE_ANSWERS] =
        (struct mr_gate_result){.outcome = MR_GATE_FAILED, .figure = 0.0, .threshold = 1.0};
    trial.marks[MR_MARK_OVERLOADED] = (struct mr_gate_result){
        .outcome = MR_GATE_FAILED, .figure = 1, .threshold = 0, .text = "overloaded"};
    trial.observation = mr_observation_unknown();
    trial.before_gates = MR_TRIAL_COUNTED;
    mr_trial_metric(&trial, (struct mr_metric){"records_per_s", "records/s", true, 123456.78901});
    mr_trial_metric(&trial, (struct mr_metric){"latency_p99_ns", "ns", false, NAN});
    return trial;
}

static void test_round_trip(void **state)
{
    (void)state;
    struct temp_folder folder = temp_folder_make();
    char path[256];
    (void)snprintf(path, sizeof path, "%s/1.json", folder.path);
    struct mr_trial written = make_trial();
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *details = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_int(doc, details, "seen", 1);
    assert_int_equal(mr_trial_write(path, &written, doc, details), 0);
    yyjson_mut_doc_free(doc);

    struct mr_trial read;
    struct mr_json_file json;
    struct mr_trial_fault fault;
    assert_int_equal(mr_trial_read(&read, &json, path, &fault), 0);
    assert_int_equal(read.number, 7);
    assert_string_equal(read.cell, "simple/keep");
    assert_int_equal(read.row, 3);
    assert_int_equal(read.position, 1);
    assert_int_equal(read.attempt, 2);
    assert_string_equal(read.entry, "x@<script>");
    assert_true(read.seed == UINT64_MAX);
    assert_int_equal(read.outcome, MR_TRIAL_EXCLUDED);
    assert_string_equal(read.reason, "gate \"x\"");
    assert_int_equal(read.gates[MR_GATE_ANSWERS].outcome, MR_GATE_FAILED);
    assert_int_equal(read.gates[MR_GATE_RECORDER_SANE].outcome, MR_GATE_UNAVAILABLE);
    assert_true(isnan(read.gates[MR_GATE_RECORDER_SANE].figure));
    assert_int_equal(read.before_gates, MR_TRIAL_COUNTED);
    assert_int_equal(read.marks[MR_MARK_OVERLOADED].outcome, MR_GATE_FAILED);
    assert_string_equal(read.marks[MR_MARK_OVERLOADED].text, "overloaded");
    assert_true(isnan(read.observation.answers));
    assert_true(mr_trial_find(&read, "records_per_s")->value == 123456.78901);
    assert_true(mr_trial_find(&read, "records_per_s")->higher_is_better);
    assert_true(isnan(mr_trial_find(&read, "latency_p99_ns")->value));
    assert_false(mr_trial_find(&read, "latency_p99_ns")->higher_is_better);
    assert_null(mr_trial_find(&read, "speed"));
    mr_json_file_fini(&json);
    temp_folder_remove(&folder);
}

static void test_full_disk_leaves_nothing(void **state)
{
    (void)state;
    struct mr_trial trial = make_trial();
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    assert_true(mr_trial_write("/proc/1.json", &trial, doc, NULL) < 0);
    yyjson_mut_doc_free(doc);
}

static void test_foreign_files(void **state)
{
    (void)state;
    static const char *const texts[] = {"{}", "{\"schema\": \"matchrace/trial/1\"}",
                                        "{\"schema\": \"matchrace/trial/2\"}", "{"};
    struct temp_folder folder = temp_folder_make();
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char path[256];
        struct mr_trial trial;
        struct mr_json_file json;
        struct mr_trial_fault fault = {{0}};
        assert_int_equal(mr_trial_read(&trial, &json,
                                       temp_folder_write(&folder, "t.json", texts[i], path),
                                       &fault),
                         -EBADMSG);
        assert_true(fault.text[0] != '\0');
        mr_json_file_fini(&json);
    }
    temp_folder_remove(&folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_full_disk_leaves_nothing),
        cmocka_unit_test(test_foreign_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
