// contestant.h: contestant.json, all that the lab knows of a contestant (docs/PROTOCOL.md,
// schemas/contestant.schema.json).
#ifndef MR_TRIAL_CONTESTANT_H
#define MR_TRIAL_CONTESTANT_H

#include "json_file.h"

#include <matchrace/attributes.h>

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_CONTESTANT_WORDS_MAX    32
#define MR_CONTESTANT_FILES_MAX    128
#define MR_CONTESTANT_VARIANTS_MAX 32
#define MR_CONTESTANT_ENV_MAX      32
#define MR_CONTESTANT_NEEDS_MAX    8
#define MR_CONTESTANT_GAPS_MAX     128

// Something that a contestant has declared that it can't keep.
struct mr_gap {
    const char *name; // of a check or of a case, or what the names of cases begin with
    const char
        *what; // a sentence for people, or ""; gaps that it covers together share the pointer
};

// One way to run a contestant, declared in its file; or one of the four modes, which every
// contestant has by the contract (`NAME@drain`).
struct mr_variant {
    const char *name;
    const char *label;
    const char *build;                        // what makes its program, or "" when nothing must
    const char *run[MR_CONTESTANT_WORDS_MAX]; // in place of the contestant's, where there are any
    size_t run_count;
    const char *args[MR_CONTESTANT_WORDS_MAX];
    size_t args_count;
    const char *env[MR_CONTESTANT_ENV_MAX]; // "NAME=value"
    size_t env_count;
};

// A contestant.json, read and checked. All texts belong to it.
struct mr_contestant_file {
    struct mr_json_file json;
    char folder[PATH_MAX];
    char path[PATH_MAX]; // of contestant.json
    const char *name;
    const char *language;
    const char *class; // stock, tuned, special, part
    const char *how;
    const char *licence;
    const char *text;                           // utf8, utf16
    const char *build;                          // what makes it, or "" when nothing must be made
    const char *needs[MR_CONTESTANT_NEEDS_MAX]; // programs that must be in PATH
    size_t needs_count;
    const char *memory_safety;
    bool any_json;
    bool managed; // its code is compiled while it runs: warm-up takes seconds
    const char *jobs[4];
    size_t jobs_count;
    const char *run[MR_CONTESTANT_WORDS_MAX]; // ${MR_BUILD_DIR} is filled in
    size_t run_count;
    const char *env[MR_CONTESTANT_ENV_MAX]; // "NAME=value"
    size_t env_count;
    const char *parser_files[MR_CONTESTANT_FILES_MAX];
    size_t parser_files_count;
    uint64_t parser_lines; // counted over parser_files
    struct mr_variant variants[MR_CONTESTANT_VARIANTS_MAX];
    size_t variants_count;
    struct mr_gap gaps[MR_CONTESTANT_GAPS_MAX]; // none: conformance is "full"
    size_t gaps_count;
    char *owned[2 * MR_CONTESTANT_ENV_MAX + 2 * MR_CONTESTANT_WORDS_MAX]; // texts made here
    size_t owned_count;
};

// Reads `folder`/contestant.json; `build_dir` is what ${MR_BUILD_DIR} stands for (absolute).
// 0; -EBADMSG: the file is wrong; another negative errno: it could not be read; *fault names file,
// line and key. The caller ends it with mr_contestant_fini(), whatever happened.
MR_NODISCARD int mr_contestant_load(struct mr_contestant_file *contestant_out, const char *folder,
                                    const char *build_dir, struct mr_trial_fault *fault);
void mr_contestant_fini(struct mr_contestant_file *contestant);

// The words that run `variant` of it (NULL: none), before `serve …` or `parse …`.
const char *const *mr_contestant_run(const struct mr_contestant_file *contestant,
                                     const struct mr_variant *variant, size_t *count_out);

// The declared variant called `name`, or NULL.
const struct mr_variant *mr_contestant_variant(const struct mr_contestant_file *contestant,
                                               const char *name);

#endif
