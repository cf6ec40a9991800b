// campaign_rates_test.c: who sets the rate of a share, that the manifest keeps it, and the words
// that carry it to the generator.
#include "driver.h"
#include "generator_words.h"
#include "rate_manifest.h"
#include "rate_maximum.h"
#include "results_offered.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct mr_race race; // large
static struct mr_matrix again;

static struct mr_cell_load shared_load(const char *plan, double share)
{
    struct mr_cell_load load = mr_cell_load_default();
    load.plan = plan;
    load.rate.share = share;
    return load;
}

static void reset(void)
{
    memset(&race, 0, sizeof race);
    race.program = "/bin/matchrace";
    mr_rules_default(&race.matrix.rules);
    race.matrix.cells_count = 1;
    struct mr_cell *cell = &race.matrix.cells[0];
    *cell = (struct mr_cell){.name = "c",
                             .entries = {"slow", "fast", "stepped"},
                             .contestants = {"slow", "fast", "fast"},
                             .entries_count = 3};
    cell->loads[0] = shared_load("open", 0.5);
    cell->loads[1] = shared_load("bursts", 0.5);
    cell->loads[1].period_ns = 10000000;
    cell->loads[2] = mr_cell_load_default();
    cell->loads[2].plan = "steps";
    cell->loads[2].steps_count = 1;
    cell->loads[2].steps[0] = (struct mr_load_step){{0, 40}, {0.75, 0}, 2000000000};
    again = race.matrix;
}

static void test_slowest(void **state)
{
    (void)state;
    struct mr_rate_maximum items[] = {
        {.cell = 0, .contestant = "null", .median = 10, .null_contestant = true},
        {.cell = 0, .contestant = "fast", .median = 4000},
        {.cell = 0, .contestant = "slow", .median = 1500},
        {.cell = 0, .contestant = "wrong", .median = 0, .reason = "answers: wrong"},
        {.cell = 1, .contestant = "elsewhere", .median = 20},
    };
    struct mr_rate_maxima maxima = {.item = items, .count = sizeof items / sizeof items[0]};
    assert_true(mr_rate_maxima_choose(&maxima, 0) == 1500);
    for (size_t i = 0; i < maxima.count; i++) {
        assert_int_equal(items[i].slowest, i == 2);
    }
    assert_true(mr_rate_maxima_choose(&maxima, 1) == 20);
    assert_true(mr_rate_maxima_choose(&maxima, 2) == 0);
}

// What the manifest holds is what a reader of the run gets: nothing is computed anew.
static void test_manifest_keeps_rates(void **state)
{
    (void)state;
    reset();
    struct mr_cell *cell = &race.matrix.cells[0];
    for (size_t i = 0; i < cell->entries_count; i++) {
        mr_cell_load_resolve(&cell->loads[i], 1234.5);
    }
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    mr_rates_write(&race, doc, root);
    yyjson_doc *saved = yyjson_mut_doc_imut_copy(doc, NULL);
    struct mr_trial_fault fault = {{0}};
    assert_int_equal(mr_rates_read(&again, yyjson_doc_get_root(saved), &fault), 0);
    const struct mr_cell_load *loads = again.cells[0].loads;
    assert_int_equal(loads[0].rate.per_s, 617);
    assert_int_equal(loads[1].burst_batches, 6);
    assert_int_equal(loads[1].rate.per_s, 617);
    assert_int_equal(loads[2].steps[0].from.per_s, 40);
    assert_int_equal(loads[2].steps[0].to.per_s, 925);
    assert_int_equal(memcmp(loads, cell->loads, sizeof cell->loads), 0);
    yyjson_doc_free(saved);
    yyjson_mut_doc_free(doc);
}

static void test_manifest_without_rates(void **state)
{
    (void)state;
    reset();
    static const char text[] = "{\"loads\": [{\"cell\": \"c\", \"entry\": \"slow\", \"load\": "
                               "{\"rate_per_s\": null}}]}";
    yyjson_doc *doc = yyjson_read(text, sizeof text - 1, 0);
    struct mr_trial_fault fault = {{0}};
    assert_int_equal(mr_rates_read(&again, yyjson_doc_get_root(doc), &fault), -EBADMSG);
    assert_non_null(strstr(fault.text, "\"slow\" of cell \"c\""));
    yyjson_doc_free(doc);
}

static bool has(const struct mr_generator_words *words, const char *option, const char *value)
{
    for (size_t i = 0; i < words->count; i++) {
        if (strcmp(words->argv[i], option) == 0) {
            return value == NULL || strcmp(words->argv[i + 1], value) == 0;
        }
    }
    return false;
}

static struct mr_entry entry; // as far as words for the generator depend on it

