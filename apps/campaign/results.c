// results.c: see results.h.
#include "results.h"

#include "base/cli.h"
#include "base/file.h"
#include "base/mr_assert.h"
#include "controls.h"
#include "estimate.h"
#include "hash_log.h"
#include "past.h"
#include "rate_manifest.h"
#include "run_files.h"
#include "results_controls.h"
#include "results_exclusions.h"
#include "results_gates.h"
#include "results_offered.h"
#include "results_places.h"
#include "results_replication.h"
#include "results_strata.h"
#include "results_real.h"
#include "trial/judgement.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What one results.json is made from.
struct results {
    const char *folder;
    char matrix_path[PATH_MAX];
    char manifest_path[PATH_MAX];
    struct mr_matrix matrix;
    struct mr_json_file manifest;
    struct mr_trial_table table;
    struct mr_estimates estimates;
    struct mr_strata strata;
    struct mr_schedule schedule;
    struct mr_past past;         // what is left to do
    bool finished[MR_CELLS_MAX]; // by cell: all its rows ran, or it has nobody to race
    struct mr_controls controls;
    yyjson_mut_doc *doc;
    size_t judged_otherwise; // trials of which a gate now says something else than in their file
    bool indicative_latency; // grade C: no core is spare, so latency gets no verdict
    bool any_wrong;
    bool complete;
    yyjson_mut_val *not_as_logged; // NULL: all files are
    bool trial_not_as_logged;
};

static const char *const verdict_names[] = {
    "not_resolved", "faster", "slower", "same", "faster_size_open", "slower_size_open", "void"};

// JSON has neither NAN nor infinity: such a figure is null.
static void add_entry_metrics(struct results *results, yyjson_mut_val *object,
                              const struct mr_entry_summary *summary)
{
    yyjson_mut_val *metrics = yyjson_mut_obj_add_obj(results->doc, object, "metrics");
    for (size_t i = 0; i < summary->metrics_count; i++) {
        const struct mr_metric_summary *metric = &summary->metrics[i];
        yyjson_mut_val *one = yyjson_mut_obj_add_obj(results->doc, metrics, metric->metric.name);
        yyjson_mut_obj_add_str(results->doc, one, "unit", metric->metric.unit);
        yyjson_mut_obj_add_str(results->doc, one, "better",
                               metric->metric.higher_is_better ? "higher" : "lower");
        yyjson_mut_obj_add_uint(results->doc, one, "trials", metric->count);
        mr_results_add_real(results->doc, one, "median", metric->metric.value);
        mr_results_add_real(results->doc, one, "min", metric->min);
        mr_results_add_real(results->doc, one, "max", metric->max);
    }
}

