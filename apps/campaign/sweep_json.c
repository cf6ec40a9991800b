// sweep_json.c: see sweep_files.h: sweep.json.
#include "manifest.h"
#include "sweep_files.h"
#include "sweep_saturation.h"
#include "sweep_summary.h"

#include "base/clock.h"
#include "base/file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef MR_VERSION
#error "MR_VERSION comes from the build"
#endif

static void add_number(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, double value)
{
    if (isfinite(value)) {
        yyjson_mut_obj_add_real(doc, object, key, value);
    } else {
        yyjson_mut_obj_add_null(doc, object, key);
    }
}

// null where n is too small, or nothing counts.
static void add_spread(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                       struct mr_sweep_spread spread)
{
    if (isnan(spread.median)) {
        yyjson_mut_obj_add_null(doc, object, key);
        return;
    }
    yyjson_mut_val *value = yyjson_mut_obj_add_obj(doc, object, key);
    yyjson_mut_obj_add_real(doc, value, "median", spread.median);
    yyjson_mut_obj_add_real(doc, value, "low", spread.low);
    yyjson_mut_obj_add_real(doc, value, "high", spread.high);
}

static void add_series_spread(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                              const struct mr_sweep_series_spread *series)
{
    yyjson_mut_val *value = yyjson_mut_obj_add_obj(doc, object, key);
    yyjson_mut_obj_add_uint(doc, value, "n_min", series->n_min);
    add_spread(doc, value, "p50_ns", series->p50_ns);
    add_spread(doc, value, "p90_ns", series->p90_ns);
    add_spread(doc, value, "p99_ns", series->p99_ns);
    add_spread(doc, value, "p99_9_ns", series->p99_9_ns);
    add_spread(doc, value, "max_ns", series->max_ns);
}

static void add_series(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                       const struct mr_sweep_series *series)
{
    yyjson_mut_val *value = yyjson_mut_obj_add_obj(doc, object, key);
    yyjson_mut_obj_add_uint(doc, value, "n", series->n);
    add_number(doc, value, "p50_ns", series->p50_ns);
    add_number(doc, value, "p90_ns", series->p90_ns);
    add_number(doc, value, "p99_ns", series->p99_ns);
    add_number(doc, value, "p99_9_ns", series->p99_9_ns);
    add_number(doc, value, "max_ns", series->max_ns);
}

static void add_inputs(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_sweep *sweep)
{
    const struct mr_sweep_options *options = &sweep->options;
    yyjson_mut_val *inputs = yyjson_mut_obj_add_obj(doc, root, "inputs");
    yyjson_mut_obj_add_str(doc, inputs, "plan", options->plan);
    yyjson_mut_obj_add_str(doc, inputs, "of", options->of);
    yyjson_mut_val *loads = yyjson_mut_obj_add_arr(doc, inputs, "loads_percent");
    for (size_t i = 0; i < options->loads_count; i++) {
        yyjson_mut_arr_add_uint(doc, loads, options->load_percent[i]);
    }
    yyjson_mut_obj_add_uint(doc, inputs, "repeats", options->repeats);
    yyjson_mut_obj_add_uint(doc, inputs, "pairs", options->pairs);
    if (options->slo_ns != 0) {
        yyjson_mut_obj_add_uint(doc, inputs, "slo_ns", options->slo_ns);
    } else {
        yyjson_mut_obj_add_null(doc, inputs, "slo_ns");
    }
    if (options->window_ns != 0) {
        yyjson_mut_obj_add_uint(doc, inputs, "window_ns", options->window_ns);
    } else {
        yyjson_mut_obj_add_null(doc, inputs, "window_ns");
    }
    yyjson_mut_obj_add_uint(doc, inputs, "budget_ns", options->budget_ns);
    yyjson_mut_obj_add_uint(doc, inputs, "seed", options->seed);
    yyjson_mut_obj_add_uint(doc, inputs, "connections", options->connections);
    yyjson_mut_obj_add_uint(doc, inputs, "depth", options->depth);
    yyjson_mut_obj_add_uint(doc, inputs, "server_threads", options->threads);
    yyjson_mut_obj_add_str(doc, inputs, "mode", options->mode);
    yyjson_mut_obj_add_str(doc, inputs, "gates", options->gates);
}

static void add_dataset(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_sweep *sweep)
{
    const struct mr_race_data *data = &sweep->race.data[0];
    yyjson_mut_val *dataset = yyjson_mut_obj_add_obj(doc, root, "dataset");
    yyjson_mut_obj_add_str(doc, dataset, "name", data->name);
    yyjson_mut_obj_add_str(doc, dataset, "shape", data->shape);
    yyjson_mut_obj_add_str(doc, dataset, "sha256", data->sha256);
    yyjson_mut_obj_add_uint(doc, dataset, "batches", data->batches);
    yyjson_mut_obj_add_uint(doc, dataset, "records", data->records);
    yyjson_mut_obj_add_uint(doc, dataset, "payload_bytes", data->payload_bytes);
}

