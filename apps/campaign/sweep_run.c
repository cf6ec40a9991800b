// sweep_run.c: see sweep_run.h.
#include "sweep_run.h"

#include "sweep_files.h"
#include "sweep_saturation.h"
#include "sweep_summary.h"
#include "sweep_trial.h"

#include "base/clock.h"
#include "base/progress.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// What a trial takes beside warm-up and window: start, connecting, STATS, end. For the time left.
#define OVERHEAD_NS (MR_NS_PER_S)

// The closed loop's window where nothing is said.
#define CLOSED_WINDOW_NS (5 * MR_NS_PER_S)

struct walk {
    struct mr_sweep *sweep;
    struct mr_progress progress;
    uint64_t done_ns; // of trials, as planned
    uint64_t total_ns;
    uint64_t row; // over the whole sweep
    struct mr_trial_fault *fault;
};

static uint64_t window_at(const struct mr_sweep *sweep, uint64_t rate_per_s)
{
    if (sweep->options.window_ns != 0) {
        return sweep->options.window_ns;
    }
    return rate_per_s == 0 ? CLOSED_WINDOW_NS : mr_sweep_window_ns(rate_per_s);
}

static uint64_t trial_ns(const struct mr_sweep *sweep, uint64_t rate_per_s)
{
    return sweep->options.warmup_ns + window_at(sweep, rate_per_s) + OVERHEAD_NS;
}

static bool is_out(const struct mr_sweep *sweep, size_t entry)
{
    return sweep->entry[entry].wrong[0] != '\0';
}

static uint64_t rate_in(const struct mr_sweep *sweep, const struct mr_sweep_row *row, size_t entry)
{
    return row->phase == MR_SWEEP_CLOSED ? 0
           : row->phase == MR_SWEEP_PAIR ? mr_sweep_pair_rate(sweep, entry)
                                         : mr_sweep_rate_of(sweep, entry, row->load);
}

// A contestant without a maximum (all its closed loops were excluded) has no loads either.
static bool takes_part(const struct mr_sweep *sweep, const struct mr_sweep_row *row, size_t entry)
{
    return !is_out(sweep, entry) &&
           (row->phase == MR_SWEEP_CLOSED || rate_in(sweep, row, entry) != 0);
}

static void say(struct walk *walk, const struct mr_sweep_point *point)
{
    const struct mr_sweep *sweep = walk->sweep;
    const char *name = sweep->entry[point->entry].entry->text;
    if (point->phase == MR_SWEEP_CLOSED) {
        mr_progress_say(&walk->progress, "%s, closed loop", name);
    } else if (point->phase == MR_SWEEP_PAIR) {
        mr_progress_say(&walk->progress, "%s, pair: %s", name,
                        point->rate_per_s == 0 ? "closed loop" : "overloaded");
    } else if (point->phase == MR_SWEEP_LOAD) {
        mr_progress_say(&walk->progress, "%s at %u %%", name,
                        sweep->options.load_percent[point->load]);
    } else {
        mr_progress_say(&walk->progress, "%s, limit: %llu batches/s", name,
                        (unsigned long long)point->rate_per_s);
    }
    mr_progress_show(&walk->progress, walk->done_ns + 1, walk->total_ns + 1);
}

static int run_point(struct walk *walk, const struct mr_sweep_point *point)
{
    say(walk, point);
    int result = mr_sweep_trial_run(walk->sweep, point, walk->fault);
    walk->done_ns += walk->sweep->options.warmup_ns + point->window_ns + OVERHEAD_NS;
    mr_progress_show(&walk->progress, walk->done_ns, walk->total_ns);
    return result;
}

// An open loop beside a closed one, in alternating order, over windows of one length. The rate is
// one that this contestant does not sustain as far as it has shown until now.
static int run_pair(struct walk *walk, const struct mr_sweep_row *row, size_t entry)
{
    const struct mr_sweep *sweep = walk->sweep;
    int result = 0;
    for (size_t i = 0; result == 0 && i < 2 && !is_out(sweep, entry); i++) {
        bool closed = (row->repeat + i) % 2 == 0;
        const struct mr_sweep_point point = {.phase = MR_SWEEP_PAIR,
                                             .entry = entry,
                                             .rate_per_s =
                                                 closed ? 0 : mr_sweep_pair_rate(sweep, entry),
                                             .window_ns = window_at(sweep, 0),
                                             .repeat = row->repeat,
                                             .row = walk->row};
        result = run_point(walk, &point);
    }
    return result;
}

