// race_data.h: the datasets of a matrix: made where they are missing, verified once, summed up.
#ifndef MR_CAMPAIGN_RACE_DATA_H
#define MR_CAMPAIGN_RACE_DATA_H

#include "race.h"

#include <matchrace/attributes.h>

// Fills race->data for every cell; datasets are looked for below `data_folder` and made there by
// `matchrace data make`. 0; -EINTR when the run shall end; another negative errno; *fault is set.
MR_NODISCARD int mr_race_data_prepare(struct mr_race *race, const char *data_folder,
                                      struct mr_trial_fault *fault);

#endif
