// trial_matrix_controls_test.c: controls become cells of their own: who is in them, under which
// names, in how many rows; and faults that are named.
#define _GNU_SOURCE
#include "temp_folder.h"

#include <trial/matrix.h>
#include <trial/matrix_controls.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#define CELL                                                                                       \
    "{\"name\": \"s\", \"data\": {\"shape\": \"simple\"}, \"rows\": 12,\n"                         \
    " \"contestants\": [\"x\", \"y\"], \"comparisons\": [{\"a\": \"x\", \"b\": \"y\"}]}"
#define OPEN                                                                                       \
    "{\"name\": \"o\", \"data\": {\"shape\": \"simple\"}, \"rows\": 2, \"metric\": "               \
    "\"latency_p50_ns\", \"load\": {\"plan\": \"open\", \"rate_per_s\": 9}, \"contestants\": "     \
    "[\"x\", \"y\"]}"
#define WHOLE                                                                                      \
    "\"like\": \"s\", \"baselines\": [\"n\", \"m\"], \"doses\": [0.01, 0.02, 0.05], "              \
    "\"liars\": [\"l\", \"k\"], \"object_orders\": [\"n\", \"n@o\"]"

static struct mr_matrix matrix; // large

static int load_text(const char *text, struct mr_trial_fault *fault_out)
{
    struct temp_folder folder = temp_folder_make();
    char path[256];
    *fault_out = (struct mr_trial_fault){{0}};
    int result =
        mr_matrix_load(&matrix, temp_folder_write(&folder, "matrix.json", text, path), fault_out);
    temp_folder_remove(&folder);
    return result;
}

static int load(const char *controls, unsigned seed, struct mr_trial_fault *fault_out)
{
    char text[4096];
    (void)snprintf(text, sizeof text,
                   "{\"name\": \"m\", \"seed\": %u, \"cells\": [" CELL ", " OPEN "],\n"
                   "\"controls\": {%s}}",
                   seed, controls);
    return load_text(text, fault_out);
}

static size_t count(const struct mr_cell *cell, enum mr_control control, const char *contestant,
                    uint64_t dose_ppm)
{
    size_t found = 0;
    for (size_t i = 0; i < cell->entries_count; i++) {
        found += cell->control[i] == control && cell->dose_ppm[i] == dose_ppm &&
                 strcmp(cell->contestants[i], contestant) == 0;
    }
    return found;
}

static void check_baseline(const struct mr_cell *cell, const char *contestant)
{
    assert_true(cell->is_control);
    assert_int_equal(cell->entries_count, 6);
    assert_int_equal(cell->rows, 12);
    assert_int_equal(cell->comparisons_count, 0);
    assert_int_equal(count(cell, MR_CONTROL_BASELINE, contestant, 0), 1);
    assert_int_equal(count(cell, MR_CONTROL_TWIN, contestant, 0), 1);
    assert_int_equal(count(cell, MR_CONTROL_DOSE, contestant, 10000), 1);
    assert_int_equal(count(cell, MR_CONTROL_DOSE, contestant, 20000), 1);
    assert_int_equal(count(cell, MR_CONTROL_DOSE, contestant, 50000), 1);
    assert_int_equal(count(cell, MR_CONTROL_LIAR, "l", 0) + count(cell, MR_CONTROL_LIAR, "k", 0),
                     1);
    assert_true(mr_cell_load_equal(&cell->loads[5], &matrix.cells[0].load));
}

static void test_whole(void **state)
{
    (void)state;
    struct mr_trial_fault fault;
    assert_int_equal(load(WHOLE, 3, &fault), 0);
    assert_int_equal(matrix.cells_count, 5);
    assert_false(matrix.cells[0].is_control);
    check_baseline(&matrix.cells[2], "n");
    check_baseline(&matrix.cells[3], "m");
    const struct mr_cell *orders = &matrix.cells[4];
    assert_int_equal(orders->entries_count, 2);
    assert_int_equal(count(orders, MR_CONTROL_BASELINE, "n", 0), 1);
    assert_int_equal(count(orders, MR_CONTROL_OBJECT_ORDER, "n@o", 0), 1);
    // Each liar once, and no name twice.
    assert_true(mr_matrix_is_liar(&matrix, "l") && mr_matrix_is_liar(&matrix, "k"));
    assert_false(mr_matrix_is_liar(&matrix, "n"));
    for (size_t a = 2; a < 5; a++) {
        for (size_t b = 2; b <= a; b++) {
            for (size_t i = 0; i < matrix.cells[a].entries_count; i++) {
                for (size_t k = 0; k < matrix.cells[b].entries_count; k++) {
                    bool same = strcmp(matrix.cells[a].entries[i], matrix.cells[b].entries[k]) == 0;
                    assert_int_equal(same, a == b && i == k);
                }
            }
        }
    }
    mr_matrix_fini(&matrix);
}

