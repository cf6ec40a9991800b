// race_open.h: what every command that races opens first: its own path, cores, signals, folder.
#ifndef MR_CAMPAIGN_RACE_OPEN_H
#define MR_CAMPAIGN_RACE_OPEN_H

#include "race.h"

#include "base/cli.h"

#include <matchrace/attributes.h>

#include <limits.h>
#include <stddef.h>

// This program's own path, and what ${MR_BUILD_DIR} stands for (absolute).
struct mr_race_self {
    char program[PATH_MAX];
    char build_dir[PATH_MAX];
    char liars_dir[PATH_MAX + 8]; // where the build puts the contestants that lie for controls
};

// Finds both; `build_dir` NULL: the build tree that this program stands in (…/apps/matchrace/…). 0;
// a negative errno with *fault set.
MR_NODISCARD int mr_race_find_self(struct mr_race_self *self_out, const char *build_dir,
                                   struct mr_trial_fault *fault);

// Adds that folder, where it is there, behind those in which contestants are looked for. `self`
// must outlive the list.
void mr_race_add_liars(const struct mr_race_self *self, struct mr_option_list *folders_io);

// Fills topology, cores and beside_over_alone, and holds the cores until this process ends. 0;
// -ENODEV where nobody can race; -EBUSY: another run is at work on them; another negative errno;
// *fault is set.
MR_NODISCARD int mr_race_open_cores(struct mr_race *race, struct mr_trial_fault *fault);

// Blocks SIGINT, SIGTERM and SIGHUP, which race->wake_fd then tells of, and adopts orphans. 0; a
// negative errno with *fault set.
MR_NODISCARD int mr_race_open_signals(struct mr_race *race, struct mr_trial_fault *fault);

// 128 and the number of the signal that came, 0 when none did. Takes it: ask once.
int mr_race_signal_code(const struct mr_race *race);

// Where results of `name` go when nothing else is said: out/NAME/TIME.
void mr_race_default_folder(const char *name, char *path_out, size_t capacity);

// Makes `folder` with trials/ and run.log in it; it may not exist yet. 0; -EEXIST: it does;
// another negative errno; *fault is set. `folder` must outlive the race.
MR_NODISCARD int mr_race_open_folder(struct mr_race *race, const char *folder,
                                     struct mr_trial_fault *fault);

// Opens `folder`/run.log to go on behind its end, and makes `folder` the race's. 0; a negative
// errno with *fault set.
MR_NODISCARD int mr_race_open_log(struct mr_race *race, const char *folder,
                                  struct mr_trial_fault *fault);

// Takes the lock of `folder`, which the race holds until it ends; a file of that name stays. 0;
// -EBUSY: another run has it; another negative errno; *fault is set.
MR_NODISCARD int mr_race_lock(struct mr_race *race, const char *folder,
                              struct mr_trial_fault *fault);

// Writes the words of this run as a command that begins with `command`, less where its results
// went.
void mr_race_reproduce(const char *command, int argc, char **argv, char *text_out, size_t capacity);

#endif
