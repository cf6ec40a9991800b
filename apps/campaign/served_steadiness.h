// served_steadiness.h: how the throughput changed over the window, from the generator's timeline.
#ifndef MR_CAMPAIGN_SERVED_STEADINESS_H
#define MR_CAMPAIGN_SERVED_STEADINESS_H

#include "stats/robust.h"

#include <stddef.h>
#include <yyjson.h>

// The change of throughput over the whole window as a share of its median: Theil-Sen slope of
// records a bin over the bins that lie wholly inside the window, with its 95 % interval; neighbours
// are put together where there are more than 200 bins. All NAN where the timeline has fewer than 10
// such bins, or nothing was answered in half of them.
struct mr_slope mr_served_steadiness(yyjson_val *result);

// The same of the end of the warm-up: its second half, 3 s at most; as a change over that time.
struct mr_slope mr_served_warmup(yyjson_val *result);

// Makes a slope in units of y a point one over all `count` points, as a share of `median` (> 0).
struct mr_slope mr_slope_as_share(struct mr_slope slope, size_t count, double median);

#endif
