// sweep_chart.c: see sweep_files.h: latency.svg, drawn by gnuplot from a script that stays beside
// it.
#define _GNU_SOURCE
#include "sweep_files.h"
#include "sweep_saturation.h"
#include "sweep_summary.h"

#include "base/clock.h"
#include "base/file.h"
#include "host/process.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCRIPT_NAME  "latency.gnuplot"
#define PICTURE_NAME "latency.svg"
#define TEMPORARY    "picture='" PICTURE_NAME ".tmp'"

// Told apart in print and by most colour-blind eyes (Okabe and Ito).
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#8c6d31"};

static const char *colour(size_t entry)
{
    return colours[entry % (sizeof colours / sizeof colours[0])];
}

// Text inside a double-quoted gnuplot string (enhanced mode is off).
static void write_label(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text >= 0x20 && *text != '"' && *text != '\\' && *text != '`') {
            (void)fputc(*text, out);
        }
    }
}

// A curve: where its figure stands in the data, and how it is drawn.
struct curve {
    const char *name;
    int column;
    int dash; // gnuplot's dash type
    double width;
    double point;
};

static const struct curve drawn_as[] = {
    {"p50", 3, 3, 1.5, 0.4}, {"p99", 4, 1, 2.2, 0.7}, {"p99.9", 5, 4, 1.3, 0.5}};
#define CURVES_COUNT (sizeof drawn_as / sizeof drawn_as[0])

// Columns: rate, percent of its own maximum, p50, p99, p99.9, lowest and highest p99 in ms,
// overloaded. gnuplot leaves NaN out. How many points have at least a p50.
static size_t write_data(FILE *out, const struct mr_sweep *sweep, size_t entry)
{
    size_t points = 0;
    (void)fprintf(out, "$entry%zu << EOD\n", entry);
    for (size_t load = 0; load < sweep->options.loads_count; load++) {
        struct mr_sweep_summary sum = mr_sweep_summarise(sweep, MR_SWEEP_LOAD, entry, load);
        const struct mr_sweep_series_spread *latency = &sum.latency;
        if (sum.counted == 0 || isnan(latency->p50_ns.median)) {
            continue;
        }
        (void)fprintf(out, "%llu %.6g %.6g %.6g %.6g %.6g %.6g %d\n",
                      (unsigned long long)sum.rate_per_s,
                      100 * (double)sum.rate_per_s / sweep->entry[entry].maximum_per_s,
                      latency->p50_ns.median / 1e6, latency->p99_ns.median / 1e6,
                      latency->p99_9_ns.median / 1e6, latency->p99_ns.low / 1e6,
                      latency->p99_ns.high / 1e6, sum.overloaded);
        points++;
    }
    (void)fprintf(out, "EOD\n");
    return points;
}

// Whether any load of `entry` has the figure of the curve: else it is not named either.
static bool has_curve(const struct mr_sweep *sweep, size_t entry, const struct curve *curve)
{
    bool any = false;
    for (size_t load = 0; load < sweep->options.loads_count; load++) {
        struct mr_sweep_summary sum = mr_sweep_summarise(sweep, MR_SWEEP_LOAD, entry, load);
        double p99_9_ns = sum.latency.p99_9_ns.median;
        double p99_ns = sum.latency.p99_ns.median;
        any |= sum.counted > 0 && (curve->column == 3   ? !isnan(sum.latency.p50_ns.median)
                                   : curve->column == 4 ? !isnan(p99_ns)
                                                        : !isnan(p99_9_ns));
    }
    return any;
}

