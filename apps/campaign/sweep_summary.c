// sweep_summary.c: see sweep_summary.h.
#include "sweep_summary.h"

#include "sweep_saturation.h"

#include "stats/robust.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define REPEATS_MAX 99

// The trials of a point that count.
struct counted {
    const struct mr_sweep_trial *trial[REPEATS_MAX];
    size_t count;
};

static double real_at(const struct mr_sweep_trial *trial, size_t offset)
{
    return *(const double *)(const void *)((const char *)trial + offset);
}

static double count_at(const struct mr_sweep_trial *trial, size_t offset)
{
    return (double)*(const uint64_t *)(const void *)((const char *)trial + offset);
}

// The figure that stands at `offset` of struct mr_sweep_trial.
static struct mr_sweep_spread spread(const struct counted *counted, size_t offset,
                                     double (*read)(const struct mr_sweep_trial *, size_t))
{
    double values[REPEATS_MAX];
    for (size_t i = 0; i < counted->count; i++) {
        values[i] = read(counted->trial[i], offset);
        if (isnan(values[i])) {
            return (struct mr_sweep_spread){NAN, NAN, NAN};
        }
    }
    if (counted->count == 0) {
        return (struct mr_sweep_spread){NAN, NAN, NAN};
    }
    mr_sort(values, counted->count);
    return (struct mr_sweep_spread){mr_median_sorted(values, counted->count), values[0],
                                    values[counted->count - 1]};
}

#define SPREAD(field)       spread(&counted, offsetof(struct mr_sweep_trial, field), real_at)
#define COUNT_SPREAD(field) spread(&counted, offsetof(struct mr_sweep_trial, field), count_at)

// The series that stands at `offset`.
static struct mr_sweep_series_spread series_spread(const struct counted *counted, size_t offset)
{
    struct mr_sweep_series_spread series = {.n_min = counted->count > 0 ? UINT64_MAX : 0};
    for (size_t i = 0; i < counted->count; i++) {
        const struct mr_sweep_series *one =
            (const void *)((const char *)counted->trial[i] + offset);
        series.n_min = one->n < series.n_min ? one->n : series.n_min;
    }
    series.p50_ns = spread(counted, offset + offsetof(struct mr_sweep_series, p50_ns), real_at);
    series.p90_ns = spread(counted, offset + offsetof(struct mr_sweep_series, p90_ns), real_at);
    series.p99_ns = spread(counted, offset + offsetof(struct mr_sweep_series, p99_ns), real_at);
    series.p99_9_ns = spread(counted, offset + offsetof(struct mr_sweep_series, p99_9_ns), real_at);
    series.max_ns = spread(counted, offset + offsetof(struct mr_sweep_series, max_ns), real_at);
    return series;
}

struct mr_sweep_summary mr_sweep_summarise(const struct mr_sweep *sweep, enum mr_sweep_phase phase,
                                           size_t entry, size_t load)
{
    struct counted counted = {.count = 0};
    struct mr_sweep_summary sum = {0};
    for (size_t i = 0; i < sweep->trials_count; i++) {
        const struct mr_sweep_trial *trial = &sweep->trial[i];
        bool mine = trial->phase == phase && trial->entry == entry &&
                    (phase != MR_SWEEP_LOAD || trial->load == load);
        if (!mine) {
            continue;
        }
        sum.rate_per_s = trial->rate_per_s;
        sum.window_ns = trial->window_ns;
        sum.excluded += trial->outcome == MR_TRIAL_EXCLUDED;
        if (trial->outcome == MR_TRIAL_COUNTED && counted.count < REPEATS_MAX) {
            counted.trial[counted.count++] = trial;
            sum.overloaded_count += trial->overloaded;
            sum.censored += trial->censored;
            for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
                sum.gate_failed[gate] += trial->gate_failed[gate];
            }
        }
    }
    sum.counted = counted.count;
    sum.overloaded = 2 * sum.overloaded_count > counted.count;
    sum.achieved_per_s = SPREAD(achieved_per_s);
    sum.backlog_begin = COUNT_SPREAD(backlog_begin);
    sum.backlog_end = COUNT_SPREAD(backlog_end);
    sum.latency = series_spread(&counted, offsetof(struct mr_sweep_trial, latency));
    sum.service_time = series_spread(&counted, offsetof(struct mr_sweep_trial, service_time));
    sum.lateness_p99_ns = SPREAD(lateness_p99_ns);
    return sum;
}

uint64_t mr_sweep_rate_of(const struct mr_sweep *sweep, size_t entry, size_t load)
{
    double maximum = sweep->entry[entry].maximum_per_s;
    if (strcmp(sweep->options.of, "slowest") == 0) {
        for (size_t i = 0; i < sweep->entries_count; i++) {
            double other = sweep->entry[i].maximum_per_s;
            maximum = isnan(maximum) || other < maximum ? other : maximum;
        }
    }
    return maximum > 0 ? mr_sweep_rate(maximum, sweep->options.load_percent[load]) : 0;
}

size_t mr_sweep_missing(const struct mr_sweep *sweep, enum mr_sweep_phase phase, size_t entry,
                        size_t load)
{
    size_t counted = mr_sweep_summarise(sweep, phase, entry, load).counted;
    size_t wanted = (size_t)sweep->options.repeats;
    return sweep->entry[entry].wrong[0] != '\0' || counted >= wanted ? 0 : wanted - counted;
}

bool mr_sweep_limit_missing(const struct mr_sweep *sweep, size_t entry)
{
    enum mr_limit_end end = sweep->entry[entry].limit.end;
    return sweep->options.slo_ns != 0 && sweep->entry[entry].wrong[0] == '\0' &&
           (end == MR_LIMIT_SEARCHING || end == MR_LIMIT_NO_TRIALS || end == MR_LIMIT_NO_P99);
}

bool mr_sweep_is_whole(const struct mr_sweep *sweep)
{
    size_t missing = 0;
    for (size_t entry = 0; entry < sweep->entries_count; entry++) {
        missing += mr_sweep_missing(sweep, MR_SWEEP_CLOSED, entry, 0);
        for (size_t load = 0; load < sweep->options.loads_count; load++) {
            missing += mr_sweep_missing(sweep, MR_SWEEP_LOAD, entry, load);
        }
        missing += mr_sweep_limit_missing(sweep, entry);
        missing += mr_sweep_pairs_missing(sweep, entry);
    }
    return missing == 0;
}