static int add_entries(struct results *results, yyjson_mut_val *object, const struct mr_cell *cell,
                       const struct mr_cell_estimate *estimate)
{
    int result = 0;
    yyjson_mut_val *entries = yyjson_mut_obj_add_arr(results->doc, object, "entries");
    for (size_t i = 0; i < cell->entries_count; i++) {
        const struct mr_entry_summary *summary = &estimate->entries[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(results->doc, entries);
        yyjson_mut_obj_add_str(results->doc, one, "entry", cell->entries[i]);
        yyjson_mut_obj_add_str(results->doc, one, "contestant", cell->contestants[i]);
        yyjson_mut_obj_add_val(results->doc, one, "load",
                               mr_rate_load_json(results->doc, &cell->loads[i]));
        yyjson_mut_obj_add_uint(results->doc, one, "trials_counted", summary->counted);
        yyjson_mut_obj_add_uint(results->doc, one, "trials_excluded", summary->excluded);
        if (summary->wrong == NULL) {
            yyjson_mut_obj_add_null(results->doc, one, "wrong");
        } else {
            yyjson_mut_obj_add_str(results->doc, one, "wrong", summary->wrong->reason);
            results->any_wrong |= cell->control[i] != MR_CONTROL_LIAR; // of whom lies are expected
        }
        mr_results_entry_gates(results->doc, one, cell, cell->entries[i], &results->table);
        if (summary->absent != NULL) {
            yyjson_mut_obj_add_str(results->doc, one, "absent", summary->absent->reason);
        }
        add_entry_metrics(results, one, summary);
        if (result == 0) {
            result = mr_results_replication(results->doc, one, &results->table, cell, i,
                                            &results->strata);
        }
    }
    return result;
}

static void add_estimate(struct results *results, yyjson_mut_val *one,
                         const struct mr_comparison_estimate *estimate)
{
    yyjson_mut_doc *doc = results->doc;
    const struct mr_paired *paired = &estimate->paired;
    yyjson_mut_obj_add_uint(doc, one, "pairs", paired->pairs_count);
    yyjson_mut_obj_add_uint(doc, one, "ties", paired->ties_count);
    mr_results_add_real(doc, one, "ratio", paired->ratio);
    mr_results_add_real(doc, one, "ratio_low", paired->logs.known ? paired->ratio_low : NAN);
    mr_results_add_real(doc, one, "ratio_high", paired->logs.known ? paired->ratio_high : NAN);
    mr_results_add_real(doc, one, "alpha", estimate->alpha);
    mr_results_add_real(doc, one, "confidence", paired->confidence);
    mr_results_add_real(doc, one, "p_value", paired->p_value);
    const struct mr_hodges_lehmann *symmetric = &estimate->symmetric;
    mr_results_add_real(doc, one, "hodges_lehmann", exp(symmetric->shift));
    bool known = symmetric->interval.known;
    mr_results_add_real(doc, one, "hodges_lehmann_low", known ? exp(symmetric->interval.low) : NAN);
    mr_results_add_real(doc, one, "hodges_lehmann_high",
                        known ? exp(symmetric->interval.high) : NAN);
    mr_results_add_real(doc, one, "quotient_of_medians", paired->quotient_of_medians);
    mr_results_add_real(doc, one, "resolvable_difference", paired->resolvable_difference);
    yyjson_mut_obj_add_int(doc, one, "side", estimate->judgement.side);
    yyjson_mut_obj_add_bool(doc, one, "consistently", estimate->judgement.consistently);
    yyjson_mut_val *ratios = yyjson_mut_obj_add_arr(doc, one, "pair_ratios");
    for (size_t i = 0; i < paired->pairs_count; i++) {
        yyjson_mut_arr_add_real(doc, ratios, estimate->pair_ratios[i]);
    }
}

// Rows that are still to run, of the cell or of the controls: whoever stops when he likes what he
// sees may not have a verdict.
static bool is_unfinished(const struct results *results, const struct mr_cell *cell)
{
    return !results->finished[cell - results->matrix.cells] || !results->controls.finished;
}

static size_t count_present(const struct mr_cell *cell, const struct mr_cell_estimate *estimate)
{
    size_t present = 0;
    for (size_t i = 0; i < cell->entries_count; i++) {
        present += estimate->entries[i].absent == NULL;
    }
    return present;
}

// Where fewer than two can run here there was nothing to race.
static void find_finished(struct results *results)
{
    for (size_t cell = 0; cell < results->matrix.cells_count; cell++) {
        results->finished[cell] = true;
    }
    for (size_t i = 0; i < results->schedule.count; i++) {
        size_t cell = results->schedule.rows[i].cell;
        results->finished[cell] &=
            results->past.rows[i].finished ||
            count_present(&results->matrix.cells[cell], &results->estimates.cells[cell]) < 2;
    }
}

static const char *verdict_of(const struct mr_judgement *judgement)
{
    bool withheld = judgement->below_control && judgement->verdict == MR_VERDICT_NOT_RESOLVED;
    return withheld ? "below_control" : verdict_names[judgement->verdict];
}

static bool is_latency(const char *metric)
{
    return strncmp(metric, "latency_", 8) == 0;
}

static int add_comparisons(struct results *results, yyjson_mut_val *object,
                           const struct mr_cell *cell, const struct mr_cell_estimate *estimate)
{
    yyjson_mut_val *comparisons = yyjson_mut_obj_add_arr(results->doc, object, "comparisons");
    int result = 0;
    bool unfinished = is_unfinished(results, cell);
    for (size_t i = 0; i < cell->comparisons_count; i++) {
        const struct mr_comparison *comparison = &cell->comparisons[i];
        const struct mr_comparison_estimate *one_estimate = &estimate->comparisons[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(results->doc, comparisons);
        yyjson_mut_obj_add_str(results->doc, one, "a", cell->entries[comparison->a]);
        yyjson_mut_obj_add_str(results->doc, one, "b", cell->entries[comparison->b]);
        yyjson_mut_obj_add_bool(results->doc, one, "primary", comparison->primary);
        bool wrong = estimate->entries[comparison->a].wrong != NULL ||
                     estimate->entries[comparison->b].wrong != NULL;
        bool absent = estimate->entries[comparison->a].absent != NULL ||
                      estimate->entries[comparison->b].absent != NULL;
        yyjson_mut_obj_add_str(results->doc, one, "verdict",
                               wrong                      ? "wrong"
                               : absent                   ? "absent"
                               : !comparison->primary     ? "none"
                               : !one_estimate->estimated ? "no_pairs"
                               : results->indicative_latency && is_latency(cell->metric)
                                   ? "indicative"
                               : unfinished ? verdict_names[MR_VERDICT_NOT_RESOLVED]
                                            : verdict_of(&one_estimate->judgement));
        mr_results_target(results->doc, one, comparison,
                          one_estimate->estimated && !wrong ? &one_estimate->paired : NULL);
        if (one_estimate->estimated && !wrong) {
            add_estimate(results, one, one_estimate);
        } else {
            yyjson_mut_obj_add_uint(results->doc, one, "pairs", 0);
        }
        if (result == 0) {
            double alpha =
                one_estimate->alpha > 0 ? one_estimate->alpha : results->matrix.rules.alpha;
            result =
                mr_results_exclusions(results->doc, one, &results->table, cell, comparison, alpha);
        }
        if (result == 0) {
            result = mr_results_strata_ratios(results->doc, one, &results->table, cell, comparison,
                                              &results->strata);
        }
    }
    return result;
}

// What the manifest says of the contestant `entry`; NULL where it does not know it.
static yyjson_val *manifest_entry(const struct results *results, const char *entry)
{
    yyjson_val *contestants =
        yyjson_obj_get(yyjson_doc_get_root(results->manifest.doc), "contestants");
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(contestants, index, count, one)
    {
        if (yyjson_equals_str(yyjson_obj_get(one, "entry"), entry)) {
            return one;
        }
    }
    return NULL;
}

static bool is_null_contestant(const struct results *results, const char *entry)
{
    yyjson_val *one = manifest_entry(results, entry);
    return yyjson_equals_str(yyjson_obj_get(one, "mode_override"), "drain");
}

static void add_headroom(struct results *results, yyjson_mut_val *one, const struct mr_cell *cell,
                         const struct mr_cell_estimate *estimate)
{
    bool null_contestant[MR_CELL_ENTRIES_MAX];
    for (size_t i = 0; i < cell->entries_count; i++) {
        null_contestant[i] = is_null_contestant(results, cell->contestants[i]);
    }
    mr_results_headroom(results->doc, one, cell, estimate, null_contestant,
                        &results->matrix.rules.gates);
}

// Who does the same work as the others, and got through it, has a place in the cell's table.
static int add_places(struct results *results, yyjson_mut_val *one, const struct mr_cell *cell,
                      const struct mr_cell_estimate *estimate)
{
    bool takes_part[MR_CELL_ENTRIES_MAX];
    bool without = is_unfinished(results, cell) || cell->is_control ||
                   results->controls.limits.void_table ||
                   (results->indicative_latency && is_latency(cell->metric));
    for (size_t i = 0; i < cell->entries_count; i++) {
        yyjson_val *entry = manifest_entry(results, cell->contestants[i]);
        takes_part[i] = !without && estimate->entries[i].wrong == NULL &&
                        estimate->entries[i].absent == NULL &&
                        yyjson_is_true(yyjson_obj_get(entry, "equal_work")) &&
                        !is_null_contestant(results, cell->contestants[i]);
    }
    const struct mr_places_rules rules = {.alpha = results->matrix.rules.alpha,
                                          .smallest = results->controls.limits.smallest};
    return mr_results_places(results->doc, one, cell, &results->table, takes_part, &rules);
}

static int add_cell(struct results *results, yyjson_mut_val *cells, size_t index)
{
    yyjson_mut_doc *doc = results->doc;
    const struct mr_cell *cell = &results->matrix.cells[index];
    const struct mr_cell_estimate *estimate = &results->estimates.cells[index];
    yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, cells);
    yyjson_mut_obj_add_str(doc, one, "name", cell->name);
    yyjson_mut_obj_add_bool(doc, one, "is_control", cell->is_control);
    yyjson_mut_obj_add_str(doc, one, "driver", cell->driver);
    yyjson_mut_obj_add_str(doc, one, "job", cell->job);
    yyjson_mut_obj_add_str(doc, one, "mode", cell->mode);
    yyjson_mut_obj_add_str(doc, one, "shape",
                           cell->data.path == NULL ? cell->data.shape : cell->data.path);
    yyjson_mut_obj_add_str(doc, one, "measures", cell->measures);
    yyjson_mut_obj_add_str(doc, one, "plan", cell->load.plan);
    yyjson_mut_obj_add_uint(doc, one, "connections", cell->load.connections);
    yyjson_mut_obj_add_uint(doc, one, "depth", cell->load.depth);
    yyjson_mut_obj_add_uint(doc, one, "threads", cell->server_threads);
    yyjson_mut_obj_add_str(doc, one, "metric", cell->metric);
    yyjson_mut_obj_add_uint(doc, one, "rows_planned", cell->rows);
    yyjson_mut_obj_add_uint(doc, one, "rows_counted", estimate->rows_counted);
    yyjson_mut_obj_add_uint(doc, one, "rows_repeated", estimate->rows_repeated);
    results->complete &= estimate->rows_counted == cell->rows || count_present(cell, estimate) < 2;
    mr_results_gate_counts(doc, one, cell, &results->table);
    add_headroom(results, one, cell, estimate);
    int result = add_entries(results, one, cell, estimate);
    result = result == 0 ? add_comparisons(results, one, cell, estimate) : result;
    return result == 0 ? add_places(results, one, cell, estimate) : result;
}

static void add_gates(yyjson_mut_doc *doc, yyjson_mut_val *one, const struct mr_trial *trial)
{
    yyjson_mut_val *gates = yyjson_mut_obj_add_obj(doc, one, "gates");
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        yyjson_mut_obj_add_str(doc, gates, mr_gate_name((enum mr_gate)gate),
                               mr_gate_outcome_name(trial->gates[gate].outcome));
    }
}

