// race_absent.h: which entries this machine cannot run: contestants that are not installed, and of
// the optional ones a kernel without its instructions, a program that was not built.
#ifndef MR_CAMPAIGN_RACE_ABSENT_H
#define MR_CAMPAIGN_RACE_ABSENT_H

#include "race.h"

#include <matchrace/attributes.h>

// Finds who is not installed (contestant_missing.h), optional or not; and lets every entry that a
// cell calls optional do one pass over that cell's data, which must be there. race->absent names
// the reason for those that are not installed, say that they cannot (exit code 1) or cannot be
// started; whatever else is wrong with them the race will tell. `build_dir`: absolute. 0; -EINTR
// when the run shall end; another negative errno with *fault set.
MR_NODISCARD int mr_race_absent_find(struct mr_race *race, const char *build_dir,
                                     struct mr_trial_fault *fault);

#endif
