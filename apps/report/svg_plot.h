// svg_plot.h: a plot in SVG: its frame, scales and marks. Colours and lines are classes of the
// page's style, so that both themes and the printer have their own.
#ifndef MR_REPORT_SVG_PLOT_H
#define MR_REPORT_SVG_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// One axis: the values at its ends, and where these lie in the picture. Logarithmic ones are > 0.
struct mr_axis {
    double low;
    double high;
    double from; // place of `low`
    double to;
    bool logarithmic;
};

// A plot under construction. `x.from < x.to`, `y.from > y.to` (up is more), in units of the
// picture.
struct mr_plot {
    FILE *out;
    struct mr_axis x;
    struct mr_axis y;
    double width;
    double height;
};

// The place of a value; values beyond the ends are held at them.
double mr_axis_place(const struct mr_axis *axis, double value);

// Opens <svg>: it is an image named `title` to who cannot see it. mr_plot_close() ends it.
void mr_plot_open(const struct mr_plot *plot, const char *title);
void mr_plot_close(const struct mr_plot *plot);

// A line through the plot, upright at x = `value` or level at y = `value`, of class `name`.
void mr_plot_upright(const struct mr_plot *plot, double value, const char *name);
void mr_plot_level(const struct mr_plot *plot, double value, const char *name);

// A band of class `name` between two values of x, over the whole height.
void mr_plot_band(const struct mr_plot *plot, double low, double high, const char *name);

// Text at a place of the picture; `name` is its class, "s" (begins there), "m" (middle), "e"
// (ends).
void mr_plot_text(const struct mr_plot *plot, double x, double y, const char *name,
                  const char *text);

// Grid lines and their figures at round values, about `wanted` of them, and the axis' title.
void mr_plot_x_axis(const struct mr_plot *plot, size_t wanted, const char *title);
void mr_plot_y_axis(const struct mr_plot *plot, size_t wanted, const char *title);

// The distance of round values that divides `span` in about `wanted` parts: 1, 2 or 5 times a power
// of ten.
double mr_plot_step(double span, size_t wanted);

#endif
