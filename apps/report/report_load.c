// report_load.c: what was offered to whom: rates and where they come from, and targets held against
// what came out.
#include "report_page.h"
#include "report_words.h"
#include "results_view.h"

#include <math.h>
#include <string.h>

static yyjson_val *load_of(yyjson_val *entry)
{
    return yyjson_obj_get(entry, "load");
}

static void write_rate(FILE *out, double per_s, double share)
{
    (void)fprintf(out, "%.0f", per_s);
    if (share > 0) {
        (void)fprintf(out, " (%.4g of the slowest maximum)", share);
    }
}

static void write_steps(FILE *out, yyjson_val *steps)
{
    size_t index;
    size_t count;
    yyjson_val *step;
    yyjson_arr_foreach(steps, index, count, step)
    {
        double from = mr_view_number(step, "from_per_s");
        double to = mr_view_number(step, "to_per_s");
        char length[32];
        (void)fprintf(out, "%s%s", index > 0 ? ", then " : "", MR_VIEW_WHOLE(step, "from_per_s"));
        if (to > from || to < from) {
            (void)fprintf(out, " rising or falling to %.0f", to);
        }
        (void)fprintf(out, " for %s s",
                      mr_view_format(mr_view_number(step, "length_ns") / 1e9, 3, length));
    }
}

void mr_report_plan(FILE *out, yyjson_val *load)
{
    double rate = mr_view_number(load, "rate_per_s");
    double burst = mr_view_number(load, "burst_batches");
    mr_view_escape(out, mr_view_text(load, "plan"));
    if (burst > 0) {
        char period[32];
        (void)fprintf(out, ", %.0f batches at once every %s ms", burst,
                      mr_view_format(mr_view_number(load, "period_ns") / 1e6, 3, period));
        if (mr_view_number(load, "share") > 0) {
            (void)fprintf(out, " (%.4g of the slowest maximum)", mr_view_number(load, "share"));
        }
    } else if (rate > 0) {
        (void)fprintf(out, ", ");
        write_rate(out, rate, mr_view_number(load, "share"));
        (void)fprintf(out, " batches/s");
    } else if (yyjson_is_arr(yyjson_obj_get(load, "steps"))) {
        (void)fprintf(out, ", batches/s: ");
        write_steps(out, yyjson_obj_get(load, "steps"));
    }
}

static bool loads_differ(yyjson_val *entries)
{
    yyjson_val *first = load_of(yyjson_arr_get_first(entries));
    size_t index;
    size_t count;
    yyjson_val *entry;
    bool differ = false;
    yyjson_arr_foreach(entries, index, count, entry)
    {
        differ = differ || !yyjson_equals(first, load_of(entry)) ||
                 strcmp(mr_view_text(entry, "entry"), mr_view_text(entry, "contestant")) != 0;
    }
    return differ;
}

void mr_report_switches(FILE *out, yyjson_val *load)
{
    bool verify = yyjson_is_true(yyjson_obj_get(load, "verify"));
    bool record = yyjson_is_true(yyjson_obj_get(load, "record"));
    bool vary = yyjson_is_true(yyjson_obj_get(load, "vary"));
    if (yyjson_is_true(yyjson_obj_get(load, "null_sender"))) {
        (void)fprintf(out, "none: system calls alone");
        return;
    }
    (void)fprintf(out, "%s%s%s%s", verify && record && vary ? "everything on" : "",
                  verify ? "" : "not verified ", record ? "" : "not recorded ",
                  vary ? "" : "always the same batches");
}

static void write_loads(FILE *out, yyjson_val *entries)
{
    (void)fprintf(out, "| entry | contestant | plan | connections | in flight on each | in flight "
                       "in all | checks |\n|---|---|---|--:|--:|--:|---|\n");
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(entries, index, count, entry)
    {
        char limit[32];
        yyjson_val *load = load_of(entry);
        (void)fprintf(out, "| ");
        mr_view_put(out, entry, "entry");
        (void)fprintf(out, " | ");
        mr_view_put(out, entry, "contestant");
        (void)fprintf(out, " | ");
        mr_report_plan(out, load);
        (void)fprintf(out, " | %s | %s | %s | ", MR_VIEW_WHOLE(load, "connections"),
                      MR_VIEW_WHOLE(load, "depth"),
                      mr_view_format(mr_view_number(load, "in_flight"), 0, limit));
        mr_report_switches(out, load);
        (void)fprintf(out, " |\n");
    }
    (void)fprintf(out, "\n");
}

