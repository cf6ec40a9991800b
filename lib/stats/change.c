// change.c: see change.h.
#include "change.h"

#include "robust.h"

#include <base/mr_assert.h>

#include <math.h>

struct mr_change mr_change_estimate(double *old_logs, size_t old_count, double *new_logs,
                                    size_t new_count, double alpha)
{
    MR_ASSERT(old_count >= 1 && new_count >= 1 && alpha > 0 && alpha < 1);
    double each = 1 - sqrt(1 - alpha);
    mr_sort(old_logs, old_count);
    mr_sort(new_logs, new_count);
    struct mr_interval before = mr_sign_interval(old_logs, old_count, each);
    struct mr_interval after = mr_sign_interval(new_logs, new_count, each);
    struct mr_change change = {.log_ratio = mr_median_sorted(new_logs, new_count) -
                                            mr_median_sorted(old_logs, old_count)};
    if (before.known && after.known) {
        change.logs = (struct mr_interval){
            .low = after.low - before.high, .high = after.high - before.low, .known = true};
    }
    return change;
}
