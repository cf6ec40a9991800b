// versus_race.h: the race of two builds of one contestant, and its answer.
#ifndef MR_CAMPAIGN_VERSUS_RACE_H
#define MR_CAMPAIGN_VERSUS_RACE_H

#include "versus_build.h"
#include "versus_judge.h"

#include "trial/fault.h"

#include <matchrace/attributes.h>

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

// What was asked for. Texts are the caller's; `out` exists.
struct mr_versus_plan {
    const char *program; // this one's own path
    const char *build_dir;
    const char *out;      // absolute
    const char *build[2]; // folders of base and change, absolute
    const char *measure;  // serve, parse, simulated
    const char *mode;
    const char *dataset; // NULL: made, of `shape`
    const char *shape;
    const char *data_folder;
    double margin;
    double minutes; // at most
    uint64_t seed;  // of the schedule
    bool skip_conform;
};

// Races them with a twin of the base, interleaved, in `out`/race. 0, whatever came of it, which
// results.json then says; a negative errno with *fault set where it could not begin; *exit_out is
// the exit code of `matchrace run`.
MR_NODISCARD int mr_versus_race(const struct mr_versus_plan *plan, int *exit_out,
                                struct mr_trial_fault *fault);

// Judges the race in `out`/race. 0; a negative errno with *fault set.
MR_NODISCARD int mr_versus_read(const char *out, struct mr_versus *versus_out,
                                struct mr_trial_fault *fault);

// The race's figures as a table in Markdown, a column a build. 0; -EBADMSG: they do not fit into
// `capacity`, as no race's own would; another negative errno.
MR_NODISCARD int mr_versus_table(const char *out, char *text_out, size_t capacity);

#endif