static void add_schedule(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_sweep *sweep)
{
    yyjson_mut_val *schedule = yyjson_mut_obj_add_arr(doc, root, "schedule");
    for (size_t i = 0; i < sweep->rows.count; i++) {
        const struct mr_sweep_row *row = &sweep->rows.row[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, schedule);
        yyjson_mut_obj_add_str(doc, one, "phase", mr_sweep_phase_name(row->phase));
        if (row->phase == MR_SWEEP_LOAD) {
            yyjson_mut_obj_add_uint(doc, one, "load_percent",
                                    sweep->options.load_percent[row->load]);
        } else {
            yyjson_mut_obj_add_null(doc, one, "load_percent");
        }
        yyjson_mut_obj_add_uint(doc, one, "repeat", row->repeat);
        yyjson_mut_val *order = yyjson_mut_obj_add_arr(doc, one, "order");
        for (size_t k = 0; k < sweep->entries_count; k++) {
            yyjson_mut_arr_add_str(doc, order, sweep->entry[row->order[k]].entry->text);
        }
    }
}

static void add_gates(yyjson_mut_doc *doc, yyjson_mut_val *object, const size_t *failed)
{
    yyjson_mut_val *gates = yyjson_mut_obj_add_obj(doc, object, "gates_failed");
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        if (failed[gate] > 0) {
            yyjson_mut_obj_add_uint(doc, gates, mr_gate_name((enum mr_gate)gate), failed[gate]);
        }
    }
}

static void add_point(yyjson_mut_doc *doc, yyjson_mut_val *points, const struct mr_sweep *sweep,
                      size_t entry, size_t load)
{
    struct mr_sweep_summary sum = mr_sweep_summarise(sweep, MR_SWEEP_LOAD, entry, load);
    if (sum.counted + sum.excluded == 0) {
        return;
    }
    yyjson_mut_val *point = yyjson_mut_arr_add_obj(doc, points);
    yyjson_mut_obj_add_uint(doc, point, "load_percent", sweep->options.load_percent[load]);
    yyjson_mut_obj_add_uint(doc, point, "rate_per_s", sum.rate_per_s);
    yyjson_mut_obj_add_uint(doc, point, "window_ns", sum.window_ns);
    yyjson_mut_obj_add_uint(doc, point, "trials_counted", sum.counted);
    yyjson_mut_obj_add_uint(doc, point, "trials_excluded", sum.excluded);
    yyjson_mut_obj_add_bool(doc, point, "overloaded", sum.overloaded);
    yyjson_mut_obj_add_uint(doc, point, "trials_overloaded", sum.overloaded_count);
    add_spread(doc, point, "achieved_per_s", sum.achieved_per_s);
    add_spread(doc, point, "backlog_begin", sum.backlog_begin);
    add_spread(doc, point, "backlog_end", sum.backlog_end);
    yyjson_mut_obj_add_uint(doc, point, "censored", sum.censored);
    add_series_spread(doc, point, "latency", &sum.latency);
    add_series_spread(doc, point, "service_time", &sum.service_time);
    add_spread(doc, point, "lateness_p99_ns", sum.lateness_p99_ns);
    add_gates(doc, point, sum.gate_failed);
}

static void add_maximum(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct mr_sweep *sweep,
                        size_t entry)
{
    struct mr_sweep_summary sum = mr_sweep_summarise(sweep, MR_SWEEP_CLOSED, entry, 0);
    yyjson_mut_val *maximum = yyjson_mut_obj_add_obj(doc, object, "maximum");
    yyjson_mut_obj_add_uint(doc, maximum, "trials_counted", sum.counted);
    yyjson_mut_obj_add_uint(doc, maximum, "trials_excluded", sum.excluded);
    add_spread(doc, maximum, "batches_per_s", sum.achieved_per_s);
    yyjson_mut_obj_add_bool(doc, maximum, "generator_bound",
                            sum.gate_failed[MR_GATE_GENERATOR_KEPT_UP] > 0);
    add_gates(doc, maximum, sum.gate_failed);
}

