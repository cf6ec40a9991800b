// load_result.c: see load_result.h: the result file.
#include "load_result.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/pin.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_hex(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, uint64_t value)
{
    char text[17];
    (void)snprintf(text, sizeof text, "%016llx", (unsigned long long)value);
    yyjson_mut_obj_add_strcpy(doc, object, key, text);
}

// A reply of the server as it is, as JSON; null when there is none or it is no JSON.
static void add_reply(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                      const char *json, size_t json_bytes)
{
    yyjson_doc *reply =
        json == NULL ? NULL : yyjson_read_opts((char *)json, json_bytes, 0, NULL, NULL);
    if (reply == NULL) {
        yyjson_mut_obj_add_null(doc, object, key);
        return;
    }
    yyjson_mut_obj_add_val(doc, object, key, yyjson_val_mut_copy(doc, yyjson_doc_get_root(reply)));
    yyjson_doc_free(reply);
}

// A number that was not given is null.
static void add_given(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, uint64_t value)
{
    if (value != 0) {
        yyjson_mut_obj_add_uint(doc, object, key, value);
    } else {
        yyjson_mut_obj_add_null(doc, object, key);
    }
}

// The plan, enough to compute every due time once more (with seed, warm-up and window).
static void add_plan(yyjson_mut_doc *doc, yyjson_mut_val *inputs,
                     const struct mr_load_options *options)
{
    yyjson_mut_obj_add_str(doc, inputs, "plan", mr_plan_name(options->plan));
    add_given(doc, inputs, "rate_per_s", options->rate_per_s);
    add_given(doc, inputs, "burst_batches", options->burst_batches);
    add_given(doc, inputs, "period_ns", options->period_ns);
    if (options->steps.count == 0) {
        yyjson_mut_obj_add_null(doc, inputs, "steps");
        return;
    }
    yyjson_mut_val *steps = yyjson_mut_obj_add_arr(doc, inputs, "steps");
    for (size_t i = 0; i < options->steps.count; i++) {
        const struct mr_plan_step *step = &options->steps.step[i];
        yyjson_mut_val *object = yyjson_mut_arr_add_obj(doc, steps);
        yyjson_mut_obj_add_uint(doc, object, "from_per_s", step->from_per_s);
        yyjson_mut_obj_add_uint(doc, object, "to_per_s", step->to_per_s);
        yyjson_mut_obj_add_uint(doc, object, "length_ns", step->length_ns);
    }
}

static void add_inputs(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_load_run *run)
{
    const struct mr_load_options *options = run->options;
    const struct mr_dataset *dataset = run->dataset;
    yyjson_mut_val *inputs = yyjson_mut_obj_add_obj(doc, root, "inputs");
    yyjson_mut_obj_add_strcpy(doc, inputs, "connect", options->connect);
    yyjson_mut_obj_add_strcpy(doc, inputs, "dataset", dataset->name);
    yyjson_mut_obj_add_strcpy(doc, inputs, "dataset_shape", dataset->shape);
    yyjson_mut_obj_add_strcpy(doc, inputs, "dataset_sha256", dataset->sha256);
    yyjson_mut_obj_add_uint(doc, inputs, "dataset_batches", dataset->frames.count);
    yyjson_mut_obj_add_uint(doc, inputs, "dataset_batches_left_out", run->order.left_out);
    yyjson_mut_obj_add_uint(doc, inputs, "dataset_payload_bytes", dataset->frames.payload_bytes);
    yyjson_mut_obj_add_str(doc, inputs, "mode", mr_mode_names[options->mode]);
    add_plan(doc, inputs, options);
    yyjson_mut_obj_add_uint(doc, inputs, "connections", options->connections);
    yyjson_mut_obj_add_uint(doc, inputs, "depth", options->depth);
    if (options->in_flight > 0) {
        yyjson_mut_obj_add_uint(doc, inputs, "in_flight", options->in_flight);
    } else {
        yyjson_mut_obj_add_null(doc, inputs, "in_flight");
    }
    yyjson_mut_obj_add_uint(doc, inputs, "threads", options->threads);
    char cores[256];
    mr_cores_text(&options->cores, cores, sizeof cores);
    yyjson_mut_obj_add_strcpy(doc, inputs, "cores", cores);
    yyjson_mut_obj_add_uint(doc, inputs, "seed", options->seed);
    yyjson_mut_obj_add_uint(doc, inputs, "warmup_ns", options->warmup_ns);
    yyjson_mut_obj_add_uint(doc, inputs, "warmup_max_ns", mr_load_warmup_limit_ns(options));
    yyjson_mut_obj_add_uint(doc, inputs, "window_ns", options->window_ns);
    yyjson_mut_obj_add_uint(doc, inputs, "drain_limit_ns", options->drain_limit_ns);
    yyjson_mut_obj_add_uint(doc, inputs, "stall_limit_ns", options->stall_limit_ns);
    yyjson_mut_obj_add_uint(doc, inputs, "spin_ns", options->spin_ns);
}

