// fisher.c: see fisher.h.
#define _GNU_SOURCE
#include "fisher.h"

#include <base/mr_assert.h>

#include <math.h>

// Splits whose chances are equal in exact arithmetic may differ in their last bits.
#define EQUAL_WITHIN 1e-7

static double log_choose(size_t n, size_t k)
{
    int sign;
    return lgamma_r((double)n + 1, &sign) - lgamma_r((double)k + 1, &sign) -
           lgamma_r((double)(n - k) + 1, &sign);
}

double mr_fisher_p_value(size_t lost_a, size_t count_a, size_t lost_b, size_t count_b)
{
    MR_ASSERT(lost_a <= count_a && lost_b <= count_b);
    size_t lost = lost_a + lost_b;
    size_t first = lost > count_b ? lost - count_b : 0;
    size_t last = lost < count_a ? lost : count_a;
    double all = log_choose(count_a + count_b, lost);
    double seen = log_choose(count_a, lost_a) + log_choose(count_b, lost_b) - all;
    double sum = 0;
    for (size_t of_a = first; of_a <= last; of_a++) {
        double one = log_choose(count_a, of_a) + log_choose(count_b, lost - of_a) - all;
        sum += one <= seen + EQUAL_WITHIN ? exp(one) : 0;
    }
    return sum < 1 ? sum : 1;
}
