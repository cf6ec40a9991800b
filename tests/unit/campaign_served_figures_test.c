// campaign_served_figures_test.c: the generator's result as metrics and observation, worked out by
// hand, units and all; and how steady a timeline is.
#include "served_figures.h"
#include "served_steadiness.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static struct mr_reading known(uint64_t value)
{
    return (struct mr_reading){.known = true, .value = value};
}

// Two seconds in which the server computed for three, on two cores with two threads: the busiest
// for 1.8 s.
static struct mr_process_use use;

static struct mr_served_seen make_seen(void)
{
    use = (struct mr_process_use){.exec_ns = known(3000000000)};
    use.threads.known = true;
    use.threads.count = 2;
    use.threads.thread[0].exec_ns = known(1800000000);
    use.threads.thread[1].exec_ns = known(1200000000);
    use.memory.peak_bytes = known(777);
    return (struct mr_served_seen){
        .use = &use, .wall_ns = 2000000000, .startup_ns = 42, .cores = 2, .threads = 2};
}

static struct mr_trial figures_of(const char *json, bool open_loop, struct mr_served_seen seen)
{
    yyjson_doc *doc = yyjson_read(json, strlen(json), 0);
    assert_non_null(doc);
    struct mr_trial trial = {.observation = mr_observation_unknown()};
    trial.observation.open_loop = open_loop;
    mr_served_figures(&trial, &trial.observation, yyjson_doc_get_root(doc), &seen);
    yyjson_doc_free(doc);
    return trial;
}

#define WINDOW                                                                                     \
    "\"window\":{\"records_per_s\":1e6,\"busy_share\":0.25,\"recorder_deviation_over_limit\":0.5," \
    "\"overloaded\":true}"
#define SERIES                                                                                     \
    "\"series\":{\"latency\":{\"p50_ns\":1000,\"p99_ns\":2000},\"lateness\":{\"p99_ns\":300},"     \
    "\"service_time\":{\"p50_ns\":900,\"p99_ns\":1900},\"round_trip\":null}"

static void test_closed(void **state)
{
    (void)state;
    struct mr_trial trial = figures_of(
        "{" WINDOW ",\"series\":{\"round_trip\":{\"p50_ns\":5,\"p99_ns\":null}},"
        "\"stats_before\":{\"reply\":{\"runtime\":{\"compiled_methods\":\"0000000000000028\"}}},"
        "\"stats_after\":{\"reply\":{\"runtime\":{\"compiled_methods\":\"000000000000002b\"}}},"
        "\"generator\":{\"sleep_overshoot_p99_ns\":77},"
        "\"novelty\":{\"unseen_over_seen\":1.25}}",
        false, make_seen());
    const struct mr_observation *seen = &trial.observation;
    assert_true(seen->generator_busy == 0.25);
    assert_true(seen->server_busy == 0.75); // 3 s of 2 s × 2 cores
    assert_true(seen->recorder_deviation == 0.5);
    assert_true(seen->unseen_over_seen == 1.25);
    assert_true(fabs(seen->thread_imbalance - 0.2) < 1e-12); // 1.8 s instead of 1.5 s
    assert_true(seen->overshoot_p99_ns == 77);
    assert_true(seen->compiled_methods == 3);
    assert_true(isnan(seen->lateness_p99_ns) && isnan(seen->latency_p99_ns));
    assert_true(isnan(seen->gap_ns) && isnan(seen->overloaded));
    assert_true(isnan(seen->foreign_share) && isnan(seen->answers)); // others' parts
    assert_true(mr_trial_find(&trial, "records_per_s")->value == 1e6);
    // 1.5 CPU seconds a second over a million records a second.
    assert_true(mr_trial_find(&trial, "server_cpu_s_per_million_records")->value == 1.5);
    assert_true(mr_trial_find(&trial, "round_trip_p50_ns")->value == 5);
    assert_true(isnan(mr_trial_find(&trial, "round_trip_p99_ns")->value));
    assert_true(mr_trial_find(&trial, "peak_rss_bytes")->value == 777);
    assert_true(mr_trial_find(&trial, "startup_ns")->value == 42);
    assert_false(mr_trial_find(&trial, "latency_p99_ns")->higher_is_better);
}

