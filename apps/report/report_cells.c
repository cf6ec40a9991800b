// report_cells.c: the tables of a cell: what each contestant did, and the ratios between them.
#include "report_page.h"
#include "results_view.h"

#include <math.h>
#include <string.h>

// A column of the table of figures: a metric, scaled for people.
struct column {
    const char *metric;
    const char *title;
    double scale;
    int digits;
    const char *only; // cells that show it: "open" (not closed), "generator"; NULL: all
};

static const struct column columns[] = {
    {"records_per_s", "M records/s", 1e-6, 3, NULL},
    {"ns_per_record", "ns/record", 1, 1, NULL},
    {"payload_bytes_per_s", "MB/s of JSON", 1e-6, 0, NULL},
    {"server_cpu_s_per_million_records", "server CPU s per M records", 1, 3, NULL},
    {"server_busy", "server busy", 1, 2, NULL},
    {"generator_busy", "generator busy", 1, 2, NULL},
    {"generator_ns_per_batch", "generator µs per batch", 1e-3, 2, "generator"},
    {"offered_batches_per_s", "batches/s offered", 1, 0, "open"},
    {"round_trip_p50_ns", "round trip at depth, p50 ms", 1e-6, 2, NULL},
    {"latency_p50_ns", "latency p50 ms", 1e-6, 3, NULL},
    {"latency_p99_ns", "latency p99 ms", 1e-6, 3, NULL},
    {"lateness_p99_ns", "generator's lateness p99 µs", 1e-3, 1, NULL},
    {"overshoot_p99_ns", "host's overshoot p99 µs", 1e-3, 1, "open"},
    {"overshoot_max_ns", "host's overshoot max µs", 1e-3, 1, "open"},
    {"peak_rss_bytes", "peak memory MiB", 1.0 / 1048576, 1, NULL},
    {"startup_ns", "start ms", 1e-6, 1, NULL},
};
#define COLUMNS_COUNT (sizeof columns / sizeof columns[0])

static bool cell_is(yyjson_val *cell, const char *kind)
{
    if (kind == NULL) {
        return true;
    }
    return strcmp(kind, "open") == 0 ? strcmp(mr_view_text(cell, "plan"), "closed") != 0
                                     : strcmp(mr_view_text(cell, "measures"), kind) == 0;
}

static bool cell_has(yyjson_val *cell, const struct column *column)
{
    if (!cell_is(cell, column->only)) {
        return false;
    }
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        if (isfinite(mr_view_median(entry, column->metric))) {
            return true;
        }
    }
    return false;
}

static void write_figures(FILE *out, yyjson_val *cell)
{
    (void)fprintf(out, "| contestant | trials |");
    for (size_t i = 0; i < COLUMNS_COUNT; i++) {
        if (cell_has(cell, &columns[i])) {
            (void)fprintf(out, " %s |", columns[i].title);
        }
    }
    (void)fprintf(out, "\n|---|--:|");
    for (size_t i = 0; i < COLUMNS_COUNT; i++) {
        if (cell_has(cell, &columns[i])) {
            (void)fprintf(out, "--:|");
        }
    }
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        (void)fprintf(out, "\n| ");
        mr_view_put(out, entry, "entry");
        (void)fprintf(out, " | %.0f |", mr_view_number(entry, "trials_counted"));
        for (size_t i = 0; i < COLUMNS_COUNT; i++) {
            if (cell_has(cell, &columns[i])) {
                char text[32];
                double value = mr_view_median(entry, columns[i].metric) * columns[i].scale;
                (void)fprintf(out, " %s |", mr_view_format(value, columns[i].digits, text));
            }
        }
    }
    (void)fprintf(out, "\n\nEach figure is the median over the trials that count.\n\n");
}

static void write_ratio(FILE *out, yyjson_val *comparison)
{
    char ratio[32];
    char low[32];
    char high[32];
    char quotient[32];
    char resolvable[32];
    char confidence[32];
    char verdict[64];
    (void)snprintf(verdict, sizeof verdict, "%s", mr_view_text(comparison, "verdict"));
    for (char *at = verdict; *at != '\0'; at++) {
        if (*at == '_') {
            *at = ' ';
        }
    }
    (void)fprintf(out, "| ");
    mr_view_put(out, comparison, "a");
    (void)fprintf(out, " : ");
    mr_view_put(out, comparison, "b");
    (void)fprintf(
        out, " | %s | %s to %s | %s %% | %.0f | %s%s | %s | %s %% |\n",
        mr_view_format(mr_view_number(comparison, "ratio"), 3, ratio),
        mr_view_format(mr_view_number(comparison, "ratio_low"), 3, low),
        mr_view_format(mr_view_number(comparison, "ratio_high"), 3, high),
        mr_view_format(100 * mr_view_number(comparison, "confidence"), 1, confidence),
        mr_view_number(comparison, "pairs"),
        strcmp(verdict, "none") == 0 ? "shown without verdict" : verdict,
        yyjson_is_true(yyjson_obj_get(comparison, "consistently")) ? ", consistently on one side"
                                                                   : "",
        mr_view_format(mr_view_number(comparison, "quotient_of_medians"), 3, quotient),
        mr_view_format(100 * mr_view_number(comparison, "resolvable_difference"), 1, resolvable));
}

