// chart_ranges.c: a metric of a cell's contestants: median and range over the trials, a line each.
#include "html_out.h"
#include "html_page.h"
#include "results_view.h"
#include "svg_plot.h"

#include <math.h>

#define WIDTH      920.0
#define LEFT       200.0
#define ROW_HEIGHT 26.0
#define TOP        12.0
#define BOTTOM     42.0

static yyjson_val *metric_of(yyjson_val *entry, const char *metric)
{
    return yyjson_obj_get(yyjson_obj_get(entry, "metrics"), metric);
}

static void draw_entry(const struct mr_page *page, const struct mr_plot *plot, size_t cell,
                       yyjson_val *entry, yyjson_val *metric, double scale, double y)
{
    char colour[16];
    const char *name = mr_view_text(entry, "entry");
    double median = mr_view_number(metric, "median") * scale;
    double low = mr_view_number(metric, "min") * scale;
    double high = mr_view_number(metric, "max") * scale;
    if (!isfinite(median + low + high)) {
        return;
    }
    mr_html(page->out, "<g");
    mr_page_filter(page, cell, name, NULL);
    mr_html(page->out, ">\n");
    mr_plot_text(plot, LEFT - 14, y + 4, "name e", name);
    (void)fprintf(page->out, "<path class=\"bar %s\" d=\"M%.1f %.1fH%.1f\"/>\n",
                  mr_page_colour(page, name, colour), plot->x.from, y,
                  mr_axis_place(&plot->x, median));
    (void)fprintf(page->out, "<path class=\"whisker\" d=\"M%.1f %.1fH%.1f\"/>\n",
                  mr_axis_place(&plot->x, low), y, mr_axis_place(&plot->x, high));
    (void)fprintf(page->out, "<circle class=\"hit pt\" cx=\"%.1f\" cy=\"%.1f\" r=\"6\">",
                  mr_axis_place(&plot->x, median), y);
    mr_html(page->out, "<title>%s: ", name);
    (void)fprintf(page->out, "median %.3g, range %.3g to %.3g</title></circle>\n</g>\n", median,
                  low, high);
}

void mr_chart_ranges(const struct mr_page *page, size_t number, const char *metric, double scale,
                     const char *title)
{
    yyjson_val *cell = yyjson_arr_get(page->cells, number);
    struct mr_plot plot = {.out = page->out,
                           .x = {.low = 0, .high = 0, .from = LEFT, .to = WIDTH - 24},
                           .y = {.low = 0, .high = 1, .to = TOP},
                           .width = WIDTH};
    size_t index;
    size_t count;
    size_t lines = 0;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        double high = mr_view_number(metric_of(entry, metric), "max") * scale;
        lines += isfinite(high) ? 1 : 0;
        plot.x.high = fmax(plot.x.high, high);
    }
    if (lines == 0 || !(plot.x.high > 0)) {
        return;
    }
    plot.height = TOP + BOTTOM + ROW_HEIGHT * (double)lines;
    plot.y.from = plot.height - BOTTOM;
    plot.x.high *= 1.04;
    mr_html(page->out, "<figure class=\"chart wide\"");
    mr_page_filter(page, number, NULL, NULL);
    mr_html(page->out, ">\n");
    mr_plot_open(&plot, title);
    mr_plot_x_axis(&plot, 8, title);
    double y = TOP + ROW_HEIGHT / 2;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        if (isfinite(mr_view_number(metric_of(entry, metric), "max"))) {
            draw_entry(page, &plot, number, entry, metric_of(entry, metric), scale, y);
            y += ROW_HEIGHT;
        }
    }
    mr_plot_close(&plot);
    mr_html(page->out, "</figure>\n");
}
