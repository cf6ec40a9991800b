// served_figures.c: see served_figures.h.
#include "served_figures.h"

#include "served_steadiness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A number at `path` of the result, NAN where it is null or missing.
static double number(yyjson_val *result, const char *path)
{
    yyjson_val *value = yyjson_ptr_get(result, path);
    return yyjson_is_num(value) ? yyjson_get_num(value) : NAN;
}

// A scalar of a STATS reply (docs/PROTOCOL.md, section 5: 16 hex digits), NAN where it is null or
// missing.
static double stated(yyjson_val *result, const char *path)
{
    yyjson_val *value = yyjson_ptr_get(result, path);
    const char *text = yyjson_get_len(value) == 16 ? yyjson_get_str(value) : NULL;
    return text != NULL && strspn(text, "0123456789abcdef") == 16 ? (double)strtoull(text, NULL, 16)
                                                                  : NAN;
}

static double reading(struct mr_reading figure)
{
    return figure.known ? (double)figure.value : NAN;
}

// The highest rate of a plan in steps.
static double highest_rate(yyjson_val *steps)
{
    double highest = NAN;
    size_t index;
    size_t count;
    yyjson_val *step;
    yyjson_arr_foreach(steps, index, count, step)
    {
        highest = fmax(highest, fmax(number(step, "/from_per_s"), number(step, "/to_per_s")));
    }
    return highest;
}

// Time between due times of the plan: bursts: their period; steps: at the highest rate; else the
// (mean) gap at the rate.
static double gap_of(yyjson_val *result)
{
    double period_ns = number(result, "/inputs/period_ns");
    if (isfinite(period_ns)) {
        return period_ns;
    }
    yyjson_val *steps = yyjson_ptr_get(result, "/inputs/steps");
    double rate = yyjson_is_arr(steps) ? highest_rate(steps) : number(result, "/inputs/rate_per_s");
    return 1e9 / rate;
}

// The host's own lateness is what it shows both before and after the load: a slow start of the
// generator, or a disturbance at one end, excuses nothing.
static double overshoot_of(yyjson_val *result)
{
    double before_ns = number(result, "/generator/sleep_overshoot_p99_ns");
    double after_ns = number(result, "/generator/sleep_overshoot_after_p99_ns");
    bool judged = yyjson_ptr_get(result, "/series/lateness") != NULL;
    return judged && (isnan(before_ns) || isnan(after_ns)) ? NAN : fmin(before_ns, after_ns);
}

// How much more than an even share the busiest thread did. With one thread there is no share.
static double imbalance_of(const struct mr_served_seen *seen)
{
    if (seen->threads <= 1) {
        return 0;
    }
    if (seen->use == NULL || !seen->use->threads.known || seen->use->threads.count == 0) {
        return NAN;
    }
    double busiest = reading(seen->use->threads.thread[0].exec_ns);
    return busiest / (reading(seen->use->exec_ns) / (double)seen->threads) - 1;
}

static void observe(struct mr_observation *observation, yyjson_val *result,
                    const struct mr_served_seen *seen)
{
    observation->generator_busy = number(result, "/window/busy_share");
    observation->recorder_deviation = number(result, "/window/recorder_deviation_over_limit");
    observation->unseen_over_seen = number(result, "/novelty/unseen_over_seen");
    observation->overshoot_p99_ns = overshoot_of(result);
    observation->thread_imbalance = imbalance_of(seen);
    observation->compiled_methods = stated(result, "/stats_after/reply/runtime/compiled_methods") -
                                    stated(result, "/stats_before/reply/runtime/compiled_methods");
    if (observation->open_loop) {
        observation->lateness_p99_ns = number(result, "/series/lateness/p99_ns");
        observation->latency_p99_ns = number(result, "/series/latency/p99_ns");
        observation->gap_ns = gap_of(result);
        yyjson_val *overloaded = yyjson_ptr_get(result, "/window/overloaded");
        observation->overloaded = yyjson_is_bool(overloaded) ? yyjson_get_bool(overloaded) : NAN;
        return;
    }
    struct mr_slope warmup = mr_served_warmup(result);
    observation->warmup_slope = warmup.slope;
    observation->warmup_slope_low = warmup.low;
    observation->warmup_slope_high = warmup.high;
    struct mr_slope slope = mr_served_steadiness(result);
    observation->throughput_slope = slope.slope;
    observation->throughput_slope_low = slope.low;
    observation->throughput_slope_high = slope.high;
}

void mr_served_figures(struct mr_trial *trial, struct mr_observation *observation,
                       yyjson_val *result, const struct mr_served_seen *seen)
{
    bool known = seen->use != NULL;
    double cpu_ns = known ? reading(seen->use->exec_ns) : NAN;
    double wall_ns = (double)seen->wall_ns;
    double records_per_s = number(result, "/window/records_per_s");
    observe(observation, result, seen);
    observation->server_busy = cpu_ns / wall_ns / (double)seen->cores;
    const struct mr_metric metrics[] = {
        {"records_per_s", "records/s", true, records_per_s},
        {"payload_bytes_per_s", "bytes/s", true, number(result, "/window/payload_bytes_per_s")},
        {"batches_per_s", "batches/s", true, number(result, "/window/batches_per_s")},
        {"server_cpu_s_per_million_records", "s", false, cpu_ns / wall_ns / records_per_s * 1e6},
        {"server_busy", "share", false, observation->server_busy},
        {"generator_busy", "share", false, observation->generator_busy},
        {"round_trip_p50_ns", "ns", false, number(result, "/series/round_trip/p50_ns")},
        {"round_trip_p99_ns", "ns", false, number(result, "/series/round_trip/p99_ns")},
        {"latency_p50_ns", "ns", false, number(result, "/series/latency/p50_ns")},
        {"latency_p99_ns", "ns", false, number(result, "/series/latency/p99_ns")},
        {"service_time_p50_ns", "ns", false, number(result, "/series/service_time/p50_ns")},
        {"service_time_p99_ns", "ns", false, number(result, "/series/service_time/p99_ns")},
        {"peak_rss_bytes", "bytes", false, known ? reading(seen->use->memory.peak_bytes) : NAN},
        {"rss_bytes", "bytes", false, known ? reading(seen->use->memory.resident_bytes) : NAN},
        {"startup_ns", "ns", false, (double)seen->startup_ns},
    };
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
        mr_trial_metric(trial, metrics[i]);
    }
}
