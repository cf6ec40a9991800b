// warm_watch.c: see warm_watch.h.
#include "warm_watch.h"

#include "stats/robust.h"

#include <math.h>

#define RING (MR_WARM_LOOKS + 1)

void mr_warm_watch_look(struct mr_warm_watch *watch, uint64_t methods)
{
    watch->methods[watch->looks++ % RING] = methods;
}

static bool is_quiet(const struct mr_warm_watch *watch)
{
    bool quiet = watch->looks >= RING;
    for (size_t i = 1; i < RING; i++) {
        quiet = quiet && watch->methods[i] == watch->methods[0];
    }
    return quiet;
}

static bool is_flat(struct mr_warm_watch *watch, const struct mr_timeline_bin *bin)
{
    for (size_t i = 0; i < MR_WARM_BINS; i++) {
        watch->x[i] = (double)i;
        watch->y[i] = (double)bin[i].records;
    }
    double median = mr_median(watch->y, MR_WARM_BINS, watch->sorted);
    if (!(median > 0)) {
        return false; // too slow to tell
    }
    struct mr_slope slope = mr_theil_sen(&(struct mr_slope_params){.x = watch->x,
                                                                   .y = watch->y,
                                                                   .count = MR_WARM_BINS,
                                                                   .alpha = 0.05,
                                                                   .scratch = watch->slopes});
    double change = fabs(slope.slope) * MR_WARM_BINS / median;
    return change <= MR_WARM_SLOPE_MAX ||
           (change <= MR_WARM_NOISE_MAX && slope.low <= 0 && slope.high >= 0);
}

bool mr_warm_watch_is_warm(struct mr_warm_watch *watch, const struct mr_timeline *timeline,
                           uint64_t now_ns)
{
    uint64_t bins = (now_ns - timeline->start_ns) / MR_TIMELINE_BIN_NS;
    return is_quiet(watch) && bins >= MR_WARM_BINS && bins <= timeline->bins_count &&
           is_flat(watch, &timeline->bin[bins - MR_WARM_BINS]);
}
