// chart_timeline.c: how fast every trial of a contestant was from its first batch on: warm-up, then
// the window; or, in-process, pass by pass.
#include "html_out.h"
#include "html_page.h"
#include "results_view.h"
#include "svg_plot.h"

#include <math.h>
#include <string.h>

#define WIDTH  450.0
#define HEIGHT 170.0

// A trial as a curve: the k-th value belongs to the time (k + 1/2) · step; `shown` of them.
struct curve {
    yyjson_val *values;
    size_t shown;
    double step;        // s, or 1 pass
    double scale;       // from a value to what is drawn
    double window_from; // s; NAN: none
    double window_to;
};

static double records_of(const struct mr_page *page, const char *cell)
{
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(page->manifest, "datasets"), index, count, one)
    {
        if (strcmp(mr_view_text(one, "cell"), cell) == 0) {
            return mr_view_number(one, "records");
        }
    }
    return NAN;
}

// A generator that was told not to record has nothing but zeros.
static bool is_recorded(yyjson_val *file)
{
    size_t index;
    size_t count;
    yyjson_val *what;
    bool recorded = true;
    yyjson_arr_foreach(yyjson_ptr_get(file, "/details/generator/switched_off"), index, count, what)
    {
        recorded = recorded && !yyjson_equals_str(what, "recording");
    }
    return recorded;
}

static struct curve served_curve(yyjson_val *file)
{
    yyjson_val *timeline = yyjson_ptr_get(file, "/details/generator/timeline");
    yyjson_val *times = yyjson_ptr_get(file, "/details/generator/times");
    double start_ns = mr_view_number(timeline, "start_ns");
    struct curve curve = {.values = yyjson_obj_get(timeline, "records"),
                          .step = mr_view_number(timeline, "bin_ns") / 1e9,
                          .window_from =
                              (mr_view_number(times, "window_start_ns") - start_ns) / 1e9,
                          .window_to = (mr_view_number(times, "window_end_ns") - start_ns) / 1e9};
    curve.scale = 1 / curve.step / 1e6;
    // The interval in which the window ends is cut short, and would look like a slump.
    double whole = floor(curve.window_to / curve.step + 1e-9);
    bool placed = isfinite(curve.step) && curve.step > 0;
    size_t size = placed && is_recorded(file) ? yyjson_arr_size(curve.values) : 0;
    curve.shown = whole > 0 && whole < (double)size ? (size_t)whole : size;
    return curve;
}

static struct curve curve_of(const struct mr_page *page, const struct mr_trial_view *view)
{
    yyjson_val *passes = yyjson_ptr_get(view->file, "/details/pass_ns");
    if (passes == NULL) {
        return served_curve(view->file);
    }
    return (struct curve){.values = passes,
                          .shown = yyjson_arr_size(passes),
                          .step = 1,
                          .scale = 1 / records_of(page, mr_view_text(view->row, "cell")),
                          .window_from = NAN,
                          .window_to = NAN};
}

static double value_at(const struct curve *curve, size_t index)
{
    return yyjson_get_num(yyjson_arr_get(curve->values, index)) * curve->scale;
}

static bool is_of(const struct mr_trial_view *view, const char *cell, const char *entry)
{
    return strcmp(mr_view_text(view->row, "cell"), cell) == 0 &&
           (entry == NULL || strcmp(mr_view_text(view->row, "entry"), entry) == 0);
}

// How far the curves of all the cell's trials reach: its pictures share their scales.
static void measure(const struct mr_page *page, const char *cell, struct mr_plot *plot)
{
    for (size_t i = 0; i < page->trials->count; i++) {
        const struct mr_trial_view *view = &page->trials->views[i];
        if (!is_of(view, cell, NULL)) {
            continue;
        }
        struct curve curve = curve_of(page, view);
        for (size_t k = 0; k < curve.shown; k++) {
            plot->y.high = fmax(plot->y.high, value_at(&curve, k));
            plot->x.high = fmax(plot->x.high, (double)(k + 1) * curve.step);
        }
    }
}

