// campaign_sweep_summary_test.c: medians and ranges over the trials that count, what is missing,
// and what a result of the generator is read as.

#include "sweep_saturation.h"
#include "sweep_summary.h"
#include "sweep_files.h"
#include "sweep_trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct mr_sweep *sweep; // large
static struct mr_sweep_trial trials[16];
static struct mr_entry entries[2] = {{.text = "one"}, {.text = "two"}};

static int set_up(void **state)
{
    (void)state;
    sweep = calloc(1, sizeof *sweep);
    assert_non_null(sweep);
    memset(trials, 0, sizeof trials);
    sweep->options.repeats = 3;
    sweep->options.of = "own";
    assert_true(mr_sweep_loads_parse("50,110", &sweep->options));
    sweep->entries_count = 2;
    for (size_t i = 0; i < 2; i++) {
        sweep->entry[i].entry = &entries[i];
        sweep->entry[i].maximum_per_s = i == 0 ? 1000 : 400;
    }
    sweep->trial = trials;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(sweep);
    return 0;
}

static struct mr_sweep_trial *add(enum mr_sweep_phase phase, size_t entry, size_t load,
                                  double achieved, double p99)
{
    struct mr_sweep_trial *trial = &trials[sweep->trials_count++];
    *trial = (struct mr_sweep_trial){.phase = phase,
                                     .entry = entry,
                                     .load = load,
                                     .rate_per_s = mr_sweep_rate_of(sweep, entry, load),
                                     .achieved_per_s = achieved,
                                     .latency = {.n = 10000, .p50_ns = 1, .p99_ns = p99},
                                     .censored = 2};
    return trial;
}

static void test_median_and_range(void **state)
{
    (void)state;
    (void)add(MR_SWEEP_LOAD, 0, 0, 500, 30);
    (void)add(MR_SWEEP_LOAD, 0, 0, 502, 10);
    add(MR_SWEEP_LOAD, 0, 0, 498, 900)->latency.n = 9000;
    (void)add(MR_SWEEP_LOAD, 1, 0, 1, 1); // of others: must not count
    (void)add(MR_SWEEP_LOAD, 0, 1, 1, 1);
    (void)add(MR_SWEEP_LIMIT, 0, 0, 1, 1);
    add(MR_SWEEP_LOAD, 0, 0, 1, 1)->outcome = MR_TRIAL_EXCLUDED;
    struct mr_sweep_summary sum = mr_sweep_summarise(sweep, MR_SWEEP_LOAD, 0, 0);
    assert_int_equal(sum.counted, 3);
    assert_int_equal(sum.excluded, 1);
    assert_float_equal(sum.latency.p99_ns.median, 30, 0); // the average would be 313
    assert_float_equal(sum.latency.p99_ns.low, 10, 0);
    assert_float_equal(sum.latency.p99_ns.high, 900, 0);
    assert_float_equal(sum.achieved_per_s.median, 500, 0);
    assert_int_equal(sum.latency.n_min, 9000);
    assert_int_equal(sum.censored, 6);
    assert_false(sum.overloaded);
}

// One repeat with too few batches for a p99: no median over the others.
static void test_n_too_small(void **state)
{
    (void)state;
    (void)add(MR_SWEEP_LOAD, 0, 0, 500, 30);
    (void)add(MR_SWEEP_LOAD, 0, 0, 500, NAN);
    (void)add(MR_SWEEP_LOAD, 0, 0, 500, 30);
    struct mr_sweep_summary sum = mr_sweep_summarise(sweep, MR_SWEEP_LOAD, 0, 0);
    assert_true(isnan(sum.latency.p99_ns.median));
    assert_true(isnan(sum.latency.p99_ns.high));
    assert_float_equal(sum.latency.p50_ns.median, 1, 0);
}

static void test_overloaded(void **state)
{
    (void)state;
    add(MR_SWEEP_LOAD, 0, 1, 960, 30)->overloaded = true;
    (void)add(MR_SWEEP_LOAD, 0, 1, 980, 30);
    assert_false(mr_sweep_summarise(sweep, MR_SWEEP_LOAD, 0, 1).overloaded); // a half: no majority
    add(MR_SWEEP_LOAD, 0, 1, 940, 30)->overloaded = true;
    assert_true(mr_sweep_summarise(sweep, MR_SWEEP_LOAD, 0, 1).overloaded);
}