// Line, points (hollow where overloaded), and the line of the key.
static void write_curve(FILE *out, const struct mr_sweep *sweep, size_t entry, int x,
                        const struct curve *curve)
{
    const char *own = colour(entry);
    int y = curve->column;
    (void)fprintf(out, "$entry%zu using %d:%d with lines dt %d lw %g lc rgb '%s' notitle, \\\n",
                  entry, x, y, curve->dash, curve->width, own);
    (void)fprintf(out,
                  "  $entry%zu using ($8==0?$%d:NaN):%d with points pt 7 ps %g lc rgb '%s' "
                  "notitle, \\\n",
                  entry, x, y, curve->point, own);
    (void)fprintf(out,
                  "  $entry%zu using ($8==1?$%d:NaN):%d with points pt 7 ps %g lc rgb '#ffffff' "
                  "notitle, \\\n",
                  entry, x, y, curve->point);
    (void)fprintf(out,
                  "  $entry%zu using ($8==1?$%d:NaN):%d with points pt 6 ps %g lw 1.5 lc rgb '%s' "
                  "notitle, \\\n",
                  entry, x, y, curve->point, own);
    (void)fprintf(out, "  NaN with linespoints dt %d pt 7 ps %g lw %g lc rgb '%s' title \"",
                  curve->dash, curve->point, curve->width, own);
    write_label(out, sweep->entry[entry].entry->text);
    (void)fprintf(out, " %s\"", curve->name);
}

// All curves of one entry over column `x`, with the range of its p99.
static void write_curves(FILE *out, const struct mr_sweep *sweep, size_t entry, int x)
{
    (void)fprintf(out, "$entry%zu using %d:4:6:7 with yerrorbars pt 0 lw 1 lc rgb '%s' notitle",
                  entry, x, colour(entry));
    for (size_t i = 0; i < CURVES_COUNT; i++) {
        if (has_curve(sweep, entry, &drawn_as[i])) {
            (void)fprintf(out, ", \\\n  ");
            write_curve(out, sweep, entry, x, &drawn_as[i]);
        }
    }
}

// A vertical line at `x`, with words along it where there are some.
static void write_mark(FILE *out, double x, const char *style, const char *rgb)
{
    (void)fprintf(out, "set arrow from %.6g,graph 0 to %.6g,graph 1 nohead %s lc rgb '%s' back\n",
                  x, x, style, rgb);
}

// The closed loop's maximum, dashed, and the saturation of the open loops, whole.
static void write_capacities(FILE *out, const struct mr_sweep *sweep, size_t entry, bool percent)
{
    double maximum = sweep->entry[entry].maximum_per_s;
    struct mr_sweep_saturation found = mr_sweep_saturation_of(sweep, entry);
    double unit = percent ? maximum / 100 : 1;
    if (!(maximum > 0)) {
        return;
    }
    write_mark(out, maximum / unit, "dt 2 lw 1", percent ? "#666666" : colour(entry));
    if (found.pairs == 0) {
        return;
    }
    // Of the pairs' ratio and the maximum that the loads are shares of: the machine's drift between
    // that and the pairs is no part of it.
    double saturation = maximum * found.ratio / unit;
    write_mark(out, saturation, "lw 1.4", colour(entry));
    (void)fprintf(out, "set label \"");
    write_label(out, sweep->entry[entry].entry->text);
    // On the far side of the maximum's line, low down, where no curve runs.
    (void)fprintf(
        out,
        ": saturation %.*f%s\" at %.6g,graph 0.03 left rotate by 90 offset %g,0 font ',12' "
        "tc rgb '%s' front\n",
        percent ? 1 : 0, saturation, percent ? " %" : "/s", saturation,
        found.ratio < 1 ? -0.8 : 1.0, colour(entry));
}

static void write_panel(FILE *out, const struct mr_sweep *sweep, const bool *drawn, bool percent)
{
    (void)fprintf(out, "unset arrow\nunset label\nset xrange [0:*]\n");
    for (size_t entry = 0; entry < sweep->entries_count; entry++) {
        write_capacities(out, sweep, entry, percent);
    }
    if (sweep->options.slo_ns != 0) {
        double limit_ms = (double)sweep->options.slo_ns / 1e6;
        (void)fprintf(out,
                      "set arrow from graph 0,first %.6g to graph 1,first %.6g nohead lw 1 lc rgb "
                      "'#999999' back\n"
                      "set label 'limit of p99: %.6g ms' at graph 0.02,first %.6g offset 0,0.5 tc "
                      "rgb '#666666'\n",
                      limit_ms, limit_ms, limit_ms, limit_ms);
    }
    (void)fprintf(out, "set xlabel '%s'\n%s\nplot ",
                  percent ? "offered load, % of its own closed loop maximum (dashed)"
                          : "offered load, batches/s (upright: closed loop maximum, dashed, and "
                            "saturation of the open loop)",
                  percent
                      ? "unset key"
                      : "set key top left Left reverse samplen 3 spacing 0.95 font ',12' opaque");
    bool first = true;
    for (size_t entry = 0; entry < sweep->entries_count; entry++) {
        if (drawn[entry]) {
            (void)fprintf(out, "%s", first ? "" : ", \\\n  ");
            write_curves(out, sweep, entry, percent ? 2 : 1);
            first = false;
        }
    }
    (void)fprintf(out, "\n");
}