static int run_load(struct walk *walk, const struct mr_sweep_row *row, size_t entry)
{
    const struct mr_sweep *sweep = walk->sweep;
    uint64_t rate = rate_in(sweep, row, entry);
    const struct mr_sweep_point point = {.phase = row->phase,
                                         .entry = entry,
                                         .load = row->load,
                                         .rate_per_s = rate,
                                         .window_ns = window_at(sweep, rate),
                                         .repeat = row->repeat,
                                         .row = walk->row};
    return run_point(walk, &point);
}

static int run_row(struct walk *walk, const struct mr_sweep_row *row)
{
    struct mr_sweep *sweep = walk->sweep;
    int result = 0;
    for (size_t position = 0; result == 0 && position < sweep->entries_count; position++) {
        size_t entry = row->order[position];
        if (takes_part(sweep, row, entry)) {
            result = row->phase == MR_SWEEP_PAIR ? run_pair(walk, row, entry)
                                                 : run_load(walk, row, entry);
        }
    }
    walk->row++;
    int written = mr_sweep_json_write(sweep, walk->fault);
    return result != 0 ? result : written;
}

// Pairs run among the loads.
static bool is_in(const struct mr_sweep_row *row, enum mr_sweep_phase phase)
{
    return row->phase == phase || (phase == MR_SWEEP_LOAD && row->phase == MR_SWEEP_PAIR);
}

static void plan_time(struct walk *walk, enum mr_sweep_phase phase)
{
    const struct mr_sweep *sweep = walk->sweep;
    walk->done_ns = 0;
    walk->total_ns = 0;
    for (size_t i = 0; i < sweep->rows.count; i++) {
        for (size_t entry = 0; entry < sweep->entries_count; entry++) {
            const struct mr_sweep_row *row = &sweep->rows.row[i];
            if (is_in(row, phase) && takes_part(sweep, row, entry)) {
                walk->total_ns += row->phase == MR_SWEEP_PAIR
                                      ? 2 * trial_ns(sweep, 0)
                                      : trial_ns(sweep, rate_in(sweep, row, entry));
            }
        }
    }
}

static int run_phase(struct walk *walk, enum mr_sweep_phase phase)
{
    int result = 0;
    plan_time(walk, phase);
    mr_progress_init(&walk->progress, "sweeping");
    for (size_t i = 0; result == 0 && i < walk->sweep->rows.count; i++) {
        if (is_in(&walk->sweep->rows.row[i], phase)) {
            result = run_row(walk, &walk->sweep->rows.row[i]);
        }
    }
    mr_progress_fini(&walk->progress);
    return result;
}

static void find_maxima(struct mr_sweep *sweep)
{
    for (size_t entry = 0; entry < sweep->entries_count; entry++) {
        sweep->entry[entry].maximum_per_s =
            is_out(sweep, entry)
                ? NAN
                : mr_sweep_summarise(sweep, MR_SWEEP_CLOSED, entry, 0).achieved_per_s.median;
    }
}

// The votes of the trials of a contestant at one rate.
static struct mr_limit_rate votes(const struct mr_sweep *sweep, enum mr_sweep_phase phase,
                                  size_t entry, uint64_t rate_per_s)
{
    struct mr_limit_rate rate = {.rate_per_s = rate_per_s, .searched = phase == MR_SWEEP_LIMIT};
    for (size_t i = 0; i < sweep->trials_count; i++) {
        const struct mr_sweep_trial *trial = &sweep->trial[i];
        if (trial->phase != phase || trial->entry != entry || trial->rate_per_s != rate_per_s ||
            trial->outcome != MR_TRIAL_COUNTED) {
            continue;
        }
        const struct mr_limit_figures figures = {trial->latency.p50_ns, trial->latency.p90_ns,
                                                 trial->latency.p99_ns, trial->latency.max_ns,
                                                 trial->overloaded};
        enum mr_limit_vote vote = mr_limit_judge(&figures, (double)sweep->options.slo_ns);
        rate.kept += vote == MR_LIMIT_KEPT;
        rate.broke += vote == MR_LIMIT_BROKE;
        rate.undecided += vote == MR_LIMIT_UNDECIDED;
    }
    rate.vote = mr_limit_majority(rate.kept, sweep->options.repeats - rate.kept - rate.broke,
                                  sweep->options.repeats);
    return rate;
}

