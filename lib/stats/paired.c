// paired.c: see paired.h.
#include "paired.h"

#include "binomial.h"
#include "robust.h"

#include <base/mr_assert.h>

#include <math.h>

size_t mr_sign_order(size_t count, double alpha)
{
    MR_ASSERT(alpha > 0 && alpha < 1);
    return mr_coin_heads(count, alpha / 2);
}

double mr_sign_confidence(size_t count, size_t order)
{
    MR_ASSERT(order >= 1 && order <= (count + 1) / 2);
    return 1 - 2 * mr_coin_cdf(count, order - 1);
}

struct mr_interval mr_sign_interval(const double *sorted, size_t count, double alpha)
{
    size_t order = mr_sign_order(count, alpha);
    if (order == 0) {
        return (struct mr_interval){0};
    }
    return (struct mr_interval){
        .low = sorted[order - 1], .high = sorted[count - order], .known = true};
}

double mr_sign_p_value(const double *values, size_t count)
{
    MR_ASSERT(count >= 1);
    size_t above = 0;
    size_t below = 0;
    for (size_t i = 0; i < count; i++) {
        above += values[i] > 0;
        below += values[i] < 0;
    }
    size_t for_the_larger = above > below ? above : below;
    double p_value = 2 * mr_coin_cdf(count, count - for_the_larger);
    return p_value < 1 ? p_value : 1;
}

size_t mr_pairs_needed(size_t comparisons, double alpha)
{
    MR_ASSERT(comparisons >= 1 && alpha > 0 && alpha < 1);
    size_t pairs = 1;
    while (ldexp((double)comparisons, 1 - (int)pairs) > alpha) {
        pairs++;
    }
    return pairs;
}

// The order statistic of rank ⌈share · (count + 1)⌉ of ascending values, within 1 … count.
static double value_at_share(const double *sorted, size_t count, double share)
{
    double rank = ceil(share * ((double)count + 1));
    if (rank < 1) {
        return sorted[0];
    }
    return rank >= (double)count ? sorted[count - 1] : sorted[(size_t)rank - 1];
}

double mr_resolvable(const double *logs, size_t count, double alpha, double power, double *scratch)
{
    MR_ASSERT(power > 0 && power < 1);
    size_t order = mr_sign_order(count, alpha);
    if (order == 0) {
        return INFINITY;
    }
    double wrong_side = mr_binomial_probability(count, order - 1, power);
    double scale = mr_robust_scale(logs, count, scratch);
    double by_normal = mr_normal_quantile(1 - wrong_side) * scale;
    // mr_robust_scale() leaves the absolute deviations from the median behind, sorted.
    double by_order = value_at_share(scratch, count, 1 - 2 * wrong_side);
    return by_order > by_normal ? by_order : by_normal;
}

static bool is_positive(double value)
{
    return isfinite(value) && value > 0;
}

static void fill_interval(const struct mr_paired_params *params, struct mr_paired *result)
{
    const double *logs = params->scratch;
    result->logs = mr_sign_interval(logs, params->count, params->alpha);
    result->ratio_low = 0;
    result->ratio_high = INFINITY;
    if (result->logs.known) {
        result->ratio_low = exp(result->logs.low);
        result->ratio_high = exp(result->logs.high);
        result->order = mr_sign_order(params->count, params->alpha);
        result->confidence = mr_sign_confidence(params->count, result->order);
    }
}

enum mr_paired_status mr_paired_estimate(const struct mr_paired_params *params,
                                         struct mr_paired *result_out, size_t *place_out)
{
    size_t count = params->count;
    double *logs = params->scratch;
    *result_out = (struct mr_paired){.pairs_count = count};
    if (count == 0) {
        return MR_PAIRED_NO_PAIRS;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_positive(params->a[i]) || !is_positive(params->b[i])) {
            *place_out = i;
            return MR_PAIRED_NOT_POSITIVE;
        }
    }
    result_out->quotient_of_medians =
        mr_median(params->a, count, logs) / mr_median(params->b, count, logs + count);
    for (size_t i = 0; i < count; i++) {
        // The difference of logarithms: exact 0 for equal values, and it cannot overflow.
        logs[i] = log(params->a[i]) - log(params->b[i]);
        result_out->ties_count += params->a[i] == params->b[i];
    }
    mr_sort(logs, count);
    result_out->log_ratio = mr_median_sorted(logs, count);
    result_out->ratio = exp(result_out->log_ratio);
    result_out->p_value = mr_sign_p_value(logs, count);
    fill_interval(params, result_out);
    result_out->resolvable_difference =
        expm1(mr_resolvable(logs, count, params->alpha, MR_POWER, logs + count));
    return MR_PAIRED_OK;
}
