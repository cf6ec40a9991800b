// trial_matrix_load_test.c: loads as a matrix gives them: read, refused with line and key,
// resolved.
#define _GNU_SOURCE
#include "temp_folder.h"

#include <trial/matrix.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static struct mr_matrix matrix; // large

// A matrix of one cell: `head` stands on line 2, `load` on line 3, `contestants` on line 4.
static int load_cell(const char *head, const char *load, const char *contestants,
                     struct mr_trial_fault *fault_out)
{
    char text[2048];
    (void)snprintf(text, sizeof text,
                   "{\"name\": \"m\", \"cells\": [{\"name\": \"s\", \"data\": {}, \"rows\": 6,\n"
                   "%s\"job\": \"ingest\",\n\"load\": {%s},\n\"contestants\": [%s]}]}",
                   head, load, contestants);
    struct temp_folder folder = temp_folder_make();
    char path[256];
    *fault_out = (struct mr_trial_fault){{0}};
    int result =
        mr_matrix_load(&matrix, temp_folder_write(&folder, "matrix.json", text, path), fault_out);
    temp_folder_remove(&folder);
    return result;
}

static const struct mr_cell_load *read_load(const char *load)
{
    struct mr_trial_fault fault;
    if (load_cell("", load, "\"x\", \"y\"", &fault) != 0) {
        fail_msg("%s", fault.text);
    }
    return &matrix.cells[0].loads[1];
}

static void expect_fault(const char *head, const char *load, const char *contestants,
                         const char *part)
{
    struct mr_trial_fault fault;
    assert_int_equal(load_cell(head, load, contestants, &fault), -EBADMSG);
    if (strstr(fault.text, part) == NULL) {
        fail_msg("'%s' does not hold '%s'", fault.text, part);
    }
    mr_matrix_fini(&matrix);
}

static void test_plans(void **state)
{
    (void)state;
    const struct mr_cell_load *load =
        read_load("\"plan\": \"poisson\", \"rate_per_s\": 700, \"connections\": 3, "
                  "\"in_flight\": 9");
    assert_string_equal(load->plan, "poisson");
    assert_int_equal(load->rate.per_s, 700);
    assert_int_equal(load->connections, 3);
    assert_int_equal(load->depth, 4);
    assert_int_equal(load->in_flight, 9);
    assert_true(mr_cell_load_is_open(load) && !mr_cell_load_is_shared(load));
    assert_true(mr_cell_load_is_whole(load));
    mr_matrix_fini(&matrix);
    load = read_load("\"plan\": \"bursts\", \"burst_batches\": 50, \"period_ms\": 2.5");
    assert_int_equal(load->burst_batches, 50);
    assert_int_equal(load->period_ns, 2500000);
    mr_matrix_fini(&matrix);
    load = read_load("\"plan\": \"open\", \"share\": 0.5");
    assert_true(mr_cell_load_is_shared(load));
    assert_int_equal(load->rate.per_s, 0);
    mr_matrix_fini(&matrix);
    assert_false(mr_cell_load_is_open(read_load("")));
    mr_matrix_fini(&matrix);
}

static void test_resolve(void **state)
{
    (void)state;
    struct mr_cell_load load = *read_load("\"plan\": \"open\", \"share\": 0.5");
    mr_cell_load_resolve(&load, 1001.9);
    assert_int_equal(load.rate.per_s, 500); // floor(500.95)
    mr_cell_load_resolve(&load, 0.5);
    assert_int_equal(load.rate.per_s, 1); // never nothing
    mr_matrix_fini(&matrix);
    load = *read_load("\"plan\": \"open\", \"rate_per_s\": 77");
    mr_cell_load_resolve(&load, 1000);
    assert_int_equal(load.rate.per_s, 77); // a number stays as it is
    mr_matrix_fini(&matrix);
    load = *read_load("\"plan\": \"bursts\", \"share\": 0.25, \"period_ms\": 20");
    mr_cell_load_resolve(&load, 10000);
    assert_int_equal(load.burst_batches, 50); // 0.25 · 10000/s · 20 ms
    assert_int_equal(load.rate.per_s, 2500);
    mr_cell_load_resolve(&load, 10);
    assert_int_equal(load.burst_batches, 1);
    mr_matrix_fini(&matrix);
}

static void test_steps(void **state)
{
    (void)state;
    struct mr_cell_load load =
        *read_load("\"plan\": \"steps\", \"steps\": [{\"rate_per_s\": 100, \"length_ms\": 500},"
                   " {\"share\": 0.1, \"to_share\": 0.5, \"length_ms\": 1000.5}]");
    assert_int_equal(load.steps_count, 2);
    assert_true(mr_cell_load_is_shared(&load));
    mr_cell_load_resolve(&load, 2000);
    char text[128];
    assert_true(mr_cell_load_steps_text(&load, text, sizeof text));
    assert_string_equal(text, "100:500000000ns,200-1000:1000500000ns");
    assert_false(mr_cell_load_steps_text(&load, text, 20));
    mr_matrix_fini(&matrix);
}