// Those that are set.
static void add_marks(yyjson_mut_doc *doc, yyjson_mut_val *one, const struct mr_trial *trial)
{
    yyjson_mut_val *marks = yyjson_mut_obj_add_arr(doc, one, "marks");
    for (int mark = 0; mark < MR_MARK_COUNT; mark++) {
        if (trial->marks[mark].outcome == MR_GATE_FAILED) {
            yyjson_mut_arr_add_str(doc, marks, mr_mark_name((enum mr_mark)mark));
        }
    }
}

// Null where the file cannot be read: a run's log is missing where somebody took it away.
static void add_hash(const struct results *results, yyjson_mut_val *object, const char *key,
                     const char *name)
{
    char path[PATH_MAX];
    char hash[MR_HASH_TEXT_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", results->folder, name);
    if (mr_file_hash_of(path, hash) == 0) {
        yyjson_mut_obj_add_strcpy(results->doc, object, key, hash);
    } else {
        yyjson_mut_obj_add_null(results->doc, object, key);
    }
}

// Whether a trial is the last that the run wrote: a kill may come between it and its line in the
// log.
static bool is_last_trial(const struct mr_trial_table *table, const char *file)
{
    const char *last = NULL;
    uint64_t highest = 0;
    for (size_t i = 0; i < table->count; i++) {
        if (table->trials[i].number >= highest) {
            highest = table->trials[i].number;
            last = table->names[i];
        }
    }
    return last != NULL && strcmp(file, last) == 0;
}

static void note_file(void *context, const struct mr_run_file *file)
{
    struct results *results = context;
    if (results->not_as_logged == NULL) {
        results->not_as_logged = yyjson_mut_arr(results->doc);
    }
    yyjson_mut_val *one = yyjson_mut_arr_add_obj(results->doc, results->not_as_logged);
    yyjson_mut_obj_add_strcpy(results->doc, one, "file", file->name);
    yyjson_mut_obj_add_strcpy(results->doc, one, "what", file->text);
    if (strncmp(file->name, "trials/", 7) == 0) {
        results->trial_not_as_logged |= file->state != MR_RUN_FILE_NOT_LOGGED ||
                                        !is_last_trial(&results->table, file->name + 7);
    }
}

// Only where there is something to say: what was edited after it was written.
static void find_not_as_logged(struct results *results)
{
    struct mr_trial_fault fault;
    if (mr_run_files_check(results->folder, note_file, results, &fault) != 0) {
        const struct mr_run_file file = {.name = "run.log", .text = "cannot be read"};
        note_file(results, &file);
    }
}

// What the results rest on, beside the trials.
static void add_hashes(const struct results *results, yyjson_mut_val *root)
{
    static const char *const names[] = {"matrix.json", "manifest.json", "run.log"};
    yyjson_mut_val *hashes = yyjson_mut_obj_add_obj(results->doc, root, "sha256");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        add_hash(results, hashes, names[i], names[i]);
    }
}

