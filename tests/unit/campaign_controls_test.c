// campaign_controls_test.c: what controls come to, on both sides of each rule, from small tables.
#include "controls.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define ROWS 12

// Entries of the cell of controls, by place.
enum { BASELINE, TWIN, DOSE_1, DOSE_5, LIAR, ENTRIES };

static struct mr_matrix matrix; // large
static struct mr_trial trials[256];
static struct mr_json_file files[256];
static struct mr_trial_table table;
static struct mr_estimates estimates;
static struct mr_controls controls;
static const bool finished[MR_CELLS_MAX] = {true, true, true};

// A race of x and y, and the controls of n.
static void reset(void)
{
    memset(&matrix, 0, sizeof matrix);
    mr_rules_default(&matrix.rules);
    matrix.cells_count = 2;
    matrix.primary_count = 1;
    matrix.cells[0] = (struct mr_cell){.name = "race",
                                       .metric = "records_per_s",
                                       .rows = ROWS,
                                       .entries = {"x", "y"},
                                       .entries_count = 2,
                                       .comparisons = {{.a = 0, .b = 1, .primary = true}},
                                       .comparisons_count = 1};
    matrix.cells[1] =
        (struct mr_cell){.name = "controls",
                         .metric = "records_per_s",
                         .rows = ROWS,
                         .entries = {"c1", "c2", "c3", "c4", "c5"},
                         .contestants = {"n", "n", "n", "n", "l"},
                         .control = {MR_CONTROL_BASELINE, MR_CONTROL_TWIN, MR_CONTROL_DOSE,
                                     MR_CONTROL_DOSE, MR_CONTROL_LIAR},
                         .dose_ppm = {0, 0, 10000, 50000, 0},
                         .is_control = true,
                         .entries_count = ENTRIES};
    table = (struct mr_trial_table){.trials = trials, .files = files, .count = 0};
}

// Noise of `noise` around `speed`, of the opposite sign in every second row.
static struct mr_trial *add(const char *cell, const char *entry, uint64_t row, double speed,
                            double noise, double cpu)
{
    struct mr_trial *trial = &trials[table.count];
    *trial = (struct mr_trial){.number = ++table.count, .cell = cell, .row = row, .entry = entry};
    double wave = 1 + noise * (row % 2 == 0 ? 1 : -1) * (1 + 0.1 * (double)row);
    mr_trial_metric(trial, (struct mr_metric){"records_per_s", "records/s", true, speed * wave});
    mr_trial_metric(trial, (struct mr_metric){"server_cpu_s_per_million_records", "s", false, cpu});
    return trial;
}

// How much slower each control is, its CPU time, and the noise of its pairs.
struct planted {
    double slower[ENTRIES];
    double cpu[ENTRIES];
    double noise;
    double race; // speed of x over that of y
    bool liar_is_believed;
    bool liar_did_not_start;
};

static const struct planted quiet = {
    .slower = {0, 0, 0.01, 0.05, 0}, .cpu = {0, 0, 0.01, 0.05, 0}, .noise = 0.001, .race = 1.02};

static void conclude(const struct planted *planted)
{
    for (uint64_t row = 0; row < ROWS; row++) {
        (void)add("race", "x", row, 100 * planted->race, planted->noise, 1);
        (void)add("race", "y", row, 100, 0, 1);
        for (size_t i = 0; i < ENTRIES; i++) {
            if (i == LIAR && row > 0 && !planted->liar_is_believed) {
                continue;
            }
            struct mr_trial *trial =
                add("controls", matrix.cells[1].entries[i], row, 100 / (1 + planted->slower[i]),
                    i == BASELINE ? planted->noise : 0, 1 + planted->cpu[i]);
            if (i == LIAR && !planted->liar_is_believed) {
                trial->outcome = MR_TRIAL_WRONG;
                (void)snprintf(trial->reason, sizeof trial->reason, "%s",
                               planted->liar_did_not_start ? "it ended before it listened"
                                                           : "answers: a lie");
            }
        }
    }
    assert_int_equal(mr_estimates_init(&estimates, &matrix, &table), 0);
    assert_int_equal(mr_controls_open(&controls, &matrix, &table, &estimates, finished), 0);
    mr_estimates_limit(&estimates, &matrix, &controls.limits);
}

static const struct mr_control_outcome *of(size_t entry)
{
    return &controls.outcomes[entry - 1]; // the baseline has none
}

static const struct mr_judgement *verdict(void)
{
    return &estimates.cells[0].comparisons[0].judgement;
}

