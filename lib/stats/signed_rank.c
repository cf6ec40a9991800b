// signed_rank.c: see signed_rank.h.
#include "signed_rank.h"

#include "binomial.h"
#include "robust.h"

#include <base/mr_assert.h>

#include <math.h>

size_t mr_walsh_count(size_t count)
{
    return count * (count + 1) / 2;
}

// Every rank is in the sum or not, by a fair coin. Only the lower half is needed: chance[j] for j <
// `room` becomes the probability of the sum j, without rounding up to 53 values.
static void sum_chances(size_t count, double *chance, size_t room)
{
    for (size_t j = 0; j < room; j++) {
        chance[j] = j == 0 ? 1 : 0;
    }
    for (size_t rank = 1; rank <= count; rank++) {
        for (size_t j = room; j-- > 0;) {
            chance[j] = (chance[j] + (j >= rank ? chance[j - rank] : 0)) / 2;
        }
    }
}

static size_t exact_order(size_t count, double alpha, double *scratch)
{
    size_t room = (mr_walsh_count(count) + 1) / 2;
    sum_chances(count, scratch, room);
    double tail = 0;
    for (size_t order = 0; order < room; order++) {
        tail += scratch[order];
        if (2 * tail > alpha) {
            return order;
        }
    }
    return room;
}

static size_t normal_order(size_t count, double alpha)
{
    double n = (double)count;
    double mean = n * (n + 1) / 4;
    double deviation = sqrt(n * (n + 1) * (2 * n + 1) / 24);
    double order = floor(mean + mr_normal_quantile(alpha / 2) * deviation + 0.5);
    return order < 1 ? 0 : (size_t)order;
}

size_t mr_signed_rank_order(size_t count, double alpha, double *scratch)
{
    MR_ASSERT(alpha > 0 && alpha < 1);
    return count <= MR_SIGNED_RANK_EXACT_MAX ? exact_order(count, alpha, scratch)
                                             : normal_order(count, alpha);
}

struct mr_hodges_lehmann mr_hodges_lehmann(const double *values, size_t count, double alpha,
                                           double *scratch)
{
    MR_ASSERT(count >= 1);
    struct mr_hodges_lehmann result = {.order = mr_signed_rank_order(count, alpha, scratch)};
    size_t averages = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i; j < count; j++) {
            scratch[averages++] = values[i] + (values[j] - values[i]) / 2;
        }
    }
    mr_sort(scratch, averages);
    result.shift = mr_median_sorted(scratch, averages);
    if (result.order > 0) {
        result.interval = (struct mr_interval){.low = scratch[result.order - 1],
                                               .high = scratch[averages - result.order],
                                               .known = true};
    }
    return result;
}