static void add_pair(uint64_t repeat, double open, double closed)
{
    struct mr_sweep_trial *trial = add(MR_SWEEP_PAIR, 0, 0, open, 30);
    trial->repeat = repeat;
    trial->rate_per_s = 1100;
    trial->overloaded = true;
    trial = add(MR_SWEEP_PAIR, 0, 0, closed, NAN);
    trial->repeat = repeat;
    trial->rate_per_s = 0;
}

// The machine wanders by a factor of three; what ran side by side agrees to 4 %.
static void test_saturation(void **state)
{
    (void)state;
    static const double speed[] = {1000, 500, 1500, 700, 900, 1200};
    static const double ratio[] = {0.97, 0.96, 0.99, 0.98, 1.0, 0.98};
    sweep->options.pairs = 6;
    assert_int_equal(mr_sweep_saturation_of(sweep, 0).pairs, 0);
    assert_true(isnan(mr_sweep_saturation_of(sweep, 0).ratio));
    for (uint64_t i = 0; i < 6; i++) {
        assert_int_equal(mr_sweep_pairs_missing(sweep, 0), 6 - i);
        add_pair(i, speed[i] * ratio[i], speed[i]);
    }
    struct mr_sweep_saturation found = mr_sweep_saturation_of(sweep, 0);
    assert_int_equal(found.pairs, 6);
    assert_float_equal(found.ratio, 0.98, 1e-9);
    assert_float_equal(found.ratio_low, 0.96, 1e-9);
    assert_float_equal(found.ratio_high, 1.0, 1e-9);
    assert_float_equal(found.closed_per_s, 950, 1e-9);
    assert_true(found.confidence > 0.95);
    assert_int_equal(found.verdict, MR_SATURATION_AGREES);
    trials[2].achieved_per_s = speed[1] * 0.89; // one pair beyond 10 %: the interval leaves it
    assert_int_equal(mr_sweep_saturation_of(sweep, 0).verdict, MR_SATURATION_OPEN);
    for (size_t i = 0; i < 12; i += 2) {
        trials[i].achieved_per_s = trials[i + 1].achieved_per_s * 0.899;
    }
    assert_int_equal(mr_sweep_saturation_of(sweep, 0).verdict, MR_SATURATION_APART);
    for (size_t i = 0; i < 12; i += 2) {
        trials[i].achieved_per_s = trials[i + 1].achieved_per_s * 0.901;
    }
    assert_int_equal(mr_sweep_saturation_of(sweep, 0).verdict, MR_SATURATION_AGREES);
    assert_int_equal(mr_sweep_saturation_of(sweep, 1).pairs, 0); // of the other one
    assert_int_equal(mr_sweep_pairs_missing(sweep, 1), 6);
}

// A pair of which one is excluded is none; one that sustained its rate counts: its ratio is a lower
// bound.
static void test_pairs_that_do_not_count(void **state)
{
    (void)state;
    sweep->options.pairs = 4;
    for (uint64_t i = 0; i < 4; i++) {
        add_pair(i, 980, 1000);
    }
    trials[1].outcome = MR_TRIAL_EXCLUDED;
    for (size_t i = 2; i < 6; i += 2) { // two of the three pairs that are left
        trials[i].overloaded = false;
        trials[i].achieved_per_s = 1100;
    }
    struct mr_sweep_saturation found = mr_sweep_saturation_of(sweep, 0);
    assert_int_equal(found.pairs, 3);
    assert_int_equal(found.sustained, 2);
    assert_float_equal(found.ratio, 1.1, 1e-9); // 0.98 if they were left out
    assert_true(isnan(found.ratio_low));        // three pairs have no interval
    assert_int_equal(found.verdict, MR_SATURATION_OPEN);
    assert_int_equal(mr_sweep_pairs_missing(sweep, 0), 1);
}

// 110 % of the most that a closed loop has shown, so that a machine that woke up is overloaded too.
static void test_pair_rate(void **state)
{
    (void)state;
    assert_int_equal(mr_sweep_pair_rate(sweep, 0), 1100);
    sweep->options.pairs = 2;
    add_pair(0, 1400, 1300);
    assert_int_equal(mr_sweep_pair_rate(sweep, 0), 1430);
    trials[1].outcome = MR_TRIAL_EXCLUDED;
    assert_int_equal(mr_sweep_pair_rate(sweep, 0), 1100);
    assert_int_equal(mr_sweep_pair_rate(sweep, 1), 440);
    sweep->entry[1].maximum_per_s = NAN;
    assert_int_equal(mr_sweep_pair_rate(sweep, 1), 0);
}