static const char *gate_state(const struct mr_load_run *run, enum mr_load_gate gate)
{
    const struct mr_load_failure *failure = &run->failure;
    if (mr_load_is_the_servers(failure) && failure->gate == gate) {
        return "fail";
    }
    if (failure->gates.off[gate]) {
        return "off";
    }
    bool passed = run->replies > 0 && run->window_complete;
    if (gate == MR_LOAD_STATS) {
        passed = run->stats_check == MR_CHECK_PASSED;
    } else if (gate == MR_LOAD_KEPT) {
        passed = run->kept_check == MR_CHECK_PASSED;
    } else if (gate == MR_LOAD_EARLY) {
        passed = passed && run->probes > 0;
    }
    // Ended by something else before it was through: nothing is known, which is no pass.
    return passed && failure->verdict == MR_LOAD_OK ? "pass" : "not reached";
}

bool mr_load_is_whole(const struct mr_load_run *run)
{
    return !mr_load_is_reduced(run->options) && !mr_load_any_gate_off(&run->failure);
}

const char *mr_load_verdict(const struct mr_load_run *run)
{
    bool well = run->failure.verdict == MR_LOAD_OK;
    return well && !mr_load_is_whole(run) ? "not verified" : mr_load_verdict_name(&run->failure);
}

// What a benchmark of the generator has switched off.
static void add_reductions(yyjson_mut_doc *doc, yyjson_mut_val *root,
                           const struct mr_load_options *options)
{
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, root, "switched_off");
    if (options->no_verify) {
        yyjson_mut_arr_add_str(doc, list, "verification");
    }
    if (options->no_record) {
        yyjson_mut_arr_add_str(doc, list, "recording");
    }
    if (options->same_batches) {
        yyjson_mut_arr_add_str(doc, list, "variation");
    }
    if (options->null_sender) {
        yyjson_mut_arr_add_str(doc, list, "everything but system calls");
    }
}

// The gates that were switched off, and what each of them has overlooked.
static void add_gates_off(yyjson_mut_doc *doc, yyjson_mut_val *root,
                          const struct mr_load_gates_off *gates)
{
    yyjson_mut_val *off = yyjson_mut_obj_add_arr(doc, root, "gates_off");
    yyjson_mut_val *overlooked = yyjson_mut_obj_add_obj(doc, root, "overlooked");
    for (int gate = 0; gate < MR_LOAD_GATE_COUNT; gate++) {
        if (gates->off[gate]) {
            const char *name = mr_load_gate_name((enum mr_load_gate)gate);
            yyjson_mut_arr_add_str(doc, off, name);
            yyjson_mut_obj_add_uint(doc, overlooked, name, gates->overlooked[gate]);
        }
    }
}

static void add_verdict(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_load_run *run)
{
    const struct mr_load_failure *failure = &run->failure;
    yyjson_mut_obj_add_str(doc, root, "verdict", mr_load_verdict(run));
    yyjson_mut_obj_add_bool(doc, root, "complete", failure->verdict == MR_LOAD_OK);
    add_reductions(doc, root, run->options);
    if (failure->verdict == MR_LOAD_OK) {
        yyjson_mut_obj_add_null(doc, root, "failure");
    } else {
        yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, root, "failure");
        if (mr_load_is_the_servers(failure)) {
            yyjson_mut_obj_add_str(doc, object, "gate", mr_load_gate_name(failure->gate));
        } else {
            yyjson_mut_obj_add_null(doc, object, "gate");
        }
        yyjson_mut_obj_add_strcpy(doc, object, "text", failure->text);
        if (failure->has_place) {
            yyjson_mut_obj_add_uint(doc, object, "connection", failure->place.connection);
            yyjson_mut_obj_add_uint(doc, object, "sequence", failure->place.sequence);
            yyjson_mut_obj_add_uint(doc, object, "batch", failure->place.batch);
            yyjson_mut_obj_add_uint(doc, object, "turn", failure->place.turn);
        }
    }
    yyjson_mut_val *gates = yyjson_mut_obj_add_obj(doc, root, "gates");
    for (int gate = 0; gate < MR_LOAD_GATE_COUNT; gate++) {
        yyjson_mut_obj_add_str(doc, gates, mr_load_gate_name((enum mr_load_gate)gate),
                               gate_state(run, (enum mr_load_gate)gate));
    }
    add_gates_off(doc, root, &failure->gates);
}

