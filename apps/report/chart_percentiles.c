// chart_percentiles.c: percentiles of a cell's contestants over 1/(1 − p), as HdrHistogram draws
// them: every step to the right is rarer by the same factor.
#include "html_out.h"
#include "html_page.h"
#include "results_view.h"
#include "svg_plot.h"

#include <math.h>
#include <string.h>

#define WIDTH  920.0
#define HEIGHT 360.0

static const double printed[] = {50, 90, 99, 99.9, 99.99};
#define PRINTED_COUNT (sizeof printed / sizeof printed[0])

static const struct mr_latencies *latencies_of(const struct mr_page *page, yyjson_val *cell,
                                               yyjson_val *entry)
{
    const struct mr_latencies *found =
        mr_trial_latencies(page->trials, mr_view_text(cell, "name"), mr_view_text(entry, "entry"));
    return found != NULL && mr_hist_percentile_allowed(mr_hist_count(&found->hist), 50) ? found
                                                                                        : NULL;
}

static double value_ms(const struct mr_hist *hist, double percentile)
{
    return (double)mr_hist_value_at_percentile(hist, percentile) / 1e6;
}

// The rarest that this many values can tell: one hundred of them lie beyond it.
static double rarest(const struct mr_hist *hist)
{
    return (double)mr_hist_count(hist) / 100;
}

static void widen(struct mr_plot *plot, const struct mr_hist *hist)
{
    double most = rarest(hist);
    plot->x.high = fmax(plot->x.high, most);
    plot->y.low = fmin(plot->y.low, value_ms(hist, 0));
    plot->y.high = fmax(plot->y.high, value_ms(hist, 100 * (1 - 1 / most)));
}

static void draw_point(const struct mr_plot *plot, const char *name, double ratio, double value)
{
    (void)fprintf(plot->out, "<circle class=\"hit pt\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\">",
                  mr_axis_place(&plot->x, ratio), mr_axis_place(&plot->y, value));
    mr_html(plot->out, "<title>%s, ", name);
    (void)fprintf(plot->out, "p%.6g: %.3f ms</title></circle>\n", 100 * (1 - 1 / ratio), value);
}

static void draw_curve(const struct mr_page *page, const struct mr_plot *plot, size_t cell,
                       const struct mr_latencies *latencies)
{
    char colour[16];
    // That many places in each power of ten look like a curve.
    double step = pow(10, 1.0 / 24);
    double most = rarest(&latencies->hist);
    mr_html(page->out, "<g");
    mr_page_filter(page, cell, latencies->entry, NULL);
    mr_html(page->out, ">\n<path class=\"line %s\" d=\"",
            mr_page_colour(page, latencies->entry, colour));
    for (double ratio = 1; ratio <= most; ratio *= step) {
        (void)fprintf(page->out, "%s%.1f %.1f", ratio > 1 ? "L" : "M",
                      mr_axis_place(&plot->x, ratio),
                      mr_axis_place(&plot->y, value_ms(&latencies->hist, 100 * (1 - 1 / ratio))));
    }
    mr_html(page->out, "\"/>\n");
    size_t place = 0;
    for (double ratio = 1; ratio <= most; ratio *= step) {
        if (place++ % 6 == 0) {
            draw_point(plot, latencies->entry, ratio,
                       value_ms(&latencies->hist, 100 * (1 - 1 / ratio)));
        }
    }
    mr_html(page->out, "</g>\n");
}

static void draw_x_axis(const struct mr_plot *plot)
{
    for (double ratio = 1; ratio <= plot->x.high; ratio *= 10) {
        char text[32];
        (void)snprintf(text, sizeof text, ratio > 1 ? "p%.7g" : "minimum", 100 * (1 - 1 / ratio));
        mr_plot_upright(plot, ratio, "grid");
        mr_plot_text(plot, mr_axis_place(&plot->x, ratio), plot->y.from + 16,
                     ratio > 1 ? "tick m" : "tick s", text);
    }
    mr_plot_text(plot, plot->x.to, plot->y.from + 34, "title e",
                 "percentile, over 1/(1 − p) on a logarithmic scale");
}

static void write_table(const struct mr_page *page, size_t number, yyjson_val *cell,
                        const char *caption)
{
    mr_page_table(page, caption);
    mr_html(page->out, "<thead><tr>");
    mr_page_head(page, "contestant", false);
    mr_page_head(page, "batches", true);
    for (size_t i = 0; i < PRINTED_COUNT; i++) {
        char title[32];
        (void)snprintf(title, sizeof title, "p%.6g ms", printed[i]);
        mr_page_head(page, title, true);
    }
    mr_html(page->out, "</tr></thead><tbody>\n");
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        const struct mr_latencies *latencies = latencies_of(page, cell, entry);
        if (latencies == NULL) {
            continue;
        }
        mr_page_row(page, number, latencies->entry, NULL, latencies->entry);
        uint64_t batches = mr_hist_count(&latencies->hist);
        mr_html_number(page->out, (double)batches, 0);
        for (size_t i = 0; i < PRINTED_COUNT; i++) {
            if (mr_hist_percentile_allowed(batches, printed[i])) {
                mr_html_number(page->out, value_ms(&latencies->hist, printed[i]), 3);
            } else {
                mr_html(page->out, "<td class=\"n\">n too small</td>");
            }
        }
        mr_html(page->out, "</tr>\n");
    }
    mr_page_table_end(page, "trials/, details.generator.series");
}

static void draw(const struct mr_page *page, const struct mr_plot *plot, size_t number,
                 yyjson_val *cell, const char *title)
{
    yyjson_val *entries = yyjson_obj_get(cell, "entries");
    mr_html(page->out, "<figure class=\"chart wide\">\n");
    mr_page_legend(page, entries);
    mr_plot_open(plot, title);
    draw_x_axis(plot);
    mr_plot_y_axis(plot, 5, "ms, logarithmic");
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(entries, index, count, entry)
    {
        const struct mr_latencies *latencies = latencies_of(page, cell, entry);
        if (latencies != NULL) {
            draw_curve(page, plot, number, latencies);
        }
    }
    mr_plot_close(plot);
    mr_html(page->out, "<figcaption>Counts of all counted trials added up; no percentile is an "
                       "average. A curve ends where fewer than 100 batches lie beyond it."
                       "</figcaption>\n</figure>\n");
}

void mr_chart_percentiles(const struct mr_page *page, size_t number)
{
    yyjson_val *cell = yyjson_arr_get(page->cells, number);
    struct mr_plot plot = {
        .out = page->out,
        .x = {.low = 1, .high = 1, .from = 64, .to = WIDTH - 24, .logarithmic = true},
        .y = {.low = INFINITY, .high = 0, .from = HEIGHT - 46, .to = 26, .logarithmic = true},
        .width = WIDTH,
        .height = HEIGHT};
    size_t index;
    size_t count;
    yyjson_val *entry;
    const char *series = NULL;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        const struct mr_latencies *latencies = latencies_of(page, cell, entry);
        if (latencies != NULL) {
            widen(&plot, &latencies->hist);
            series = latencies->series;
        }
    }
    if (series == NULL) {
        return;
    }
    char title[320];
    plot.y.low *= 0.9;
    plot.y.high *= 1.1;
    (void)snprintf(title, sizeof title, "%.120s: percentiles of %s", mr_view_text(cell, "name"),
                   strcmp(series, "latency") == 0
                       ? "latency, from the time at which a batch was due"
                       : "round trips at the cell's depth, which are no latency");
    draw(page, &plot, number, cell, title);
    write_table(page, number, cell, title);
}
