// hdr_files.c: see hdr_files.h.
#define _GNU_SOURCE
#include "hdr_files.h"

#include "hdr_intervals.h"
#include "hdr_line.h"
#include "hdr_table.h"
#include "load_result.h"

#include "base/clock.h"
#include "base/file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// A file that grows in memory, so that nothing half-written is ever at its place.
struct text {
    FILE *file;
    char *bytes;
    size_t size_bytes;
};

static int text_open(struct text *text_out)
{
    *text_out = (struct text){0};
    text_out->file = open_memstream(&text_out->bytes, &text_out->size_bytes);
    return text_out->file == NULL ? -errno : 0;
}

static int text_save(struct text *text, const char *path, int result)
{
    if (fclose(text->file) != 0 && result == 0) {
        result = -ENOMEM;
    }
    if (result == 0) {
        result = mr_file_write(path, text->bytes, text->size_bytes);
    }
    free(text->bytes);
    return result;
}

// Lines of the head: HdrHistogram_c reads no more than 127 characters of one.
static void print_subject(FILE *file, const struct mr_load_run *run)
{
    if (run->options->plan == MR_PLAN_CLOSED) {
        (void)fprintf(file,
                      "#[Round trips at depth %" PRIu64
                      ", send start to last reply byte: closed loop, no latency]\n",
                      run->options->depth);
    } else {
        (void)fprintf(file, "#[Latency: from the time a batch was due to its last reply byte]\n");
    }
    if (run->has_sum) {
        (void)fprintf(file,
                      "#[Censored = %" PRIu64 ": unanswered at the limit, counted with what they "
                      "had waited then]\n",
                      run->sum.counts.censored);
        uint64_t left_out = 0;
        for (size_t i = 0; i < mr_recorder_interval_series(run->options->plan); i++) {
            left_out += mr_hist_out_of_range_count(
                &run->sum.series[mr_recorder_series_at(run->options->plan, i)]);
        }
        if (left_out > 0) {
            (void)fprintf(file, "#[Above one hour and not in here = %" PRIu64 "]\n", left_out);
        }
    }
    if (run->failure.verdict != MR_LOAD_OK) {
        (void)fprintf(file, "#[Not verified, incomplete: the run's verdict is %s]\n",
                      mr_load_verdict(run));
    } else if (!mr_load_is_whole(run)) {
        (void)fprintf(file, "#[Not verified: a gate or a part of the generator was off]\n");
    }
}

// Wall-clock time of a moment of mr_clock_ns(), in s.
static double epoch_s(uint64_t at_ns)
{
    struct timespec wall;
    (void)clock_gettime(CLOCK_REALTIME, &wall);
    double ago_s = ((double)mr_clock_ns() - (double)at_ns) / 1e9;
    return (double)wall.tv_sec + (double)wall.tv_nsec / 1e9 - ago_s;
}

static void print_log_head(FILE *file, const struct mr_load_run *run)
{
    bool timed = run->has_sum && !run->shared.opening;
    double start_s = epoch_s(timed ? run->shared.window.begin_ns : mr_clock_ns());
    char utc[32] = "";
    time_t whole_s = (time_t)start_s;
    struct tm parts;
    if (gmtime_r(&whole_s, &parts) != NULL) {
        (void)strftime(utc, sizeof utc, "%Y-%m-%dT%H:%M:%SZ", &parts);
    }
    (void)fprintf(file, "#[Logged by matchrace load; values in nanoseconds]\n");
    print_subject(file, run);
    (void)fprintf(file, "#[Histogram log format version 1.3]\n");
    (void)fprintf(file, "#[BaseTime: %.3f (seconds since epoch)]\n", start_s);
    (void)fprintf(file, "#[StartTime: %.3f (seconds since epoch), %s]\n", start_s, utc);
    (void)fprintf(file, "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\","
                        "\"Interval_Compressed_Histogram\"\n");
}