static void test_of_slowest(void **state)
{
    (void)state;
    assert_int_equal(mr_sweep_rate_of(sweep, 0, 0), 500);
    assert_int_equal(mr_sweep_rate_of(sweep, 1, 0), 200);
    sweep->options.of = "slowest";
    assert_int_equal(mr_sweep_rate_of(sweep, 0, 0), 200);
    assert_int_equal(mr_sweep_rate_of(sweep, 1, 1), 440);
    sweep->entry[1].maximum_per_s = NAN; // out before it had one
    assert_int_equal(mr_sweep_rate_of(sweep, 0, 0), 500);
}

static void test_missing(void **state)
{
    (void)state;
    char text[256];
    for (int i = 0; i < 3; i++) {
        for (size_t entry = 0; entry < 2; entry++) {
            (void)add(MR_SWEEP_CLOSED, entry, 0, 1000, NAN);
            (void)add(MR_SWEEP_LOAD, entry, 0, 500, 30);
        }
    }
    (void)add(MR_SWEEP_LOAD, 0, 1, 500, 30);
    assert_int_equal(mr_sweep_missing(sweep, MR_SWEEP_LOAD, 0, 1), 2);
    assert_false(mr_sweep_is_whole(sweep));
    mr_sweep_missing_text(sweep, text, sizeof text);
    assert_string_equal(text, "one: 110 %; two: 110 %");
    memcpy(sweep->entry[1].wrong, "dead", 5); // who is out misses nothing
    mr_sweep_missing_text(sweep, text, sizeof text);
    assert_string_equal(text, "one: 110 %");
    (void)add(MR_SWEEP_LOAD, 0, 1, 500, 30);
    (void)add(MR_SWEEP_LOAD, 0, 1, 500, 30);
    assert_true(mr_sweep_is_whole(sweep));
    sweep->options.slo_ns = 5;
    assert_false(mr_sweep_is_whole(sweep));
    sweep->entry[0].limit.end = MR_LIMIT_FOUND;
    assert_true(mr_sweep_is_whole(sweep));
    sweep->entry[0].limit.end = MR_LIMIT_NO_P99;
    mr_sweep_missing_text(sweep, text, sizeof text);
    assert_non_null(strstr(text, "longer --window"));
}

static void test_reading(void **state)
{
    (void)state;
    static const char json[] =
        "{\"window\":{\"batches_per_s\":490.5,\"overloaded\":true,\"planned\":700,"
        "\"backlog_begin\":3,\"backlog_end\":80,\"censored\":4},"
        "\"series\":{\"latency\":{\"n\":700,\"p50_ns\":5,\"p90_ns\":9,\"p99_ns\":null,"
        "\"p99_9_ns\":null,\"max_ns\":99},\"service_time\":{\"n\":696,\"p50_ns\":2},"
        "\"lateness\":{\"p99_ns\":77}}}";
    yyjson_doc *doc = yyjson_read(json, strlen(json), 0);
    yyjson_mut_doc *copy = yyjson_doc_mut_copy(doc, NULL);
    struct mr_sweep_trial trial = {0};
    mr_sweep_trial_read(yyjson_mut_doc_get_root(copy), &trial);
    assert_true(trial.measured && trial.overloaded);
    assert_float_equal(trial.achieved_per_s, 490.5, 0);
    assert_int_equal(trial.planned, 700);
    assert_int_equal(trial.backlog_begin, 3);
    assert_int_equal(trial.backlog_end, 80);
    assert_int_equal(trial.censored, 4);
    assert_int_equal(trial.latency.n, 700);
    assert_float_equal(trial.latency.p90_ns, 9, 0);
    assert_true(isnan(trial.latency.p99_ns) && isnan(trial.latency.p99_9_ns));
    assert_float_equal(trial.latency.max_ns, 99, 0);
    assert_int_equal(trial.service_time.n, 696);
    assert_float_equal(trial.lateness_p99_ns, 77, 0);
    mr_sweep_trial_read(NULL, &trial);
    assert_true(!trial.measured && isnan(trial.achieved_per_s) && trial.latency.n == 0);
    yyjson_mut_doc_free(copy);
    yyjson_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_median_and_range, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_n_too_small, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_overloaded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_saturation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pairs_that_do_not_count, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pair_rate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_of_slowest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing, set_up, tear_down),
        cmocka_unit_test(test_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
