// entry.h: an entry of a cell, "NAME", "PATH/NAME" or either with "@VARIANT", resolved to a program
// and its words.
#ifndef MR_CAMPAIGN_ENTRY_H
#define MR_CAMPAIGN_ENTRY_H

#include "trial/contestant.h"
#include "trial/matrix.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>

#define MR_ENTRIES_MAX     64
#define MR_ENTRY_WORDS_MAX 96

// Where contestants are looked for, in this order; and what ${MR_BUILD_DIR} stands for.
struct mr_entry_places {
    const char *const *folders;
    size_t folders_count;
    const char *build_dir; // absolute
};

struct mr_entry {
    const char *text; // as the matrix has it
    char name[64];
    char variant_name[64];            // "" when there is none
    char program[160];                // of mr_entry_program()
    const struct mr_variant *variant; // NULL: none, or one of the four modes
    const char *mode_override;        // one of the four modes, or NULL
    struct mr_contestant_file contestant;
};

// All entries of a matrix, each once. About 1 MB: static or allocated, not on a stack.
struct mr_entries {
    struct mr_entry *entry[MR_ENTRIES_MAX];
    size_t count;
};

// Resolves every entry of `matrix`; a path is relative to the current folder. 0; a negative errno
// with *fault naming entry and reason. The caller ends it with mr_entries_fini(), whatever
// happened.
MR_NODISCARD int mr_entries_init(struct mr_entries *entries_out, const struct mr_matrix *matrix,
                                 const struct mr_entry_places *places,
                                 struct mr_trial_fault *fault);
void mr_entries_fini(struct mr_entries *entries);

// A part of the job, run beside contestants to see where time goes: it answers nothing, so nothing
// of it is checked.
bool mr_entry_is_part(const struct mr_entry *entry);

// What its program goes by, which may be part of a file's name: NAME, or NAME@VARIANT where the
// variant is a program of its own; of a path with some digits that stand for its folder. Entries of
// one program share what the conformance kit says of it.
const char *mr_entry_program(const struct mr_entry *entry);

// Whether its variant is a program of its own.
bool mr_entry_is_own_program(const struct mr_entry *entry);

// Whether the matrix names it by its folder's path.
bool mr_entry_is_path(const struct mr_entry *entry);

// The index of the entry that the matrix calls `text`; it is there (asserted).
size_t mr_entry_index(const struct mr_entries *entries, const char *text);

// The entry that the matrix calls `text`; it is there (asserted).
const struct mr_entry *mr_entry_find(const struct mr_entries *entries, const char *text);

// A contestant's command, ready for exec.
struct mr_entry_command {
    const char *argv[MR_ENTRY_WORDS_MAX];           // ends with NULL
    const char *env[2 * MR_CONTESTANT_ENV_MAX + 1]; // "NAME=value", on top of ours; ends with NULL
};

// `run` words, then `words` (ends with NULL), then the variant's. False when there are too many.
MR_NODISCARD bool mr_entry_command(const struct mr_entry *entry, const char *const *words,
                                   struct mr_entry_command *command_out);

// The mode in which the entry runs in a cell of `mode`.
const char *mr_entry_mode(const struct mr_entry *entry, const char *mode);

#endif
