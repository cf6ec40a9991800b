// campaign_results_places_test.c: who has a place in a cell's table, and which.
#include "results_places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define ENTRIES 4
#define ROWS    8

static struct mr_trial trials[ENTRIES * ROWS];
static struct mr_json_file files[ENTRIES * ROWS];
static const char *const names[ENTRIES] = {"w", "x", "y", "z"};

// A cell whose entries ran `ROWS` rows at these speeds, each row a little faster than the last.
static struct mr_cell race(const double *speeds, struct mr_trial_table *table_out)
{
    struct mr_cell cell = {.name = "c",
                           .metric = "records_per_s",
                           .measures = "contestant",
                           .rows = ROWS,
                           .entries_count = ENTRIES};
    *table_out = (struct mr_trial_table){.trials = trials, .files = files};
    for (size_t i = 0; i < ENTRIES; i++) {
        cell.entries[i] = names[i];
        cell.contestants[i] = names[i];
        cell.loads[i] = mr_cell_load_default();
    }
    for (uint64_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i < ENTRIES; i++) {
            struct mr_trial *trial = &trials[table_out->count];
            *trial = (struct mr_trial){
                .number = ++table_out->count, .cell = "c", .row = row, .entry = names[i]};
            double value = speeds[i] * (1 + 0.01 * (double)row);
            mr_trial_metric(trial, (struct mr_metric){cell.metric, "1/s", true, value});
        }
    }
    return cell;
}

// The places as text, such as "w1 x2 y2", or "null".
static void check(const struct mr_cell *cell, const struct mr_trial_table *table,
                  const bool *takes_part, const char *expected)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *one = yyjson_mut_obj(doc);
    const struct mr_places_rules rules = {.alpha = 0.05};
    assert_int_equal(mr_results_places(doc, one, cell, table, takes_part, &rules), 0);
    yyjson_mut_val *of = yyjson_mut_obj_get(yyjson_mut_obj_get(one, "places"), "of");
    char text[64] = "";
    for (size_t i = 0; i < cell->entries_count; i++) {
        yyjson_mut_val *place = yyjson_mut_obj_get(of, cell->entries[i]);
        if (place != NULL) {
            size_t length = strlen(text);
            (void)snprintf(text + length, sizeof text - length, "%s%s%d", length > 0 ? " " : "",
                           cell->entries[i], yyjson_mut_get_int(place));
        }
    }
    assert_string_equal(of == NULL ? "null" : text, expected);
    yyjson_mut_doc_free(doc);
}

static const bool all[ENTRIES] = {true, true, true, true};

static void test_places(void **state)
{
    (void)state;
    struct mr_trial_table table;
    const double clear[] = {100, 400, 300, 200};
    struct mr_cell cell = race(clear, &table);
    check(&cell, &table, all, "w4 x1 y2 z3");
    const double two_alike[] = {100, 300, 300, 200};
    cell = race(two_alike, &table);
    check(&cell, &table, all, "w4 x1 y1 z3");
    // One row the other way, and eight pairs no longer tell y from z at a sixth of the level.
    cell = race(clear, &table);
    trials[2].metrics[0].value = 150;
    check(&cell, &table, all, "w4 x1 y2 z2");
}

static void test_who_takes_part(void **state)
{
    (void)state;
    struct mr_trial_table table;
    const double speeds[] = {100, 400, 300, 200};
    struct mr_cell cell = race(speeds, &table);
    const bool three[ENTRIES] = {true, false, true, true};
    const bool two[ENTRIES] = {true, false, false, true};
    check(&cell, &table, three, "w3 y1 z2");
    check(&cell, &table, two, "null");
}

static void test_what_cannot_be_compared(void **state)
{
    (void)state;
    struct mr_trial_table table;
    const double speeds[] = {100, 400, 300, 200};
    struct mr_cell cell = race(speeds, &table);
    cell.measures = "generator";
    check(&cell, &table, all, "null");
    cell = race(speeds, &table);
    cell.loads[2].connections++;
    check(&cell, &table, all, "null");
    cell = race(speeds, &table);
    for (size_t i = 0; i < ENTRIES; i++) {
        cell.loads[i].plan = "open";
    }
    check(&cell, &table, all, "null");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_who_takes_part),
        cmocka_unit_test(test_what_cannot_be_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
