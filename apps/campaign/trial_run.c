// trial_run.c: see trial_run.h.
#include "trial_run.h"

#include "hash_log.h"
#include "survivors.h"

#include "base/clock.h"
#include "base/mr_assert.h"
#include "trial/judgement.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// Nothing seen yet.
static struct mr_observation unseen(const struct mr_race *race, bool null_contestant)
{
    struct mr_observation observation = mr_observation_unknown();
    observation.null_contestant = null_contestant;
    observation.grade_c = race->cores.grade == MR_GRADE_C;
    return observation;
}

void mr_trial_run_begin(struct mr_trial_run *run_out, const struct mr_trial_plan *plan)
{
    const struct mr_entry *entry = mr_entry_find(&plan->race->entries, plan->contestant);
    const char *mode = mr_entry_mode(entry, plan->cell->mode);
    *run_out = (struct mr_trial_run){
        .race = plan->race,
        .cell = plan->cell,
        .data = plan->data,
        .entry = entry,
        .load = plan->load,
        .mode = mode,
        .retry = plan->retry,
        .dose_ppm = plan->dose_ppm,
        .observation = unseen(plan->race, strcmp(mode, "drain") == 0),
        .doc = yyjson_mut_doc_new(NULL),
        .trial = {.number = plan->number,
                  .cell = plan->cell->name,
                  .row = plan->row,
                  .position = plan->position,
                  .attempt = plan->attempt,
                  .entry = plan->entry,
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
    (void)mr_trial_run_fail(run, MR_TRIAL_EXCLUDED, MR_TRIAL_INTERRUPTED);
}

// Nothing that a contestant started may run beside the next trial.
static void end_survivors(struct mr_trial_run *run)
{
    size_t left = mr_survivors_end(NULL, 0);
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

int mr_trial_run_end(struct mr_trial_run *run, struct mr_trial_fault *fault)
{
    const struct mr_race *race = run->race;
    run->trial.before_gates = run->trial.outcome;
    run->trial.observation = run->observation;
    enum mr_gate_effect effect = mr_trial_judge(&run->trial, &race->matrix.rules);
    run->trial.end_ns = mr_clock_ns();
    char name[64];
    char path[PATH_MAX];
    (void)snprintf(name, sizeof name, "trials/%05llu.json", (unsigned long long)run->trial.number);
    (void)snprintf(path, sizeof path, "%s/%s", race->folder, name);
    int result = mr_trial_write(path, &run->trial, run->doc, run->details);
    yyjson_mut_doc_free(run->doc);
    run->doc = NULL;
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be written: %s", path, strerror(-result));
        return result;
    }
    mr_hash_log(race, name);
    if (run->trial.outcome != MR_TRIAL_COUNTED) {
        mr_race_log(race, "trial %llu, %s row %llu, %s: %s: %s",
                    (unsigned long long)run->trial.number, run->trial.cell,
                    (unsigned long long)run->trial.row, run->trial.entry,
                    mr_trial_outcome_name(run->trial.outcome), run->trial.reason);
    }
    if (effect == MR_EFFECT_ABORTED) {
        mr_trial_fault_set(fault,
                           "a bug of this program, not of a contestant: no figure of this run can "
                           "be trusted; please report it with %s: %s",
                           path, run->trial.reason);
        return -EPROTO;
    }
    return 0;
}
