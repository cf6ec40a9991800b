// trial_run.c: see trial_run.h.
#include "trial_run.h"

#include "survivors.h"

#include "base/clock.h"
#include "base/mr_assert.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Nothing seen yet.
static struct mr_observation unseen(bool null_contestant)
{
    return (struct mr_observation){.null_contestant = null_contestant,
                                   .answers = NAN,
                                   .generator_busy = NAN,
                                   .server_busy = NAN,
                                   .lateness_p99_ns = NAN,
                                   .gap_ns = NAN,
                                   .headroom = NAN,
                                   .foreign_share = NAN,
                                   .foreign_step_share = NAN,
                                   .pause_share = NAN,
                                   .pause_longest_ns = NAN,
                                   .machine_change = NAN,
                                   .machine_spread = NAN,
                                   .major_faults = NAN,
                                   .swapped_pages = NAN,
                                   .throttled_ns = NAN,
                                   .recorder_deviation = NAN};
}

void mr_trial_run_begin(struct mr_trial_run *run_out, const struct mr_trial_plan *plan)
{
    const struct mr_entry *entry = mr_entry_find(&plan->race->entries, plan->entry);
    const char *mode = mr_entry_mode(entry, plan->cell->mode);
    *run_out = (struct mr_trial_run){
        .race = plan->race,
        .cell = plan->cell,
        .data = plan->data,
        .entry = entry,
        .mode = mode,
        .observation = unseen(strcmp(mode, "drain") == 0),
        .doc = yyjson_mut_doc_new(NULL),
        .trial = {.number = plan->number,
                  .cell = plan->cell->name,
                  .row = plan->row,
                  .position = plan->position,
                  .attempt = plan->attempt,
                  .entry = entry->text,
                  .seed = plan->seed,
                  .start_ns = mr_clock_ns()},
    };
    MR_ASSERT(run_out->doc != NULL);
    run_out->details = yyjson_mut_obj(run_out->doc);
    mr_clock_utc_text(run_out->started_utc);
    run_out->trial.started_utc = run_out->started_utc;
}

void mr_trial_run_interrupt(struct mr_trial_run *run)
{
    (void)mr_trial_run_fail(run, MR_TRIAL_EXCLUDED,
                            "the run was ended (signal or time budget) in mid-trial");
}

// Nothing that a contestant started may run beside the next trial.
static void end_survivors(struct mr_trial_run *run)
{
    size_t left = mr_survivors_end();
    if (left > 0) {
        (void)mr_trial_run_fail(run, MR_TRIAL_WRONG, "it left %zu process%s behind", left,
                                left > 1 ? "es" : "");
    }
}

bool mr_trial_run_drive(struct mr_trial_run *run, const struct mr_driver *driver)
{
    enum mr_driver_result result = driver->prepare(run);
    result = result == MR_DRIVER_OK ? driver->warm(run) : result;
    result = result == MR_DRIVER_OK ? driver->measure(run) : result;
    result = result == MR_DRIVER_OK ? driver->verify(run) : result;
    if (result == MR_DRIVER_INTERRUPTED) {
        mr_trial_run_interrupt(run);
    }
    (void)driver->finish(run); // what fails here is in the trial's outcome
    end_survivors(run);
    return result == MR_DRIVER_INTERRUPTED;
}

static void name_gates(struct mr_trial_run *run)
{
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        if (run->trial.gates[gate].outcome == MR_GATE_FAILED &&
            run->race->matrix.rules.gates.action[gate] == MR_GATE_EXCLUDE) {
            (void)mr_trial_run_fail(run, MR_TRIAL_EXCLUDED, "gate %s: %.4g against a limit of %.4g",
                                    mr_gate_name((enum mr_gate)gate), run->trial.gates[gate].figure,
                                    run->trial.gates[gate].threshold);
            return;
        }
    }
}

int mr_trial_run_end(struct mr_trial_run *run, struct mr_trial_fault *fault)
{
    const struct mr_race *race = run->race;
    mr_gates_judge(&run->observation, &race->matrix.rules.gates, run->trial.gates);
    // Judged over the whole cell, where the null contestant's figure stands beside the others.
    run->trial.gates[MR_GATE_SERVER_IS_LIMIT] = (struct mr_gate_result){MR_GATE_EXEMPT, NAN, NAN};
    if (run->trial.outcome == MR_TRIAL_COUNTED &&
        mr_gates_exclude(run->trial.gates, &race->matrix.rules.gates)) {
        name_gates(run);
    }
    run->trial.end_ns = mr_clock_ns();
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/trials/%05llu.json", race->folder,
                   (unsigned long long)run->trial.number);
    int result = mr_trial_write(path, &run->trial, run->doc, run->details);
    yyjson_mut_doc_free(run->doc);
    run->doc = NULL;
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be written: %s", path, strerror(-result));
        return result;
    }
    if (run->trial.outcome != MR_TRIAL_COUNTED) {
        mr_race_log(race, "trial %llu, %s row %llu, %s: %s: %s",
                    (unsigned long long)run->trial.number, run->trial.cell,
                    (unsigned long long)run->trial.row, run->trial.entry,
                    mr_trial_outcome_name(run->trial.outcome), run->trial.reason);
    }
    return 0;
}