// The place of the baseline in the first cell of controls, under `seed`.
static size_t baseline_at(unsigned seed)
{
    struct mr_trial_fault fault;
    assert_int_equal(load(WHOLE, seed, &fault), 0);
    size_t at = 0;
    while (matrix.cells[2].control[at] != MR_CONTROL_BASELINE) {
        at++;
    }
    mr_matrix_fini(&matrix);
    return at;
}

// The same seed, the same mapping; over seeds the baseline stands everywhere.
static void test_names_tell_nothing(void **state)
{
    (void)state;
    unsigned places = 0;
    for (unsigned seed = 0; seed < 40; seed++) {
        size_t at = baseline_at(seed);
        assert_int_equal(at, baseline_at(seed));
        places |= 1u << at;
    }
    assert_int_equal(places, 0x3F);
}

static void test_rows_are_whole_designs(void **state)
{
    (void)state;
    struct mr_trial_fault fault;
    // Five entries: designs of ten rows.
    assert_int_equal(load("\"like\": \"s\", \"rows\": 11, \"baselines\": [\"n\"], "
                          "\"doses\": [0.01, 0.02, 0.05]",
                          1, &fault),
                     0);
    assert_int_equal(matrix.cells[2].rows, 20);
    mr_matrix_fini(&matrix);
    // Twins alone.
    assert_int_equal(load("\"like\": \"s\", \"rows\": 7, \"baselines\": [\"n\"]", 1, &fault), 0);
    assert_int_equal(matrix.cells[2].entries_count, 2);
    assert_int_equal(matrix.cells[2].rows, 8);
    mr_matrix_fini(&matrix);
}

static void expect_fault(const char *controls, const char *part)
{
    struct mr_trial_fault fault;
    assert_int_equal(load(controls, 1, &fault), -EBADMSG);
    if (strstr(fault.text, part) == NULL) {
        fail_msg("'%s' does not hold '%s'", fault.text, part);
    }
    mr_matrix_fini(&matrix);
}

static void test_faults(void **state)
{
    (void)state;
    expect_fault("\"like\": \"t\", \"baselines\": [\"n\"]", "there is none called \"t\"");
    expect_fault("\"like\": \"o\", \"baselines\": [\"n\"]", "\"o\" is not");
    expect_fault("\"baselines\": [\"n\"]", "\"like\"");
    expect_fault("\"like\": \"s\"", "controls need \"baselines\"");
    expect_fault("\"like\": \"s\", \"object_orders\": [\"n\", \"n@o\"], \"doses\": [0.1]",
                 "controls need \"baselines\"");
    expect_fault("\"like\": \"s\", \"baselines\": [\"n\"], \"doses\": [0.02, 0.01]", "ascending");
    expect_fault("\"like\": \"s\", \"baselines\": [\"n\"], \"doses\": [0]", "ascending");
    expect_fault("\"like\": \"s\", \"baselines\": [\"n\"], \"doses\": [1.5]", "ascending");
    expect_fault("\"like\": \"s\", \"baselines\": [\"n\"], \"doses\": [0.1, 0.2, 0.3, 0.4, 0.5]",
                 "at most 4");
    expect_fault("\"like\": \"s\", \"baselines\": [\"n\", \"m\", \"o\"]", "at most 2 names");
    expect_fault("\"like\": \"s\", \"baselines\": [5]", "at most 2 names");
    expect_fault("\"like\": \"s\", \"baselines\": [\"n\"], \"object_orders\": [\"n\"]",
                 "two builds of one program");
    // Liars are spared the kit, and would be timed in the race.
    expect_fault("\"like\": \"s\", \"baselines\": [\"n\"], \"liars\": [\"x\"]",
                 "\"x\" is a liar and races in cell \"s\"");
    // Two twin comparisons: seven pairs.
    expect_fault("\"like\": \"s\", \"baselines\": [\"n\", \"m\"], \"rows\": 6", "at least 7");
    expect_fault("\"like\": \"s\", \"baselines\": [\"n\"], \"twins\": 2", "\"twins\"");
}

// Trials are found by the names of their cells.
static void test_cell_called_like_a_part(void **state)
{
    (void)state;
    struct mr_trial_fault fault;
    assert_int_equal(
        load_text("{\"name\": \"m\", \"cells\": [{\"name\": \"controls, part 1\", \"data\": "
                  "{\"shape\": \"simple\"}, \"rows\": 12, \"contestants\": [\"x\", \"y\"], "
                  "\"comparisons\": [{\"a\": \"x\", \"b\": \"y\"}]}],\n"
                  "\"controls\": {\"like\": \"controls, part 1\", \"baselines\": [\"n\"]}}",
                  &fault),
        -EBADMSG);
    assert_non_null(strstr(fault.text, "name the cell otherwise"));
    mr_matrix_fini(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_names_tell_nothing),
        cmocka_unit_test(test_rows_are_whole_designs),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_cell_called_like_a_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
