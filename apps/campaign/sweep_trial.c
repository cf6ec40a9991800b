// sweep_trial.c: see sweep_trial.h.
#include "sweep_trial.h"

#include "trial_run.h"

#include "base/clock.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double number(yyjson_mut_val *object, const char *key)
{
    yyjson_mut_val *value = yyjson_mut_obj_get(object, key);
    return yyjson_mut_is_num(value) ? yyjson_mut_get_num(value) : NAN;
}

static uint64_t count(yyjson_mut_val *object, const char *key)
{
    return yyjson_mut_get_uint(yyjson_mut_obj_get(object, key));
}

static struct mr_sweep_series read_series(yyjson_mut_val *all, const char *name)
{
    yyjson_mut_val *series = yyjson_mut_obj_get(all, name);
    return (struct mr_sweep_series){
        .n = count(series, "n"),
        .p50_ns = number(series, "p50_ns"),
        .p90_ns = number(series, "p90_ns"),
        .p99_ns = number(series, "p99_ns"),
        .p99_9_ns = number(series, "p99_9_ns"),
        .max_ns = number(series, "max_ns"),
    };
}

void mr_sweep_trial_read(yyjson_mut_val *generator, struct mr_sweep_trial *trial_io)
{
    yyjson_mut_val *window = yyjson_mut_obj_get(generator, "window");
    yyjson_mut_val *series = yyjson_mut_obj_get(generator, "series");
    trial_io->measured = window != NULL;
    trial_io->achieved_per_s = number(window, "batches_per_s");
    trial_io->overloaded = yyjson_mut_get_bool(yyjson_mut_obj_get(window, "overloaded"));
    trial_io->planned = count(window, "planned");
    trial_io->backlog_begin = count(window, "backlog_begin");
    trial_io->backlog_end = count(window, "backlog_end");
    trial_io->censored = count(window, "censored");
    trial_io->latency = read_series(series, "latency");
    trial_io->service_time = read_series(series, "service_time");
    trial_io->lateness_p99_ns = number(yyjson_mut_obj_get(series, "lateness"), "p99_ns");
}

static int make_room(struct mr_sweep *sweep, struct mr_trial_fault *fault)
{
    if (sweep->trials_count < sweep->trials_capacity) {
        return 0;
    }
    size_t capacity = sweep->trials_capacity == 0 ? 64 : 2 * sweep->trials_capacity;
    struct mr_sweep_trial *moved = realloc(sweep->trial, capacity * sizeof *moved);
    if (moved == NULL) {
        mr_trial_fault_set(fault, "out of memory");
        return -ENOMEM;
    }
    sweep->trial = moved;
    sweep->trials_capacity = capacity;
    return 0;
}

// The sweep's cell under this load; `name` is what the trial's file calls it.
static struct mr_cell cell_of(const struct mr_sweep *sweep, const struct mr_sweep_point *point,
                              char *name, size_t capacity)
{
    struct mr_cell cell = sweep->race.matrix.cells[0];
    if (point->phase == MR_SWEEP_CLOSED) {
        (void)snprintf(name, capacity, "closed");
    } else if (point->phase == MR_SWEEP_LOAD) {
        (void)snprintf(name, capacity, "load %u %%", sweep->options.load_percent[point->load]);
    } else if (point->phase == MR_SWEEP_PAIR) {
        (void)snprintf(name, capacity, "pair, %s", point->rate_per_s == 0 ? "closed" : "open");
    } else {
        (void)snprintf(name, capacity, "limit");
    }
    cell.name = name;
    cell.load.plan = point->rate_per_s == 0 ? "closed" : sweep->options.plan;
    cell.load.rate.per_s = point->rate_per_s;
    return cell;
}

// Takes over what the trial came to.
static void note(struct mr_sweep *sweep, const struct mr_sweep_point *point,
                 const struct mr_trial_run *run, struct mr_sweep_trial *trial)
{
    trial->number = run->trial.number;
    trial->phase = point->phase;
    trial->entry = point->entry;
    trial->load = point->load;
    trial->rate_per_s = point->rate_per_s;
    trial->window_ns = point->window_ns;
    trial->repeat = point->repeat;
    trial->attempt = run->trial.attempt;
    trial->outcome = run->trial.outcome;
    memcpy(trial->reason, run->trial.reason, sizeof trial->reason);
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        trial->gate_failed[gate] = run->trial.gates[gate].outcome == MR_GATE_FAILED;
    }
    if (trial->outcome == MR_TRIAL_WRONG) {
        struct mr_sweep_entry *entry = &sweep->entry[point->entry];
        memcpy(entry->wrong, trial->reason, sizeof entry->wrong);
    }
}

