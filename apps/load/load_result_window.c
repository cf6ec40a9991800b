// load_result_window.c: what the window holds, as JSON: counts, rates, series, the generator's
// part.
#include "load_result.h"

#include "base/clock.h"

double mr_load_busy_share(const struct mr_load_run *run)
{
    double most_ns = 0;
    for (uint32_t i = 0; i < run->workers_count; i++) {
        double busy_ns = (double)run->worker[i].recorder.counts.busy_ns;
        most_ns = busy_ns > most_ns ? busy_ns : most_ns;
    }
    return most_ns / (double)run->options->window_ns;
}

static void add_sanity(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct mr_load_run *run)
{
    double deviation;
    yyjson_mut_obj_add_uint(doc, object, "in_flight_integral_ns", run->sum.counts.flying_ns);
    yyjson_mut_obj_add_uint(doc, object, "round_trips_inside_ns", run->sum.counts.round_trips_ns);
    bool known = mr_recorder_deviation(&run->sum, &deviation) && run->failure.verdict == MR_LOAD_OK;
    if (known) {
        yyjson_mut_obj_add_real(doc, object, "recorder_deviation", deviation);
        yyjson_mut_obj_add_real(doc, object, "recorder_deviation_over_limit",
                                deviation / MR_RECORDER_DEVIATION_MAX);
    } else {
        yyjson_mut_obj_add_null(doc, object, "recorder_deviation");
        yyjson_mut_obj_add_null(doc, object, "recorder_deviation_over_limit");
    }
}

uint64_t mr_load_planned(const struct mr_load_run *run)
{
    const struct mr_load_options *options = run->options;
    const struct mr_plan *plan = &run->shared.plan;
    return mr_plan_slots_before(plan, options->warmup_ns + options->window_ns) -
           mr_plan_slots_before(plan, options->warmup_ns);
}

bool mr_load_overloaded(const struct mr_load_run *run)
{
    const struct mr_window_counts *counts = &run->sum.counts;
    return mr_plan_overloaded(mr_load_planned(run), counts->backlog_begin, counts->backlog_end);
}

static void add_open_window(yyjson_mut_doc *doc, yyjson_mut_val *object,
                            const struct mr_load_run *run)
{
    yyjson_mut_obj_add_uint(doc, object, "planned", mr_load_planned(run));
    if (run->window_complete) {
        yyjson_mut_obj_add_bool(doc, object, "overloaded", mr_load_overloaded(run));
    } else {
        yyjson_mut_obj_add_null(doc, object, "overloaded");
    }
    yyjson_mut_obj_add_uint(doc, object, "blocked", run->sum.counts.blocked);
}

static void add_rates(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct mr_load_run *run)
{
    const struct mr_window_counts *counts = &run->sum.counts;
    double seconds = (double)run->options->window_ns / (double)MR_NS_PER_S;
    if (!run->window_complete) {
        yyjson_mut_obj_add_null(doc, object, "batches_per_s");
        yyjson_mut_obj_add_null(doc, object, "records_per_s");
        yyjson_mut_obj_add_null(doc, object, "payload_bytes_per_s");
        return;
    }
    yyjson_mut_obj_add_real(doc, object, "batches_per_s", (double)counts->batches / seconds);
    yyjson_mut_obj_add_real(doc, object, "records_per_s", (double)counts->records / seconds);
    yyjson_mut_obj_add_real(doc, object, "payload_bytes_per_s",
                            (double)counts->payload_bytes / seconds);
}

