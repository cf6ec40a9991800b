// runner.c: see runner.h.
#include "runner.h"

#include "progress_json.h"
#include "survivors.h"
#include "trial_run.h"

#include "base/clock.h"
#include "base/pin.h"
#include "base/progress.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What the runner carries from row to row.
struct runner {
    const struct mr_race *race;
    struct mr_progress progress;
    struct mr_run_progress so_far;
    bool out[MR_CELLS_MAX][MR_CELL_ENTRIES_MAX]; // wrong in that cell: not run again
    uint64_t number;                             // of the last trial
    struct mr_trial_fault *fault;
};

// One attempt at a row.
struct attempt {
    const struct mr_schedule_row *row;
    const struct mr_cell *cell;
    const struct mr_driver *driver;
    uint64_t number;
    uint64_t retry;
    struct mr_trial_run *runs; // by position, entries that are out left away
    size_t runs_count;
    bool excluded;
    bool interrupted;
    int error; // writing failed
};

static void begin_run(struct runner *runner, struct attempt *attempt, struct mr_trial_run *run,
                      size_t position)
{
    const struct mr_race *race = runner->race;
    size_t entry = attempt->row->order[position];
    const struct mr_trial_plan plan = {
        .race = race,
        .cell = attempt->cell,
        .data = &race->data[attempt->row->cell],
        .load = &attempt->cell->loads[entry],
        .contestant = attempt->cell->contestants[entry],
        .entry = attempt->cell->entries[entry],
        .dose_ppm = attempt->cell->dose_ppm[entry],
        .number = ++runner->number,
        .row = attempt->row->row,
        .position = position,
        .attempt = attempt->number,
        .retry = attempt->retry,
        // The same for all contestants of a row, so that they are asked for the same batches.
        .seed = race->matrix.seed * 1000003u + attempt->row->cell * 10007u + attempt->row->row,
    };
    mr_trial_run_begin(run, &plan);
    mr_progress_say(&runner->progress, "%s row %llu of %llu%s %s, %zu excluded so far",
                    attempt->cell->name, (unsigned long long)attempt->row->row + 1,
                    (unsigned long long)attempt->cell->rows, attempt->retry > 0 ? " again" : "",
                    run->trial.entry, runner->so_far.excluded);
}

static void note_progress(struct runner *runner, const struct attempt *attempt,
                          const struct mr_trial *trial)
{
    struct mr_run_progress *so_far = &runner->so_far;
    so_far->trials_done++;
    so_far->excluded += trial->outcome == MR_TRIAL_EXCLUDED;
    mr_progress_show(&runner->progress, so_far->trials_done, so_far->trials_planned);
    if (runner->race->json_progress) {
        mr_progress_json(so_far, trial, attempt->cell->rows, mr_clock_ns());
    }
}

// Judges, writes the file, and takes note of what it means for the row.
static void end_run(struct runner *runner, struct attempt *attempt, struct mr_trial_run *run)
{
    int result = mr_trial_run_end(run, runner->fault);
    if (result != 0) {
        attempt->error = result;
        return;
    }
    note_progress(runner, attempt, &run->trial);
    attempt->excluded |= run->trial.outcome == MR_TRIAL_EXCLUDED;
    if (run->trial.outcome == MR_TRIAL_WRONG || run->trial.outcome == MR_TRIAL_ABSENT) {
        runner->out[attempt->row->cell][attempt->row->order[run->trial.position]] = true;
    }
}

// A trial that a signal or the budget cut short is listed like any other that does not count.
static void note_interruption(struct attempt *attempt, struct mr_trial_run *run,
                              enum mr_driver_result result)
{
    if (result == MR_DRIVER_INTERRUPTED) {
        attempt->interrupted = true;
        mr_trial_run_interrupt(run);
    }
}

static void run_one_after_another(struct runner *runner, struct attempt *attempt)
{
    for (size_t position = 0; position < attempt->row->order_count; position++) {
        if (runner->out[attempt->row->cell][attempt->row->order[position]]) {
            continue;
        }
        struct mr_trial_run *run = &attempt->runs[attempt->runs_count++];
        begin_run(runner, attempt, run, position);
        attempt->interrupted |= mr_trial_run_drive(run, attempt->driver);
        end_run(runner, attempt, run);
        if (attempt->excluded || attempt->interrupted || attempt->error != 0) {
            return;
        }
    }
}