static void test_quiet(void **state)
{
    (void)state;
    reset();
    conclude(&quiet);
    assert_true(controls.asked && controls.finished && controls.doses_ran);
    assert_true(of(DOSE_1)->found && of(DOSE_5)->found);
    assert_false(of(TWIN)->differs || controls.noise.twins_differ);
    assert_true(controls.noise.floor > 0 && controls.noise.floor < 0.005);
    assert_true(fabs(controls.smallest_found - 0.01) < 1e-12);
    assert_true(fabs(of(DOSE_5)->cpu_extra - 0.05) < 1e-9);
    assert_true(of(LIAR)->lie != NULL && !of(LIAR)->believed);
    assert_int_equal(controls.lies_told, 1);
    assert_int_equal(controls.lies_caught, 1);
    assert_false(controls.limits.void_table);
    // 2 % is more than 1 % and within the margin of 3 %.
    assert_int_equal(verdict()->verdict, MR_VERDICT_SAME);
    assert_true(verdict()->consistently);
    mr_estimates_fini(&estimates);
}

// 1 % drowns, so that a claim of less than 5 % gets no verdict; one of more does.
static void test_below_what_was_found(void **state)
{
    (void)state;
    struct planted noisy = quiet;
    noisy.noise = 0.015;
    noisy.race = 1.045;
    reset();
    conclude(&noisy);
    assert_false(of(DOSE_1)->found);
    assert_true(of(DOSE_5)->found);
    assert_true(fabs(controls.smallest_found - 0.05) < 1e-12);
    assert_int_equal(verdict()->verdict, MR_VERDICT_NOT_RESOLVED);
    assert_true(verdict()->below_control);
    mr_estimates_fini(&estimates);
    noisy.race = 1.06;
    reset();
    conclude(&noisy);
    assert_false(verdict()->below_control);
    assert_int_equal(verdict()->verdict, MR_VERDICT_FASTER);
    mr_estimates_fini(&estimates);
}

// A dose found by chance below one that was missed does not count.
static void test_missed_above_found(void **state)
{
    (void)state;
    struct planted odd = quiet;
    odd.slower[DOSE_5] = 0;
    reset();
    conclude(&odd);
    assert_true(of(DOSE_1)->found);
    assert_false(of(DOSE_5)->found);
    assert_true(isnan(controls.smallest_found));
    // Not even the largest: claims must be larger than it, and than what twins showed.
    assert_true(fabs(controls.limits.smallest - 0.05) < 1e-12);
    mr_estimates_fini(&estimates);
    odd.noise = 0.06;
    odd.slower[DOSE_1] = 0;
    reset();
    conclude(&odd);
    assert_true(controls.noise.floor > 0.06);
    assert_true(controls.limits.smallest == controls.noise.floor);
    mr_estimates_fini(&estimates);
}

// A control that is faster than its baseline is no dose that was found.
static void test_wrong_side(void **state)
{
    (void)state;
    struct planted odd = quiet;
    odd.slower[DOSE_1] = -0.02;
    reset();
    conclude(&odd);
    assert_false(of(DOSE_1)->found);
    assert_true(fabs(controls.smallest_found - 0.05) < 1e-12);
    mr_estimates_fini(&estimates);
}

// The CPU time says that the dose is not of its size: half and one and a half of it are the
// borders.
static void test_size(void **state)
{
    (void)state;
    const struct {
        double cpu;
        bool off;
    } sizes[] = {{0.024, true}, {0.026, false}, {0.074, false}, {0.076, true}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct planted odd = quiet;
        odd.cpu[DOSE_5] = sizes[i].cpu;
        reset();
        conclude(&odd);
        assert_int_equal(of(DOSE_5)->off_size, sizes[i].off);
        assert_int_equal(of(DOSE_5)->found, !sizes[i].off);
        mr_estimates_fini(&estimates);
    }
}

static void test_twins_differ(void **state)
{
    (void)state;
    struct planted odd = quiet;
    odd.slower[TWIN] = 0.004;
    odd.race = 2;
    reset();
    conclude(&odd);
    assert_true(of(TWIN)->differs && controls.noise.twins_differ && controls.limits.void_table);
    assert_int_equal(verdict()->verdict, MR_VERDICT_VOID);
    mr_estimates_fini(&estimates);
    odd.slower[TWIN] = 0.001; // within the noise
    reset();
    conclude(&odd);
    assert_false(controls.limits.void_table);
    assert_int_equal(verdict()->verdict, MR_VERDICT_FASTER);
    mr_estimates_fini(&estimates);
}