// One attempt. 0, or a negative errno; *interrupted_out: cut short.
static int attempt(struct mr_sweep *sweep, const struct mr_sweep_point *point, uint64_t number,
                   bool *interrupted_out, struct mr_trial_fault *fault)
{
    int result = make_room(sweep, fault);
    if (result != 0) {
        return result;
    }
    char name[32];
    const struct mr_cell cell = cell_of(sweep, point, name, sizeof name);
    const struct mr_trial_plan plan = {
        .race = &sweep->race,
        .cell = &cell,
        .data = &sweep->race.data[0],
        .load = &cell.load,
        .contestant = cell.contestants[point->entry],
        .entry = cell.entries[point->entry],
        .number = sweep->trials_count + 1,
        .row = point->row,
        .attempt = number,
        // The same for all contestants of a row; another one for a trial that runs again.
        .seed = sweep->options.seed * 1000003u + point->row * 101u + number,
    };
    struct mr_trial_run run;
    mr_trial_run_begin(&run, &plan);
    *interrupted_out = mr_trial_run_drive(&run, &mr_driver_served);
    struct mr_sweep_trial *trial = &sweep->trial[sweep->trials_count];
    *trial = (struct mr_sweep_trial){0};
    mr_sweep_trial_read(yyjson_mut_obj_get(run.details, "generator"), trial);
    result = mr_trial_run_end(&run, fault);
    if (result == 0) {
        note(sweep, point, &run, trial);
        sweep->trials_count++;
    }
    return result;
}

// A closed loop's maximum that is the generator's own is marked: no other trial would find more.
static void set_rules(struct mr_sweep *sweep, const struct mr_sweep_point *point,
                      enum mr_gate_action kept_up)
{
    struct mr_rules *rules = &sweep->race.matrix.rules;
    rules->window_ns = point->window_ns;
    rules->gates.action[MR_GATE_GENERATOR_KEPT_UP] =
        point->rate_per_s == 0 && kept_up == MR_GATE_EXCLUDE ? MR_GATE_MARK : kept_up;
}

static bool fits_budget(const struct mr_sweep *sweep, const struct mr_sweep_point *point)
{
    uint64_t left =
        mr_clock_ns() < sweep->race.deadline_ns ? sweep->race.deadline_ns - mr_clock_ns() : 0;
    return left > sweep->options.warmup_ns + point->window_ns;
}

int mr_sweep_trial_run(struct mr_sweep *sweep, const struct mr_sweep_point *point,
                       struct mr_trial_fault *fault)
{
    struct mr_rules *rules = &sweep->race.matrix.rules;
    const struct mr_rules before = *rules;
    int result = 0;
    bool again = true;
    for (uint64_t number = 0; result == 0 && again && number <= before.retries_max; number++) {
        struct mr_patience at_once = mr_race_patience(&sweep->race, 0);
        bool interrupted = mr_patience_poll(&at_once, -1, 0) == -EINTR;
        if (interrupted || !fits_budget(sweep, point)) {
            sweep->end = interrupted ? MR_SWEEP_SIGNAL : MR_SWEEP_BUDGET;
            return -EINTR;
        }
        set_rules(sweep, point, before.gates.action[MR_GATE_GENERATOR_KEPT_UP]);
        result = attempt(sweep, point, number, &interrupted, fault);
        *rules = before;
        if (result == 0 && interrupted) {
            sweep->end =
                mr_clock_ns() >= sweep->race.deadline_ns ? MR_SWEEP_BUDGET : MR_SWEEP_SIGNAL;
            return -EINTR;
        }
        again = result == 0 && sweep->trial[sweep->trials_count - 1].outcome == MR_TRIAL_EXCLUDED;
    }
    return result;
}