static void compose(const struct mr_cell_load *load, struct mr_generator_words *words_out)
{
    static const struct mr_race_data data = {.path = "/data/x"};
    struct mr_trial_run run = {
        .race = &race, .entry = &entry, .data = &data, .load = load, .mode = "keep"};
    run.trial.seed = 99;
    assert_true(mr_generator_words(&run, "127.0.0.1:7", "/out/result", words_out));
    assert_null(words_out->argv[words_out->count]);
    assert_string_equal(words_out->argv[1], "load");
    assert_true(has(words_out, "--connect", "127.0.0.1:7") && has(words_out, "--seed", "99"));
    assert_true(has(words_out, "--plan", load->plan));
}

static void test_words(void **state)
{
    (void)state;
    static struct mr_generator_words words;
    reset();
    struct mr_cell_load *loads = race.matrix.cells[0].loads;
    for (size_t i = 0; i < 3; i++) {
        mr_cell_load_resolve(&loads[i], 1000);
    }
    compose(&loads[0], &words);
    assert_true(has(&words, "--rate", "500") && has(&words, "--window", "8000000000ns"));
    assert_false(has(&words, "--burst", NULL) || has(&words, "--steps", NULL));
    assert_false(has(&words, "--in-flight", NULL) || has(&words, "--no-verify", NULL));
    compose(&loads[1], &words);
    assert_true(has(&words, "--burst", "5") && has(&words, "--period", "10000000ns"));
    assert_false(has(&words, "--rate", NULL)); // bursts carry their own
    compose(&loads[2], &words);
    assert_true(has(&words, "--steps", "40-750:2000000000ns"));
    assert_true(has(&words, "--window", "2000000000ns")); // as long as the steps
    struct mr_cell_load closed = mr_cell_load_default();
    closed.in_flight = 64;
    closed.verify = false;
    closed.record = false;
    closed.vary = false;
    compose(&closed, &words);
    assert_true(has(&words, "--in-flight", "64") && has(&words, "--no-verify", NULL));
    assert_true(has(&words, "--no-record", NULL) && has(&words, "--same-batches", NULL));
    assert_false(has(&words, "--null-sender", NULL));
    assert_false(has(&words, "--rate", NULL));
    struct mr_cell_load floor = mr_cell_load_default();
    floor.null_sender = true;
    assert_false(mr_cell_load_is_whole(&floor));
    compose(&floor, &words);
    assert_true(has(&words, "--null-sender", NULL) && !has(&words, "--no-verify", NULL));
    assert_false(has(&words, "--novelty", NULL)); // nothing is verified
}

static void test_words_of_the_rules(void **state)
{
    (void)state;
    static struct mr_generator_words words;
    reset();
    race.matrix.rules.warmup_ns = 1000;
    race.matrix.rules.warmup_managed_ns = 3000;
    struct mr_cell_load load = mr_cell_load_default();
    compose(&load, &words);
    assert_true(has(&words, "--warmup", "1000ns") && has(&words, "--novelty", NULL));
    entry.contestant.managed = true;
    race.matrix.rules.gates.action[MR_GATE_NOVELTY] = MR_GATE_OFF;
    compose(&load, &words);
    assert_true(has(&words, "--warmup", "3000ns") && !has(&words, "--novelty", NULL));
    entry.contestant.managed = false;
}

// "met", "missed" or "open" for an interval and bounds; "" where no target is set.
static void expect_target(double low, double high, double at_least, double at_most,
                          const char *outcome)
{
    struct mr_comparison comparison = {.at_least = at_least, .at_most = at_most};
    struct mr_paired paired = {.ratio_low = low, .ratio_high = high};
    paired.logs.known = !isnan(low);
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *one = yyjson_mut_obj(doc);
    mr_results_target(doc, one, &comparison, &paired);
    yyjson_mut_val *target = yyjson_mut_obj_get(one, "target");
    const char *got = yyjson_mut_get_str(yyjson_mut_obj_get(target, "outcome"));
    assert_string_equal(got == NULL ? "" : got, outcome);
    yyjson_mut_doc_free(doc);
}

static void test_targets(void **state)
{
    (void)state;
    expect_target(1.3, 1.5, 1.3, 0, "met");
    expect_target(1.29, 1.5, 1.3, 0, "open");
    expect_target(1.0, 1.29, 1.3, 0, "missed");
    expect_target(0.9, 1.03, 0, 1.03, "met");
    expect_target(0.9, 1.031, 0, 1.03, "open");
    expect_target(1.031, 1.1, 0, 1.03, "missed");
    expect_target(0.8, 1.25, 0.8, 1.25, "met");
    expect_target(0.79, 1.26, 0.8, 1.25, "open");
    expect_target(NAN, NAN, 1.3, 0, "open"); // too few pairs for an interval
    expect_target(1, 2, 0, 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slowest),
        cmocka_unit_test(test_manifest_keeps_rates),
        cmocka_unit_test(test_manifest_without_rates),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_words_of_the_rules),
        cmocka_unit_test(test_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