static void test_liar_believed(void **state)
{
    (void)state;
    struct planted odd = quiet;
    odd.liar_is_believed = true;
    odd.race = 2;
    reset();
    conclude(&odd);
    assert_true(of(LIAR)->believed);
    assert_int_equal(controls.lies_told, 1);
    assert_int_equal(controls.lies_caught, 0);
    assert_int_equal(verdict()->verdict, MR_VERDICT_VOID);
    mr_estimates_fini(&estimates);
}

static void test_liar_did_not_start(void **state)
{
    (void)state;
    struct planted odd = quiet;
    odd.liar_did_not_start = true;
    reset();
    conclude(&odd);
    assert_true(of(LIAR)->lie == NULL && !of(LIAR)->believed);
    assert_int_equal(controls.lies_told, 0);
    mr_estimates_fini(&estimates);
}

// Planted doses of which none ran show nothing: claims as where none was found.
static void test_no_dose_ran(void **state)
{
    (void)state;
    reset();
    matrix.cells[1].entries[DOSE_1] = matrix.cells[1].entries[DOSE_5] = "nobody";
    for (uint64_t row = 0; row < ROWS; row++) {
        (void)add("controls", "c1", row, 100, 0.001, 1);
        (void)add("controls", "c2", row, 100, 0, 1);
    }
    assert_int_equal(mr_estimates_init(&estimates, &matrix, &table), 0);
    assert_int_equal(mr_controls_open(&controls, &matrix, &table, &estimates, finished), 0);
    assert_false(controls.doses_ran);
    assert_true(controls.limits.smallest >= 0.05);
    mr_estimates_fini(&estimates);
}

// Another object order may differ within the margin; beyond it nothing of the table stands.
static void test_object_order(void **state)
{
    (void)state;
    const struct {
        double slower;
        double noise;
        bool is_same;
        bool differs;
    } orders[] = {{0.005, 0.001, true, false},
                  {0.025, 0.001, true, false},
                  {0.035, 0.001, false, true},
                  {0.01, 0.05, false, false}};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        struct planted odd = quiet;
        odd.slower[TWIN] = orders[i].slower;
        odd.noise = orders[i].noise;
        reset();
        matrix.cells[1].control[TWIN] = MR_CONTROL_OBJECT_ORDER;
        conclude(&odd);
        assert_int_equal(of(TWIN)->is_same, orders[i].is_same);
        assert_int_equal(of(TWIN)->differs, orders[i].differs);
        assert_int_equal(controls.limits.void_table, orders[i].differs);
        assert_true(isinf(controls.noise.floor)); // no twins
        mr_estimates_fini(&estimates);
    }
}

// Two baselines: a claim may rest on what was found beside both.
static void test_two_baselines(void **state)
{
    (void)state;
    reset();
    matrix.cells_count = 3;
    matrix.cells[2] = matrix.cells[1];
    matrix.cells[2].name = "controls 2";
    matrix.cells[2].entries_count = DOSE_5 + 1;
    for (uint64_t row = 0; row < ROWS; row++) {
        for (size_t i = 0; i <= DOSE_5; i++) {
            (void)add("controls 2", matrix.cells[2].entries[i], row, 100 / (1 + quiet.slower[i]),
                      i == BASELINE ? 0.015 : 0, 1 + quiet.cpu[i]);
        }
    }
    conclude(&quiet);
    assert_true(of(DOSE_1)->found);
    assert_true(fabs(controls.smallest_found - 0.05) < 1e-12);
    assert_true(controls.noise.floor > 0.015); // the larger of the two
    // Two twin comparisons share the level.
    assert_true(fabs(of(TWIN)->alpha - matrix.rules.alpha / 2) < 1e-12);
    mr_estimates_fini(&estimates);
}

static void test_none(void **state)
{
    (void)state;
    reset();
    matrix.cells_count = 1;
    conclude(&quiet);
    assert_false(controls.asked || controls.doses_ran || controls.limits.void_table);
    assert_true(controls.limits.smallest == 0);
    mr_estimates_fini(&estimates);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quiet),
        cmocka_unit_test(test_below_what_was_found),
        cmocka_unit_test(test_wrong_side),
        cmocka_unit_test(test_missed_above_found),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_twins_differ),
        cmocka_unit_test(test_liar_believed),
        cmocka_unit_test(test_object_order),
        cmocka_unit_test(test_two_baselines),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_liar_did_not_start),
        cmocka_unit_test(test_no_dose_ran),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