static void add_saturation(yyjson_mut_doc *doc, yyjson_mut_val *object,
                           const struct mr_sweep *sweep, size_t entry)
{
    struct mr_sweep_saturation found = mr_sweep_saturation_of(sweep, entry);
    if (found.pairs == 0) {
        yyjson_mut_obj_add_null(doc, object, "saturation");
        return;
    }
    yyjson_mut_val *saturation = yyjson_mut_obj_add_obj(doc, object, "saturation");
    yyjson_mut_obj_add_uint(doc, saturation, "load_percent", MR_SATURATION_PERCENT);
    yyjson_mut_obj_add_uint(doc, saturation, "pairs", found.pairs);
    yyjson_mut_obj_add_uint(doc, saturation, "pairs_sustained", found.sustained);
    add_number(doc, saturation, "open_loop_per_s", found.open_per_s);
    add_number(doc, saturation, "closed_loop_per_s", found.closed_per_s);
    add_number(doc, saturation, "ratio", found.ratio);
    add_number(doc, saturation, "ratio_low", found.ratio_low);
    add_number(doc, saturation, "ratio_high", found.ratio_high);
    yyjson_mut_obj_add_real(doc, saturation, "confidence", found.confidence);
    yyjson_mut_obj_add_str(doc, saturation, "verdict", mr_saturation_verdict_name(found.verdict));
}

static void add_rate(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, uint64_t rate)
{
    if (rate == 0) {
        yyjson_mut_obj_add_null(doc, object, key);
    } else {
        yyjson_mut_obj_add_uint(doc, object, key, rate);
    }
}

static void add_limit(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct mr_sweep *sweep,
                      const struct mr_sweep_entry *entry)
{
    if (sweep->options.slo_ns == 0) {
        yyjson_mut_obj_add_null(doc, object, "slo");
        return;
    }
    const struct mr_limit_search *limit = &entry->limit;
    yyjson_mut_val *slo = yyjson_mut_obj_add_obj(doc, object, "slo");
    yyjson_mut_obj_add_uint(doc, slo, "limit_ns", sweep->options.slo_ns);
    yyjson_mut_obj_add_str(doc, slo, "percentile", "p99");
    yyjson_mut_obj_add_str(doc, slo, "ended", mr_limit_end_name(limit->end));
    add_rate(doc, slo, "kept_per_s", limit->kept_per_s);
    add_rate(doc, slo, "broke_per_s", limit->broke_per_s);
    yyjson_mut_obj_add_bool(doc, slo, "contradicted", limit->contradicted);
    yyjson_mut_obj_add_real(doc, slo, "resolution", MR_LIMIT_RESOLUTION);
    yyjson_mut_val *rates = yyjson_mut_obj_add_arr(doc, slo, "rates");
    for (size_t i = 0; i < limit->told_count; i++) {
        const struct mr_limit_rate *rate = &limit->told[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, rates);
        yyjson_mut_obj_add_uint(doc, one, "rate_per_s", rate->rate_per_s);
        yyjson_mut_obj_add_str(doc, one, "verdict", mr_limit_vote_name(rate->vote));
        yyjson_mut_obj_add_uint(doc, one, "trials_kept", rate->kept);
        yyjson_mut_obj_add_uint(doc, one, "trials_broke", rate->broke);
        yyjson_mut_obj_add_uint(doc, one, "trials_undecided", rate->undecided);
        yyjson_mut_obj_add_bool(doc, one, "searched", rate->searched);
    }
}

static void add_contestants(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_sweep *sweep)
{
    yyjson_mut_val *contestants = yyjson_mut_obj_add_arr(doc, root, "contestants");
    for (size_t i = 0; i < sweep->entries_count; i++) {
        const struct mr_sweep_entry *entry = &sweep->entry[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, contestants);
        yyjson_mut_obj_add_str(doc, one, "entry", entry->entry->text);
        yyjson_mut_obj_add_str(doc, one, "class", entry->entry->contestant.class);
        yyjson_mut_obj_add_str(doc, one, "language", entry->entry->contestant.language);
        yyjson_mut_obj_add_str(doc, one, "conformance", entry->conformance);
        if (entry->wrong[0] != '\0') {
            yyjson_mut_obj_add_str(doc, one, "wrong", entry->wrong);
        } else {
            yyjson_mut_obj_add_null(doc, one, "wrong");
        }
        add_maximum(doc, one, sweep, i);
        add_saturation(doc, one, sweep, i);
        yyjson_mut_val *points = yyjson_mut_obj_add_arr(doc, one, "points");
        for (size_t load = 0; load < sweep->options.loads_count; load++) {
            add_point(doc, points, sweep, i, load);
        }
        add_limit(doc, one, sweep, entry);
    }
}