static void draw_trial(const struct mr_page *page, const struct mr_plot *plot,
                       const struct mr_trial_view *view, const struct curve *curve)
{
    char colour[16];
    bool counted = mr_trial_counts(view);
    const char *entry = mr_view_text(view->row, "entry");
    (void)fprintf(page->out, "<path class=\"trial pt %s\" data-t=\"%s\" d=\"",
                  counted ? mr_page_colour(page, entry, colour) : "excluded",
                  MR_VIEW_WHOLE(view->row, "number"));
    for (size_t k = 0; k < curve->shown; k++) {
        (void)fprintf(page->out, "%s%.1f %.1f", k > 0 ? "L" : "M",
                      mr_axis_place(&plot->x, ((double)k + 0.5) * curve->step),
                      mr_axis_place(&plot->y, value_at(curve, k)));
    }
    (void)fprintf(page->out, "\"><title>trial %s, row %s", MR_VIEW_WHOLE(view->row, "number"),
                  MR_VIEW_WHOLE(view->row, "row"));
    mr_html(page->out, "%s%s</title></path>\n",
            counted ? "" : ", does not count: ", counted ? "" : mr_view_text(view->row, "reason"));
}

static bool has_curve(const struct mr_page *page, const char *cell, const char *entry)
{
    bool found = false;
    for (size_t i = 0; i < page->trials->count && !found; i++) {
        found = is_of(&page->trials->views[i], cell, entry) &&
                curve_of(page, &page->trials->views[i]).shown > 0;
    }
    return found;
}

static void draw_entry(const struct mr_page *page, struct mr_plot *plot, size_t number,
                       yyjson_val *cell, const char *entry)
{
    char title[320];
    bool served = strcmp(mr_view_text(cell, "driver"), "served") == 0;
    const char *name = mr_view_text(cell, "name");
    bool band = false;
    (void)snprintf(title, sizeof title, "%.120s, %.120s: every trial %s", name, entry,
                   served ? "over time" : "pass by pass");
    mr_html(page->out, "<figure class=\"chart small\"");
    mr_page_filter(page, number, entry, NULL);
    mr_html(page->out, ">\n<figcaption>%s</figcaption>\n", entry);
    mr_plot_open(plot, title);
    for (size_t i = 0; i < page->trials->count && !band; i++) {
        struct curve curve = curve_of(page, &page->trials->views[i]);
        band = is_of(&page->trials->views[i], name, entry) && isfinite(curve.window_from);
        if (band) {
            mr_plot_band(plot, 0, curve.window_from, "warmup");
        }
    }
    mr_plot_x_axis(plot, 5, served ? "seconds since the first batch" : "pass");
    mr_plot_y_axis(plot, 3, served ? "M records/s" : "ns/record");
    // What does not count lies below.
    for (int counted = 0; counted < 2; counted++) {
        for (size_t i = 0; i < page->trials->count; i++) {
            const struct mr_trial_view *view = &page->trials->views[i];
            struct curve curve = curve_of(page, view);
            if (is_of(view, name, entry) && curve.shown > 0 &&
                mr_trial_counts(view) == (counted == 1)) {
                draw_trial(page, plot, view, &curve);
            }
        }
    }
    mr_plot_close(plot);
    mr_html(page->out, "</figure>\n");
}

void mr_chart_timelines(const struct mr_page *page, size_t number)
{
    yyjson_val *cell = yyjson_arr_get(page->cells, number);
    struct mr_plot plot = {.out = page->out,
                           .x = {.low = 0, .high = 0, .from = 48, .to = WIDTH - 12},
                           .y = {.low = 0, .high = 0, .from = HEIGHT - 40, .to = 24},
                           .width = WIDTH,
                           .height = HEIGHT};
    measure(page, mr_view_text(cell, "name"), &plot);
    if (!(plot.y.high > 0)) {
        return;
    }
    plot.y.high *= 1.05;
    mr_html(page->out, "<div class=\"multiples\">\n");
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        const char *name = mr_view_text(entry, "entry");
        if (has_curve(page, mr_view_text(cell, "name"), name)) {
            draw_entry(page, &plot, number, cell, name);
        } else {
            mr_html(page->out, "<p class=\"note\"");
            mr_page_filter(page, number, name, NULL);
            mr_html(page->out, "><strong>%s</strong>: nothing was recorded over time.</p>\n", name);
        }
    }
    mr_html(page->out,
            "</div>\n<p class=\"note\">One line a trial, all on the same scale; grey dashed lines "
            "are trials that do not count.%s</p>\n",
            strcmp(mr_view_text(cell, "driver"), "served") == 0
                ? " The shaded part is warm-up, outside of every figure."
                : " The passes are all that was timed, from the first one on.");
}
