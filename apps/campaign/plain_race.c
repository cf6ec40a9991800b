// plain_race.c: see plain_race.h.
#include "plain_race.h"

#include "base/file.h"
#include "base/mr_assert.h"
#include "stats/paired.h"
#include "stats/williams.h"
#include "trial/gates.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

// Many short pairs resolve more than few long ones, as long as each is warm.
#define WARMUP_S             1.0
#define WARMUP_MANAGED_S     8.0
#define WARMUP_MANAGED_MAX_S 30.0 // a server's, where its runtime goes on compiling
#define WINDOW_S             1.0
#define AROUND_S             0.6 // start, wire check, drain and end of a served trial
#define STEPPED_S            0.4 // all of a stepped one that is not warm-up of managed code
#define STEPPED_WARMUP_S     0.05
#define STEPPED_STEPS        4
#define SIMULATED_WINDOW_S   0.002
#define SIMULATED_S          0.5 // far more than it takes: its rows are for looking at, not for figures
// Of the minutes; the rest is for rows that run again.
#define PLANNED_SHARE 0.9
#define ROWS_MAX      10000
#define DATA_SEED     42 // the data of smoke.json, which is there already

static bool is_driver(const struct mr_plain_race *race, const char *name)
{
    return strcmp(race->driver, name) == 0;
}

static double row_s(const struct mr_plain_race *race)
{
    double sum = 0;
    for (size_t i = 0; i < race->entries_count; i++) {
        bool managed = race->entries[i].managed;
        if (is_driver(race, "simulated")) {
            sum += SIMULATED_S;
        } else if (is_driver(race, "stepped")) {
            sum += STEPPED_S + (managed ? WARMUP_MANAGED_S : 0);
        } else {
            sum += AROUND_S + WINDOW_S + (managed ? WARMUP_MANAGED_MAX_S : WARMUP_S);
        }
    }
    return sum;
}

static size_t primary_count(const struct mr_plain_race *race)
{
    size_t count = 0;
    for (size_t i = 0; i < race->comparisons_count; i++) {
        count += race->comparisons[i].primary;
    }
    return count;
}

int mr_plain_race_rows(struct mr_plain_race *race, struct mr_trial_fault *fault)
{
    uint64_t step = mr_williams_rows(race->entries_count);
    size_t primary = primary_count(race);
    uint64_t needed = primary == 0 ? 1 : mr_pairs_needed(primary, MR_ALPHA);
    uint64_t least = (needed + step - 1) / step * step;
    double fitting = PLANNED_SHARE * race->minutes * 60 / row_s(race);
    uint64_t rows = (uint64_t)fmin(fitting, ROWS_MAX) / step * step;
    if (rows < least) {
        double minutes = ceil((double)least * row_s(race) / PLANNED_SHARE / 60);
        mr_trial_fault_set(fault,
                           "%g min is too little: %zu entries need %llu rows to decide anything, "
                           "which takes %.0f minute%s: allow that many, or race fewer",
                           race->minutes, race->entries_count, (unsigned long long)least, minutes,
                           minutes > 1 ? "s" : "");
        return -EINVAL;
    }
    race->rows = rows;
    return 0;
}

// A gate of a short trial on a machine that also does other things: its findings are told, and the
// pairs decide.
static void add_gates(yyjson_mut_doc *doc, yyjson_mut_val *rules)
{
    static const enum mr_gate marked[] = {MR_GATE_GENERATOR_KEPT_UP, MR_GATE_NOTHING_ELSE_RAN,
                                          MR_GATE_HOST_DID_NOT_PAUSE, MR_GATE_MACHINE_UNCHANGED,
                                          MR_GATE_RECORDER_SANE};
    yyjson_mut_val *gates = yyjson_mut_obj_add_obj(doc, rules, "gates");
    for (size_t i = 0; i < sizeof marked / sizeof marked[0]; i++) {
        yyjson_mut_val *gate = yyjson_mut_obj_add_obj(doc, gates, mr_gate_name(marked[i]));
        yyjson_mut_obj_add_str(doc, gate, "action", "mark");
    }
}

