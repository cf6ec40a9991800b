// rate_maximum.c: see rate_maximum.h.
#include "rate_maximum.h"

#include "hash_log.h"

#include "trial_run.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/mr_assert.h"
#include "base/progress.h"
#include "stats/robust.h"
#include "trial/judgement.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The default of rule 3, whatever the cell's own load is: a maximum is a maximum.
#define CONNECTIONS   16
#define DEPTH         4
#define WINDOW_MAX_NS (2 * MR_NS_PER_S)

// An accident of the host is no maximum: measured again, so often in all.
#define ACCIDENTS_MAX 3

struct measuring {
    struct mr_race *race; // as it is, but for a shorter window
    struct mr_cell *cell; // as it is
    struct mr_rate_maxima *maxima;
    struct mr_progress progress;
    struct mr_cell_load load;
    uint64_t number; // of the last trial
    bool interrupted;
    struct mr_trial_fault *fault;
};

static bool is_shared(const struct mr_cell *cell)
{
    bool shared = false;
    for (size_t i = 0; i < cell->entries_count; i++) {
        shared |= mr_cell_load_is_shared(&cell->loads[i]);
    }
    return shared;
}

static bool is_listed(const struct mr_rate_maxima *maxima, size_t cell, const char *contestant)
{
    for (size_t i = 0; i < maxima->count; i++) {
        if (maxima->item[i].cell == cell && strcmp(maxima->item[i].contestant, contestant) == 0) {
            return true;
        }
    }
    return false;
}

// Every contestant once a cell, under however many loads it stands there.
static int list(const struct mr_race *race, struct mr_rate_maxima *maxima)
{
    size_t room = 0;
    for (size_t i = 0; i < race->matrix.cells_count; i++) {
        room += race->matrix.cells[i].entries_count;
    }
    maxima->item = calloc(room + 1, sizeof *maxima->item);
    if (maxima->item == NULL) {
        return -ENOMEM;
    }
    for (size_t index = 0; index < race->matrix.cells_count; index++) {
        const struct mr_cell *cell = &race->matrix.cells[index];
        for (size_t i = 0; is_shared(cell) && i < cell->entries_count; i++) {
            const char *contestant = cell->contestants[i];
            if (is_listed(maxima, index, contestant)) {
                continue;
            }
            const struct mr_entry *entry = mr_entry_find(&race->entries, contestant);
            bool drains = strcmp(mr_entry_mode(entry, cell->mode), "drain") == 0;
            maxima->item[maxima->count++] = (struct mr_rate_maximum){
                .cell = index,
                .contestant = contestant,
                .null_contestant = drains && strcmp(cell->mode, "drain") != 0};
        }
    }
    return 0;
}

static void begin_run(struct measuring *measuring, const struct mr_rate_maximum *maximum,
                      uint64_t repeat, struct mr_trial_run *run)
{
    const struct mr_race *race = measuring->race;
    const struct mr_trial_plan plan = {
        .race = race,
        .cell = measuring->cell,
        .data = &race->data[maximum->cell],
        .load = &measuring->load,
        .contestant = maximum->contestant,
        .entry = maximum->contestant,
        .number = ++measuring->number,
        .row = repeat,
        .seed = race->matrix.seed * 1000003u + maximum->cell * 10007u + repeat,
    };
    mr_trial_run_begin(run, &plan);
}

static int keep(struct measuring *measuring, struct mr_trial_run *run)
{
    char name[64];
    char path[PATH_MAX];
    (void)snprintf(name, sizeof name, "maxima/%05llu.json", (unsigned long long)run->trial.number);
    (void)snprintf(path, sizeof path, "%s/%s", measuring->race->folder, name);
    run->trial.before_gates = run->trial.outcome;
    run->trial.observation = run->observation;
    (void)mr_trial_judge(&run->trial, &measuring->race->matrix.rules); // the marks: gates are off
    run->trial.end_ns = mr_clock_ns();
    int result = mr_trial_write(path, &run->trial, run->doc, run->details);
    if (result != 0) {
        mr_trial_fault_set(measuring->fault, "%s: cannot be written: %s", path, strerror(-result));
        return result;
    }
    mr_hash_log(measuring->race, name);
    return 0;
}

