// report_chart.c: ratios.svg: every comparison with its interval, and each pair as a point; drawn
// by gnuplot.
#define _GNU_SOURCE
#include "report_page.h"
#include "results_view.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct chart {
    FILE *script;
    size_t rows;
    double low; // of everything that is drawn
    double high;
};

// Text inside a double-quoted gnuplot string (enhanced mode is off).
static void write_label(FILE *script, const char *text)
{
    for (; *text != '\0'; text++) {
        if ((unsigned char)*text >= 0x20 && *text != '"' && *text != '\\' && *text != '`') {
            (void)fputc(*text, script);
        }
    }
}

static void widen(struct chart *chart, double value)
{
    if (isfinite(value) && value > 0) {
        chart->low = fmin(chart->low, value);
        chart->high = fmax(chart->high, value);
    }
}

// One comparison: its points as a data block, its interval as an arrow, its name as a tick.
static void add_comparison(struct chart *chart, yyjson_val *cell, yyjson_val *comparison,
                           FILE *labels)
{
    size_t row = ++chart->rows;
    double ratio = mr_view_number(comparison, "ratio");
    double low = mr_view_number(comparison, "ratio_low");
    double high = mr_view_number(comparison, "ratio_high");
    size_t index;
    size_t count;
    yyjson_val *pair;
    (void)fprintf(chart->script, "$pairs%zu << EOD\n", row);
    yyjson_arr_foreach(yyjson_obj_get(comparison, "pair_ratios"), index, count, pair)
    {
        widen(chart, yyjson_get_num(pair));
        (void)fprintf(chart->script, "%.6g -%zu.25\n", yyjson_get_num(pair), row);
    }
    (void)fprintf(chart->script, "EOD\n$median%zu << EOD\n%.6g -%zu %.6g %.6g\nEOD\n", row, ratio,
                  row, isfinite(low) ? low : ratio, isfinite(high) ? high : ratio);
    widen(chart, low);
    widen(chart, high);
    (void)fprintf(labels, "%s\"", row == 1 ? "" : ", ");
    write_label(labels, mr_view_text(cell, "name"));
    (void)fprintf(labels, "\\n");
    write_label(labels, mr_view_text(comparison, "a"));
    (void)fprintf(labels, " : ");
    write_label(labels, mr_view_text(comparison, "b"));
    (void)fprintf(labels, "\" -%zu", row);
}

static void write_plot(struct chart *chart, const char *labels, double margin)
{
    FILE *script = chart->script;
    double low = fmin(chart->low, 1 - 2 * margin) * 0.97;
    double high = fmax(chart->high, 1 + 2 * margin) * 1.03;
    (void)fprintf(
        script,
        "set terminal svg noenhanced size 860,%zu font 'sans-serif,13' background '#ffffff'\n",
        150 + 64 * chart->rows);
    (void)fprintf(script,
                  "set ytics nomirror (%s)\nset yrange [-%zu.7:-0.4]\nset xrange [%.6g:%.6g]\n",
                  labels, chart->rows, low, high);
    (void)fprintf(script, "set xlabel 'speed of A over speed of B (right of 1: A is faster)'\nset "
                          "grid xtics lc rgb '#e4e4e4'\n"
                          "set border 3\nset xtics nomirror\nset key outside top center "
                          "horizontal\nset lmargin 30\n");
    (void)fprintf(script,
                  "set object 1 rectangle from %.6g,graph 0 to %.6g,graph 1 fc rgb '#eef1f4' fs "
                  "solid noborder behind\n",
                  1 / (1 + margin), 1 + margin);
    (void)fprintf(
        script, "set arrow from 1,graph 0 to 1,graph 1 nohead lc rgb '#888888' lw 1.5 back\nplot ");
    for (size_t row = 1; row <= chart->rows; row++) {
        (void)fprintf(
            script,
            "%s$pairs%zu using 1:2 with points pt 7 ps 0.45 lc rgb '#9db4d0' %s, "
            "$median%zu using 1:2:3:4 with xerrorbars pt 7 ps 0.9 lw 2.5 lc rgb '#1f4e8c' %s",
            row == 1 ? "" : ", ", row, row == 1 ? "title 'one pair'" : "notitle", row,
            row == 1 ? "title 'median of the pairs, with its interval'" : "notitle");
    }
    (void)fprintf(script, "\n");
}

static void write_script(struct chart *chart, yyjson_val *results, FILE *labels)
{
    size_t index;
    size_t count;
    yyjson_val *cell;
    yyjson_arr_foreach(yyjson_obj_get(results, "cells"), index, count, cell)
    {
        size_t at;
        size_t total;
        yyjson_val *comparison;
        yyjson_arr_foreach(yyjson_obj_get(cell, "comparisons"), at, total, comparison)
        {
            if (isfinite(mr_view_number(comparison, "ratio"))) {
                add_comparison(chart, cell, comparison, labels);
            }
        }
    }
}

// Runs gnuplot over `script`; the picture appears under its name only when it is whole.
static int run_gnuplot(const char *folder, const char *script)
{
    char temporary[PATH_MAX];
    char path[PATH_MAX];
    (void)snprintf(temporary, sizeof temporary, "%s/ratios.svg.tmp", folder);
    (void)snprintf(path, sizeof path, "%s/ratios.svg", folder);
    // The folder's name never meets a shell: gnuplot gets it through its own output command, where
    // a quote or a newline in it would end that command.
    if (strpbrk(temporary, "'\n") != NULL) {
        return -EINVAL;
    }
    // A gnuplot that is not there, or ends early, must not end us with a signal.
    void (*before)(int) = signal(SIGPIPE, SIG_IGN);
    FILE *pipe = popen("gnuplot 2>/dev/null", "we");
    if (pipe == NULL) {
        return -errno;
    }
    (void)fprintf(pipe, "set output '%s'\n%s", temporary, script);
    int status = pclose(pipe);
    (void)signal(SIGPIPE, before);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || rename(temporary, path) != 0) {
        (void)unlink(temporary);
        return -ENOENT;
    }
    return 0;
}

int mr_report_chart(const char *folder, yyjson_val *results, bool *drawn_out)
{
    char *script = NULL;
    char *label_text = NULL;
    size_t script_bytes;
    size_t label_bytes;
    *drawn_out = false;
    struct chart chart = {
        .script = open_memstream(&script, &script_bytes), .low = INFINITY, .high = -INFINITY};
    FILE *labels = open_memstream(&label_text, &label_bytes);
    int result = chart.script == NULL || labels == NULL ? -ENOMEM : 0;
    if (result == 0) {
        write_script(&chart, results, labels);
    }
    if (labels != NULL && fclose(labels) != 0) {
        result = -ENOMEM;
    }
    if (result == 0 && chart.rows > 0) {
        write_plot(
            &chart, label_text,
            mr_view_number(yyjson_obj_get(yyjson_obj_get(results, "manifest"), "rules"), "margin"));
    }
    if (chart.script != NULL && fclose(chart.script) != 0) {
        result = -ENOMEM;
    }
    if (result == 0 && chart.rows > 0) {
        result = run_gnuplot(folder, script);
        *drawn_out = result == 0;
    }
    free(script);
    free(label_text);
    return result;
}
