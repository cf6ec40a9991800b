// verdict.c: see verdict.h.
#include "verdict.h"

#include <base/mr_assert.h>

#include <math.h>

static int side_of(const struct mr_interval *interval)
{
    return interval->low > 0 ? 1 : interval->high < 0 ? -1 : 0;
}

static struct mr_interval turned(const struct mr_interval *logs, enum mr_better better)
{
    if (better == MR_BETTER_HIGHER) {
        return *logs;
    }
    return (struct mr_interval){.low = -logs->high, .high = -logs->low, .known = logs->known};
}

static enum mr_verdict place(const struct mr_interval *interval, double margin)
{
    if (interval->low > margin) {
        return MR_VERDICT_FASTER;
    }
    if (interval->high < -margin) {
        return MR_VERDICT_SLOWER;
    }
    if (interval->low > -margin && interval->high < margin) {
        return MR_VERDICT_SAME;
    }
    int side = side_of(interval);
    return side > 0   ? MR_VERDICT_FASTER_SIZE_OPEN
           : side < 0 ? MR_VERDICT_SLOWER_SIZE_OPEN
                      : MR_VERDICT_NOT_RESOLVED;
}

struct mr_judgement mr_judge(const struct mr_interval *logs, double log_ratio,
                             const struct mr_verdict_rules *rules)
{
    MR_ASSERT(rules->margin > 0 && rules->smallest_found >= 0);
    struct mr_judgement result = {.verdict = MR_VERDICT_NOT_RESOLVED};
    if (rules->twins_differ) {
        result.verdict = MR_VERDICT_VOID;
        return result;
    }
    if (!logs->known) {
        return result;
    }
    struct mr_interval interval = turned(logs, rules->better);
    MR_ASSERT(interval.low <= interval.high);
    result.verdict = place(&interval, log1p(rules->margin));
    result.side = side_of(&interval);
    result.consistently = result.verdict == MR_VERDICT_SAME && result.side != 0;
    if (result.side != 0 && fabs(log_ratio) < log1p(rules->smallest_found)) {
        result.below_control = true;
        result.consistently = false;
        if (result.verdict != MR_VERDICT_SAME) {
            result.verdict = MR_VERDICT_NOT_RESOLVED;
        }
    }
    return result;
}

void mr_holm(const double *p_values, size_t count, double alpha, double *levels_out)
{
    MR_ASSERT(count >= 1 && count <= MR_PRIMARY_MAX && alpha > 0 && alpha < 1);
    bool done[MR_PRIMARY_MAX] = {false};
    size_t remaining = count;
    bool rejecting = true;
    double level = alpha / (double)count;
    while (remaining > 0) {
        double smallest = INFINITY;
        for (size_t i = 0; i < count; i++) {
            smallest = !done[i] && p_values[i] < smallest ? p_values[i] : smallest;
        }
        MR_ASSERT(isfinite(smallest));
        if (rejecting) {
            level = alpha / (double)remaining;
            rejecting = smallest <= level;
        }
        for (size_t i = 0; i < count; i++) {
            if (!done[i] && p_values[i] <= smallest) {
                levels_out[i] = level;
                done[i] = true;
                remaining--;
            }
        }
    }
}

struct mr_noise mr_noise_floor(const struct mr_interval *twins, size_t count)
{
    struct mr_noise noise = {.floor = count == 0 ? INFINITY : 0};
    for (size_t i = 0; i < count; i++) {
        double bound =
            twins[i].known ? expm1(fmax(fabs(twins[i].low), fabs(twins[i].high))) : INFINITY;
        noise.floor = fmax(noise.floor, bound);
        noise.twins_differ |= twins[i].known && side_of(&twins[i]) != 0;
    }
    return noise;
}
