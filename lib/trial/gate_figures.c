// gate_figures.c: see gate_figures.h.
#include "gate_figures.h"

#include "base/mr_assert.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const bound_names[] = {"at_most", "below", "at_least"};
static const char *const bound_words[] = {"at most", "below", "at least"};

struct mr_gate_figure mr_figure(const char *what, enum mr_gate_unit unit, double value,
                                enum mr_gate_bound bound, double limit)
{
    struct mr_gate_figure figure = {.what = what,
                                    .unit = unit,
                                    .bound = bound,
                                    .value = isfinite(value) ? value : NAN,
                                    .limit = isfinite(limit) ? limit : NAN,
                                    .outcome = MR_GATE_UNAVAILABLE};
    if (isfinite(value) && isfinite(limit)) {
        bool good = bound == MR_BOUND_AT_MOST ? value <= limit
                    : bound == MR_BOUND_BELOW ? value < limit
                                              : value >= limit;
        figure.outcome = good ? MR_GATE_PASSED : MR_GATE_FAILED;
    }
    return figure;
}

struct mr_gate_figure mr_figure_at_most_largest(const char *what, enum mr_gate_unit unit,
                                                double value, const double *limits, size_t count)
{
    double largest = NAN;
    bool unknown = false;
    for (size_t i = 0; i < count; i++) {
        unknown |= !isfinite(limits[i]);
        largest = isfinite(limits[i]) ? fmax(largest, limits[i]) : largest;
    }
    struct mr_gate_figure figure = mr_figure(what, unit, value, MR_BOUND_AT_MOST, largest);
    if (figure.outcome == MR_GATE_FAILED && unknown) {
        figure.outcome = MR_GATE_UNAVAILABLE;
    }
    return figure;
}

static void write_value(struct mr_text *text, enum mr_gate_unit unit, double value)
{
    if (unit == MR_UNIT_SHARE) {
        mr_text_printf(text, "%.4g %%", 100 * value);
    } else if (unit == MR_UNIT_NUMBER) {
        mr_text_printf(text, "%.4g", value);
    } else if (fabs(value) >= 1e6) {
        mr_text_printf(text, "%.4g ms", value / 1e6);
    } else {
        mr_text_printf(text, "%.4g µs", value / 1e3);
    }
}

// "lateness_p99_ns" → "lateness p99": the unit stands behind the value.
static void write_name(struct mr_text *text, const struct mr_gate_figure *figure)
{
    size_t length = strlen(figure->what);
    if (figure->unit == MR_UNIT_NS && length > 3 && strcmp(figure->what + length - 3, "_ns") == 0) {
        length -= 3;
    }
    for (size_t i = 0; i < length; i++) {
        mr_text_printf(text, "%c", figure->what[i] == '_' ? ' ' : figure->what[i]);
    }
}

static void write_figure(struct mr_text *text, const struct mr_gate_figure *figure)
{
    write_name(text, figure);
    if (!isfinite(figure->value)) {
        mr_text_printf(text, " unavailable");
        return;
    }
    mr_text_printf(text, " ");
    write_value(text, figure->unit, figure->value);
    if (!isfinite(figure->limit)) {
        mr_text_printf(text, ", its limit is unavailable");
        return;
    }
    mr_text_printf(text, ", %s ", bound_words[figure->bound]);
    write_value(text, figure->unit, figure->limit);
    if (figure->outcome == MR_GATE_UNAVAILABLE) {
        mr_text_printf(text, " and a part that is unavailable");
    }
}

struct mr_gate_result mr_gate_of(const struct mr_gate_figure *figures, size_t count,
                                 enum mr_gate_outcome outcome, size_t place)
{
    MR_ASSERT(count <= MR_GATE_FIGURES_MAX && place < count);
    struct mr_gate_result result = {.outcome = outcome,
                                    .figure = figures[place].value,
                                    .threshold = figures[place].limit,
                                    .figures_count = count};
    struct mr_text text = mr_text_init(result.text, sizeof result.text);
    for (size_t i = 0; i < count; i++) {
        result.figures[i] = figures[i];
        mr_text_printf(&text, "%s", i == 0 ? "" : "; ");
        write_figure(&text, &figures[i]);
    }
    MR_ASSERT(!text.cut); // five figures of the longest names fit
    return result;
}

struct mr_gate_result mr_gate_of_all(const struct mr_gate_figure *figures, size_t count)
{
    MR_ASSERT(count > 0);
    size_t failed = count;
    size_t unavailable = count;
    for (size_t i = count; i-- > 0;) {
        if (figures[i].outcome == MR_GATE_FAILED) {
            failed = i;
        } else if (figures[i].outcome == MR_GATE_UNAVAILABLE && !figures[i].where_readable) {
            unavailable = i;
        }
    }
    if (failed < count) {
        return mr_gate_of(figures, count, MR_GATE_FAILED, failed);
    }
    return unavailable < count ? mr_gate_of(figures, count, MR_GATE_UNAVAILABLE, unavailable)
                               : mr_gate_of(figures, count, MR_GATE_PASSED, 0);
}

struct mr_gate_result mr_gate_without(enum mr_gate_outcome outcome, const char *why)
{
    struct mr_gate_result result = {.outcome = outcome, .figure = NAN, .threshold = NAN};
    (void)snprintf(result.text, sizeof result.text, "%s", why);
    return result;
}

const char *mr_gate_bound_name(enum mr_gate_bound bound)
{
    MR_ASSERT((size_t)bound < sizeof bound_names / sizeof bound_names[0]);
    return bound_names[bound];
}