static double gap_of(const char *inputs)
{
    char json[512];
    (void)snprintf(json, sizeof json, "{" WINDOW "," SERIES ",\"inputs\":%s}", inputs);
    return figures_of(json, true, make_seen()).observation.gap_ns;
}

static void test_open(void **state)
{
    (void)state;
    struct mr_trial trial =
        figures_of("{" WINDOW "," SERIES ",\"inputs\":{\"plan\":\"open\",\"rate_per_s\":400}}",
                   true, make_seen());
    const struct mr_observation *seen = &trial.observation;
    assert_true(seen->lateness_p99_ns == 300);
    assert_true(seen->latency_p99_ns == 2000);
    assert_true(seen->gap_ns == 2500000); // 400 a second
    assert_true(seen->overloaded == 1);
    assert_true(isnan(seen->throughput_slope));
    assert_true(isnan(seen->overshoot_p99_ns)); // not in this result
    assert_true(isnan(seen->compiled_methods) && isnan(seen->warmup_slope));
    assert_true(mr_trial_find(&trial, "latency_p99_ns")->value == 2000);
    assert_true(mr_trial_find(&trial, "service_time_p99_ns")->value == 1900);
}

static void test_gaps(void **state)
{
    (void)state;
    assert_true(gap_of("{\"rate_per_s\":1000000,\"period_ns\":null,\"steps\":null}") == 1000);
    assert_true(gap_of("{\"rate_per_s\":null,\"period_ns\":50000000}") == 50000000);
    assert_true(gap_of("{\"rate_per_s\":null,\"steps\":[{\"from_per_s\":10,\"to_per_s\":10},"
                       "{\"from_per_s\":10,\"to_per_s\":100}]}") == 1e7);
    assert_true(isnan(gap_of("{\"rate_per_s\":null}")));
}

static double overshoot_of(const char *generator)
{
    char json[512];
    (void)snprintf(json, sizeof json, "{" WINDOW "," SERIES ",\"generator\":%s}", generator);
    return figures_of(json, true, make_seen()).observation.overshoot_p99_ns;
}

// What the host did before the load alone, or behind it alone, excuses nothing.
static void test_slow_start(void **state)
{
    (void)state;
    assert_true(overshoot_of("{\"sleep_overshoot_p99_ns\":9000000,"
                             "\"sleep_overshoot_after_p99_ns\":60000}") == 60000);
    assert_true(overshoot_of("{\"sleep_overshoot_p99_ns\":50000,"
                             "\"sleep_overshoot_after_p99_ns\":9000000}") == 50000);
    assert_true(isnan(overshoot_of("{\"sleep_overshoot_p99_ns\":50000,"
                                   "\"sleep_overshoot_after_p99_ns\":null}")));
}

static void test_another_process_serves(void **state)
{
    (void)state;
    struct mr_served_seen seen = make_seen();
    seen.use = NULL;
    struct mr_trial trial = figures_of("{" WINDOW "}", false, seen);
    assert_true(isnan(trial.observation.server_busy));
    assert_true(isnan(trial.observation.thread_imbalance));
    assert_true(isnan(mr_trial_find(&trial, "peak_rss_bytes")->value));
    seen.threads = 1;
    trial = figures_of("{" WINDOW "}", false, seen);
    assert_true(trial.observation.thread_imbalance == 0); // one thread is always balanced
}

