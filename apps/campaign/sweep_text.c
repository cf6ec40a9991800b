// sweep_text.c: see sweep_files.h: the tables for people, and what is missing.
#define _GNU_SOURCE
#include "sweep_files.h"
#include "sweep_saturation.h"
#include "sweep_summary.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "1.23 ms"; "n small" where n is too small for it.
static const char *duration(double ns, char text_out[16])
{
    if (isnan(ns)) {
        (void)snprintf(text_out, 16, "n small");
    } else if (ns < 999.5e3) {
        (void)snprintf(text_out, 16, "%.3g us", ns / 1e3);
    } else if (ns < 999.5e6) {
        (void)snprintf(text_out, 16, "%.3g ms", ns / 1e6);
    } else {
        (void)snprintf(text_out, 16, "%.3g s", ns / 1e9);
    }
    return text_out;
}

static void write_series(FILE *out, const struct mr_sweep_series_spread *series)
{
    char text[5][16];
    (void)fprintf(
        out, " %9s %9s %9s %9s %9s", duration(series->p50_ns.median, text[0]),
        duration(series->p90_ns.median, text[1]), duration(series->p99_ns.median, text[2]),
        duration(series->p99_9_ns.median, text[3]), duration(series->max_ns.median, text[4]));
}

static void write_state(FILE *out, const struct mr_sweep *sweep, size_t entry, size_t load,
                        const struct mr_sweep_summary *sum)
{
    if (sum->overloaded) {
        (void)fprintf(out, " overloaded: backlog %.0f to %.0f", sum->backlog_begin.median,
                      sum->backlog_end.median);
    }
    if (sum->censored > 0) {
        (void)fprintf(out, " %llu censored", (unsigned long long)sum->censored);
    }
    size_t missing = mr_sweep_missing(sweep, MR_SWEEP_LOAD, entry, load);
    if (missing > 0) {
        (void)fprintf(out, " %zu of %llu missing", missing,
                      (unsigned long long)sweep->options.repeats);
    }
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        if (sum->gate_failed[gate] > 0) {
            (void)fprintf(out, " [%s failed in %zu]", mr_gate_name((enum mr_gate)gate),
                          sum->gate_failed[gate]);
        }
    }
}

static void write_point(FILE *out, const struct mr_sweep *sweep, size_t entry, size_t load)
{
    struct mr_sweep_summary sum = mr_sweep_summarise(sweep, MR_SWEEP_LOAD, entry, load);
    if (sum.counted == 0) {
        (void)fprintf(out, "  %4u %%  not measured%s\n", sweep->options.load_percent[load],
                      sum.excluded > 0 ? ": every trial was excluded (see sweep.json)" : "");
        return;
    }
    char low[16];
    char high[16];
    (void)fprintf(out, "  %4u %% %9llu %9.0f %8llu", sweep->options.load_percent[load],
                  (unsigned long long)sum.rate_per_s, sum.achieved_per_s.median,
                  (unsigned long long)sum.latency.n_min);
    write_series(out, &sum.latency);
    if (isnan(sum.latency.p99_ns.median)) {
        (void)fprintf(out, " %21s", "");
    } else {
        (void)fprintf(out, " %9s - %9s", duration(sum.latency.p99_ns.low, low),
                      duration(sum.latency.p99_ns.high, high));
    }
    (void)fprintf(out, " %9s %9s", duration(sum.service_time.p50_ns.median, low),
                  duration(sum.service_time.p99_ns.median, high));
    write_state(out, sweep, entry, load, &sum);
    (void)fprintf(out, "\n");
}

static void write_saturation(FILE *out, const struct mr_sweep *sweep, size_t entry)
{
    struct mr_sweep_saturation found = mr_sweep_saturation_of(sweep, entry);
    if (found.pairs == 0) {
        return;
    }
    (void)fprintf(out,
                  "  Saturation: the open loop at %u %% achieved %.0f batches/s, the closed loop "
                  "beside it %.0f: ratio %.3f",
                  MR_SATURATION_PERCENT, found.open_per_s, found.closed_per_s, found.ratio);
    if (isnan(found.ratio_low)) {
        (void)fprintf(out, " over %zu pairs, too few for an interval", found.pairs);
    } else {
        (void)fprintf(
            out, " (%.3f to %.3f, %zu pairs), %s", found.ratio_low, found.ratio_high, found.pairs,
            found.verdict == MR_SATURATION_OPEN ? "which leaves open whether they agree within 10 %"
                                                : mr_saturation_verdict_name(found.verdict));
    }
    if (found.sustained > 0) {
        (void)fprintf(out, "; in %zu of them the rate was sustained, so the ratio is a lower bound",
                      found.sustained);
    }
    (void)fprintf(out, "\n");
}

static void write_limit(FILE *out, const struct mr_sweep *sweep,
                        const struct mr_limit_search *limit)
{
    char text[16];
    if (sweep->options.slo_ns == 0) {
        return;
    }
    (void)fprintf(out, "  p99 within %s: ", duration((double)sweep->options.slo_ns, text));
    if (limit->kept_per_s != 0) {
        (void)fprintf(out, "kept at %llu batches/s (%.0f %%)",
                      (unsigned long long)limit->kept_per_s,
                      100 * (double)limit->kept_per_s / limit->maximum_per_s);
    } else {
        (void)fprintf(out, "kept at no rate that was tried");
    }
    if (limit->broke_per_s != 0) {
        (void)fprintf(out, ", broken at %llu (%.0f %%)", (unsigned long long)limit->broke_per_s,
                      100 * (double)limit->broke_per_s / limit->maximum_per_s);
    } else {
        (void)fprintf(out, ", broken at no rate that was tried");
    }
    if (limit->end != MR_LIMIT_FOUND) {
        (void)fprintf(out, "; the search ended: %s",
                      limit->end == MR_LIMIT_SEARCHING ? "unfinished"
                                                       : mr_limit_end_name(limit->end));
    }
    (void)fprintf(out, "%s\n",
                  limit->contradicted
                      ? "; a higher rate kept it all the same: noise is larger than the steps"
                      : "");
}