// How many contestants have a curve.
static size_t write_script(FILE *out, const struct mr_sweep *sweep)
{
    bool drawn[MR_CELL_ENTRIES_MAX] = {false};
    size_t count = 0;
    (void)fprintf(out, "# latency.gnuplot: draws latency.svg: gnuplot latency.gnuplot\n"
                       "if (!exists(\"picture\")) picture = '" PICTURE_NAME "'\n"
                       "set terminal svg noenhanced size 1000,1100 font 'sans-serif,13' background "
                       "'#ffffff'\nset output picture\n");
    for (size_t entry = 0; entry < sweep->entries_count; entry++) {
        drawn[entry] = write_data(out, sweep, entry) > 0;
        count += drawn[entry];
    }
    (void)fprintf(out,
                  "set logscale y\nset format y '%%g'\nset ylabel 'latency from due, ms'\n"
                  "set grid xtics ytics lc rgb '#e4e4e4'\nset border 3\nset tics nomirror\n"
                  "set multiplot layout 2,1 title '%s'\n",
                  sweep->race.cores.grade == MR_GRADE_C
                      ? "Latency against load; hollow: overloaded; indicative (grade C)"
                      : "Latency against load; hollow: overloaded");
    write_panel(out, sweep, drawn, false);
    write_panel(out, sweep, drawn, true);
    (void)fprintf(out, "unset multiplot\n");
    return count;
}

// The picture appears under its name only when it is whole.
static int run_gnuplot(const char *folder)
{
    static const char *const words[] = {"gnuplot", "-e", TEMPORARY, SCRIPT_NAME, NULL};
    char temporary[PATH_MAX];
    char path[PATH_MAX];
    (void)snprintf(temporary, sizeof temporary, "%s/" PICTURE_NAME ".tmp", folder);
    (void)snprintf(path, sizeof path, "%s/" PICTURE_NAME, folder);
    struct mr_process_plan plan = {.argv = words,
                                   .folder = folder,
                                   .out = {.kind = MR_STREAM_NULL},
                                   .err = {.kind = MR_STREAM_NULL}};
    struct mr_process process;
    struct mr_process_end end;
    int result = mr_process_start(&process, &plan, NULL);
    if (result != 0) {
        return result;
    }
    struct mr_patience patience = mr_patience_for(60 * MR_NS_PER_S);
    result = mr_process_wait(&process, &patience, &end);
    mr_process_fini(&process);
    if (result == 0 && (!end.exited || end.exit_code != 0)) {
        result = -ENOENT;
    }
    if (result == 0 && rename(temporary, path) != 0) {
        result = -errno;
    }
    if (result != 0) {
        (void)unlink(temporary);
    }
    return result;
}

int mr_sweep_chart(const struct mr_sweep *sweep, bool *drawn_out)
{
    char path[PATH_MAX];
    char *script = NULL;
    size_t length = 0;
    *drawn_out = false;
    FILE *out = open_memstream(&script, &length);
    if (out == NULL) {
        return -ENOMEM;
    }
    size_t curves = write_script(out, sweep);
    int result = fclose(out) == 0 ? 0 : -ENOMEM;
    if (result == 0 && curves > 0) {
        (void)snprintf(path, sizeof path, "%s/" SCRIPT_NAME, sweep->race.folder);
        result = mr_file_write(path, script, length);
        result = result == 0 ? run_gnuplot(sweep->race.folder) : result;
        *drawn_out = result == 0;
    }
    free(script);
    return result;
}