static void add_trials(struct results *results, yyjson_mut_val *root)
{
    yyjson_mut_doc *doc = results->doc;
    yyjson_mut_val *trials = yyjson_mut_obj_add_arr(doc, root, "trials");
    for (size_t i = 0; i < results->table.count; i++) {
        const struct mr_trial *trial = &results->table.trials[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, trials);
        yyjson_mut_obj_add_str(doc, one, "file", results->table.names[i]);
        char name[300];
        (void)snprintf(name, sizeof name, "trials/%s", results->table.names[i]);
        add_hash(results, one, "sha256", name);
        yyjson_mut_obj_add_uint(doc, one, "number", trial->number);
        yyjson_mut_obj_add_str(doc, one, "cell", trial->cell);
        yyjson_mut_obj_add_uint(doc, one, "row", trial->row);
        yyjson_mut_obj_add_uint(doc, one, "position", trial->position);
        yyjson_mut_obj_add_uint(doc, one, "attempt", trial->attempt);
        yyjson_mut_obj_add_str(doc, one, "entry", trial->entry);
        yyjson_mut_obj_add_str(doc, one, "started_utc", trial->started_utc);
        yyjson_mut_obj_add_str(doc, one, "outcome", mr_trial_outcome_name(trial->outcome));
        yyjson_mut_obj_add_str(doc, one, "reason", trial->reason);
        add_gates(doc, one, trial);
        add_marks(doc, one, trial);
        yyjson_mut_val *metrics = yyjson_mut_obj_add_obj(doc, one, "metrics");
        for (size_t k = 0; k < trial->metrics_count; k++) {
            mr_results_add_real(doc, metrics, trial->metrics[k].name, trial->metrics[k].value);
        }
    }
}

