// trial_matrix_test.c: matrices that are read, and faults that are named with their line.
#define _GNU_SOURCE
#include "temp_folder.h"

#include <trial/matrix.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define CELL                                                                                       \
    "{\"name\": \"s\", \"data\": {\"shape\": \"simple\"}, \"rows\": 6,\n"                          \
    " \"contestants\": [\"x\", \"y\"], \"comparisons\": [{\"a\": \"x\", \"b\": \"y\"}]}"

static struct mr_matrix matrix; // large

// Loads `text` as a matrix; the fault's text in `fault_out`.
static int load(const char *text, struct mr_trial_fault *fault_out)
{
    struct temp_folder folder = temp_folder_make();
    char path[256];
    *fault_out = (struct mr_trial_fault){{0}};
    int result =
        mr_matrix_load(&matrix, temp_folder_write(&folder, "matrix.json", text, path), fault_out);
    temp_folder_remove(&folder);
    return result;
}

static void expect_fault(const char *text, const char *part)
{
    struct mr_trial_fault fault;
    assert_int_equal(load(text, &fault), -EBADMSG);
    if (strstr(fault.text, part) == NULL) {
        fail_msg("'%s' does not hold '%s'", fault.text, part);
    }
    mr_matrix_fini(&matrix);
}

static void test_defaults(void **state)
{
    (void)state;
    struct mr_trial_fault fault;
    assert_int_equal(load("{\"name\": \"m\", \"cells\": [" CELL "]}", &fault), 0);
    assert_int_equal(matrix.cells_count, 1);
    const struct mr_cell *cell = &matrix.cells[0];
    assert_string_equal(cell->driver, "served");
    assert_string_equal(cell->metric, "records_per_s");
    assert_int_equal(cell->load.connections, 16);
    assert_int_equal(cell->load.depth, 4);
    assert_string_equal(cell->measures, "contestant");
    assert_string_equal(cell->contestants[1], "y");
    assert_true(mr_cell_load_equal(&cell->load, &cell->loads[1]));
    assert_int_equal(cell->data.bytes, 64u << 20);
    assert_int_equal(cell->data.seed, 42);
    assert_int_equal(cell->comparisons[0].a, 0);
    assert_int_equal(cell->comparisons[0].b, 1);
    assert_true(cell->comparisons[0].primary);
    assert_int_equal(matrix.rules.window_ns, 8000000000u);
    assert_int_equal(mr_rules_warmup_ns(&matrix.rules, false), 3000000000u);
    assert_int_equal(mr_rules_warmup_ns(&matrix.rules, true), 8000000000u);
    assert_int_equal(mr_rules_warmup_max_ns(&matrix.rules, false), 3000000000u);
    assert_int_equal(mr_rules_warmup_max_ns(&matrix.rules, true), 30000000000u);
    mr_matrix_fini(&matrix);
}

static void test_form_of_data(void **state)
{
    (void)state;
    struct mr_trial_fault fault;
    assert_int_equal(
        load(
            "{\"name\": \"m\", \"cells\": [" CELL ",\n"
            "{\"name\": \"t\", \"data\": {\"shape\": \"simple\", \"keys\": "
            "\"shuffled\", \"space\": \"lines\", \"record_bytes\": 512, "
            "\"messy_share\": 0.01, \"escape_share\": 0.05, \"non_ascii_share\": 1}, "
            "\"rows\": 6, \"contestants\": [\"x\", {\"contestant\": \"y\", \"optional\": true}]}]}",
            &fault),
        0);
    assert_false(matrix.cells[1].optional[0]);
    assert_true(matrix.cells[1].optional[1]);
    assert_string_equal(matrix.cells[1].entries[1], "y");
    const struct mr_dataset_spec *plain = &matrix.cells[0].data;
    assert_string_equal(plain->keys, "fixed");
    assert_string_equal(plain->space, "compact");
    assert_int_equal(plain->record_bytes, 0);
    assert_true(plain->messy_share == 0 && plain->escape_share == 0 && plain->non_ascii_share == 0);
    const struct mr_dataset_spec *other = &matrix.cells[1].data;
    assert_string_equal(other->keys, "shuffled");
    assert_string_equal(other->space, "lines");
    assert_int_equal(other->record_bytes, 512);
    assert_true(other->messy_share == 0.01 && other->escape_share == 0.05 &&
                other->non_ascii_share == 1);
    mr_matrix_fini(&matrix);
}

static void test_shipped_matrices(void **state)
{
    (void)state;
    static const char *const names[] = {"smoke",
                                        "bench-parse",
                                        "bench-parse-sweep",
                                        "bench-parse-quick",
                                        "bench-parse-csharp",
                                        "bench-parse-avx2",
                                        "bench-dotnet",
                                        "bench-serve",
                                        "bench-load"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[512];
        struct mr_trial_fault fault;
        (void)snprintf(path, sizeof path, "%s/matrices/%s.json", MR_SOURCE_DIR, names[i]);
        if (mr_matrix_load(&matrix, path, &fault) != 0) {
            fail_msg("%s", fault.text);
        }
        assert_string_equal(matrix.name, names[i]);
        mr_matrix_fini(&matrix);
    }
}

