// sweep_csv.c: see sweep_files.h: sweep.csv.
#define _GNU_SOURCE
#include "sweep_files.h"
#include "sweep_summary.h"

#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char header[] =
    "entry,load_percent,rate_per_s,window_ns,trials_counted,trials_excluded,overloaded,"
    "achieved_per_s,achieved_per_s_low,achieved_per_s_high,backlog_begin,backlog_end,censored,"
    "latency_n_min,"
    "latency_p50_ns,latency_p50_ns_low,latency_p50_ns_high,"
    "latency_p90_ns,latency_p90_ns_low,latency_p90_ns_high,"
    "latency_p99_ns,latency_p99_ns_low,latency_p99_ns_high,"
    "latency_p99_9_ns,latency_p99_9_ns_low,latency_p99_9_ns_high,"
    "latency_max_ns,latency_max_ns_low,latency_max_ns_high,"
    "service_time_n_min,"
    "service_time_p50_ns,service_time_p50_ns_low,service_time_p50_ns_high,"
    "service_time_p90_ns,service_time_p90_ns_low,service_time_p90_ns_high,"
    "service_time_p99_ns,service_time_p99_ns_low,service_time_p99_ns_high,"
    "service_time_p99_9_ns,service_time_p99_9_ns_low,service_time_p99_9_ns_high,"
    "service_time_max_ns,service_time_max_ns_low,service_time_max_ns_high,"
    "lateness_p99_ns,lateness_p99_ns_low,lateness_p99_ns_high\r\n";

// An empty field where n is too small.
static void write_number(FILE *out, double value)
{
    if (isnan(value)) {
        (void)fprintf(out, ",");
    } else {
        (void)fprintf(out, ",%.15g", value);
    }
}

static void write_spread(FILE *out, struct mr_sweep_spread spread)
{
    write_number(out, spread.median);
    write_number(out, spread.low);
    write_number(out, spread.high);
}

static void write_series(FILE *out, const struct mr_sweep_series_spread *series)
{
    (void)fprintf(out, ",%llu", (unsigned long long)series->n_min);
    write_spread(out, series->p50_ns);
    write_spread(out, series->p90_ns);
    write_spread(out, series->p99_ns);
    write_spread(out, series->p99_9_ns);
    write_spread(out, series->max_ns);
}

// Quoted: a name may hold anything that a folder's name may.
static void write_text(FILE *out, const char *text)
{
    (void)fputc('"', out);
    for (; *text != '\0'; text++) {
        (void)fputs(*text == '"' ? "\"" : "", out);
        (void)fputc(*text, out);
    }
    (void)fputc('"', out);
}

static void write_point(FILE *out, const struct mr_sweep *sweep, size_t entry, size_t load)
{
    struct mr_sweep_summary sum = mr_sweep_summarise(sweep, MR_SWEEP_LOAD, entry, load);
    if (sum.counted + sum.excluded == 0) {
        return;
    }
    write_text(out, sweep->entry[entry].entry->text);
    (void)fprintf(out, ",%u,%llu,%llu,%zu,%zu,%s", sweep->options.load_percent[load],
                  (unsigned long long)sum.rate_per_s, (unsigned long long)sum.window_ns,
                  sum.counted, sum.excluded, sum.overloaded ? "true" : "false");
    write_spread(out, sum.achieved_per_s);
    write_number(out, sum.backlog_begin.median);
    write_number(out, sum.backlog_end.median);
    (void)fprintf(out, ",%llu", (unsigned long long)sum.censored);
    write_series(out, &sum.latency);
    write_series(out, &sum.service_time);
    write_spread(out, sum.lateness_p99_ns);
    (void)fprintf(out, "\r\n");
}

int mr_sweep_csv_write(const struct mr_sweep *sweep, struct mr_trial_fault *fault)
{
    char path[PATH_MAX];
    char *text = NULL;
    size_t length = 0;
    (void)snprintf(path, sizeof path, "%s/sweep.csv", sweep->race.folder);
    FILE *out = open_memstream(&text, &length);
    int result = out == NULL ? -ENOMEM : 0;
    if (out != NULL) {
        (void)fputs(header, out);
        for (size_t entry = 0; entry < sweep->entries_count; entry++) {
            for (size_t load = 0; load < sweep->options.loads_count; load++) {
                write_point(out, sweep, entry, load);
            }
        }
        result = fclose(out) == 0 ? mr_file_write(path, text, length) : -ENOMEM;
    }
    free(text);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be written: %s", path, strerror(-result));
    }
    return result;
}