static void add_window(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_load_run *run)
{
    const struct mr_window_counts *counts = &run->sum.counts;
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, root, "window");
    yyjson_mut_obj_add_uint(doc, object, "ns", run->options->window_ns);
    yyjson_mut_obj_add_bool(doc, object, "complete", run->window_complete);
    yyjson_mut_obj_add_uint(doc, object, "batches", counts->batches);
    yyjson_mut_obj_add_uint(doc, object, "accepted", counts->accepted);
    yyjson_mut_obj_add_uint(doc, object, "rejected", counts->rejected);
    yyjson_mut_obj_add_uint(doc, object, "records", counts->records);
    yyjson_mut_obj_add_uint(doc, object, "payload_bytes", counts->payload_bytes);
    yyjson_mut_obj_add_uint(doc, object, "sent_bytes", counts->sent_bytes);
    yyjson_mut_obj_add_uint(doc, object, "received_bytes", counts->received_bytes);
    yyjson_mut_obj_add_uint(doc, object, "due", counts->due);
    yyjson_mut_obj_add_uint(doc, object, "censored", counts->censored);
    yyjson_mut_obj_add_uint(doc, object, "censored_never_sent", counts->censored_never_sent);
    yyjson_mut_obj_add_uint(doc, object, "backlog_begin", counts->backlog_begin);
    if (run->window_complete) {
        yyjson_mut_obj_add_uint(doc, object, "backlog_end", counts->backlog_end);
    } else {
        yyjson_mut_obj_add_null(doc, object, "backlog_end");
    }
    if (run->options->plan != MR_PLAN_CLOSED && !run->shared.opening) {
        add_open_window(doc, object, run);
    }
    add_rates(doc, object, run);
    if (run->window_complete) {
        yyjson_mut_obj_add_real(doc, object, "busy_share", mr_load_busy_share(run));
    } else {
        yyjson_mut_obj_add_null(doc, object, "busy_share");
    }
    add_sanity(doc, object, run);
}

static void add_series(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_load_run *run)
{
    yyjson_mut_val *series = yyjson_mut_obj_add_obj(doc, root, "series");
    for (int i = 0; i < MR_SERIES_COUNT; i++) {
        bool open = run->options->plan != MR_PLAN_CLOSED;
        bool loop = i == MR_SERIES_POLL_GAP || i == MR_SERIES_REPLY_GAP;
        const char *name = mr_series_name((enum mr_series)i);
        if (loop || open != (i == MR_SERIES_ROUND_TRIP)) {
            yyjson_mut_obj_add_val(doc, series, name,
                                   mr_load_series_json(doc, &run->sum.series[i], !loop));
        } else {
            yyjson_mut_obj_add_null(doc, series, name);
        }
    }
}

// Of the thread that had most; on a machine without a spare core this is the watch over the host.
static void add_pauses(yyjson_mut_doc *doc, yyjson_mut_val *generator,
                       const struct mr_load_run *run)
{
    const struct mr_pauses *most = &run->worker[0].watch.pauses;
    uint64_t longest_ns = 0;
    for (uint32_t i = 0; i < run->workers_count; i++) {
        const struct mr_pauses *own = &run->worker[i].watch.pauses;
        most = own->total_ns > most->total_ns ? own : most;
        longest_ns = own->longest_ns > longest_ns ? own->longest_ns : longest_ns;
    }
    yyjson_mut_val *pauses = yyjson_mut_obj_add_obj(doc, generator, "pauses");
    yyjson_mut_obj_add_uint(doc, pauses, "threshold_ns", MR_PAUSE_THRESHOLD_NS);
    yyjson_mut_obj_add_uint(doc, pauses, "count", most->count);
    yyjson_mut_obj_add_uint(doc, pauses, "total_ns", most->total_ns);
    yyjson_mut_obj_add_uint(doc, pauses, "longest_ns", longest_ns);
    yyjson_mut_obj_add_real(doc, pauses, "share",
                            (double)most->total_ns / (double)run->options->window_ns);
}