static void test_plan_faults(void **state)
{
    (void)state;
    static const char *const faults[][2] = {
        {"\"plan\": \"waves\"", ":3: \"plan\" may not be \"waves\""},
        {"\"rate_per_s\": 5", ":3: \"rate_per_s\" means nothing with plan \"closed\""},
        {"\"share\": 0.5", ":3: \"share\" means nothing with plan \"closed\""},
        {"\"plan\": \"open\", \"share\": 0.5, \"rate_per_s\": 5", ":3: exactly one of"},
        {"\"plan\": \"open\", \"share\": 0", ":3: \"share\" must be a share"},
        {"\"plan\": \"open\", \"share\": 101", ":3: \"share\" must be a share"},
        {"\"plan\": \"open\", \"rate_per_s\": 0", ":3: \"rate_per_s\" must be an integer from 1"},
        {"\"plan\": \"open\", \"rate_per_s\": 5000001", "to 5000000"},
        {"\"plan\": \"open\", \"rate_per_s\": 5,\n\"period_ms\": 5",
         ":4: \"period_ms\" means nothing with plan \"open\""},
        {"\"plan\": \"bursts\", \"burst_batches\": 5", ":3: \"period_ms\" must be there"},
        {"\"plan\": \"bursts\", \"period_ms\": 5",
         ":3: exactly one of \"burst_batches\" and \"share\""},
        {"\"plan\": \"bursts\", \"burst_batches\": 5, \"period_ms\": 1e9", "at most an hour"},
        {"\"plan\": \"steps\"", "\"steps\" must be there"},
        {"\"plan\": \"steps\", \"steps\": []", ":3: \"steps\" is empty"},
        {"\"plan\": \"steps\", \"steps\": [{\"length_ms\": 5}]",
         ":3: exactly one of \"rate_per_s\" and \"share\""},
        {"\"plan\": \"steps\", \"steps\": [{\"rate_per_s\": 5, \"to\": 5}]",
         ":3: unknown key \"to\""},
        {"\"plan\": \"steps\", \"steps\": [{\"rate_per_s\": 5}]",
         ":3: \"length_ms\" must be there"},
        {"\"in_flight\": 0", ":3: \"in_flight\" must be an integer from 1"},
        {"\"burst\": 5", ":3: unknown key \"burst\""},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        expect_fault("", faults[i][0], "\"x\", \"y\"", faults[i][1]);
    }
}

#define GENERATOR "\"measures\": \"generator\", \"metric\": \"generator_ns_per_batch\", "
#define COMPARED  "\"comparisons\": [{\"a\": \"x\", \"b\": \"few\"}], "

static void test_own_loads(void **state)
{
    (void)state;
    struct mr_trial_fault fault;
    int result = load_cell(GENERATOR COMPARED, "\"plan\": \"open\", \"rate_per_s\": 7",
                           "\"x\", {\"contestant\": \"x\", \"as\": \"few\", \"load\": "
                           "{\"connections\": 2, \"verify\": false}}",
                           &fault);
    if (result != 0) {
        fail_msg("%s", fault.text);
    }
    const struct mr_cell *cell = &matrix.cells[0];
    assert_string_equal(cell->entries[1], "few");
    assert_string_equal(cell->contestants[1], "x");
    assert_int_equal(cell->loads[1].connections, 2);
    assert_int_equal(cell->loads[1].rate.per_s, 7); // what it does not give is the cell's
    assert_false(cell->loads[1].verify);
    assert_int_equal(cell->loads[0].connections, 16);
    assert_true(cell->loads[0].verify);
    mr_matrix_fini(&matrix);
}

static void test_unfair(void **state)
{
    (void)state;
    const char *few = "\"x\", {\"contestant\": \"x\", \"as\": \"few\", \"load\": "
                      "{\"connections\": 2}}";
    expect_fault(COMPARED, "", few, "get different loads");
    expect_fault("", "\"verify\": false", "\"x\", \"y\"", ":4: \"x\": only a cell with");
    expect_fault("", "", "\"x\", {\"contestant\": \"y\", \"load\": {\"vary\": false}}",
                 ":4: \"y\": only a cell with");
    expect_fault("", "\"null_sender\": true", "\"x\", \"y\"", ":4: \"x\": only a cell with");
    expect_fault(COMPARED, "\"plan\": \"open\", \"rate_per_s\": 7, \"null_sender\": true",
                 "\"x\", \"y\"", "\"null_sender\" knows no due times");
    expect_fault("\"metric\": \"generator_ns_per_batch\", ", "", "\"x\", \"y\"",
                 ":2: \"generator_ns_per_batch\" says nothing of a contestant");
    expect_fault("\"driver\": \"stepped\", ", "\"plan\": \"open\", \"rate_per_s\": 5",
                 "\"x\", \"y\"", ":2: a stepped cell has no generator");
    expect_fault("", "", "\"x\", {\"contestant\": \"x\"}", "stands twice");
    expect_fault("", "", "\"x\", {\"as\": \"z\"}", "\"contestant\" is missing");
    expect_fault("", "", "\"x\", 5", "names or objects");
    expect_fault("\"comparisons\": [{\"a\": \"x\", \"b\": \"y\", \"at_least\": 2, "
                 "\"at_most\": 1}], ",
                 "", "\"x\", \"y\"", ":2: \"at_least\" is above \"at_most\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plans),     cmocka_unit_test(test_resolve),
        cmocka_unit_test(test_steps),     cmocka_unit_test(test_plan_faults),
        cmocka_unit_test(test_own_loads), cmocka_unit_test(test_unfair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
