// generator_figures.c: see generator_figures.h.
#include "generator_figures.h"

#include <math.h>

static double number(yyjson_val *root, const char *path)
{
    yyjson_val *value = yyjson_ptr_get(root, path);
    return yyjson_is_num(value) ? yyjson_get_num(value) : NAN;
}

// Of all threads of the generator, less what the host took meanwhile.
static double busy_ns(yyjson_val *root)
{
    double share = 0;
    double paused_ns = 0;
    size_t index;
    size_t count;
    yyjson_val *thread;
    yyjson_arr_foreach(yyjson_ptr_get(root, "/generator/threads"), index, count, thread)
    {
        share += number(thread, "/busy_share");
        paused_ns += number(thread, "/busy_paused_ns");
    }
    return share * number(root, "/window/ns") - paused_ns;
}

void mr_generator_figures(struct mr_trial_run *run, yyjson_val *root)
{
    double batches = number(root, "/window/batches");
    double planned = number(root, "/window/planned");
    double overshoot_p99_ns = number(root, "/costs/overshoot_p99_ns");
    if (isnan(overshoot_p99_ns)) {
        overshoot_p99_ns = number(root, "/generator/sleep_overshoot_p99_ns");
    }
    const struct mr_metric metrics[] = {
        {"generator_ns_per_batch", "ns", false, busy_ns(root) / batches},
        {"generator_cpu_ns_per_batch", "ns", false, number(root, "/generator/cpu_ns") / batches},
        {"offered_batches_per_s", "batches/s", true, planned * 1e9 / number(root, "/window/ns")},
        {"lateness_p99_ns", "ns", false, number(root, "/series/lateness/p99_ns")},
        {"overshoot_p99_ns", "ns", false, overshoot_p99_ns},
        {"overshoot_max_ns", "ns", false, number(root, "/generator/sleep_overshoot_max_ns")},
    };
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
        mr_trial_metric(&run->trial, metrics[i]);
    }
}

bool mr_generator_verified(yyjson_val *root)
{
    return yyjson_equals_str(yyjson_obj_get(root, "verdict"), "ok");
}