static void write_entry(FILE *out, const struct mr_sweep *sweep, size_t index)
{
    const struct mr_sweep_entry *entry = &sweep->entry[index];
    struct mr_sweep_summary closed = mr_sweep_summarise(sweep, MR_SWEEP_CLOSED, index, 0);
    (void)fprintf(out, "\n%s\n", entry->entry->text);
    if (entry->wrong[0] != '\0') {
        (void)fprintf(out, "  WRONG, out of the sweep: %s\n", entry->wrong);
    }
    if (closed.counted == 0) {
        (void)fprintf(out, "  no maximum was measured\n");
        return;
    }
    (void)fprintf(out, "  Closed loop, %llu x %llu: %.0f batches/s (%.0f to %.0f over %zu)%s\n",
                  (unsigned long long)sweep->options.connections,
                  (unsigned long long)sweep->options.depth, closed.achieved_per_s.median,
                  closed.achieved_per_s.low, closed.achieved_per_s.high, closed.counted,
                  closed.gate_failed[MR_GATE_GENERATOR_KEPT_UP] > 0
                      ? ", bound by the generator in some"
                      : "");
    (void)fprintf(out, "    load   offered  achieved        n       p50       p90       p99     "
                       "p99.9       max          range of p99 svc p50   svc p99\n");
    for (size_t load = 0; load < sweep->options.loads_count; load++) {
        write_point(out, sweep, index, load);
    }
    write_saturation(out, sweep, index);
    if (entry->wrong[0] == '\0') {
        write_limit(out, sweep, &entry->limit);
    }
}

void mr_sweep_text(FILE *out, const struct mr_sweep *sweep)
{
    (void)fprintf(out,
                  "Latency (from due to reply) against offered load, %s arrivals; batches/s; "
                  "medians of %llu trial%s\n",
                  strcmp(sweep->options.plan, "open") == 0 ? "evenly spaced" : "Poisson",
                  (unsigned long long)sweep->options.repeats,
                  sweep->options.repeats > 1 ? "s" : "");
    (void)fprintf(out,
                  "Loads are shares of %s maximum. \"n small\": too few batches for that "
                  "percentile.\n",
                  strcmp(sweep->options.of, "own") == 0 ? "each one's own" : "the slowest one's");
    if (sweep->race.cores.grade == MR_GRADE_C) {
        (void)fprintf(out, "Grade C: no spare core, so latency is indicative only.\n");
    }
    for (size_t i = 0; i < sweep->entries_count; i++) {
        write_entry(out, sweep, i);
    }
}

int mr_sweep_text_write(const struct mr_sweep *sweep, struct mr_trial_fault *fault)
{
    char path[PATH_MAX];
    char *text = NULL;
    size_t length = 0;
    (void)snprintf(path, sizeof path, "%s/sweep.txt", sweep->race.folder);
    FILE *out = open_memstream(&text, &length);
    int result = out == NULL ? -ENOMEM : 0;
    if (out != NULL) {
        mr_sweep_text(out, sweep);
        result = fclose(out) == 0 ? mr_file_write(path, text, length) : -ENOMEM;
    }
    free(text);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be written: %s", path, strerror(-result));
    }
    return result;
}

static void missing_of(const struct mr_sweep *sweep, size_t entry, struct mr_text *text)
{
    const struct mr_sweep_entry *one = &sweep->entry[entry];
    const char *between = "";
    if (mr_sweep_missing(sweep, MR_SWEEP_CLOSED, entry, 0) > 0) {
        mr_text_printf(text, " closed loop");
        between = ",";
    }
    for (size_t load = 0; load < sweep->options.loads_count; load++) {
        if (mr_sweep_missing(sweep, MR_SWEEP_LOAD, entry, load) > 0) {
            mr_text_printf(text, "%s %u %%", between, sweep->options.load_percent[load]);
            between = ",";
        }
    }
    size_t pairs = mr_sweep_pairs_missing(sweep, entry);
    if (pairs > 0) {
        mr_text_printf(text, "%s %zu pairs of the saturation", between, pairs);
        between = ",";
    }
    if (mr_sweep_limit_missing(sweep, entry)) {
        mr_text_printf(text, "%s the rate that keeps the limit%s", between,
                       one->limit.end == MR_LIMIT_NO_P99
                           ? " (too few batches for a p99: give a longer --window)"
                           : "");
    }
}

void mr_sweep_missing_text(const struct mr_sweep *sweep, char *text_out, size_t capacity)
{
    struct mr_text text = mr_text_init(text_out, capacity);
    for (size_t entry = 0; entry < sweep->entries_count; entry++) {
        char own_bytes[1024];
        struct mr_text own = mr_text_init(own_bytes, sizeof own_bytes);
        missing_of(sweep, entry, &own);
        if (own.length > 0) {
            mr_text_printf(&text, "%s%s:%s", text.length > 0 ? "; " : "",
                           sweep->entry[entry].entry->text, own_bytes);
        }
    }
}
