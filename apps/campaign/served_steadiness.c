// served_steadiness.c: see served_steadiness.h.
#include "served_steadiness.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define POINTS_MIN 10
#define POINTS_MAX 200

// What decides whether a warm-up was over: the generator ends one by as much (load_warmup.c).
#define WARMUP_END_NS 3000000000u

// The points of the slope: sums of `width` neighbouring bins each.
struct points {
    double x[POINTS_MAX];
    double y[POINTS_MAX];
    double sorted[POINTS_MAX];
    double slopes[POINTS_MAX * (POINTS_MAX - 1) / 2];
    size_t count;
};

static const struct mr_slope unknown = {NAN, NAN, NAN};

static uint64_t time_at(yyjson_val *object, const char *key)
{
    return yyjson_get_uint(yyjson_obj_get(object, key));
}

static void collect(yyjson_val *records, size_t first, size_t bins, struct points *points)
{
    size_t width = (bins + POINTS_MAX - 1) / POINTS_MAX;
    points->count = width == 0 ? 0 : bins / width;
    for (size_t i = 0; i < points->count; i++) {
        points->x[i] = (double)i;
        points->y[i] = 0;
        for (size_t k = 0; k < width; k++) {
            points->y[i] += yyjson_get_num(yyjson_arr_get(records, first + i * width + k));
        }
    }
}

static struct mr_slope slope_of(struct points *points)
{
    double median =
        points->count < POINTS_MIN ? 0 : mr_median(points->y, points->count, points->sorted);
    if (!(median > 0)) {
        return unknown;
    }
    struct mr_slope_params params = {.x = points->x,
                                     .y = points->y,
                                     .count = points->count,
                                     .alpha = 0.05,
                                     .scratch = points->slopes};
    return mr_slope_as_share(mr_theil_sen(&params), points->count, median);
}

// Over the bins of the timeline that lie wholly in [begin, end[.
static struct mr_slope slope_between(yyjson_val *timeline, uint64_t begin_ns, uint64_t end_ns)
{
    yyjson_val *records = yyjson_obj_get(timeline, "records");
    uint64_t bin_ns = time_at(timeline, "bin_ns");
    uint64_t start_ns = time_at(timeline, "start_ns");
    if (bin_ns == 0 || begin_ns < start_ns || end_ns <= begin_ns) {
        return unknown;
    }
    uint64_t first = (begin_ns - start_ns + bin_ns - 1) / bin_ns;
    uint64_t behind = (end_ns - start_ns) / bin_ns;
    behind = behind < yyjson_arr_size(records) ? behind : yyjson_arr_size(records);
    struct points *points = malloc(sizeof *points);
    if (points == NULL || behind <= first) {
        free(points);
        return unknown;
    }
    collect(records, (size_t)first, (size_t)(behind - first), points);
    struct mr_slope slope = slope_of(points);
    free(points);
    return slope;
}

struct mr_slope mr_slope_as_share(struct mr_slope slope, size_t count, double median)
{
    double scale = (double)count / median;
    return (struct mr_slope){slope.slope * scale, slope.low * scale, slope.high * scale};
}

struct mr_slope mr_served_steadiness(yyjson_val *result)
{
    yyjson_val *times = yyjson_obj_get(result, "times");
    return slope_between(yyjson_obj_get(result, "timeline"), time_at(times, "window_start_ns"),
                         time_at(times, "window_end_ns"));
}

struct mr_slope mr_served_warmup(yyjson_val *result)
{
    yyjson_val *times = yyjson_obj_get(result, "times");
    uint64_t start_ns = time_at(times, "start_ns");
    uint64_t end_ns = time_at(times, "window_start_ns");
    if (end_ns <= start_ns) {
        return unknown;
    }
    uint64_t length_ns = (end_ns - start_ns) / 2;
    length_ns = length_ns < WARMUP_END_NS ? length_ns : WARMUP_END_NS;
    return slope_between(yyjson_obj_get(result, "timeline"), end_ns - length_ns, end_ns);
}