static void collect(const struct mr_load_run *run, size_t place, size_t interval,
                    struct mr_hist *hist)
{
    mr_hist_reset(hist);
    for (uint32_t i = 0; i < run->workers_count; i++) {
        const struct mr_recorder *recorder = &run->worker[i].recorder;
        if (recorder->window.start_ns == run->shared.window.start_ns) {
            mr_intervals_collect(&recorder->intervals, place, interval, hist);
        }
    }
}

// How many intervals there are to write: those that the run reached, and all that hold anything.
static size_t intervals_used(const struct mr_load_run *run, uint64_t passed_ns,
                             struct mr_hist *scratch)
{
    size_t last = run->worker[0].recorder.intervals.count;
    while (last > 0 && (last - 1) * (uint64_t)MR_INTERVAL_NS >= passed_ns) {
        collect(run, MR_INTERVALS_MAIN, last - 1, scratch);
        if (mr_hist_count(scratch) > 0) {
            break;
        }
        last--;
    }
    return last;
}

static int print_interval(FILE *file, const struct mr_load_run *run, size_t interval,
                          uint64_t passed_ns, struct mr_hist *scratch)
{
    enum mr_plan_kind plan = run->options->plan;
    struct mr_hdr_interval line = {.start_ns = interval * (uint64_t)MR_INTERVAL_NS,
                                   .length_ns = MR_INTERVAL_NS};
    if (passed_ns > line.start_ns && passed_ns - line.start_ns < line.length_ns) {
        line.length_ns = passed_ns - line.start_ns; // the run ended in it
    }
    int result = 0;
    for (size_t place = 0; place < mr_recorder_interval_series(plan) && result == 0; place++) {
        collect(run, place, interval, scratch);
        bool is_main = place == MR_INTERVALS_MAIN;
        line.tag = is_main ? NULL : mr_series_name(mr_recorder_series_at(plan, place));
        result = mr_hdr_line_write(file, &line, scratch);
    }
    return result;
}

static int print_intervals(FILE *file, const struct mr_load_run *run)
{
    struct mr_hist scratch;
    int result = mr_hist_init(&scratch);
    if (result != 0) {
        return result;
    }
    uint64_t begin_ns = run->shared.window.begin_ns;
    uint64_t passed_ns = run->drained_ns > begin_ns ? run->drained_ns - begin_ns : 0;
    size_t used = intervals_used(run, passed_ns, &scratch);
    for (size_t i = 0; i < used && result == 0; i++) {
        result = print_interval(file, run, i, passed_ns, &scratch);
    }
    mr_hist_fini(&scratch);
    return result;
}

int mr_hdr_log_write(const struct mr_load_run *run, const char *path)
{
    struct text text;
    int result = text_open(&text);
    if (result != 0) {
        return result;
    }
    print_log_head(text.file, run);
    if (run->has_sum && !run->shared.opening && run->workers_count > 0) {
        result = print_intervals(text.file, run);
    }
    return text_save(&text, path, result);
}

int mr_hdr_percentiles_write(const struct mr_load_run *run, const char *path)
{
    struct text text;
    struct mr_hist nothing;
    int result = mr_hist_init(&nothing);
    if (result != 0) {
        return result;
    }
    result = text_open(&text);
    if (result == 0) {
        size_t series = mr_recorder_series_at(run->options->plan, MR_INTERVALS_MAIN);
        const struct mr_hist *hist = run->has_sum ? &run->sum.series[series] : &nothing;
        mr_hdr_table_print(text.file, hist);
        (void)fprintf(text.file, "#[Values in microseconds]\n");
        print_subject(text.file, run);
        double n = (double)mr_hist_count(hist);
        (void)fprintf(text.file,
                      "#[Rows above percentile %.6f rest on fewer than 100/(1-percentile) values: "
                      "n too small]\n",
                      n > 100 ? 1 - 100 / n : 0);
        result = text_save(&text, path, 0);
    }
    mr_hist_fini(&nothing);
    return result;
}
