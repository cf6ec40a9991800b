// driver_simulated.c: a driver that runs nobody: figures drawn from the row's seed, for proofs
// about the campaign itself. Its report says so.
#include "driver.h"

#include "base/rng.h"
#include "trial/trial_file.h"

#include <errno.h>
#include <string.h>

// One trial in so many is disturbed, so that rows run again.
#define DISTURBED_ONE_IN 12

// Whose name begins so is caught lying.
#define LIAR_PREFIX "liar-"

// Figures belong to the place in the schedule, not to the trial's number: a run that was killed and
// went on draws the same.
static struct mr_rng draws_of(const struct mr_trial_run *run)
{
    uint64_t seed = run->trial.seed * 1000003u + run->retry;
    for (const char *at = run->trial.entry; *at != '\0'; at++) {
        seed = (seed ^ (unsigned char)*at) * 0x100000001B3u;
    }
    return mr_rng_seeded(seed);
}

// Speeds differ by 3 % from one contestant's last letter to the next, and by some percent of noise;
// a dose is what it says.
static double speed_of(const struct mr_trial_run *run, struct mr_rng *rng)
{
    const char *name = run->entry->text;
    double speed = 1e6 * (1 + 0.03 * (name[strlen(name) - 1] % 16));
    speed /= 1 + (double)run->dose_ppm / 1e6;
    for (int i = 0; i < 4; i++) {
        speed *= 1 + 0.02 * ((double)mr_rng_below(rng, 2001) / 1000 - 1);
    }
    return speed;
}

static enum mr_driver_result nothing(struct mr_trial_run *run)
{
    (void)run;
    return MR_DRIVER_OK;
}

static enum mr_driver_result measure(struct mr_trial_run *run)
{
    struct mr_patience patience = mr_race_patience(run->race, run->race->matrix.rules.window_ns);
    if (mr_patience_poll(&patience, -1, 0) != -ETIMEDOUT) {
        return MR_DRIVER_INTERRUPTED;
    }
    if (strncmp(run->entry->text, LIAR_PREFIX, sizeof LIAR_PREFIX - 1) == 0) {
        return mr_trial_run_fail(run, MR_TRIAL_WRONG, "answers: a simulated lie");
    }
    struct mr_rng rng = draws_of(run);
    run->observation.answers = 1;
    run->observation.foreign_step_share = 0;
    run->observation.foreign_share = mr_rng_below(&rng, DISTURBED_ONE_IN) == 0 ? 0.5 : 0;
    double speed = speed_of(run, &rng);
    mr_trial_metric(&run->trial, (struct mr_metric){"records_per_s", "records/s", true, speed});
    mr_trial_metric(&run->trial, (struct mr_metric){"server_cpu_s_per_million_records", "s", false,
                                                    1e6 / speed});
    return MR_DRIVER_OK;
}

const struct mr_driver mr_driver_simulated = {.name = "simulated",
                                              .prepare = nothing,
                                              .warm = nothing,
                                              .measure = measure,
                                              .verify = nothing,
                                              .finish = nothing};
