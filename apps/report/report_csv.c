// report_csv.c: trials.csv and the page that says what its columns mean.
#include "report_page.h"
#include "results_view.h"

#include <math.h>
#include <string.h>

// What a column of trials.csv holds; metrics come behind these, in the order of their first trial.
struct field {
    const char *name;
    const char *meaning;
};

static const struct field fields[] = {
    {"number", "number of the trial in its run, from 1, in the order in which they ran"},
    {"cell", "workload"},
    {"row", "row of the cell, from 0: one trial of every contestant, back to back"},
    {"position", "place in the row, from 0"},
    {"attempt", "0 the first time a row runs, then 1, 2"},
    {"entry", "contestant, or contestant@variant"},
    {"started_utc", "start of the trial, UTC, to the second"},
    {"outcome",
     "counted; excluded (a gate or an accident: its row runs again); wrong (out of the race)"},
    {"reason", "why it does not count; empty where it does"},
    {"file", "its raw data, in trials/"},
};
#define FIELDS_COUNT (sizeof fields / sizeof fields[0])

static const struct field metrics[] = {
    {"records_per_s", "records acknowledged in the window over its length"},
    {"ns_per_record", "median over the timed passes of time over records, in-process"},
    {"payload_bytes_per_s", "JSON bytes acknowledged in the window over its length"},
    {"batches_per_s", "batches acknowledged in the window over its length"},
    {"server_cpu_s_per_million_records",
     "CPU seconds of all the server's threads in the window (schedstat) a million records"},
    {"server_busy", "CPU time of the server's threads over window times its cores"},
    {"generator_busy", "share of the window in generator iterations that moved at least a byte"},
    {"generator_ns_per_batch", "time in iterations of the generator that moved at least a byte, a "
                               "batch, less what other programs took of it: spinning while "
                               "nothing comes is no cost"},
    {"generator_cpu_ns_per_batch",
     "CPU time of the generator's threads in the window a batch, spinning included"},
    {"offered_batches_per_s", "open loop: batches due in the window over its length"},
    {"lateness_p99_ns", "open loop: 99th percentile from due to taken up by the generator, batches "
                        "that waited behind the server left out; empty with fewer than 10,000"},
    {"overshoot_p99_ns", "99th percentile of how late the host ends the generator's sleeps, "
                         "measured at its start"},
    {"overshoot_max_ns", "the largest of these"},
    {"round_trip_p50_ns", "closed loop: median from send start to the last reply byte, at the "
                          "depth of the cell; no latency"},
    {"round_trip_p99_ns", "the same, 99th percentile; empty with fewer than 10,000 batches"},
    {"latency_p50_ns", "open loop: median from due to the last reply byte"},
    {"latency_p99_ns", "the same, 99th percentile; empty with fewer than 10,000 batches"},
    {"service_time_p50_ns", "open loop: median from send start to the last reply byte: what a "
                            "generator that waits would call latency"},
    {"service_time_p99_ns", "the same, 99th percentile; empty with fewer than 10,000 batches"},
    {"peak_rss_bytes",
     "largest resident memory of the server process in warm-up and window (VmHWM after a reset)"},
    {"rss_bytes", "resident memory of the server process at the end of the window"},
    {"startup_ns", "from exec of the server to its line that it listens"},
    {"first_pass_ns_per_record", "time of the very first pass over records: nothing is warm yet"},
};
#define METRICS_COUNT (sizeof metrics / sizeof metrics[0])

static void write_quoted(FILE *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        (void)fputs(text, out);
        return;
    }
    (void)fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            (void)fputc('"', out);
        }
        (void)fputc(*text, out);
    }
    (void)fputc('"', out);
}

// Whether any trial has the metric: columns that would be empty are left out.
static bool is_used(yyjson_val *trials, const char *metric)
{
    size_t index;
    size_t count;
    yyjson_val *trial;
    yyjson_arr_foreach(trials, index, count, trial)
    {
        if (isfinite(mr_view_number(yyjson_obj_get(trial, "metrics"), metric))) {
            return true;
        }
    }
    return false;
}

static void write_line(FILE *out, yyjson_val *trials, yyjson_val *trial)
{
    for (size_t i = 0; i < FIELDS_COUNT; i++) {
        yyjson_val *value = yyjson_obj_get(trial, fields[i].name);
        (void)fprintf(out, "%s", i == 0 ? "" : ",");
        if (yyjson_is_int(value)) {
            (void)fprintf(out, "%llu", (unsigned long long)yyjson_get_uint(value));
        } else {
            write_quoted(out, mr_view_text(trial, fields[i].name));
        }
    }
    for (size_t i = 0; i < METRICS_COUNT; i++) {
        if (!is_used(trials, metrics[i].name)) {
            continue;
        }
        double value = mr_view_number(yyjson_obj_get(trial, "metrics"), metrics[i].name);
        (void)fprintf(out, ",");
        if (isfinite(value)) {
            (void)fprintf(out, "%.17g", value);
        }
    }
    (void)fprintf(out, "\r\n");
}

void mr_report_csv(FILE *out, yyjson_val *results)
{
    yyjson_val *trials = yyjson_obj_get(results, "trials");
    for (size_t i = 0; i < FIELDS_COUNT; i++) {
        (void)fprintf(out, "%s%s", i == 0 ? "" : ",", fields[i].name);
    }
    for (size_t i = 0; i < METRICS_COUNT; i++) {
        if (is_used(trials, metrics[i].name)) {
            (void)fprintf(out, ",%s", metrics[i].name);
        }
    }
    (void)fprintf(out, "\r\n");
    size_t index;
    size_t count;
    yyjson_val *trial;
    yyjson_arr_foreach(trials, index, count, trial)
    {
        write_line(out, trials, trial);
    }
}

void mr_report_columns(FILE *out, yyjson_val *results)
{
    yyjson_val *trials = yyjson_obj_get(results, "trials");
    (void)fprintf(out,
                  "# Columns of trials.csv\n\nComma-separated (RFC 4180), one line a trial, "
                  "excluded ones included."
                  " An empty figure could not be measured.\n\n| column | meaning |\n|---|---|\n");
    for (size_t i = 0; i < FIELDS_COUNT; i++) {
        (void)fprintf(out, "| %s | %s |\n", fields[i].name, fields[i].meaning);
    }
    for (size_t i = 0; i < METRICS_COUNT; i++) {
        if (is_used(trials, metrics[i].name)) {
            (void)fprintf(out, "| %s | %s |\n", metrics[i].name, metrics[i].meaning);
        }
    }
}
