// campaign_sweep_chart_test.c: what stands in a sweep's picture, from trials made up by a formula.
#define _GNU_SOURCE
#include "sweep_files.h"
#include "sweep_summary.h"
#include "temp_folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define TRIALS_MAX 256

static struct mr_sweep *sweep; // large
static struct mr_sweep_trial trials[TRIALS_MAX];
static struct mr_entry entries[2] = {{.text = "one"}, {.text = "two"}};
static struct temp_folder folder;

// A queue's latency at a share of the capacity, in ns; beyond it what the window makes of it.
static double latency_ns(double share, double tail)
{
    double own = 150e3 * tail;
    return share < 1 ? own / (1.02 - share) : 50 * own * share;
}

static struct mr_sweep_trial *add(enum mr_sweep_phase phase, size_t entry, uint64_t rate_per_s,
                                  uint64_t repeat)
{
    assert_true(sweep->trials_count < TRIALS_MAX);
    struct mr_sweep_trial *trial = &trials[sweep->trials_count++];
    *trial = (struct mr_sweep_trial){
        .phase = phase, .entry = entry, .rate_per_s = rate_per_s, .repeat = repeat};
    return trial;
}

static void add_load(size_t entry, size_t load, uint64_t repeat, bool tail)
{
    uint64_t rate = mr_sweep_rate_of(sweep, entry, load);
    double share = (double)rate / sweep->entry[entry].maximum_per_s;
    double noise = 1 + 0.1 * (double)repeat;
    struct mr_sweep_trial *trial = add(MR_SWEEP_LOAD, entry, rate, repeat);
    trial->load = load;
    trial->overloaded = share > 0.97;
    trial->latency =
        (struct mr_sweep_series){.n = 100000,
                                 .p50_ns = latency_ns(share, 1) * noise,
                                 .p90_ns = latency_ns(share, 2) * noise,
                                 .p99_ns = latency_ns(share, 5) * noise,
                                 .p99_9_ns = tail ? latency_ns(share, 9) * noise : NAN};
}

static void add_pair(size_t entry, uint64_t repeat, double ratio)
{
    double maximum = sweep->entry[entry].maximum_per_s;
    add(MR_SWEEP_PAIR, entry, 0, repeat)->achieved_per_s = maximum;
    struct mr_sweep_trial *open = add(MR_SWEEP_PAIR, entry, (uint64_t)(1.1 * maximum), repeat);
    open->achieved_per_s = maximum * ratio;
    open->overloaded = true;
}

static int make(void **state)
{
    (void)state;
    sweep = calloc(1, sizeof *sweep);
    assert_non_null(sweep);
    folder = temp_folder_make();
    sweep->race.folder = folder.path;
    sweep->options.repeats = 3;
    sweep->options.pairs = 6;
    sweep->options.of = "own";
    sweep->options.slo_ns = 5000000;
    assert_true(mr_sweep_loads_parse("10,25,40,50,60,75,85,90,100,110", &sweep->options));
    sweep->entries_count = 2;
    sweep->trial = trials;
    for (size_t entry = 0; entry < 2; entry++) {
        sweep->entry[entry].entry = &entries[entry];
        sweep->entry[entry].maximum_per_s = entry == 0 ? 12345 : 5000;
        for (uint64_t repeat = 0; repeat < 3; repeat++) {
            for (size_t load = 0; load < sweep->options.loads_count; load++) {
                add_load(entry, load, repeat, entry == 0);
            }
        }
        for (uint64_t repeat = 0; repeat < 6; repeat++) {
            add_pair(entry, repeat, entry == 0 ? 0.96 : 1.01);
        }
    }
    return 0;
}

static void at(const char *name, char path_out[128])
{
    (void)snprintf(path_out, 128, "%s/%s", folder.path, name);
}

static int end(void **state)
{
    (void)state;
    if (getenv("MR_KEEP_CHART") != NULL) { // to look at the picture
        (void)printf("%s\n", folder.path);
    } else {
        temp_folder_remove(&folder);
    }
    free(sweep);
    return 0;
}

static const char *text_of(const char *name)
{
    static char text[256 << 10];
    char path[128];
    at(name, path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[length] = '\0';
    return text;
}

static void test_all_is_there(void **state)
{
    (void)state;
    bool drawn;
    int result = mr_sweep_chart(sweep, &drawn);
    assert_true(result == 0 || result == -2); // -ENOENT: no gnuplot here
    const char *script = text_of("latency.gnuplot");
    assert_non_null(strstr(script, "set logscale y"));
    static const char *const curves[] = {"\"one p50\"", "\"one p99\"", "\"one p99.9\"",
                                         "\"two p50\"", "\"two p99\""};
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        assert_non_null(strstr(script, curves[i]));
    }
    assert_null(strstr(script, "\"two p99.9\"")); // n was too small for it everywhere
    // The maximum times the pairs' ratio, in batches a second and in percent.
    assert_non_null(strstr(script, "one: saturation 11851/s"));
    assert_non_null(strstr(script, "two: saturation 5050/s"));
    assert_non_null(strstr(script, "one: saturation 96.0 %"));
    assert_non_null(strstr(script, "two: saturation 101.0 %"));
    assert_true(drawn == (result == 0));
    if (drawn) {
        const char *picture = text_of("latency.svg");
        assert_non_null(strstr(picture, "</svg>"));
        assert_non_null(strstr(picture, "one p99.9"));
        assert_null(strstr(picture, "two p99.9"));
    }
}

// Without pairs there is no saturation to mark; the closed loop's maximum is there all the same.
static void test_without_pairs(void **state)
{
    (void)state;
    bool drawn;
    sweep->options.pairs = 0;
    (void)!mr_sweep_chart(sweep, &drawn);
    const char *script = text_of("latency.gnuplot");
    assert_null(strstr(script, ": saturation"));
    assert_non_null(strstr(script, "set arrow from 12345,graph 0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_all_is_there, make, end),
        cmocka_unit_test_setup_teardown(test_without_pairs, make, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