static void add_trial(yyjson_mut_doc *doc, yyjson_mut_val *trials, const struct mr_sweep *sweep,
                      const struct mr_sweep_trial *trial)
{
    yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, trials);
    yyjson_mut_obj_add_uint(doc, one, "number", trial->number);
    yyjson_mut_obj_add_str(doc, one, "phase", mr_sweep_phase_name(trial->phase));
    yyjson_mut_obj_add_str(doc, one, "entry", sweep->entry[trial->entry].entry->text);
    add_rate(doc, one, "load_percent",
             trial->phase == MR_SWEEP_LOAD ? sweep->options.load_percent[trial->load] : 0);
    add_rate(doc, one, "rate_per_s", trial->rate_per_s);
    yyjson_mut_obj_add_uint(doc, one, "window_ns", trial->window_ns);
    yyjson_mut_obj_add_uint(doc, one, "repeat", trial->repeat);
    yyjson_mut_obj_add_uint(doc, one, "attempt", trial->attempt);
    yyjson_mut_obj_add_str(doc, one, "outcome", mr_trial_outcome_name(trial->outcome));
    yyjson_mut_obj_add_str(doc, one, "reason", trial->reason);
    add_number(doc, one, "achieved_per_s", trial->achieved_per_s);
    if (trial->rate_per_s != 0 && trial->measured) {
        yyjson_mut_obj_add_bool(doc, one, "overloaded", trial->overloaded);
        yyjson_mut_obj_add_uint(doc, one, "planned", trial->planned);
        yyjson_mut_obj_add_uint(doc, one, "backlog_begin", trial->backlog_begin);
        yyjson_mut_obj_add_uint(doc, one, "backlog_end", trial->backlog_end);
        yyjson_mut_obj_add_uint(doc, one, "censored", trial->censored);
        add_series(doc, one, "latency", &trial->latency);
        add_series(doc, one, "service_time", &trial->service_time);
        add_number(doc, one, "lateness_p99_ns", trial->lateness_p99_ns);
    }
    size_t failed[MR_GATE_COUNT];
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        failed[gate] = trial->gate_failed[gate];
    }
    add_gates(doc, one, failed);
}

static yyjson_mut_doc *compose(const struct mr_sweep *sweep)
{
    static const char *const ends[] = {"complete", "time budget", "signal", "running"};
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    if (doc == NULL) {
        return NULL;
    }
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    char now[21];
    char missing[2048];
    mr_clock_utc_text(now);
    mr_sweep_missing_text(sweep, missing, sizeof missing);
    const char *commit = getenv("MR_COMMIT");
    yyjson_mut_obj_add_str(doc, root, "schema", "matchrace/sweep/1");
    yyjson_mut_obj_add_str(doc, root, "started_utc", sweep->started_utc);
    yyjson_mut_obj_add_strcpy(doc, root, "written_utc", now);
    yyjson_mut_obj_add_str(doc, root, "program_version", MR_VERSION);
    yyjson_mut_obj_add_str(doc, root, "commit", commit == NULL ? "unavailable" : commit);
    yyjson_mut_obj_add_str(doc, root, "reproduce", sweep->reproduce);
    yyjson_mut_obj_add_bool(doc, root, "complete",
                            sweep->end == MR_SWEEP_COMPLETE && mr_sweep_is_whole(sweep));
    yyjson_mut_obj_add_str(doc, root, "ended", ends[sweep->end]);
    yyjson_mut_obj_add_strcpy(doc, root, "missing", missing);
    yyjson_mut_obj_add_bool(doc, root, "latency_is_indicative",
                            sweep->race.cores.grade == MR_GRADE_C);
    add_inputs(doc, root, sweep);
    yyjson_mut_obj_add_val(doc, root, "rules", mr_rules_json(doc, &sweep->race.matrix.rules));
    mr_manifest_environment(&sweep->race, doc, root);
    add_dataset(doc, root, sweep);
    add_schedule(doc, root, sweep);
    add_contestants(doc, root, sweep);
    yyjson_mut_val *trials = yyjson_mut_obj_add_arr(doc, root, "trials");
    for (size_t i = 0; i < sweep->trials_count; i++) {
        add_trial(doc, trials, sweep, &sweep->trial[i]);
    }
    return doc;
}

int mr_sweep_json_write(const struct mr_sweep *sweep, struct mr_trial_fault *fault)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/sweep.json", sweep->race.folder);
    yyjson_mut_doc *doc = compose(sweep);
    size_t length;
    char *text = yyjson_mut_write(doc, YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_NEWLINE_AT_END,
                                  &length);
    int result = text == NULL ? -ENOMEM : mr_file_write(path, text, length);
    free(text);
    yyjson_mut_doc_free(doc);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be written: %s", path, strerror(-result));
    }
    return result;
}
