// run_files.h: whether the files of a run's folder are those that its log vouches for.
#ifndef MR_CAMPAIGN_RUN_FILES_H
#define MR_CAMPAIGN_RUN_FILES_H

#include "trial/fault.h"

#include <matchrace/attributes.h>

#include <stdbool.h>

// What is wrong with a file.
enum mr_run_file_state {
    MR_RUN_FILE_CHANGED,    // it has another hash than the log
    MR_RUN_FILE_GONE,       // the log names it, but it is not there
    MR_RUN_FILE_UNREADABLE, // it is there, but cannot be read
    MR_RUN_FILE_TWICE,      // the log has two hashes of what is written once
    MR_RUN_FILE_NOT_LOGGED, // the log has none, as of what was written just before a kill
};

struct mr_run_file {
    const char *name; // in the run's folder
    enum mr_run_file_state state;
    char text[256]; // what is wrong, for people
};

// Calls `found` for every file that is not as `folder`/run.log has it: those that the log names, in
// the order of their names, then matrix.json, manifest.json and trials that it does not name. 0; a
// negative errno with *fault set: the log or the list of trials cannot be read.
MR_NODISCARD int mr_run_files_check(const char *folder,
                                    void (*found)(void *context, const struct mr_run_file *file),
                                    void *context, struct mr_trial_fault *fault);

// The same for whoever goes on from the files: 0 where none was changed, taken away or written
// twice; -EINVAL with the first in *fault; another negative errno.
MR_NODISCARD int mr_run_files_expect(const char *folder, struct mr_trial_fault *fault);

// Whether a run is at work in `folder`: whoever is holds its lock.
bool mr_run_is_at_work(const char *folder);

// Whether `folder` can be that of a run. 0; -ENOENT, -ENOTDIR or another negative errno with
// *fault set.
MR_NODISCARD int mr_run_folder_check(const char *folder, struct mr_trial_fault *fault);

#endif
