// robust.c: see robust.h.
#include "robust.h"

#include "binomial.h"

#include <base/mr_assert.h>

#include <math.h>
#include <stdlib.h>

#define EXACT_POINTS     30
#define EXACT_INVERSIONS (EXACT_POINTS * (EXACT_POINTS - 1) / 2)

// 1 / Φ⁻¹(3/4): makes the median absolute deviation of normal values their standard deviation.
#define NORMAL_SCALE 1.4826022185056018

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

void mr_sort(double *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        MR_ASSERT(!isnan(values[i]));
    }
    if (count > 1) {
        qsort(values, count, sizeof values[0], compare);
    }
}

double mr_median_sorted(const double *sorted, size_t count)
{
    MR_ASSERT(count >= 1);
    double upper = sorted[count / 2];
    if (count % 2 == 1) {
        return upper;
    }
    double lower = sorted[count / 2 - 1];
    return lower + (upper - lower) / 2;
}

double mr_median(const double *values, size_t count, double *scratch)
{
    for (size_t i = 0; i < count; i++) {
        scratch[i] = values[i];
    }
    mr_sort(scratch, count);
    return mr_median_sorted(scratch, count);
}

double mr_robust_scale(const double *values, size_t count, double *scratch)
{
    double median = mr_median(values, count, scratch);
    for (size_t i = 0; i < count; i++) {
        scratch[i] = fabs(values[i] - median);
    }
    mr_sort(scratch, count);
    return NORMAL_SCALE * mr_median_sorted(scratch, count);
}

// The i-th point put into a random order makes 0 … i − 1 inversions with those before it, all
// equally likely: chance_out[j] becomes the probability of j inversions among `count` points.
static void inversion_chances(size_t count, double chance_out[EXACT_INVERSIONS + 1])
{
    double before[EXACT_INVERSIONS + 1];
    for (size_t j = 0; j <= EXACT_INVERSIONS; j++) {
        chance_out[j] = j == 0 ? 1 : 0;
    }
    for (size_t i = 2; i <= count; i++) {
        for (size_t j = 0; j <= EXACT_INVERSIONS; j++) {
            before[j] = chance_out[j];
        }
        double window = 0;
        for (size_t j = 0; j <= EXACT_INVERSIONS; j++) {
            window += before[j] - (j >= i ? before[j - i] : 0);
            chance_out[j] = window / (double)i;
        }
    }
}

static size_t exact_order(size_t count, double alpha)
{
    double chance[EXACT_INVERSIONS + 1];
    inversion_chances(count, chance);
    size_t order = 0;
    double tail = 0;
    while (order <= EXACT_INVERSIONS) {
        tail += chance[order];
        if (2 * tail > alpha) {
            break;
        }
        order++;
    }
    return order;
}

static size_t normal_order(size_t count, double alpha)
{
    double n = (double)count;
    double mean = n * (n - 1) / 4;
    double deviation = sqrt(n * (n - 1) * (2 * n + 5) / 72);
    double order = floor(mean + mr_normal_quantile(alpha / 2) * deviation + 0.5);
    return order < 1 ? 0 : (size_t)order;
}

size_t mr_slope_order(size_t count, double alpha)
{
    MR_ASSERT(count >= 2 && alpha > 0 && alpha < 1);
    return count <= EXACT_POINTS ? exact_order(count, alpha) : normal_order(count, alpha);
}

struct mr_slope mr_theil_sen(const struct mr_slope_params *params)
{
    MR_ASSERT(params->count >= 2);
    size_t slopes = 0;
    for (size_t i = 0; i < params->count; i++) {
        for (size_t j = i + 1; j < params->count; j++) {
            double run = params->x[j] - params->x[i];
            MR_ASSERT(run > 0);
            params->scratch[slopes++] = (params->y[j] - params->y[i]) / run;
        }
    }
    mr_sort(params->scratch, slopes);
    size_t order = mr_slope_order(params->count, params->alpha);
    struct mr_slope result = {
        .slope = mr_median_sorted(params->scratch, slopes), .low = -INFINITY, .high = INFINITY};
    if (order > 0) {
        result.low = params->scratch[order - 1];
        result.high = params->scratch[slopes - order];
    }
    return result;
}