// Every search begins with what the loads said.
static void open_searches(struct mr_sweep *sweep)
{
    for (size_t entry = 0; entry < sweep->entries_count; entry++) {
        struct mr_sweep_entry *one = &sweep->entry[entry];
        one->limit = mr_limit_search_of(one->maximum_per_s);
        for (size_t load = 0; load < sweep->options.loads_count && one->maximum_per_s > 0; load++) {
            uint64_t rate_per_s = mr_sweep_rate_of(sweep, entry, load);
            bool told = load > 0 && rate_per_s == mr_sweep_rate_of(sweep, entry, load - 1);
            struct mr_limit_rate rate = votes(sweep, MR_SWEEP_LOAD, entry, rate_per_s);
            if (!told && rate.kept + rate.broke + rate.undecided > 0) {
                mr_limit_tell(&one->limit, &rate);
            }
        }
    }
}

// What every contestant that still searches asks next; 0 for the others. How many ask.
static size_t ask(struct walk *walk, uint64_t rate_out[MR_CELL_ENTRIES_MAX])
{
    struct mr_sweep *sweep = walk->sweep;
    size_t asked = 0;
    walk->done_ns = 0;
    walk->total_ns = 0;
    for (size_t entry = 0; entry < sweep->entries_count; entry++) {
        bool asks = !is_out(sweep, entry) && sweep->entry[entry].maximum_per_s > 0 &&
                    mr_limit_next(&sweep->entry[entry].limit, &rate_out[entry]);
        if (asks) {
            asked++;
            walk->total_ns += sweep->options.repeats * trial_ns(sweep, rate_out[entry]);
        } else {
            rate_out[entry] = 0;
        }
    }
    return asked;
}

// One trial of each that asks and is not decided yet.
static int run_search_row(struct walk *walk, const uint64_t *rate, uint64_t repeat)
{
    struct mr_sweep *sweep = walk->sweep;
    unsigned order[MR_CELL_ENTRIES_MAX];
    mr_sweep_order(sweep->entries_count, sweep->options.seed, walk->row, order);
    int result = 0;
    for (size_t i = 0; result == 0 && i < sweep->entries_count; i++) {
        size_t entry = order[i];
        if (rate[entry] == 0 || is_out(sweep, entry) ||
            votes(sweep, MR_SWEEP_LIMIT, entry, rate[entry]).vote != MR_LIMIT_UNDECIDED) {
            continue;
        }
        const struct mr_sweep_point point = {.phase = MR_SWEEP_LIMIT,
                                             .entry = entry,
                                             .rate_per_s = rate[entry],
                                             .window_ns = window_at(sweep, rate[entry]),
                                             .repeat = repeat,
                                             .row = walk->row};
        result = run_point(walk, &point);
    }
    walk->row++;
    int written = mr_sweep_json_write(sweep, walk->fault);
    return result != 0 ? result : written;
}

// One rate of each, all repeats in turn, no more than decide.
static int run_search_round(struct walk *walk, const uint64_t *rate)
{
    struct mr_sweep *sweep = walk->sweep;
    int result = 0;
    mr_progress_init(&walk->progress, "looking for the limit");
    for (uint64_t repeat = 0; result == 0 && repeat < sweep->options.repeats; repeat++) {
        result = run_search_row(walk, rate, repeat);
    }
    mr_progress_fini(&walk->progress);
    for (size_t entry = 0; result == 0 && entry < sweep->entries_count; entry++) {
        if (rate[entry] != 0 && !is_out(sweep, entry)) {
            struct mr_limit_rate said = votes(sweep, MR_SWEEP_LIMIT, entry, rate[entry]);
            mr_limit_tell(&sweep->entry[entry].limit, &said);
        }
    }
    return result;
}

static int run_searches(struct walk *walk)
{
    uint64_t rate[MR_CELL_ENTRIES_MAX];
    int result = 0;
    open_searches(walk->sweep);
    while (result == 0 && ask(walk, rate) > 0) {
        result = run_search_round(walk, rate);
    }
    return result;
}

int mr_sweep_run(struct mr_sweep *sweep, struct mr_trial_fault *fault)
{
    struct walk walk = {.sweep = sweep, .fault = fault};
    sweep->end = MR_SWEEP_RUNNING;
    int result = run_phase(&walk, MR_SWEEP_CLOSED);
    find_maxima(sweep);
    result = result == 0 ? run_phase(&walk, MR_SWEEP_LOAD) : result;
    if (result == 0 && sweep->options.slo_ns != 0) {
        result = run_searches(&walk);
    }
    if (result == 0) {
        sweep->end = MR_SWEEP_COMPLETE;
    }
    return result == -EINTR && sweep->end != MR_SWEEP_RUNNING ? 0 : result;
}