static void add_rules(const struct mr_plain_race *race, yyjson_mut_doc *doc, yyjson_mut_val *root)
{
    yyjson_mut_val *rules = yyjson_mut_obj_add_obj(doc, root, "rules");
    bool stepped = is_driver(race, "stepped");
    yyjson_mut_obj_add_real(doc, rules, "warmup_s", stepped ? STEPPED_WARMUP_S : WARMUP_S);
    yyjson_mut_obj_add_real(doc, rules, "warmup_managed_s", WARMUP_MANAGED_S);
    yyjson_mut_obj_add_real(doc, rules, "warmup_managed_max_s", WARMUP_MANAGED_MAX_S);
    yyjson_mut_obj_add_real(doc, rules, "window_s",
                            is_driver(race, "simulated") ? SIMULATED_WINDOW_S : WINDOW_S);
    yyjson_mut_obj_add_uint(doc, rules, "steps", STEPPED_STEPS);
    yyjson_mut_obj_add_real(doc, rules, "margin", race->margin);
    yyjson_mut_obj_add_real(doc, rules, "alpha", MR_ALPHA);
    add_gates(doc, rules);
}

static void add_data(const struct mr_plain_race *race, yyjson_mut_doc *doc, yyjson_mut_val *cell)
{
    yyjson_mut_val *data = yyjson_mut_obj_add_obj(doc, cell, "data");
    if (race->dataset != NULL) {
        yyjson_mut_obj_add_str(doc, data, "path", race->dataset);
        return;
    }
    yyjson_mut_obj_add_str(doc, data, "shape", race->shape);
    yyjson_mut_obj_add_uint(doc, data, "seed", DATA_SEED);
    // Passes of a stepped trial take turns, and short ones take them more often.
    yyjson_mut_obj_add_str(doc, data, "bytes",
                           is_driver(race, "served")    ? "64MiB"
                           : is_driver(race, "stepped") ? "8MiB"
                                                        : "1MiB");
}

static void add_cell(const struct mr_plain_race *race, yyjson_mut_doc *doc, yyjson_mut_val *cells)
{
    yyjson_mut_val *cell = yyjson_mut_arr_add_obj(doc, cells);
    yyjson_mut_obj_add_str(doc, cell, "name", race->name);
    yyjson_mut_obj_add_str(doc, cell, "driver", race->driver);
    yyjson_mut_obj_add_str(doc, cell, "mode", race->mode);
    add_data(race, doc, cell);
    yyjson_mut_obj_add_uint(doc, cell, "rows", race->rows);
    yyjson_mut_val *contestants = yyjson_mut_obj_add_arr(doc, cell, "contestants");
    for (size_t i = 0; i < race->entries_count; i++) {
        yyjson_mut_val *entry = yyjson_mut_arr_add_obj(doc, contestants);
        yyjson_mut_obj_add_str(doc, entry, "contestant", race->entries[i].contestant);
        yyjson_mut_obj_add_str(doc, entry, "as", race->entries[i].as);
    }
    yyjson_mut_val *comparisons = yyjson_mut_obj_add_arr(doc, cell, "comparisons");
    for (size_t i = 0; i < race->comparisons_count; i++) {
        const struct mr_plain_comparison *comparison = &race->comparisons[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, comparisons);
        yyjson_mut_obj_add_str(doc, one, "a", race->entries[comparison->a].as);
        yyjson_mut_obj_add_str(doc, one, "b", race->entries[comparison->b].as);
        yyjson_mut_obj_add_bool(doc, one, "primary", comparison->primary);
    }
}

int mr_plain_race_write(const struct mr_plain_race *race, const char *path,
                        struct mr_trial_fault *fault)
{
    MR_ASSERT(race->rows > 0);
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    yyjson_mut_obj_add_str(doc, root, "name", race->name);
    yyjson_mut_obj_add_str(doc, root, "title", race->title);
    yyjson_mut_obj_add_real(doc, root, "budget_s", race->minutes_at_most * 60);
    yyjson_mut_obj_add_uint(doc, root, "seed", race->seed);
    add_rules(race, doc, root);
    add_cell(race, doc, yyjson_mut_obj_add_arr(doc, root, "cells"));
    size_t length = 0;
    char *text = yyjson_mut_write(doc, YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_NEWLINE_AT_END,
                                  &length);
    int result = text == NULL ? -ENOMEM : mr_file_write(path, text, length);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be written: %s", path, strerror(-result));
    }
    free(text);
    yyjson_mut_doc_free(doc);
    return result;
}