// Measures once. 0: fine or not, *maximum says it; a negative errno: the run is over.
static int measure_once(struct measuring *measuring, struct mr_rate_maximum *maximum,
                        uint64_t repeat)
{
    const struct mr_driver *driver = mr_driver_by_name(measuring->cell->driver);
    for (int accident = 0; accident < ACCIDENTS_MAX; accident++) {
        struct mr_trial_run run;
        begin_run(measuring, maximum, repeat, &run);
        mr_progress_say(&measuring->progress, "%s %s", run.cell->name, maximum->contestant);
        measuring->interrupted = mr_trial_run_drive(&run, driver);
        int result = keep(measuring, &run);
        const struct mr_metric *metric = mr_trial_find(&run.trial, "batches_per_s");
        bool fine = run.trial.outcome == MR_TRIAL_COUNTED && metric != NULL && metric->value > 0;
        if (fine) {
            maximum->batches_per_s[maximum->count++] = metric->value;
        }
        // Nothing done in the window says nothing of the pace: the host's doing, or the window's.
        bool again = !fine && run.trial.outcome != MR_TRIAL_WRONG;
        (void)snprintf(maximum->reason, sizeof maximum->reason, "%s",
                       fine || run.trial.reason[0] != '\0' ? run.trial.reason : "it did nothing");
        yyjson_mut_doc_free(run.doc);
        if (result != 0 || measuring->interrupted) {
            return result != 0 ? result : -EINTR;
        }
        if (!again) {
            return 0;
        }
    }
    // Without it the slowest could be another one, and the rate too high for it.
    mr_trial_fault_set(measuring->fault, "cell \"%s\": the maximum of %s cannot be measured: %s",
                       measuring->cell->name, maximum->contestant, maximum->reason);
    return -EIO;
}

static void take_median(struct mr_rate_maximum *maximum)
{
    double sorted[MR_RATE_REPEATS];
    if (maximum->reason[0] != '\0' || maximum->count == 0) {
        return; // once wrong, never a yardstick
    }
    memcpy(sorted, maximum->batches_per_s, sizeof sorted);
    mr_sort(sorted, maximum->count);
    maximum->median = mr_median_sorted(sorted, maximum->count);
}

static bool is_conformant(const struct mr_race *race, const char *contestant)
{
    for (size_t i = 0; i < race->entries.count; i++) {
        if (strcmp(race->entries.entry[i]->text, contestant) == 0) {
            return !race->not_conformant[i];
        }
    }
    return false;
}

// Repeat by repeat over all contestants, so that a drift of the machine meets all alike.
static int measure_all(struct measuring *measuring)
{
    struct mr_rate_maxima *maxima = measuring->maxima;
    int result = 0;
    for (uint64_t repeat = 0; result == 0 && repeat < MR_RATE_REPEATS; repeat++) {
        for (size_t i = 0; result == 0 && i < maxima->count; i++) {
            struct mr_rate_maximum *maximum = &maxima->item[i];
            mr_progress_show(&measuring->progress, repeat * maxima->count + i,
                             MR_RATE_REPEATS * maxima->count);
            measuring->cell = &measuring->race->matrix.cells[maximum->cell];
            if (!is_conformant(measuring->race, maximum->contestant)) {
                (void)snprintf(maximum->reason, sizeof maximum->reason, "not conformant");
            }
            if (maximum->reason[0] == '\0') {
                result = measure_once(measuring, maximum, repeat);
            }
        }
    }
    for (size_t i = 0; i < maxima->count; i++) {
        take_median(&maxima->item[i]);
    }
    return result;
}

double mr_rate_maxima_choose(struct mr_rate_maxima *maxima, size_t cell)
{
    struct mr_rate_maximum *slowest = NULL;
    for (size_t i = 0; i < maxima->count; i++) {
        struct mr_rate_maximum *one = &maxima->item[i];
        if (one->cell == cell && !one->null_contestant && one->median > 0 &&
            (slowest == NULL || one->median < slowest->median)) {
            slowest = one;
        }
    }
    if (slowest == NULL) {
        return 0;
    }
    slowest->slowest = true;
    return slowest->median;
}

