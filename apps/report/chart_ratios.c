// chart_ratios.c: every comparison as a line: its interval, its median, and each pair as a point.
#include "html_out.h"
#include "html_page.h"
#include "results_view.h"
#include "svg_plot.h"

#include <math.h>
#include <string.h>

#define WIDTH      920.0
#define RIGHT      20.0
#define ROW_HEIGHT 44.0
#define TOP        26.0
#define BOTTOM     44.0

// About the width of a letter of the names, in bold.
#define LETTER_WIDTH 7.9

// What is wider is squeezed.
#define NAMES_MAX 420.0

static bool is_drawn(yyjson_val *comparison)
{
    return isfinite(mr_view_number(comparison, "ratio"));
}

static void widen(struct mr_axis *axis, yyjson_val *comparison)
{
    size_t index;
    size_t count;
    yyjson_val *pair;
    yyjson_arr_foreach(yyjson_obj_get(comparison, "pair_ratios"), index, count, pair)
    {
        double value = yyjson_get_num(pair);
        axis->low = value > 0 ? fmin(axis->low, value) : axis->low;
        axis->high = fmax(axis->high, value);
    }
}

// How wide the names beside a line are.
static double names_width(yyjson_val *cell, yyjson_val *comparison)
{
    size_t pair = strlen(mr_view_text(comparison, "a")) + strlen(mr_view_text(comparison, "b")) + 3;
    size_t name = strlen(mr_view_text(cell, "name"));
    return LETTER_WIDTH * (double)(pair > name ? pair : name);
}

// How many lines there are, and how far their values and names reach.
static size_t measure(const struct mr_page *page, struct mr_axis *axis)
{
    struct mr_page_comparison at = {0};
    size_t lines = 0;
    while (mr_page_next(page, &at)) {
        if (is_drawn(at.comparison)) {
            widen(axis, at.comparison);
            axis->from =
                fmax(axis->from, fmin(names_width(at.cell, at.comparison) + 20, NAMES_MAX));
            lines++;
        }
    }
    return lines;
}

static void draw_pairs(const struct mr_plot *plot, yyjson_val *comparison, double y)
{
    size_t index;
    size_t count;
    yyjson_val *pair;
    yyjson_arr_foreach(yyjson_obj_get(comparison, "pair_ratios"), index, count, pair)
    {
        (void)fprintf(plot->out,
                      "<circle class=\"pair\" data-row=\"%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\">"
                      "<title>pair %zu: %.3f</title></circle>\n",
                      index, mr_axis_place(&plot->x, yyjson_get_num(pair)), y + 10, index + 1,
                      yyjson_get_num(pair));
    }
}

static void draw_interval(const struct mr_plot *plot, yyjson_val *cell, yyjson_val *comparison,
                          double y)
{
    char sentence[512];
    double low = mr_view_number(comparison, "ratio_low");
    double high = mr_view_number(comparison, "ratio_high");
    mr_view_sentence(cell, comparison, sentence, sizeof sentence);
    if (isfinite(low) && isfinite(high)) {
        (void)fprintf(plot->out, "<path class=\"interval\" d=\"M%.1f %.1fH%.1f\"/>\n",
                      mr_axis_place(&plot->x, low), y - 4, mr_axis_place(&plot->x, high));
    }
    if (!isfinite(mr_view_number(comparison, "ratio"))) {
        return;
    }
    (void)fprintf(plot->out, "<circle class=\"median pt\" cx=\"%.1f\" cy=\"%.1f\" r=\"5.5\">",
                  mr_axis_place(&plot->x, mr_view_number(comparison, "ratio")), y - 4);
    mr_html(plot->out, "<title>%s</title></circle>\n", sentence);
}

static void draw_names(const struct mr_plot *plot, yyjson_val *cell, yyjson_val *comparison,
                       double y)
{
    double right = plot->x.from - 14;
    (void)fprintf(plot->out, "<text class=\"name e\" x=\"%.1f\" y=\"%.1f\"", right, y - 3);
    if (names_width(cell, comparison) > NAMES_MAX - 20) {
        (void)fprintf(plot->out, " textLength=\"%.1f\" lengthAdjust=\"spacingAndGlyphs\"",
                      right - 2);
    }
    mr_html(plot->out, ">%s : %s</text>\n", mr_view_text(comparison, "a"),
            mr_view_text(comparison, "b"));
    mr_plot_text(plot, right, y + 12, "tick e", mr_view_text(cell, "name"));
}

static void draw_lines(const struct mr_page *page, const struct mr_plot *plot)
{
    struct mr_page_comparison at = {0};
    double y = TOP + ROW_HEIGHT / 2;
    while (mr_page_next(page, &at)) {
        if (is_drawn(at.comparison)) {
            mr_html(page->out, "<g");
            mr_page_filter(page, at.cell_number, mr_view_text(at.comparison, "a"),
                           mr_view_text(at.comparison, "b"));
            mr_html(page->out, ">\n");
            draw_names(plot, at.cell, at.comparison, y);
            draw_interval(plot, at.cell, at.comparison, y);
            draw_pairs(plot, at.comparison, y);
            mr_html(page->out, "</g>\n");
            y += ROW_HEIGHT;
        }
    }
}

void mr_chart_ratios(const struct mr_page *page)
{
    double margin = mr_view_number(yyjson_obj_get(page->manifest, "rules"), "margin");
    margin = isfinite(margin) ? margin : 0;
    struct mr_axis x = {.low = 1 / (1 + 2 * margin), .high = 1 + 2 * margin, .from = 0};
    size_t lines = measure(page, &x);
    if (lines == 0) {
        return;
    }
    x.logarithmic = true;
    x.low *= 0.96;
    x.high *= 1.04;
    x.to = WIDTH - RIGHT;
    double height = TOP + BOTTOM + ROW_HEIGHT * (double)lines;
    struct mr_plot plot = {.out = page->out,
                           .x = x,
                           .y = {.low = 0, .high = 1, .from = height - BOTTOM, .to = TOP},
                           .width = WIDTH,
                           .height = height};
    mr_html(page->out, "<figure class=\"chart wide\">\n");
    mr_plot_open(&plot, "Speed ratios with their intervals, one line a comparison; the tables of "
                        "each cell hold the same figures");
    mr_plot_band(&plot, 1 / (1 + margin), 1 + margin, "margin");
    mr_plot_x_axis(&plot, 6, "speed of A over speed of B, logarithmic; right of 1, A is faster");
    mr_plot_upright(&plot, 1, "one");
    draw_lines(page, &plot);
    mr_plot_close(&plot);
    (void)fprintf(
        page->out,
        "<figcaption>Large dot: median of the pairs' ratios, on its exact interval. Small "
        "dots: the pairs. Grey band: the margin of ±%.0f %% within which speeds are "
        "called the same. Noise floor of identical twins: unavailable, the results hold "
        "none.</figcaption>\n</figure>\n",
        100 * margin);
}
