// chart_load.c: latency against offered load, where open-loop cells of the same job offer several.
#include "html_out.h"
#include "html_page.h"
#include "results_view.h"
#include "svg_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH      920.0
#define HEIGHT     340.0
#define POINTS_MAX 64

// A contestant at one rate.
struct point {
    size_t cell;
    double rate_per_s;
    double p50_ms;
    double p99_ms; // NAN: too few batches
    bool overloaded;
};

struct points {
    struct point point[POINTS_MAX];
    size_t count;
};

static int by_rate(const void *a, const void *b)
{
    double left = ((const struct point *)a)->rate_per_s;
    double right = ((const struct point *)b)->rate_per_s;
    return (left > right) - (left < right);
}

static bool same_job(yyjson_val *cell, yyjson_val *other)
{
    return strcmp(mr_view_text(cell, "mode"), mr_view_text(other, "mode")) == 0 &&
           strcmp(mr_view_text(cell, "shape"), mr_view_text(other, "shape")) == 0 &&
           strcmp(mr_view_text(other, "measures"), "generator") != 0;
}

static void add_point(struct points *points, size_t cell, yyjson_val *entry)
{
    struct point point = {
        .cell = cell,
        .rate_per_s = mr_view_number(yyjson_obj_get(entry, "load"), "rate_per_s"),
        .p50_ms = mr_view_median(entry, "latency_p50_ns") / 1e6,
        .p99_ms = mr_view_median(entry, "latency_p99_ns") / 1e6,
        .overloaded = mr_view_number(yyjson_ptr_get(entry, "/marks/overloaded"), "marked") > 0};
    if (point.rate_per_s > 0 && isfinite(point.p50_ms) && points->count < POINTS_MAX) {
        points->point[points->count++] = point;
    }
}

// All rates that cells of the same job as `cell` offer to the entry, from the lowest.
static struct points points_of(const struct mr_page *page, yyjson_val *cell, const char *name)
{
    struct points points = {.count = 0};
    size_t index;
    size_t count;
    yyjson_val *other;
    yyjson_arr_foreach(page->cells, index, count, other)
    {
        size_t at;
        size_t total;
        yyjson_val *entry;
        yyjson_arr_foreach(yyjson_obj_get(other, "entries"), at, total, entry)
        {
            if (same_job(cell, other) && strcmp(mr_view_text(entry, "entry"), name) == 0) {
                add_point(&points, index, entry);
            }
        }
    }
    qsort(points.point, points.count, sizeof points.point[0], by_rate);
    return points;
}

static void widen(struct mr_plot *plot, const struct points *points)
{
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->point[i];
        plot->x.high = fmax(plot->x.high, point->rate_per_s);
        plot->y.low = fmin(plot->y.low, point->p50_ms);
        plot->y.high = fmax(plot->y.high, fmax(point->p50_ms, point->p99_ms));
    }
}

static void draw_points(const struct mr_page *page, const struct mr_plot *plot, const char *name,
                        const struct points *points, bool tail)
{
    char colour[16];
    bool begun = false;
    mr_html(page->out, "<path class=\"line %s%s\" d=\"", mr_page_colour(page, name, colour),
            tail ? "" : " thin");
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->point[i];
        double value = tail ? point->p99_ms : point->p50_ms;
        if (isfinite(value)) {
            (void)fprintf(page->out, "%s%.1f %.1f", begun ? "L" : "M",
                          mr_axis_place(&plot->x, point->rate_per_s),
                          mr_axis_place(&plot->y, value));
            begun = true;
        }
    }
    mr_html(page->out, "\"/>\n");
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->point[i];
        double value = tail ? point->p99_ms : point->p50_ms;
        if (isfinite(value)) {
            (void)fprintf(
                page->out, "<circle class=\"dot pt %s%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\">", colour,
                point->overloaded ? " hollow" : "", mr_axis_place(&plot->x, point->rate_per_s),
                mr_axis_place(&plot->y, value));
            mr_html(page->out, "<title>%s, ", name);
            (void)fprintf(page->out, "%s %.3f ms at %.0f batches/s%s</title></circle>\n",
                          tail ? "p99" : "p50", value, point->rate_per_s,
                          point->overloaded ? ", overloaded" : "");
        }
    }
}

static void draw_entries(const struct mr_page *page, const struct mr_plot *plot, size_t number)
{
    yyjson_val *cell = yyjson_arr_get(page->cells, number);
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        const char *name = mr_view_text(entry, "entry");
        struct points points = points_of(page, cell, name);
        mr_html(page->out, "<g");
        mr_page_filter(page, number, name, NULL);
        mr_html(page->out, ">\n");
        draw_points(page, plot, name, &points, false);
        draw_points(page, plot, name, &points, true);
        mr_html(page->out, "</g>\n");
    }
}

static void draw_job(const struct mr_page *page, size_t number)
{
    yyjson_val *cell = yyjson_arr_get(page->cells, number);
    yyjson_val *entries = yyjson_obj_get(cell, "entries");
    struct mr_plot plot = {
        .out = page->out,
        .x = {.low = 0, .high = 0, .from = 64, .to = WIDTH - 24},
        .y = {.low = INFINITY, .high = 0, .from = HEIGHT - 46, .to = 26, .logarithmic = true},
        .width = WIDTH,
        .height = HEIGHT};
    size_t index;
    size_t count;
    size_t most = 0;
    yyjson_val *entry;
    yyjson_arr_foreach(entries, index, count, entry)
    {
        struct points points = points_of(page, cell, mr_view_text(entry, "entry"));
        widen(&plot, &points);
        most = points.count > most ? points.count : most;
    }
    if (most < 2) {
        return;
    }
    char title[320];
    plot.y.low *= 0.8;
    plot.y.high *= 1.25;
    plot.x.high *= 1.05;
    (void)snprintf(title, sizeof title, "Latency against load: mode %.60s, data %.60s",
                   mr_view_text(cell, "mode"), mr_view_text(cell, "shape"));
    mr_html(page->out, "<h3>%s</h3>\n<figure class=\"chart wide\">\n", title);
    mr_page_legend(page, entries);
    mr_plot_open(&plot, title);
    mr_plot_x_axis(&plot, 7, "batches/s offered");
    mr_plot_y_axis(&plot, 5, "latency ms, logarithmic");
    draw_entries(page, &plot, number);
    mr_plot_close(&plot);
    mr_html(page->out, "<figcaption>Thick: p99; thin: p50; medians over the trials. Hollow: "
                       "overloaded. A percentile with too few batches has no point.</figcaption>\n"
                       "</figure>\n");
}

void mr_chart_load(const struct mr_page *page)
{
    for (size_t i = 0; i < yyjson_arr_size(page->cells); i++) {
        yyjson_val *cell = yyjson_arr_get(page->cells, i);
        bool first = strcmp(mr_view_text(cell, "measures"), "generator") != 0;
        // One picture a job, at its first cell.
        for (size_t k = 0; k < i; k++) {
            first = first && !same_job(cell, yyjson_arr_get(page->cells, k));
        }
        if (first) {
            draw_job(page, i);
        }
    }
}