static void write_overloaded(FILE *out, yyjson_val *entries)
{
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(entries, index, count, entry)
    {
        yyjson_val *mark = yyjson_ptr_get(entry, "/marks/overloaded");
        char of[48];
        if (mr_view_number(mark, "marked") > 0) {
            (void)fprintf(out, "**Overloaded**: ");
            mr_view_put(out, entry, "entry");
            (void)fprintf(out,
                          " did not sustain the rate in %s trials: its queue grew. That is a "
                          "result, no reason to exclude it.\n\n",
                          mr_words_mark(mark, of));
        }
    }
}

void mr_report_load(FILE *out, yyjson_val *cell)
{
    yyjson_val *entries = yyjson_obj_get(cell, "entries");
    if (strcmp(mr_view_text(cell, "measures"), "generator") == 0) {
        (void)fprintf(out, "This cell measures the load generator; the entries differ in what it "
                           "does, and say nothing of contestants.\n\n");
    }
    if (loads_differ(entries)) {
        write_loads(out, entries);
    } else if (strcmp(mr_view_text(cell, "plan"), "closed") != 0) {
        (void)fprintf(out, "Offered to all alike: ");
        mr_report_plan(out, load_of(yyjson_arr_get_first(entries)));
        (void)fprintf(out, ".\n\n");
    }
    write_overloaded(out, entries);
}

void mr_report_maxima(FILE *out, yyjson_val *manifest)
{
    yyjson_val *maxima = yyjson_obj_get(manifest, "maxima");
    if (yyjson_arr_size(maxima) == 0) {
        return;
    }
    (void)fprintf(out,
                  "Maxima that shares are shares of: closed loop, 16 connections with 4 batches in "
                  "flight, median of a few trials, measured before the first trial and fixed "
                  "since.\n\n| cell | contestant | batches/s | remark |\n|---|---|--:|---|\n");
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(maxima, index, count, one)
    {
        char median[32];
        (void)fprintf(out, "| ");
        mr_view_put(out, one, "cell");
        (void)fprintf(out, " | ");
        mr_view_put(out, one, "contestant");
        (void)fprintf(out, " | %s | ",
                      mr_view_format(mr_view_number(one, "median_per_s"), 1, median));
        if (yyjson_is_true(yyjson_obj_get(one, "slowest"))) {
            (void)fprintf(out, "the slowest: it sets the rates");
        } else if (yyjson_is_true(yyjson_obj_get(one, "null_contestant"))) {
            (void)fprintf(out, "does no work: sets no rate");
        }
        mr_view_put(out, one, "reason");
        (void)fprintf(out, " |\n");
    }
    (void)fprintf(out, "\n");
}

static void write_target(FILE *out, yyjson_val *cell, yyjson_val *comparison, yyjson_val *target)
{
    char ratio[32];
    char low[32];
    char high[32];
    char least[32];
    char most[32];
    (void)fprintf(out, "| ");
    mr_view_put(out, cell, "name");
    (void)fprintf(out, " | ");
    mr_view_put(out, comparison, "a");
    (void)fprintf(out, " : ");
    mr_view_put(out, comparison, "b");
    (void)fprintf(out, " | %s | %s to %s | %s | %s | ",
                  mr_view_format(mr_view_number(comparison, "ratio"), 3, ratio),
                  mr_view_format(mr_view_number(comparison, "ratio_low"), 3, low),
                  mr_view_format(mr_view_number(comparison, "ratio_high"), 3, high),
                  mr_view_format(mr_view_number(target, "at_least"), 2, least),
                  mr_view_format(mr_view_number(target, "at_most"), 2, most));
    mr_view_put(out, target, "outcome");
    (void)fprintf(out, " |\n");
}

void mr_report_targets(FILE *out, yyjson_val *results)
{
    size_t index;
    size_t count;
    yyjson_val *cell;
    size_t written = 0;
    yyjson_arr_foreach(yyjson_obj_get(results, "cells"), index, count, cell)
    {
        size_t at;
        size_t total;
        yyjson_val *comparison;
        yyjson_arr_foreach(yyjson_obj_get(cell, "comparisons"), at, total, comparison)
        {
            yyjson_val *target = yyjson_obj_get(comparison, "target");
            if (target != NULL && written++ == 0) {
                (void)fprintf(out, "Targets (met or missed where the whole interval says so, else "
                                   "open):\n\n| cell | A : B | speed ratio | interval | at least | "
                                   "at most | target |\n|---|---|--:|--:|--:|--:|---|\n");
            }
            if (target != NULL) {
                write_target(out, cell, comparison, target);
            }
        }
    }
    (void)fprintf(out, "%s", written > 0 ? "\n" : "");
}
