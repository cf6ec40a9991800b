// results_gates.c: see results_gates.h.
#include "results_gates.h"
#include "results_real.h"

#include <math.h>
#include <string.h>

// Whether `trial` ran in `cell`, as `entry` (NULL: anybody).
static bool is_of(const struct mr_trial *trial, const struct mr_cell *cell, const char *entry)
{
    return strcmp(trial->cell, cell->name) == 0 &&
           (entry == NULL || strcmp(trial->entry, entry) == 0);
}

static void add_counts(yyjson_mut_doc *doc, yyjson_mut_val *object, const uint64_t *counts,
                       const char *(*name_of)(enum mr_gate_outcome), int last)
{
    for (int outcome = 0; outcome <= last; outcome++) {
        yyjson_mut_obj_add_uint(doc, object, name_of((enum mr_gate_outcome)outcome),
                                counts[outcome]);
    }
}

void mr_results_entry_gates(yyjson_mut_doc *doc, yyjson_mut_val *one, const struct mr_cell *cell,
                            const char *entry, const struct mr_trial_table *table)
{
    uint64_t gates[MR_GATE_COUNT][MR_GATE_SKIPPED + 1] = {{0}};
    uint64_t marks[MR_MARK_COUNT][MR_GATE_SKIPPED + 1] = {{0}};
    for (size_t i = 0; i < table->count; i++) {
        const struct mr_trial *trial = &table->trials[i];
        if (!is_of(trial, cell, entry)) {
            continue;
        }
        for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
            gates[gate][trial->gates[gate].outcome]++;
        }
        for (int mark = 0; mark < MR_MARK_COUNT; mark++) {
            marks[mark][trial->marks[mark].outcome]++;
        }
    }
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, one, "gates");
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        add_counts(doc, yyjson_mut_obj_add_obj(doc, object, mr_gate_name((enum mr_gate)gate)),
                   gates[gate], mr_gate_outcome_name, MR_GATE_SKIPPED);
    }
    object = yyjson_mut_obj_add_obj(doc, one, "marks");
    for (int mark = 0; mark < MR_MARK_COUNT; mark++) {
        add_counts(doc, yyjson_mut_obj_add_obj(doc, object, mr_mark_name((enum mr_mark)mark)),
                   marks[mark], mr_mark_outcome_name, MR_GATE_EXEMPT);
    }
}

// How often the gate failed trials of `entry`; false where it never applied to one (null
// contestants are exempt from some, and some are switched off).
static bool failed_count(const struct mr_trial_table *table, const struct mr_cell *cell,
                         const char *entry, int gate, uint64_t *count_out)
{
    bool applied = false;
    *count_out = 0;
    for (size_t i = 0; i < table->count; i++) {
        enum mr_gate_outcome outcome = table->trials[i].gates[gate].outcome;
        if (is_of(&table->trials[i], cell, entry)) {
            *count_out += outcome == MR_GATE_FAILED;
            applied |= outcome != MR_GATE_EXEMPT && outcome != MR_GATE_SKIPPED;
        }
    }
    return applied;
}

static void add_uneven(yyjson_mut_doc *doc, yyjson_mut_val *uneven, const struct mr_cell *cell,
                       const struct mr_trial_table *table, int gate)
{
    uint64_t most = 0;
    uint64_t least = UINT64_MAX;
    yyjson_mut_val *object = yyjson_mut_obj(doc);
    for (size_t i = 0; i < cell->entries_count; i++) {
        uint64_t failed;
        if (failed_count(table, cell, cell->entries[i], gate, &failed)) {
            most = failed > most ? failed : most;
            least = failed < least ? failed : least;
            yyjson_mut_obj_add_uint(doc, object, cell->entries[i], failed);
        }
    }
    if (most > least) {
        yyjson_mut_obj_add_val(doc, uneven, mr_gate_name((enum mr_gate)gate), object);
    }
}

void mr_results_gate_counts(yyjson_mut_doc *doc, yyjson_mut_val *one, const struct mr_cell *cell,
                            const struct mr_trial_table *table)
{
    mr_results_entry_gates(doc, one, cell, NULL, table);
    yyjson_mut_val *uneven = yyjson_mut_obj_add_obj(doc, one, "uneven");
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        if (gate == MR_GATE_ANSWERS) {
            continue; // nobody runs again for it
        }
        add_uneven(doc, uneven, cell, table, gate);
    }
}

void mr_results_headroom(yyjson_mut_doc *doc, yyjson_mut_val *one, const struct mr_cell *cell,
                         const struct mr_cell_estimate *estimate, const bool *null_contestant,
                         const struct mr_gate_rules *rules)
{
    double null_best = 0;
    double best = 0;
    bool open_loop = true; // of all: none has a maximum that could be compared
    for (size_t i = 0; i < cell->entries_count; i++) {
        if (mr_cell_load_is_open(&cell->loads[i])) {
            continue;
        }
        open_loop = false;
        for (size_t k = 0; k < estimate->entries[i].metrics_count; k++) {
            const struct mr_metric *metric = &estimate->entries[i].metrics[k].metric;
            if (strcmp(metric->name, cell->metric) == 0 && metric->higher_is_better &&
                metric->value > 0) {
                double *place = null_contestant[i] ? &null_best : &best;
                *place = fmax(*place, metric->value);
            }
        }
    }
    double headroom = !open_loop && null_best > 0 && best > 0 ? null_best / best : NAN;
    struct mr_gate_result judged = mr_gate_judge_headroom(headroom, rules);
    if (open_loop && judged.outcome != MR_GATE_SKIPPED) {
        judged.outcome = MR_GATE_EXEMPT;
    }
    mr_results_add_real(doc, one, "headroom", headroom);
    yyjson_mut_obj_add_real(doc, one, "headroom_min", rules->headroom_min);
    yyjson_mut_obj_add_str(doc, one, "server_is_limit", mr_gate_outcome_name(judged.outcome));
}