// Calls `step` for every trial that is still well.
static void each(struct attempt *attempt, enum mr_driver_result (*step)(struct mr_trial_run *))
{
    for (size_t i = 0; i < attempt->runs_count && !attempt->interrupted; i++) {
        struct mr_trial_run *run = &attempt->runs[i];
        if (run->trial.outcome == MR_TRIAL_COUNTED) {
            note_interruption(attempt, run, step(run));
        }
    }
}

// Ends the processes that nobody's contestant of this row is meant to be; their number.
static size_t end_strays(const struct attempt *attempt)
{
    pid_t meant[MR_CELL_ENTRIES_MAX];
    for (size_t i = 0; i < attempt->runs_count; i++) {
        meant[i] = attempt->runs[i].pid;
    }
    return mr_survivors_end(meant, attempt->runs_count);
}

// What was left behind ran on the core of all of the row: nobody's figures of it count.
static void exclude_row(struct attempt *attempt, const char *who)
{
    for (size_t i = 0; i < attempt->runs_count; i++) {
        if (attempt->runs[i].trial.outcome == MR_TRIAL_COUNTED) {
            (void)mr_trial_run_fail(&attempt->runs[i], MR_TRIAL_EXCLUDED,
                                    "%s left processes behind, which ran beside it", who);
        }
    }
}

// Ends the contestants one by one, so that what is left behind can be told by whose end it came to
// light. Who daemonised earlier cannot be told from the others of the row.
static void finish_in_turn(struct attempt *attempt)
{
    bool unnamed = end_strays(attempt) > 0;
    const char *culprit = NULL;
    for (size_t i = 0; i < attempt->runs_count; i++) {
        struct mr_trial_run *run = &attempt->runs[i];
        if (attempt->interrupted) {
            note_interruption(attempt, run, MR_DRIVER_INTERRUPTED);
        }
        (void)attempt->driver->finish(run); // what fails here is in the trial's outcome
        size_t left = end_strays(attempt);
        if (left > 0) {
            (void)mr_trial_run_fail(run, MR_TRIAL_WRONG, "it left %zu process%s behind", left,
                                    left > 1 ? "es" : "");
            culprit = run->entry->text;
        }
    }
    if (culprit != NULL || unnamed) {
        exclude_row(attempt, unnamed ? "a contestant of this row" : culprit);
    }
}

// We wake up for every pass: on the core where nobody of the row runs.
static void keep_away(const struct runner *runner, struct mr_cores *allowed_out)
{
    int result = mr_pin_allowed(allowed_out);
    result = result == 0 ? mr_pin_self(&runner->race->cores.generator) : result;
    if (result != 0) {
        mr_race_log(runner->race, "we cannot stay off the contestants' core: %s",
                    strerror(-result));
        allowed_out->count = 0;
    }
}

static void come_back(const struct runner *runner, const struct mr_cores *allowed)
{
    int result = allowed->count == 0 ? 0 : mr_pin_self(allowed);
    if (result != 0) {
        mr_race_log(runner->race, "we cannot have our cores back: %s", strerror(-result));
    }
}

static void run_in_turn(struct runner *runner, struct attempt *attempt)
{
    const struct mr_driver *driver = attempt->driver;
    struct mr_cores allowed;
    struct mr_trial_row row = {.runs = attempt->runs};
    keep_away(runner, &allowed);
    for (size_t position = 0; position < attempt->row->order_count; position++) {
        if (!runner->out[attempt->row->cell][attempt->row->order[position]]) {
            begin_run(runner, attempt, &attempt->runs[attempt->runs_count], position);
            attempt->runs[attempt->runs_count++].row = &row;
        }
    }
    row.runs_count = attempt->runs_count;
    each(attempt, driver->prepare);
    each(attempt, driver->warm);
    for (uint64_t step = 0; step < runner->race->matrix.rules.steps; step++) {
        each(attempt, driver->measure);
    }
    each(attempt, driver->verify);
    finish_in_turn(attempt);
    come_back(runner, &allowed);
    for (size_t i = 0; i < attempt->runs_count; i++) {
        end_run(runner, attempt, &attempt->runs[i]);
    }
}

static size_t entries_left(const struct runner *runner, const struct mr_schedule_row *row)
{
    size_t left = 0;
    for (size_t i = 0; i < row->order_count; i++) {
        left += !runner->out[row->cell][row->order[i]];
    }
    return left;
}