static void write_ratios(FILE *out, yyjson_val *cell)
{
    yyjson_val *comparisons = yyjson_obj_get(cell, "comparisons");
    if (yyjson_arr_size(comparisons) == 0) {
        return;
    }
    (void)fprintf(
        out,
        "| A : B | speed ratio | interval | confidence | pairs | verdict | quotient of the medians "
        "|"
        " smallest difference that as many pairs resolve |\n|---|--:|--:|--:|--:|---|--:|--:|\n");
    size_t index;
    size_t count;
    yyjson_val *comparison;
    yyjson_arr_foreach(comparisons, index, count, comparison)
    {
        write_ratio(out, comparison);
    }
    (void)fprintf(out, "\n");
}

static void write_head(FILE *out, yyjson_val *cell)
{
    bool served = strcmp(mr_view_text(cell, "driver"), "served") == 0;
    (void)fprintf(out, "### ");
    mr_view_put(out, cell, "name");
    (void)fprintf(out, "\n\nMode %s, data ", mr_view_text(cell, "mode"));
    mr_view_put(out, cell, "shape");
    (void)fprintf(out, ", ");
    if (served) {
        (void)fprintf(
            out,
            "%s loop, %.0f connections, %.0f batches in flight on each, %.0f server thread%s. ",
            mr_view_text(cell, "plan"), mr_view_number(cell, "connections"),
            mr_view_number(cell, "depth"), mr_view_number(cell, "threads"),
            mr_view_number(cell, "threads") > 1 ? "s" : "");
    } else {
        (void)fprintf(out, "in-process on one core, pass by pass in turn. ");
    }
    (void)fprintf(out, "Rows counted: %.0f of %.0f", mr_view_number(cell, "rows_counted"),
                  mr_view_number(cell, "rows_planned"));
    double repeated = mr_view_number(cell, "rows_repeated");
    (void)fprintf(out, repeated > 0 ? ", %.0f run again.\n\n" : ", none run again.\n\n", repeated);
}

// What the gates said where they only mark, and whether the generator could have been the limit.
static void write_marks(FILE *out, yyjson_val *cell)
{
    const char *limit = mr_view_text(cell, "server_is_limit");
    if (strcmp(limit, "passed") == 0) {
        (void)fprintf(out,
                      "The server is the limit: the null contestant (`drain`) is %.2f times as "
                      "fast as the best here"
                      " (at least %.2f is asked).\n\n",
                      mr_view_number(cell, "headroom"), mr_view_number(cell, "headroom_min"));
    } else if (strcmp(limit, "failed") == 0) {
        (void)fprintf(out,
                      "**Generator-bound**: the null contestant (`drain`) is only %.2f times as "
                      "fast as the best here"
                      " (at least %.2f is asked), so the sockets and the generator hide part of "
                      "the difference:"
                      " the true ratio is further from 1.\n\n",
                      mr_view_number(cell, "headroom"), mr_view_number(cell, "headroom_min"));
    }
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *gate;
    yyjson_obj_foreach(yyjson_obj_get(cell, "gates"), index, count, key, gate)
    {
        double failed = mr_view_number(gate, "failed");
        if (failed > 0) {
            (void)fprintf(out, "Gate `%s` failed in %.0f trials of this cell.\n\n",
                          yyjson_get_str(key), failed);
        }
    }
}

void mr_report_cells(FILE *out, yyjson_val *results)
{
    (void)fprintf(out, "## Results\n\n");
    mr_report_maxima(out, yyjson_obj_get(results, "manifest"));
    size_t index;
    size_t count;
    yyjson_val *cell;
    yyjson_arr_foreach(yyjson_obj_get(results, "cells"), index, count, cell)
    {
        write_head(out, cell);
        mr_report_load(out, cell);
        write_ratios(out, cell);
        write_marks(out, cell);
        write_figures(out, cell);
    }
    (void)fprintf(out, "The speed ratio (median of the pairs' ratios) and the quotient of the two "
                       "medians differ because the"
                       " first compares trials that ran back to back, and the second trials that "
                       "may lie minutes apart on"
                       " a machine whose speed wanders.\n\n");
}