// The first WELCOME of every entry, as its server gave it: versions, build flags, what really ran.
static void add_welcomes(struct results *results, yyjson_mut_val *root)
{
    yyjson_mut_val *welcomes = yyjson_mut_obj_add_obj(results->doc, root, "welcomes");
    for (size_t i = 0; i < results->table.count; i++) {
        const char *entry = results->table.trials[i].entry;
        yyjson_val *file = yyjson_doc_get_root(results->table.files[i].doc);
        yyjson_val *welcome = yyjson_ptr_get(file, "/details/generator/welcome");
        if (yyjson_is_obj(welcome) && yyjson_mut_obj_get(welcomes, entry) == NULL) {
            yyjson_mut_obj_add_val(results->doc, welcomes, entry,
                                   yyjson_val_mut_copy(results->doc, welcome));
        }
    }
}

static int compose(struct results *results, struct mr_results_outcome *outcome_out,
                   struct mr_trial_fault *fault)
{
    yyjson_mut_doc *doc = results->doc;
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_val *manifest = yyjson_doc_get_root(results->manifest.doc);
    results->complete = true;
    yyjson_mut_obj_add_str(doc, root, "schema", "matchrace/results/1");
    int result = mr_results_strata(doc, root, results->folder, &results->strata, fault);
    yyjson_mut_val *cells = yyjson_mut_arr(doc);
    for (size_t i = 0; result == 0 && i < results->matrix.cells_count; i++) {
        result = add_cell(results, cells, i);
    }
    find_not_as_logged(results);
    bool believed = results->controls.lies_caught < results->controls.lies_told;
    bool wrong = results->any_wrong || results->trial_not_as_logged || believed;
    outcome_out->lie_believed = believed;
    outcome_out->not_as_logged = yyjson_mut_arr_size(results->not_as_logged);
    outcome_out->exit_code = wrong               ? MR_EXIT_WRONG
                             : results->complete ? MR_EXIT_OK
                                                 : MR_EXIT_INCOMPLETE;
    yyjson_mut_obj_add_bool(doc, root, "complete", results->complete);
    yyjson_mut_obj_add_bool(doc, root, "any_wrong", results->any_wrong);
    yyjson_mut_obj_add_int(doc, root, "exit_code", outcome_out->exit_code);
    yyjson_mut_obj_add_uint(doc, root, "judged_otherwise", results->judged_otherwise);
    if (results->not_as_logged != NULL) {
        yyjson_mut_obj_add_val(doc, root, "not_as_logged", results->not_as_logged);
    }
    mr_results_controls(doc, root, &results->matrix, &results->controls);
    add_hashes(results, root);
    yyjson_mut_obj_add_val(doc, root, "rules", mr_rules_json(doc, &results->matrix.rules));
    yyjson_mut_obj_add_val(doc, root, "manifest", yyjson_val_mut_copy(doc, manifest));
    yyjson_mut_obj_add_val(doc, root, "cells", cells);
    add_welcomes(results, root);
    add_trials(results, root);
    return result;
}

