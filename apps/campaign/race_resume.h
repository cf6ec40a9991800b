// race_resume.h: going on with a run that was ended: the same folder, rules, schedule and machine.
#ifndef MR_CAMPAIGN_RACE_RESUME_H
#define MR_CAMPAIGN_RACE_RESUME_H

#include "race.h"

#include <matchrace/attributes.h>

#include <stdbool.h>

// Opens `folder`, which a run has left: takes its lock, goes on with its log. 0; -EINVAL: it cannot
// go on (no manifest; matrix or manifest are not what the log says they were); -EBUSY: a run is at
// work there; another negative errno; *fault is set. `folder` must outlive the race.
MR_NODISCARD int mr_race_resume_open(struct mr_race *race, const char *folder,
                                     struct mr_trial_fault *fault);

// Reads what is left to do into race->past, once the schedule is known, and takes the rates from
// the manifest. Where the program, machine, a contestant or a dataset is another than in the last
// manifest, that is refused, or with `new_stratum` becomes race->stratum. 0; -EINVAL: refused,
// *fault names each change; another negative errno with *fault set.
MR_NODISCARD int mr_race_resume_past(struct mr_race *race, bool new_stratum,
                                     struct mr_trial_fault *fault);

// Whether no row is left to run of the race that mr_race_resume_open() opened, its matrix loaded
// and its schedule drawn. 0; a negative errno with *fault set.
MR_NODISCARD int mr_race_resume_is_complete(const struct mr_race *race, bool *complete_out,
                                            struct mr_trial_fault *fault);

#endif
