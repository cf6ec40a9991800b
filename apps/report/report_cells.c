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

// A ceiling, and who does other work than the rest, has none.
static void write_place(FILE *out, yyjson_val *places, const char *entry)
{
    yyjson_val *place = yyjson_obj_get(places, entry);
    if (place == NULL) {
        (void)fprintf(out, "– | ");
    } else {
        (void)fprintf(out, "%llu | ", (unsigned long long)yyjson_get_uint(place));
    }
}

static void write_figures(FILE *out, yyjson_val *cell)
{
    yyjson_val *places = yyjson_obj_get(yyjson_obj_get(cell, "places"), "of");
    (void)fprintf(out, places == NULL ? "| contestant |" : "| place | contestant |");
    (void)fprintf(out, " trials |");
    for (size_t i = 0; i < COLUMNS_COUNT; i++) {
        if (cell_has(cell, &columns[i])) {
            (void)fprintf(out, " %s |", columns[i].title);
        }
    }
    (void)fprintf(out, places == NULL ? "\n|---|--:|" : "\n|--:|---|--:|");
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
        if (places != NULL) {
            write_place(out, places, mr_view_text(entry, "entry"));
        }
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
    (void)fprintf(out, "\n\nEach figure is the median over the trials that count.%s\n\n",
                  places == NULL ? ""
                                 : " Contestants that were not distinguished share a place, and so "
                                   "do those whom such pairs tie together.");
}

// The median of each stratum; all pairs are in the estimate.
static void write_strata_ratios(FILE *out, yyjson_val *comparison)
{
    size_t index;
    size_t count;
    yyjson_val *stratum;
    yyjson_arr_foreach(yyjson_obj_get(comparison, "strata"), index, count, stratum)
    {
        char ratio[32];
        (void)fprintf(out, "%s%s (%.0f pairs)", index == 0 ? "; by strata: " : ", ",
                      mr_view_format(mr_view_number(stratum, "ratio"), 3, ratio),
                      mr_view_number(stratum, "pairs"));
    }
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
        out, " | %s | %s to %s | %s %% | %.0f | %s%s | %s | %s %% | ",
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
    (void)fprintf(out, "%s (%s to %s)",
                  mr_view_format(mr_view_number(comparison, "hodges_lehmann"), 3, ratio),
                  mr_view_format(mr_view_number(comparison, "hodges_lehmann_low"), 3, low),
                  mr_view_format(mr_view_number(comparison, "hodges_lehmann_high"), 3, high));
    write_strata_ratios(out, comparison);
    (void)fprintf(out, " |\n");
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
        " smallest difference that as many pairs resolve | Hodges-Lehmann |\n"
        "|---|--:|--:|--:|--:|---|--:|--:|--:|\n");
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
    } else if (strcmp(mr_view_text(cell, "driver"), "simulated") == 0) {
        (void)fprintf(out,
                      "**simulated: nobody ran, the figures are drawn from a seed to prove the "
                      "campaign itself.** ");
    } else {
        (void)fprintf(out, "in-process on one core, pass by pass in turn. ");
    }
    if (strncmp(mr_view_text(cell, "metric"), "latency_", 8) == 0) {
        (void)fprintf(out,
                      "Compared by `%s`, from the time at which a batch was due: a ratio above 1"
                      " means that A answers sooner. ",
                      mr_view_text(cell, "metric"));
    }
    (void)fprintf(out, "Rows counted: %.0f of %.0f", mr_view_number(cell, "rows_counted"),
                  mr_view_number(cell, "rows_planned"));
    double repeated = mr_view_number(cell, "rows_repeated");
    (void)fprintf(out, repeated > 0 ? ", %.0f run again.\n\n" : ", none run again.\n\n", repeated);
}

// A run that went on although something had changed says so before its figures.
static void write_strata(FILE *out, yyjson_val *strata)
{
    size_t index;
    size_t count;
    yyjson_val *stratum;
    yyjson_arr_foreach(strata, index, count, stratum)
    {
        if (index > 0) {
            (void)fprintf(out, "**From trial %.0f on something else ran: ",
                          mr_view_number(stratum, "first_trial"));
            mr_view_put(out, stratum, "changes");
            (void)fprintf(out, ".**\n\n");
        }
    }
}

void mr_report_cells(FILE *out, yyjson_val *results)
{
    (void)fprintf(out, "## Results\n\n");
    write_strata(out, yyjson_obj_get(results, "strata"));
    mr_report_maxima(out, yyjson_obj_get(results, "manifest"));
    size_t index;
    size_t count;
    yyjson_val *cell;
    yyjson_arr_foreach(yyjson_obj_get(results, "cells"), index, count, cell)
    {
        write_head(out, cell);
        mr_report_load(out, cell);
        write_ratios(out, cell);
        write_figures(out, cell);
        mr_report_gates(out, cell);
    }
    (void)fprintf(out, "The speed ratio (median of the pairs' ratios) and the quotient of the two "
                       "medians differ because the"
                       " first compares trials that ran back to back, and the second trials that "
                       "may lie minutes apart on"
                       " a machine whose speed wanders. Hodges-Lehmann: the same pairs by the "
                       "signed-rank test, which holds where noise is symmetric; verdicts are the "
                       "sign test's, which holds for any.\n\n");
}