static void add_times(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_load_run *run)
{
    const struct mr_window *window = &run->shared.window;
    yyjson_mut_val *times = yyjson_mut_obj_add_obj(doc, root, "times");
    yyjson_mut_obj_add_uint(doc, times, "connect_ns", run->connect_ns);
    yyjson_mut_obj_add_uint(doc, times, "connected_ns", run->connected_ns);
    if (run->first_reply_ns != 0) {
        yyjson_mut_obj_add_uint(doc, times, "first_reply_ns", run->first_reply_ns);
    } else {
        yyjson_mut_obj_add_null(doc, times, "first_reply_ns");
    }
    if (window->end_ns != 0 && !run->shared.opening) {
        yyjson_mut_obj_add_uint(doc, times, "start_ns", window->start_ns);
        yyjson_mut_obj_add_uint(doc, times, "window_start_ns", window->begin_ns);
        yyjson_mut_obj_add_uint(doc, times, "window_end_ns", window->end_ns);
        yyjson_mut_obj_add_uint(doc, times, "drained_ns", run->drained_ns);
    }
}

static void add_totals(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                       const struct mr_totals *totals)
{
    yyjson_mut_val *value = yyjson_mut_obj_add_obj(doc, object, key);
    yyjson_mut_obj_add_uint(doc, value, "batches_accepted", totals->batches_accepted);
    yyjson_mut_obj_add_uint(doc, value, "batches_rejected", totals->batches_rejected);
    yyjson_mut_obj_add_uint(doc, value, "records", totals->records);
    yyjson_mut_obj_add_uint(doc, value, "payload_bytes", totals->payload_bytes);
    add_hex(doc, value, "digest", totals->digest);
}

static void add_kept(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                     const struct mr_kept *kept)
{
    yyjson_mut_val *value = yyjson_mut_obj_add_obj(doc, object, key);
    yyjson_mut_obj_add_uint(doc, value, "batches", kept->batches);
    yyjson_mut_obj_add_uint(doc, value, "records", kept->records);
    add_hex(doc, value, "digest", kept->digest);
}

static void add_verification(yyjson_mut_doc *doc, yyjson_mut_val *root,
                             const struct mr_load_run *run)
{
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, root, "verification");
    yyjson_mut_obj_add_uint(doc, object, "replies_verified", run->replies);
    yyjson_mut_obj_add_uint(doc, object, "early_probes", run->probes);
    add_totals(doc, object, "totals_before_us", &run->totals_initial);
    add_totals(doc, object, "totals_expected", &run->totals_expected);
    if (run->stats_check != MR_CHECK_NOT_REACHED) {
        add_totals(doc, object, "totals_got", &run->totals_got);
    }
    add_kept(doc, object, "kept_expected", &run->kept_expected);
    if (run->kept_check != MR_CHECK_NOT_REACHED) {
        add_kept(doc, object, "kept_got", &run->kept_got);
    }
}

static void add_copy(yyjson_mut_doc *doc, yyjson_mut_val *root, const char *key,
                     const struct mr_stats_copy *copy)
{
    if (copy == NULL || copy->at_ns == 0) {
        yyjson_mut_obj_add_null(doc, root, key);
        return;
    }
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, root, key);
    yyjson_mut_obj_add_uint(doc, object, "at_ns", copy->at_ns);
    bool kept = copy->json_bytes <= MR_STATS_COPY_BYTES;
    add_reply(doc, object, "reply", kept ? copy->json : NULL, copy->json_bytes);
}

static void add_server(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_load_run *run)
{
    const struct mr_load_worker *first = run->workers_count > 0 ? &run->worker[0] : NULL;
    add_reply(doc, root, "welcome", run->welcome.json, run->welcome.json_bytes);
    add_reply(doc, root, "stats_initial", run->stats_initial.json, run->stats_initial.json_bytes);
    add_copy(doc, root, "stats_before", first == NULL ? NULL : &first->stats[MR_STATS_AT_BEGIN]);
    add_copy(doc, root, "stats_after", first == NULL ? NULL : &first->stats[MR_STATS_AT_END]);
    add_reply(doc, root, "stats_final", run->stats_final.json, run->stats_final.json_bytes);
    add_reply(doc, root, "kept_final", run->kept_final.json, run->kept_final.json_bytes);
}

int mr_load_result_write(const struct mr_load_run *run, const char *path)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_str(doc, root, "format", "matchrace-load-1");
    char utc[21];
    mr_clock_utc_text(utc);
    yyjson_mut_obj_add_strcpy(doc, root, "written_utc", utc);
    add_verdict(doc, root, run);
    add_inputs(doc, root, run);
    add_times(doc, root, run);
    if (run->has_sum) {
        mr_load_result_measured(doc, root, run);
        add_verification(doc, root, run);
    }
    add_server(doc, root, run);
    size_t json_bytes;
    char *json = yyjson_mut_write(doc, YYJSON_WRITE_NEWLINE_AT_END, &json_bytes);
    yyjson_mut_doc_free(doc);
    if (json == NULL) {
        return -ENOMEM;
    }
    int result = mr_file_write(path, json, json_bytes);
    free(json);
    return result;
}
