// versus_build.h: a contestant's folder at another place, so that two builds of it can race.
#ifndef MR_CAMPAIGN_VERSUS_BUILD_H
#define MR_CAMPAIGN_VERSUS_BUILD_H

#include "trial/fault.h"

#include <matchrace/attributes.h>

#include <limits.h>

// A build: the folder with its contestant.json, and what ${MR_BUILD_DIR} means in it.
struct mr_versus_build {
    const char *folder;
    const char *build_dir;
};

// Makes `place`/NAME, NAME being the contestant's: links to everything in the build's folder, and
// its contestant.json with every ${MR_BUILD_DIR} filled in, nothing left to build, and words of its
// command that are files of the folder as absolute paths. `place` exists. 0 and the folder in
// folder_out; a negative errno with *fault set.
MR_NODISCARD int mr_versus_build_place(const struct mr_versus_build *build, const char *place,
                                       char folder_out[PATH_MAX], struct mr_trial_fault *fault);

// Whether two folders have a program each. -EINVAL with *fault set where the commands of both lead
// to one and the same program of one build folder: it would race itself. -EBADMSG with *fault set
// where a contestant.json cannot be read. One folder twice is meant so: 0.
MR_NODISCARD int mr_versus_builds_differ(const struct mr_versus_build *base,
                                         const struct mr_versus_build *change,
                                         struct mr_trial_fault *fault);

#endif