// Every trial under the rules of matrix.json, from its observation. Under the rules that it ran
// under the same comes out; what differs is counted.
static void judge_again(struct results *results)
{
    yyjson_val *manifest = yyjson_doc_get_root(results->manifest.doc);
    results->indicative_latency =
        yyjson_equals_str(yyjson_ptr_get(manifest, "/environment/grade"), "C");
    for (size_t i = 0; i < results->table.count; i++) {
        struct mr_trial *trial = &results->table.trials[i];
        struct mr_trial stored = *trial;
        (void)mr_trial_judge(trial, &results->matrix.rules);
        bool same = trial->outcome == stored.outcome;
        for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
            same &= trial->gates[gate].outcome == stored.gates[gate].outcome;
        }
        for (int mark = 0; mark < MR_MARK_COUNT; mark++) {
            same &= trial->marks[mark].outcome == stored.marks[mark].outcome;
        }
        results->judged_otherwise += !same;
    }
}

static int read_inputs(struct results *results, const char *folder, struct mr_trial_fault *fault)
{
    results->folder = folder;
    (void)snprintf(results->matrix_path, PATH_MAX, "%s/matrix.json", folder);
    (void)snprintf(results->manifest_path, PATH_MAX, "%s/manifest.json", folder);
    int result = mr_matrix_load(&results->matrix, results->matrix_path, fault);
    if (result == 0) {
        result = mr_json_file_init(&results->manifest, results->manifest_path, fault);
    }
    if (result == 0) {
        result = mr_rates_read(&results->matrix, yyjson_doc_get_root(results->manifest.doc), fault);
    }
    if (result == 0) {
        result = mr_trial_table_init(&results->table, folder, fault);
    }
    if (result == 0) {
        judge_again(results);
    }
    return result;
}