static const char *reason_of(const struct mr_rate_maxima *maxima, size_t cell)
{
    const char *reason = "";
    for (size_t i = 0; i < maxima->count; i++) {
        const struct mr_rate_maximum *one = &maxima->item[i];
        reason = one->cell == cell && one->reason[0] != '\0' ? one->reason : reason;
    }
    return reason;
}

// Said before anything is measured: a cell in which nobody could set a rate.
static int check_somebody(const struct mr_race *race, struct mr_trial_fault *fault)
{
    for (size_t index = 0; index < race->matrix.cells_count; index++) {
        bool somebody = !is_shared(&race->matrix.cells[index]);
        for (size_t i = 0; i < race->maxima.count; i++) {
            const struct mr_rate_maximum *one = &race->maxima.item[i];
            somebody |= one->cell == index && !one->null_contestant;
        }
        if (!somebody) {
            mr_trial_fault_set(
                fault,
                "cell \"%s\" has only null contestants, which set no rate: its share "
                "is a share of nothing",
                race->matrix.cells[index].name);
            return -EINVAL;
        }
    }
    return 0;
}

static int fix_rates(struct mr_race *race, struct mr_trial_fault *fault)
{
    for (size_t index = 0; index < race->matrix.cells_count; index++) {
        struct mr_cell *cell = &race->matrix.cells[index];
        if (!is_shared(cell)) {
            continue;
        }
        double maximum = mr_rate_maxima_choose(&race->maxima, index);
        if (!(maximum > 0)) {
            mr_trial_fault_set(fault,
                               "cell \"%s\": nobody's maximum could be measured, so its share is a "
                               "share of nothing: %s",
                               cell->name, reason_of(&race->maxima, index));
            return -EPROTO;
        }
        for (size_t i = 0; i < cell->entries_count; i++) {
            mr_cell_load_resolve(&cell->loads[i], maximum);
        }
        mr_cell_load_resolve(&cell->load, maximum);
        mr_race_log(race, "cell %s: the slowest maximum is %.1f batches/s", cell->name, maximum);
    }
    return 0;
}

static int measure(struct mr_race *race, struct mr_trial_fault *fault)
{
    struct mr_race *shorter = malloc(sizeof *shorter);
    if (shorter == NULL) {
        mr_trial_fault_set(fault, "out of memory");
        return -ENOMEM;
    }
    *shorter = *race;
    struct mr_rules *rules = &shorter->matrix.rules;
    rules->window_ns = rules->window_ns < WINDOW_MAX_NS ? rules->window_ns : WINDOW_MAX_NS;
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) { // no row depends on these trials
        rules->gates.action[gate] = MR_GATE_OFF;
    }
    struct measuring measuring = {
        .race = shorter, .maxima = &race->maxima, .load = mr_cell_load_default(), .fault = fault};
    measuring.load.connections = CONNECTIONS;
    measuring.load.depth = DEPTH;
    mr_progress_init(&measuring.progress, "measuring the maxima that shares are of");
    int result = measure_all(&measuring);
    mr_progress_fini(&measuring.progress);
    free(shorter);
    return result;
}

int mr_race_rates_prepare(struct mr_race *race, struct mr_trial_fault *fault)
{
    int result = list(race, &race->maxima);
    if (result != 0 || race->maxima.count == 0) {
        if (result != 0) {
            mr_trial_fault_set(fault, "out of memory");
        }
        return result;
    }
    result = check_somebody(race, fault);
    if (result != 0) {
        return result;
    }
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/maxima", race->folder);
    result = mr_folder_make(path);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be made: %s", path, strerror(-result));
        return result;
    }
    result = measure(race, fault);
    return result == 0 ? fix_rates(race, fault) : result;
}

void mr_rate_maxima_fini(struct mr_rate_maxima *maxima)
{
    free(maxima->item);
    *maxima = (struct mr_rate_maxima){0};
}
