// campaign_results_gates_test.c: counts of gates and marks, who lost more trials to one, headroom.
#include "results_gates.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct mr_trial trials[8];
static struct mr_trial_table table = {.trials = trials};
static const struct mr_cell cell = {
    .name = "c",
    .metric = "records_per_s",
    .entries = {"x", "y", "x@drain"},
    .loads = {{.plan = "closed"}, {.plan = "closed"}, {.plan = "closed"}},
    .entries_count = 3};
static yyjson_mut_doc *doc;
static yyjson_mut_val *one;

static struct mr_trial *add(const char *in, const char *entry)
{
    struct mr_trial *trial = &trials[table.count++];
    *trial = (struct mr_trial){.cell = in, .entry = entry};
    return trial;
}

static int set_up(void **state)
{
    (void)state;
    table.count = 0;
    doc = yyjson_mut_doc_new(NULL);
    one = yyjson_mut_obj(doc);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    yyjson_mut_doc_free(doc);
    return 0;
}

static int64_t count_at(const char *path)
{
    yyjson_mut_val *value = yyjson_mut_ptr_getx(one, path, strlen(path), NULL, NULL);
    return value == NULL ? -1 : (int64_t)yyjson_mut_get_uint(value);
}

static void test_counts(void **state)
{
    (void)state;
    add("c", "x")->gates[MR_GATE_NOTHING_ELSE_RAN].outcome = MR_GATE_FAILED;
    add("c", "x")->marks[MR_MARK_OVERLOADED].outcome = MR_GATE_FAILED;
    add("c", "y")->gates[MR_GATE_NOTHING_ELSE_RAN].outcome = MR_GATE_UNAVAILABLE;
    add("other", "x")->gates[MR_GATE_NOTHING_ELSE_RAN].outcome = MR_GATE_FAILED;
    mr_results_gate_counts(doc, one, &cell, &table);
    assert_int_equal(count_at("/gates/nothing_else_ran/failed"), 1);
    assert_int_equal(count_at("/gates/nothing_else_ran/passed"), 1);
    assert_int_equal(count_at("/gates/nothing_else_ran/unavailable"), 1);
    assert_int_equal(count_at("/gates/nothing_else_ran/off"), 0);
    assert_int_equal(count_at("/marks/overloaded/marked"), 1);
    assert_int_equal(count_at("/marks/overloaded/clear"), 2);
    assert_int_equal(count_at("/uneven/nothing_else_ran/x"), 1);
    assert_int_equal(count_at("/uneven/nothing_else_ran/y"), 0);
    assert_int_equal(count_at("/uneven/host_did_not_pause/x"), -1);
    one = yyjson_mut_obj(doc);
    mr_results_entry_gates(doc, one, &cell, "y", &table);
    assert_int_equal(count_at("/gates/nothing_else_ran/failed"), 0);
    assert_int_equal(count_at("/gates/nothing_else_ran/unavailable"), 1);
}

// As many for each is even; whom the gate never judged, and wrong answers, say nothing of it.
static void test_even(void **state)
{
    (void)state;
    add("c", "x")->gates[MR_GATE_GENERATOR_KEPT_UP].outcome = MR_GATE_FAILED;
    add("c", "y")->gates[MR_GATE_GENERATOR_KEPT_UP].outcome = MR_GATE_FAILED;
    add("c", "x@drain")->gates[MR_GATE_GENERATOR_KEPT_UP].outcome = MR_GATE_EXEMPT;
    trials[0].gates[MR_GATE_ANSWERS].outcome = MR_GATE_FAILED;
    mr_results_gate_counts(doc, one, &cell, &table);
    assert_int_equal(yyjson_mut_obj_size(yyjson_mut_obj_get(one, "uneven")), 0);
}

static const char *limit_of(double null_speed, double best, const char *plan)
{
    struct mr_rules rules;
    struct mr_cell changed = cell;
    static struct mr_cell_estimate estimate;
    static const bool null_contestant[MR_CELL_ENTRIES_MAX] = {false, false, true};
    mr_rules_default(&rules);
    for (size_t i = 0; i < 3; i++) {
        changed.loads[i].plan = plan;
    }
    double speeds[] = {best / 2, best, null_speed};
    for (size_t i = 0; i < 3; i++) {
        estimate.entries[i].metrics_count = 1;
        estimate.entries[i].metrics[0].metric =
            (struct mr_metric){"records_per_s", "records/s", true, speeds[i]};
    }
    one = yyjson_mut_obj(doc);
    mr_results_headroom(doc, one, &changed, &estimate, null_contestant, &rules.gates);
    return yyjson_mut_get_str(yyjson_mut_obj_get(one, "server_is_limit"));
}

static void test_headroom(void **state)
{
    (void)state;
    assert_string_equal(limit_of(130, 100, "closed"), "passed");
    assert_true(yyjson_mut_get_real(yyjson_mut_obj_get(one, "headroom")) == 1.3);
    assert_string_equal(limit_of(129.99, 100, "closed"), "failed");
    assert_string_equal(limit_of(NAN, 100, "closed"), "unavailable");
    assert_string_equal(limit_of(100, 100, "open"), "exempt"); // the rate is fixed beforehand
    assert_true(yyjson_mut_is_null(yyjson_mut_obj_get(one, "headroom")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_even, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_headroom, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
