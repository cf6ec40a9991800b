// sweep_chart.c: see sweep_files.h: latency.svg, drawn by gnuplot from a script that stays beside
// it.
#define _GNU_SOURCE
#include "sweep_files.h"
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

// Columns: rate, percent of its own maximum, p50 ms, p99 ms, lowest p99, highest p99, overloaded.
// gnuplot leaves NaN out. How many points have at least a p50.
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
        (void)fprintf(out, "%llu %.6g %.6g %.6g %.6g %.6g %d\n", (unsigned long long)sum.rate_per_s,
                      100 * (double)sum.rate_per_s / sweep->entry[entry].maximum_per_s,
                      latency->p50_ns.median / 1e6, latency->p99_ns.median / 1e6,
                      latency->p99_ns.low / 1e6, latency->p99_ns.high / 1e6, sum.overloaded);
        points++;
    }
    (void)fprintf(out, "EOD\n");
    return points;
}

// The curves of one entry over column `x`; overloaded points are hollow.
static void write_curves(FILE *out, const struct mr_sweep *sweep, size_t entry, int x, bool titles)
{
    const char *own = colour(entry);
    (void)fprintf(out,
                  "$entry%zu using %d:3 with lines dt 3 lw 1.6 lc rgb '%s' notitle, \\\n"
                  "  $entry%zu using %d:4 with lines lw 2 lc rgb '%s' notitle, \\\n"
                  "  $entry%zu using %d:4:5:6 with yerrorbars pt 0 lw 1 lc rgb '%s' notitle, \\\n",
                  entry, x, own, entry, x, own, entry, x, own);
    for (int column = 3; column <= 4; column++) {
        double size = column == 3 ? 0.5 : 0.75;
        (void)fprintf(out,
                      "  $entry%zu using ($7==0?$%d:NaN):%d with points pt 7 ps %g lc rgb '%s' "
                      "notitle, \\\n"
                      "  $entry%zu using ($7==1?$%d:NaN):%d with points pt 7 ps %g lc rgb "
                      "'#ffffff' notitle, \\\n"
                      "  $entry%zu using ($7==1?$%d:NaN):%d with points pt 6 ps %g lw 1.6 lc rgb "
                      "'%s' notitle, \\\n",
                      entry, x, column, size, own, entry, x, column, size, entry, x, column, size,
                      own);
    }
    for (int column = 3; column <= 4; column++) {
        (void)fprintf(out, "  NaN with linespoints %s pt 7 ps 0.6 lw 2 lc rgb '%s' ",
                      column == 3 ? "dt 3" : "dt 1", own);
        if (titles) {
            (void)fprintf(out, "title \"");
            write_label(out, sweep->entry[entry].entry->text);
            (void)fprintf(out, " %s\"", column == 3 ? "p50" : "p99");
        } else {
            (void)fprintf(out, "notitle");
        }
        (void)fprintf(out, "%s", column == 3 ? ", \\\n" : "");
    }
}

// A vertical line at each closed loop's maximum.
static void write_saturations(FILE *out, const struct mr_sweep *sweep, bool percent)
{
    for (size_t entry = 0; entry < sweep->entries_count; entry++) {
        double maximum = sweep->entry[entry].maximum_per_s;
        if (maximum > 0 && !percent) {
            (void)fprintf(out,
                          "set arrow from %.6g,graph 0 to %.6g,graph 1 nohead dt 2 lw 1.2 lc rgb "
                          "'%s' back\n",
                          maximum, maximum, colour(entry));
        }
    }
    if (percent) {
        (void)fprintf(out, "set arrow from 100,graph 0 to 100,graph 1 nohead dt 2 lw 1.2 lc rgb "
                           "'#666666' back\n");
    }
}

static void write_panel(FILE *out, const struct mr_sweep *sweep, const bool *drawn, bool percent)
{
    (void)fprintf(out, "unset arrow\nunset label\nset xrange [0:*]\n");
    write_saturations(out, sweep, percent);
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
                          : "offered load, batches/s (dashed: the closed loop maximum)",
                  percent ? "unset key" : "set key top left Left reverse");
    bool first = true;
    for (size_t entry = 0; entry < sweep->entries_count; entry++) {
        if (drawn[entry]) {
            (void)fprintf(out, "%s", first ? "" : ", \\\n  ");
            write_curves(out, sweep, entry, percent ? 2 : 1, !percent);
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
                       "set terminal svg noenhanced size 900,900 font 'sans-serif,13' background "
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
