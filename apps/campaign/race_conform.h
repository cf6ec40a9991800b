// race_conform.h: nobody is timed who does not answer rightly: the conformance kit before the race.
#ifndef MR_CAMPAIGN_RACE_CONFORM_H
#define MR_CAMPAIGN_RACE_CONFORM_H

#include "race.h"

#include <matchrace/attributes.h>

// For every contestant, in every mode in which it races: a valid stamp of an earlier full pass and
// the kit's quick subset, or the full kit now. Fills race->conformance and race->not_conformant. 0;
// -EINTR when the run shall end; another negative errno with *fault set: the kit itself could not
// be run.
MR_NODISCARD int mr_race_conform(struct mr_race *race, struct mr_trial_fault *fault);

#endif