static void add_generator(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_load_run *run)
{
    const struct mr_window_counts *counts = &run->sum.counts;
    double window_ns = (double)run->options->window_ns;
    yyjson_mut_val *generator = yyjson_mut_obj_add_obj(doc, root, "generator");
    yyjson_mut_val *threads = yyjson_mut_obj_add_arr(doc, generator, "threads");
    for (uint32_t i = 0; i < run->workers_count; i++) {
        const struct mr_window_counts *own = &run->worker[i].recorder.counts;
        yyjson_mut_val *thread = yyjson_mut_arr_add_obj(doc, threads);
        yyjson_mut_obj_add_real(doc, thread, "busy_share", (double)own->busy_ns / window_ns);
        yyjson_mut_obj_add_uint(doc, thread, "busy_paused_ns", own->busy_paused_ns);
        yyjson_mut_obj_add_uint(doc, thread, "cpu_ns", own->cpu_ns);
        yyjson_mut_obj_add_uint(doc, thread, "batches", own->batches);
    }
    yyjson_mut_obj_add_uint(doc, generator, "cpu_ns", counts->cpu_ns);
    yyjson_mut_obj_add_uint(doc, generator, "polls", counts->polls);
    yyjson_mut_obj_add_uint(doc, generator, "polls_empty", counts->polls_empty);
    yyjson_mut_obj_add_uint(doc, generator, "sleeps", counts->sleeps);
    yyjson_mut_obj_add_uint(doc, generator, "burst_max_bytes", counts->burst_max_bytes);
    add_pauses(doc, generator, run);
    yyjson_mut_obj_add_real(doc, generator, "clock_cost_ns", run->costs.clock_ns);
    yyjson_mut_obj_add_uint(doc, generator, "sleep_overshoot_p50_ns", run->costs.overshoot_p50_ns);
    yyjson_mut_obj_add_uint(doc, generator, "sleep_overshoot_p99_ns", run->costs.overshoot_p99_ns);
    yyjson_mut_obj_add_uint(doc, generator, "sleep_overshoot_max_ns", run->costs.overshoot_max_ns);
    if (run->costs_after.sleeps > 0) {
        yyjson_mut_obj_add_uint(doc, generator, "sleep_overshoot_after_p99_ns",
                                run->costs_after.overshoot_p99_ns);
    } else {
        yyjson_mut_obj_add_null(doc, generator, "sleep_overshoot_after_p99_ns");
    }
}

static void add_spread(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_load_run *run)
{
    uint64_t batches_min = UINT64_MAX;
    uint64_t batches_max = 0;
    uint64_t bytes_min = UINT64_MAX;
    uint64_t bytes_max = 0;
    for (uint32_t i = 0; i < run->clients_count; i++) {
        const struct mr_client *client = &run->client[i];
        uint64_t batches = client->window_batches;
        uint64_t bytes = client->window_payload_bytes;
        batches_min = batches < batches_min ? batches : batches_min;
        batches_max = batches > batches_max ? batches : batches_max;
        bytes_min = bytes < bytes_min ? bytes : bytes_min;
        bytes_max = bytes > bytes_max ? bytes : bytes_max;
    }
    yyjson_mut_val *spread = yyjson_mut_obj_add_obj(doc, root, "connections");
    yyjson_mut_obj_add_uint(doc, spread, "batches_min", run->clients_count > 0 ? batches_min : 0);
    yyjson_mut_obj_add_uint(doc, spread, "batches_max", batches_max);
    yyjson_mut_obj_add_uint(doc, spread, "payload_bytes_min",
                            run->clients_count > 0 ? bytes_min : 0);
    yyjson_mut_obj_add_uint(doc, spread, "payload_bytes_max", bytes_max);
}

// null where there were no legs: not asked for, or too few batches.
static void add_novelty(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_legs *legs)
{
    if (legs->pairs == 0) {
        yyjson_mut_obj_add_null(doc, root, "novelty");
        return;
    }
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, root, "novelty");
    yyjson_mut_obj_add_uint(doc, object, "leg_batches", legs->leg_batches);
    yyjson_mut_obj_add_uint(doc, object, "pairs", legs->pairs);
    yyjson_mut_obj_add_real(doc, object, "seen_ns_per_byte", mr_legs_cost(legs, false, 25));
    yyjson_mut_obj_add_real(doc, object, "unseen_ns_per_byte", mr_legs_cost(legs, true, 25));
    yyjson_mut_obj_add_real(doc, object, "unseen_over_seen", mr_legs_unseen_over_seen(legs));
}

void mr_load_result_measured(yyjson_mut_doc *doc, yyjson_mut_val *root,
                             const struct mr_load_run *run)
{
    add_window(doc, root, run);
    add_series(doc, root, run);
    add_generator(doc, root, run);
    add_spread(doc, root, run);
    add_novelty(doc, root, &run->legs);
    enum mr_series main_series = mr_recorder_series_at(run->options->plan, MR_INTERVALS_MAIN);
    yyjson_mut_obj_add_val(doc, root, "timeline",
                           mr_load_timeline_json(doc, &run->sum.timeline, main_series));
}