static void test_faults(void **state)
{
    (void)state;
    expect_fault("{\"name\": \"m\",\n\"cells\": [}", ":2: not JSON");
    expect_fault("[1]", "a JSON object is needed");
    expect_fault("{\"name\": \"m\",\n\"rulez\": {}, \"cells\": [" CELL "]}",
                 ":2: unknown key \"rulez\"");
    expect_fault("{\"name\": \"m\", \"cells\": [\n{\"name\": \"s\",\n \"rowz\": 6}]}",
                 ":3: unknown key \"rowz\"");
    expect_fault("{\"name\": \"../m\", \"cells\": [" CELL "]}",
                 "lower-case letters, digits and dashes");
    expect_fault("{\"cells\": [" CELL "]}", "\"name\" is missing");
    expect_fault("{\"name\": \"m\", \"cells\": []}", "nothing to race");
    expect_fault("{\"name\": \"m\", \"cells\": [" CELL ", " CELL "]}",
                 "two cells are called \"s\"");
    expect_fault("{\"name\": \"m\", \"budget_s\": -1, \"cells\": [" CELL "]}",
                 "\"budget_s\" must be a number not below 0");
}

static void expect_cell_fault(const char *cell, const char *part)
{
    char text[1024];
    (void)snprintf(text, sizeof text, "{\"name\": \"m\", \"cells\": [%s]}", cell);
    expect_fault(text, part);
}

static void test_cell_faults(void **state)
{
    (void)state;
    expect_cell_fault("{\"name\": \"s\", \"data\": {\"shape\": \"odd\"}, \"rows\": 6, "
                      "\"contestants\": [\"x\", \"y\"]}",
                      "\"shape\" may not be \"odd\"");
    expect_cell_fault("{\"name\": \"s\", \"data\": {\"bytes\": \"x\"}, \"rows\": 6, "
                      "\"contestants\": [\"x\", \"y\"]}",
                      "\"bytes\" must be like");
    expect_cell_fault("{\"name\": \"s\", \"data\": {\"space\": \"wide\"}, \"rows\": 6, "
                      "\"contestants\": [\"x\", \"y\"]}",
                      "\"space\" may not be \"wide\"");
    expect_cell_fault("{\"name\": \"s\", \"data\": {\"messy_share\": 1.5}, \"rows\": 6, "
                      "\"contestants\": [\"x\", \"y\"]}",
                      "\"messy_share\" is a share of 1");
    expect_cell_fault("{\"name\": \"s\", \"data\": {\"record_bytes\": 100}, \"rows\": 6, "
                      "\"contestants\": [\"x\", \"y\"]}",
                      "\"record_bytes\"");
    expect_cell_fault("{\"name\": \"s\", \"data\": {}, \"contestants\": [\"x\", \"y\"]}",
                      "\"rows\" is missing");
    expect_cell_fault("{\"name\": \"s\", \"data\": {}, \"rows\": 6, \"contestants\": [\"x\"]}",
                      "at least two");
    expect_cell_fault(
        "{\"name\": \"s\", \"data\": {}, \"rows\": 6, \"contestants\": [\"x\", \"x\"]}",
        "stands twice");
    expect_cell_fault(
        "{\"name\": \"s\", \"data\": {}, \"rows\": 7, \"contestants\": [\"x\", \"y\"]}",
        "must be a multiple of 2");
    expect_cell_fault(
        "{\"name\": \"s\", \"data\": {}, \"rows\": 8, \"contestants\": [\"x\", \"y\", \"z\"]}",
        "must be a multiple of 6");
    expect_cell_fault(
        "{\"name\": \"s\", \"data\": {}, \"rows\": 4, \"contestants\": [\"x\", \"y\"],"
        " \"comparisons\": [{\"a\": \"x\", \"b\": \"y\"}]}",
        "it needs at least 6");
    expect_cell_fault(
        "{\"name\": \"s\", \"data\": {}, \"rows\": 6, \"contestants\": [\"x\", \"y\"],"
        " \"comparisons\": [{\"a\": \"x\", \"b\": \"q\"}]}",
        "names two contestants of that cell");
    expect_cell_fault(
        "{\"name\": \"s\", \"data\": {}, \"rows\": 6, \"contestants\": [\"x\", \"y\"],"
        " \"load\": {\"plan\": \"open\"}}",
        "exactly one of \"rate_per_s\" and \"share\"");
    expect_cell_fault("{\"name\": \"s\", \"data\": {}, \"rows\": 6, \"contestants\": [\"x\", "
                      "\"y\"], \"mode\": \"hold\"}",
                      "\"mode\" may not be \"hold\"");
    expect_cell_fault(
        "{\"name\": \"s\", \"data\": {}, \"rows\": 6, \"contestants\": [\"x\", \"y\"],"
        " \"job\": \"dance\"}",
        "\"job\" may not be");
    expect_cell_fault(
        "{\"name\": \"s\", \"data\": {}, \"rows\": 6, \"contestants\": [\"x\", \"y\"],"
        " \"metric\": \"ns_per_record\"}",
        "\"metric\" may not be \"ns_per_record\"");
    expect_cell_fault(
        "{\"name\": \"s\", \"data\": {}, \"rows\": 6, \"contestants\": [\"x\", \"y\"],"
        " \"load\": {\"plan\": \"open\", \"rate_per_s\": 5},"
        " \"comparisons\": [{\"a\": \"x\", \"b\": \"y\"}]}",
        "decides nothing");
    expect_cell_fault(
        "{\"name\": \"s\", \"data\": {}, \"rows\": 6, \"contestants\": [\"x\", \"y\"],"
        " \"metric\": \"latency_p99_ns\"}",
        "a closed loop has round trips");
    expect_cell_fault(
        "{\"name\": \"s\", \"data\": {}, \"rows\": 6, \"contestants\": [\"x\", \"y\"],"
        " \"driver\": \"stepped\", \"metric\": \"latency_p50_ns\"}",
        "\"metric\" may not be \"latency_p50_ns\"");
}