// A timeline of `count` bins of 100 ms whose window covers all but the first and the last.
// Bins of 100 ms; the window is all of them but the first and the last, the warm-up all of them.
static struct mr_slope slope_of(struct mr_slope (*of)(yyjson_val *), const double *records,
                                size_t count)
{
    bool warmup = of == mr_served_warmup;
    static char json[65536];
    size_t length = (size_t)snprintf(
        json, sizeof json,
        "{\"times\":{\"start_ns\":7000,\"window_start_ns\":%llu,\"window_end_ns\":%llu},"
        "\"timeline\":{\"bin_ns\":100000000,\"start_ns\":7000,\"records\":[",
        7000 + 100000000ull * (warmup ? count : 1), 7000 + 100000000ull * (count - 1));
    for (size_t i = 0; i < count; i++) {
        length += (size_t)snprintf(json + length, sizeof json - length, "%s%.0f", i == 0 ? "" : ",",
                                   records[i]);
    }
    length += (size_t)snprintf(json + length, sizeof json - length, "]}}");
    yyjson_doc *doc = yyjson_read(json, length, 0);
    assert_non_null(doc);
    struct mr_slope slope = of(yyjson_doc_get_root(doc));
    yyjson_doc_free(doc);
    return slope;
}

static struct mr_slope steadiness(const double *records, size_t count)
{
    return slope_of(mr_served_steadiness, records, count);
}

// The first half of a warm-up may do what it likes; the second tells whether it is over.
static void test_warmup(void **state)
{
    (void)state;
    double records[40];
    for (size_t i = 0; i < 40; i++) {
        records[i] = i < 20 ? 100 * (double)i : 5000 + (double)(i % 3);
    }
    struct mr_slope slope = slope_of(mr_served_warmup, records, 40);
    assert_true(fabs(slope.slope) < 0.001 && slope.high < 0.001 && slope.low > -0.001);
    for (size_t i = 20; i < 40; i++) {
        records[i] = 1000 + 10 * (double)i; // 1200 to 1390: 20 steps of 10 over the median 1295
    }
    slope = slope_of(mr_served_warmup, records, 40);
    assert_true(fabs(slope.slope - 200.0 / 1295) < 1e-9);
    assert_true(isfinite(slope_of(mr_served_warmup, records + 20, 20).slope));
    assert_true(isnan(slope_of(mr_served_warmup, records + 20, 19).slope)); // nine bins
}

static void test_steadiness(void **state)
{
    (void)state;
    double records[2002];
    for (size_t i = 0; i < 2002; i++) {
        records[i] = 100000 + 1000 * (double)i;
    }
    // Bins 1 to 80: from 101,000 to 180,000, median 140,500, so 80 steps of 1000 over it.
    struct mr_slope slope = steadiness(records, 82);
    assert_true(fabs(slope.slope - 80000.0 / 140500) < 1e-9);
    assert_true(slope.low <= slope.slope && slope.slope <= slope.high);
    // Far more bins than points: ten put together, and the same share over the window.
    slope = steadiness(records, 2002);
    assert_true(fabs(slope.slope - 2000000.0 / 1100500) < 1e-6);
    for (size_t i = 0; i < 82; i++) {
        records[i] = i == 0 || i == 81 ? 1e9 : 5000 + (double)(i % 3); // outside: not looked at
    }
    slope = steadiness(records, 82);
    assert_true(fabs(slope.slope) < 0.001 && slope.high < 0.001 && slope.low > -0.001);
    records[80] = 0; // one paused bin at the end moves no median of slopes
    slope = steadiness(records, 82);
    assert_true(fabs(slope.slope) < 0.001);
}

static void test_too_short_to_tell(void **state)
{
    (void)state;
    double records[12];
    for (size_t i = 0; i < 12; i++) {
        records[i] = 1000;
    }
    assert_true(steadiness(records, 12).slope == 0); // ten bins inside
    assert_true(isnan(steadiness(records, 11).slope));
    for (size_t i = 0; i < 12; i++) {
        records[i] = 0;
    }
    assert_true(isnan(steadiness(records, 12).slope));
    yyjson_doc *doc = yyjson_read("{}", 2, 0);
    assert_true(isnan(mr_served_steadiness(yyjson_doc_get_root(doc)).slope));
    yyjson_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_open),
        cmocka_unit_test(test_slow_start),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_another_process_serves),
        cmocka_unit_test(test_warmup),
        cmocka_unit_test(test_steadiness),
        cmocka_unit_test(test_too_short_to_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