static int write_text(const struct results *results, struct mr_results_text *text_out)
{
    text_out->text =
        yyjson_mut_write(results->doc, YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_NEWLINE_AT_END,
                         &text_out->length);
    return text_out->text == NULL ? -ENOMEM : 0;
}

static int compute(struct results *results, struct mr_results_text *text_out,
                   struct mr_trial_fault *fault)
{
    results->doc = yyjson_mut_doc_new(NULL);
    if (results->doc == NULL) {
        return -ENOMEM;
    }
    int result = mr_schedule_init(&results->schedule, &results->matrix);
    if (result == 0) {
        result =
            mr_past_read(&results->past, &results->matrix, &results->schedule, &results->table);
    }
    if (result == 0) {
        result = mr_estimates_init(&results->estimates, &results->matrix, &results->table);
    }
    if (result == 0) {
        find_finished(results);
        result = mr_controls_open(&results->controls, &results->matrix, &results->table,
                                  &results->estimates, results->finished);
    }
    if (result == 0) {
        mr_estimates_limit(&results->estimates, &results->matrix, &results->controls.limits);
        result = compose(results, &text_out->outcome, fault);
    }
    return result == 0 ? write_text(results, text_out) : result;
}

int mr_results_compute(const char *folder, struct mr_results_text *text_out,
                       struct mr_trial_fault *fault)
{
    *text_out = (struct mr_results_text){0};
    struct results *results = calloc(1, sizeof *results);
    if (results == NULL) {
        mr_trial_fault_set(fault, "out of memory");
        return -ENOMEM;
    }
    int result = read_inputs(results, folder, fault);
    if (result == 0 && (result = compute(results, text_out, fault)) == -ENOMEM) {
        mr_trial_fault_set(fault, "out of memory");
    }
    yyjson_mut_doc_free(results->doc);
    mr_estimates_fini(&results->estimates);
    mr_past_fini(&results->past);
    mr_schedule_fini(&results->schedule);
    mr_trial_table_fini(&results->table);
    mr_json_file_fini(&results->manifest);
    mr_matrix_fini(&results->matrix);
    free(results);
    return result;
}

static bool holds(const char *path, const struct mr_results_text *text)
{
    char *stored = NULL;
    size_t length = 0;
    bool same = mr_file_read(path, text->length, &stored, &length) == 0 && length == text->length &&
                memcmp(stored, text->text, length) == 0;
    free(stored);
    return same;
}

int mr_results_make(const char *folder, struct mr_results_outcome *outcome_out,
                    struct mr_trial_fault *fault)
{
    char path[PATH_MAX];
    struct mr_results_text text;
    int result = mr_results_compute(folder, &text, fault);
    if (result == 0) {
        (void)snprintf(path, sizeof path, "%s/results.json", folder);
        result = holds(path, &text) ? 0 : mr_file_write(path, text.text, text.length);
        if (result != 0) {
            mr_trial_fault_set(fault, "%s: cannot be written: %s", path, strerror(-result));
        }
    }
    *outcome_out = text.outcome;
    free(text.text);
    return result;
}
