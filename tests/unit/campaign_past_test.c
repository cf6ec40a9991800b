// campaign_past_test.c: what the trials of earlier sittings leave to do.
#include "past.h"
#include "trial_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define ROWS 4

static struct mr_matrix matrix; // large
static struct mr_schedule schedule;
static struct mr_trial trials[32];
static struct mr_trial_table table;
static struct mr_past past;

static int begin(void **state)
{
    (void)state;
    memset(&matrix, 0, sizeof matrix);
    mr_rules_default(&matrix.rules);
    matrix.rules.retries_max = 1;
    matrix.cells_count = 1;
    matrix.cells[0] =
        (struct mr_cell){.name = "c", .rows = ROWS, .entries = {"x", "y"}, .entries_count = 2};
    table = (struct mr_trial_table){.trials = trials};
    return mr_schedule_init(&schedule, &matrix);
}

static int end(void **state)
{
    (void)state;
    mr_past_fini(&past);
    mr_schedule_fini(&schedule);
    return 0;
}

static void add(uint64_t row, uint64_t attempt, const char *entry, enum mr_trial_outcome outcome,
                const char *reason)
{
    struct mr_trial *trial = &trials[table.count];
    *trial = (struct mr_trial){.number = ++table.count,
                               .cell = "c",
                               .row = row,
                               .attempt = attempt,
                               .entry = entry,
                               .outcome = outcome};
    (void)snprintf(trial->reason, sizeof trial->reason, "%s", reason);
}

static void check(size_t row, bool finished, uint64_t attempts, uint64_t retries_used)
{
    assert_int_equal(past.rows[row].finished, finished);
    assert_int_equal(past.rows[row].attempts, attempts);
    assert_int_equal(past.rows[row].retries_used, retries_used);
}

static void test_rows(void **state)
{
    (void)state;
    add(0, 0, "x", MR_TRIAL_COUNTED, "");
    add(0, 0, "y", MR_TRIAL_COUNTED, "");
    add(1, 0, "y", MR_TRIAL_EXCLUDED, "gate nothing_else_ran");
    add(1, 1, "y", MR_TRIAL_COUNTED, "");
    add(1, 1, "x", MR_TRIAL_EXCLUDED, "gate nothing_else_ran");
    add(2, 0, "x", MR_TRIAL_COUNTED, ""); // killed behind it
    assert_int_equal(mr_past_read(&past, &matrix, &schedule, &table), 0);
    check(0, true, 1, 0);
    check(1, true, 2, 2); // it may not run a third time
    check(2, false, 1, 0);
    check(3, false, 0, 0);
    assert_int_equal(past.last_number, 6);
}

// However often a row is interrupted, it keeps its retries.
static void test_interruption_is_no_retry(void **state)
{
    (void)state;
    add(0, 0, "x", MR_TRIAL_COUNTED, "");
    add(0, 0, "y", MR_TRIAL_EXCLUDED, MR_TRIAL_INTERRUPTED);
    add(0, 1, "x", MR_TRIAL_EXCLUDED, MR_TRIAL_INTERRUPTED);
    add(0, 2, "x", MR_TRIAL_EXCLUDED, "gate nothing_else_ran");
    assert_int_equal(mr_past_read(&past, &matrix, &schedule, &table), 0);
    check(0, false, 3, 1);
}

// Trials that run in turn may all be excluded by one accident: one retry.
static void test_one_attempt_is_one_retry(void **state)
{
    (void)state;
    add(0, 0, "x", MR_TRIAL_EXCLUDED, "another left processes behind");
    add(0, 0, "y", MR_TRIAL_EXCLUDED, "another left processes behind");
    assert_int_equal(mr_past_read(&past, &matrix, &schedule, &table), 0);
    check(0, false, 1, 1);
}

static void test_who_is_out(void **state)
{
    (void)state;
    add(0, 0, "x", MR_TRIAL_COUNTED, "");
    add(0, 0, "y", MR_TRIAL_WRONG, "wrong digest");
    assert_int_equal(mr_past_read(&past, &matrix, &schedule, &table), 0);
    assert_false(past.out[0][0]);
    assert_true(past.out[0][1]);
    check(0, true, 1, 0);
}

static void test_nothing_yet(void **state)
{
    (void)state;
    assert_int_equal(mr_past_read(&past, &matrix, &schedule, &table), 0);
    check(0, false, 0, 0);
    assert_int_equal(past.last_number, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, begin, end),
        cmocka_unit_test_setup_teardown(test_interruption_is_no_retry, begin, end),
        cmocka_unit_test_setup_teardown(test_one_attempt_is_one_retry, begin, end),
        cmocka_unit_test_setup_teardown(test_who_is_out, begin, end),
        cmocka_unit_test_setup_teardown(test_nothing_yet, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
