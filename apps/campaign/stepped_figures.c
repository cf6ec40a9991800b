// stepped_figures.c: see stepped_figures.h.
#include "stepped_figures.h"

#include "host_record.h"
#include "served_steadiness.h"

#include "stats/robust.h"

#include <math.h>

#define POINTS_MIN 10

void mr_warm_passes_add(struct mr_warm_passes *warm, double ns)
{
    warm->ns[warm->count++ % MR_WARM_PASSES_MAX] = ns;
}

static void see_pauses(struct mr_trial_run *run, const struct mr_stepped_passes *passes)
{
    double paused_ns = 0;
    double longest_ns = 0;
    double total_ns = 0;
    for (size_t i = 0; i < passes->count; i++) {
        double gap_ns = passes->claimed_ns[i] - passes->exec_ns[i];
        gap_ns = gap_ns < 0 ? 0 : gap_ns; // NAN stays
        paused_ns += gap_ns;
        longest_ns = gap_ns > longest_ns ? gap_ns : longest_ns;
        total_ns += passes->claimed_ns[i];
    }
    mr_record_number(run->doc, run->details, "paused_ns", paused_ns);
    if (isfinite(paused_ns) && total_ns > 0) {
        run->observation.pause_share = paused_ns / total_ns;
        run->observation.pause_longest_ns = longest_ns; // of a pass, which may be several pauses
    }
}

// Throughput over the second half of the warm-up's passes, as far as they are known.
static void see_warmup(struct mr_observation *seen, const struct mr_warm_passes *warm)
{
    double x[MR_WARM_PASSES_MAX];
    double y[MR_WARM_PASSES_MAX];
    static double slopes[MR_WARM_PASSES_MAX * (MR_WARM_PASSES_MAX - 1) / 2];
    size_t half = warm->count - warm->count / 2;
    size_t count = half < MR_WARM_PASSES_MAX ? half : MR_WARM_PASSES_MAX;
    if (count < POINTS_MIN) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        x[i] = (double)i;
        y[i] = 1e9 / warm->ns[(warm->count - count + i) % MR_WARM_PASSES_MAX];
    }
    struct mr_slope_params params = {
        .x = x, .y = y, .count = count, .alpha = 0.05, .scratch = slopes};
    struct mr_slope slope = mr_theil_sen(&params);
    slope = mr_slope_as_share(slope, count, mr_median(y, count, x));
    seen->warmup_slope = slope.slope;
    seen->warmup_slope_low = slope.low;
    seen->warmup_slope_high = slope.high;
}

void mr_stepped_figures(struct mr_trial_run *run, const struct mr_stepped_passes *passes,
                        const struct mr_warm_passes *warm)
{
    yyjson_mut_val *claimed = yyjson_mut_obj_add_arr(run->doc, run->details, "pass_ns");
    yyjson_mut_val *used = yyjson_mut_obj_add_arr(run->doc, run->details, "pass_exec_ns");
    for (size_t i = 0; i < passes->count; i++) {
        yyjson_mut_arr_add_real(run->doc, claimed, passes->claimed_ns[i]);
        if (isfinite(passes->exec_ns[i])) {
            yyjson_mut_arr_add_real(run->doc, used, passes->exec_ns[i]);
        } else {
            yyjson_mut_arr_add_null(run->doc, used);
        }
    }
    see_pauses(run, passes);
    see_warmup(&run->observation, warm);
}