// Runs a row, and again while something is excluded and the rules allow it. False: stop.
static bool run_row(struct runner *runner, const struct mr_schedule_row *row,
                    const struct mr_past_row *past, enum mr_runner_end *end_io, int *error_io)
{
    const struct mr_race *race = runner->race;
    struct mr_trial_run *runs = calloc(row->order_count, sizeof *runs);
    if (runs == NULL) {
        mr_trial_fault_set(runner->fault, "out of memory");
        *error_io = -ENOMEM;
        return false;
    }
    bool go_on = true;
    uint64_t number = past->attempts;
    for (uint64_t retry = past->retries_used;
         go_on && retry <= race->matrix.rules.retries_max && entries_left(runner, row) >= 2;
         retry++) {
        struct attempt attempt = {.row = row,
                                  .cell = &race->matrix.cells[row->cell],
                                  .driver = mr_driver_by_name(race->matrix.cells[row->cell].driver),
                                  .number = number++,
                                  .retry = retry,
                                  .runs = runs};
        if (attempt.driver->interleaved) {
            run_in_turn(runner, &attempt);
        } else {
            run_one_after_another(runner, &attempt);
        }
        *error_io = attempt.error;
        if (attempt.interrupted) {
            *end_io = mr_clock_ns() >= race->deadline_ns ? MR_RUNNER_BUDGET : MR_RUNNER_INTERRUPTED;
        }
        go_on = attempt.error == 0 && !attempt.interrupted;
        if (!attempt.excluded) {
            break;
        }
    }
    free(runs);
    return go_on;
}

// Who failed the conformance kit is not timed, nor who cannot run here: each of its cells lists it
// as wrong or absent, as a trial that never ran.
static int list_out_of_race(struct runner *runner)
{
    const struct mr_race *race = runner->race;
    for (size_t cell = 0; cell < race->matrix.cells_count; cell++) {
        for (size_t i = 0; i < race->matrix.cells[cell].entries_count; i++) {
            struct mr_schedule_row row = {.cell = cell, .order = {(unsigned)i}, .order_count = 1};
            struct mr_trial_run run;
            struct attempt attempt = {
                .row = &row, .cell = &race->matrix.cells[cell], .runs = &run, .runs_count = 1};
            size_t entry = mr_entry_index(&race->entries, attempt.cell->contestants[i]);
            bool absent = race->absent[entry][0] != '\0';
            bool listed = runner->out[cell][i]; // by an earlier sitting
            if (listed || (!race->not_conformant[entry] && !absent)) {
                continue;
            }
            begin_run(runner, &attempt, &run, 0);
            if (absent) {
                (void)mr_trial_run_fail(&run, MR_TRIAL_ABSENT, "%s", race->absent[entry]);
            } else {
                (void)mr_trial_run_fail(
                    &run, MR_TRIAL_WRONG,
                    "not conformant, so not timed: conform-%s.txt lists what it got wrong",
                    mr_entry_program(run.entry));
            }
            end_run(runner, &attempt, &run);
            if (attempt.error != 0) {
                return attempt.error;
            }
        }
    }
    return 0;
}

int mr_runner_run(const struct mr_race *race, enum mr_runner_end *end_out,
                  struct mr_trial_fault *fault)
{
    struct runner *runner = calloc(1, sizeof *runner);
    if (runner == NULL) {
        mr_trial_fault_set(fault, "out of memory");
        return -ENOMEM;
    }
    runner->race = race;
    runner->fault = fault;
    size_t trials = 0;
    for (size_t i = 0; i < race->schedule.count; i++) {
        trials += race->schedule.rows[i].order_count;
    }
    runner->so_far = (struct mr_run_progress){.start_ns = mr_clock_ns(), .trials_planned = trials};
    mr_progress_init(&runner->progress, "racing");
    *end_out = MR_RUNNER_COMPLETE;
    memcpy(runner->out, race->past.out, sizeof runner->out);
    runner->number = race->past.last_number;
    int error = list_out_of_race(runner);
    bool go_on = error == 0;
    for (size_t i = 0; go_on && i < race->schedule.count; i++) {
        const struct mr_past_row past =
            race->past.rows == NULL ? (struct mr_past_row){0} : race->past.rows[i];
        if (past.finished) {
            runner->so_far.trials_done += race->schedule.rows[i].order_count;
            runner->so_far.trials_before += race->schedule.rows[i].order_count;
            continue;
        }
        uint64_t now_ns = mr_clock_ns();
        if (now_ns >= race->deadline_ns || now_ns >= race->last_row_ns) {
            *end_out = MR_RUNNER_BUDGET;
            break;
        }
        go_on = run_row(runner, &race->schedule.rows[i], &past, end_out, &error);
    }
    mr_progress_fini(&runner->progress);
    free(runner);
    return error;
}