static void test_latency_is_compared(void **state)
{
    (void)state;
    struct temp_folder folder = temp_folder_make();
    char path[256];
    struct mr_trial_fault fault = {{0}};
    (void)temp_folder_write(
        &folder, "m.json",
        "{\"name\": \"m\", \"rules\": {\"warmup_s\": 2, \"warmup_managed_s\": 1, "
        "\"warmup_managed_max_s\": 1.5, "
        "\"gates\": {\"recorder_sane\": {\"action\": \"abort\"}, \"machine_unchanged\": "
        "{\"machine_spread_factor\": 4}}, \"marks\": {\"slope_max\": "
        "0.5}}, \"cells\": [{\"name\": \"s\", \"data\": {}, \"rows\": 6, \"contestants\": "
        "[\"x\", \"y\"], \"metric\": \"latency_p99_ns\", \"load\": {\"plan\": \"open\", "
        "\"rate_per_s\": 5}, \"comparisons\": [{\"a\": \"x\", \"b\": \"y\"}]}]}",
        path);
    assert_int_equal(mr_matrix_load(&matrix, path, &fault), 0);
    assert_string_equal(matrix.cells[0].metric, "latency_p99_ns");
    assert_true(matrix.cells[0].comparisons[0].primary);
    assert_int_equal(matrix.rules.gates.action[MR_GATE_RECORDER_SANE], MR_GATE_ABORT);
    assert_true(matrix.rules.gates.machine_spread_factor == 4);
    assert_true(matrix.rules.marks.slope_max == 0.5);
    assert_int_equal(mr_rules_warmup_ns(&matrix.rules, true), 2000000000u); // the longer one
    assert_int_equal(mr_rules_warmup_max_ns(&matrix.rules, true), 2000000000u);
    mr_matrix_fini(&matrix);
    temp_folder_remove(&folder);
}

static void test_rules_faults(void **state)
{
    (void)state;
    expect_fault("{\"name\": \"m\", \"rules\": {\"warm\": 1}, \"cells\": [" CELL "]}",
                 "unknown key \"warm\"");
    expect_fault("{\"name\": \"m\", \"rules\": {\"window_s\": 0}, \"cells\": [" CELL "]}",
                 "window_s must be above 0");
    expect_fault("{\"name\": \"m\", \"rules\": {\"gates\": {\"lucky\": {}}}, \"cells\": [" CELL
                 "]}",
                 "is no gate");
    expect_fault("{\"name\": \"m\", \"rules\": {\"gates\": {\"answers\": {\"action\": \"mark\"}}}, "
                 "\"cells\": [" CELL "]}",
                 "cannot be loosened");
    expect_fault("{\"name\": \"m\", \"rules\": {\"gates\": {\"recorder_sane\": {\"busy\": 1}}}, "
                 "\"cells\": [" CELL "]}",
                 "unknown key \"busy\"");
    expect_fault("{\"name\": \"m\", \"rules\": {\"gates\": {\"recorder_sane\": {\"action\": "
                 "\"exclude\"}}}, \"cells\": [" CELL "]}",
                 "must be off, mark or abort");
    expect_fault("{\"name\": \"m\", \"rules\": {\"gates\": {\"nothing_else_ran\": {\"action\": "
                 "\"abort\"}}}, \"cells\": [" CELL "]}",
                 "must be off, mark or exclude");
    expect_fault("{\"name\": \"m\", \"rules\": {\"marks\": {\"steep\": 1}}, \"cells\": [" CELL "]}",
                 "unknown key \"steep\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_form_of_data),
        cmocka_unit_test(test_shipped_matrices),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_cell_faults),
        cmocka_unit_test(test_rules_faults),
        cmocka_unit_test(test_latency_is_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
