// svg_plot.c: see svg_plot.h.
#include "svg_plot.h"

#include "html_out.h"

#include <math.h>

#define TICK_GAP  6.0
#define TEXT_DROP 4.0 // from a text's base line to its middle

double mr_axis_place(const struct mr_axis *axis, double value)
{
    double low = axis->logarithmic ? log10(axis->low) : axis->low;
    double high = axis->logarithmic ? log10(axis->high) : axis->high;
    double at = axis->logarithmic ? log10(fmax(value, axis->low)) : value;
    double share = high > low ? (at - low) / (high - low) : 0;
    return axis->from + fmin(fmax(share, 0), 1) * (axis->to - axis->from);
}

void mr_plot_open(const struct mr_plot *plot, const char *title)
{
    (void)fprintf(plot->out,
                  "<svg role=\"img\" viewBox=\"0 0 %.0f %.0f\" data-x=\"%.1f %.1f %.9g %.9g\" "
                  "data-y=\"%.1f %.1f %.9g %.9g\" aria-label=\"",
                  plot->width, plot->height, plot->x.from, plot->x.to, plot->x.low, plot->x.high,
                  plot->y.from, plot->y.to, plot->y.low, plot->y.high);
    mr_html(plot->out, "%s\">\n", title);
}

void mr_plot_close(const struct mr_plot *plot)
{
    (void)fprintf(plot->out, "</svg>\n");
}

static void write_line(const struct mr_plot *plot, const char *name, double x1, double y1,
                       double x2, double y2)
{
    (void)fprintf(plot->out, "<path class=\"%s\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n", name, x1, y1, x2,
                  y2);
}

void mr_plot_upright(const struct mr_plot *plot, double value, const char *name)
{
    double x = mr_axis_place(&plot->x, value);
    write_line(plot, name, x, plot->y.from, x, plot->y.to);
}

void mr_plot_level(const struct mr_plot *plot, double value, const char *name)
{
    double y = mr_axis_place(&plot->y, value);
    write_line(plot, name, plot->x.from, y, plot->x.to, y);
}

void mr_plot_band(const struct mr_plot *plot, double low, double high, const char *name)
{
    double left = mr_axis_place(&plot->x, low);
    (void)fprintf(
        plot->out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
        name, left, plot->y.to, mr_axis_place(&plot->x, high) - left, plot->y.from - plot->y.to);
}

void mr_plot_text(const struct mr_plot *plot, double x, double y, const char *name,
                  const char *text)
{
    (void)fprintf(plot->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", name, x, y);
    mr_html(plot->out, "%s</text>\n", text);
}

double mr_plot_step(double span, size_t wanted)
{
    double rough = span / (double)(wanted > 0 ? wanted : 1);
    double power = pow(10, floor(log10(rough)));
    double digit = rough / power;
    return (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10) * power;
}

// The values at which an axis has a figure; at most `capacity`. Returns their number.
static size_t find_ticks(const struct mr_axis *axis, size_t wanted, double *ticks, size_t capacity)
{
    size_t count = 0;
    // Within one power of ten even a logarithmic scale reads best with even steps.
    if (!axis->logarithmic || axis->high < 10 * axis->low) {
        double step = mr_plot_step(axis->high - axis->low, wanted);
        for (double k = ceil(axis->low / step - 1e-9); k * step <= axis->high + step * 1e-9; k++) {
            if (count < capacity) {
                ticks[count++] = k * step + 0.0; // no minus zero
            }
        }
        return count;
    }
    // Within few powers of ten 2 and 5 have figures of their own.
    static const double digits[] = {1, 2, 5};
    double powers = log10(axis->high / axis->low);
    size_t each = powers < 2.2 ? 3 : 1;
    for (double power = floor(log10(axis->low)); power <= ceil(log10(axis->high)); power++) {
        for (size_t i = 0; i < each; i++) {
            double value = digits[i] * pow(10, power);
            bool inside = value >= axis->low * (1 - 1e-9) && value <= axis->high * (1 + 1e-9);
            if (inside && count < capacity) {
                ticks[count++] = value;
            }
        }
    }
    return count;
}

void mr_plot_x_axis(const struct mr_plot *plot, size_t wanted, const char *title)
{
    double ticks[64];
    size_t count = find_ticks(&plot->x, wanted, ticks, 64);
    for (size_t i = 0; i < count; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "%.6g", ticks[i]);
        mr_plot_upright(plot, ticks[i], "grid");
        mr_plot_text(plot, mr_axis_place(&plot->x, ticks[i]), plot->y.from + 16, "tick m", text);
    }
    write_line(plot, "axis", plot->x.from, plot->y.from, plot->x.to, plot->y.from);
    mr_plot_text(plot, plot->x.to, plot->y.from + 32, "title e", title);
}

void mr_plot_y_axis(const struct mr_plot *plot, size_t wanted, const char *title)
{
    double ticks[64];
    size_t count = find_ticks(&plot->y, wanted, ticks, 64);
    for (size_t i = 0; i < count; i++) {
        char text[32];
        (void)snprintf(text, sizeof text, "%.6g", ticks[i]);
        mr_plot_level(plot, ticks[i], "grid");
        mr_plot_text(plot, plot->x.from - TICK_GAP, mr_axis_place(&plot->y, ticks[i]) + TEXT_DROP,
                     "tick e", text);
    }
    mr_plot_text(plot, plot->x.from, plot->y.to - 10, "title s", title);
}
