// power.c: see power.h.
#include "power.h"

#include "binomial.h"
#include "paired.h"
#include "robust.h"

#include <base/mr_assert.h>

#include <math.h>

double mr_wrong_side(const double *logs, size_t count, double difference, double *scratch)
{
    MR_ASSERT(count >= 1 && difference > 0);
    double scale = mr_robust_scale(logs, count, scratch);
    // mr_robust_scale() leaves the absolute deviations from the median behind.
    double beyond = 0.5;
    for (size_t i = 0; i < count; i++) {
        beyond += scratch[i] >= difference;
    }
    double counted = fmin(beyond / (double)count, 1) / 2;
    if (count >= MR_POWER_COUNTED || scale <= 0) {
        return counted;
    }
    return fmax(counted, mr_normal_cdf(-difference / scale));
}

double mr_power(size_t pairs, double wrong_side, double alpha)
{
    size_t order = mr_sign_order(pairs, alpha);
    return order == 0 ? 0 : mr_binomial_cdf(pairs, order - 1, wrong_side);
}

size_t mr_pairs_for(double wrong_side, double alpha, double power, size_t step)
{
    MR_ASSERT(step >= 1);
    for (size_t pairs = step; pairs <= MR_POWER_PAIRS_MAX; pairs += step) {
        if (mr_power(pairs, wrong_side, alpha) >= power) {
            return pairs;
        }
    }
    return 0;
}
