// race_own.h: who takes part in a race that is put together from names on a command line.
#ifndef MR_CAMPAIGN_RACE_OWN_H
#define MR_CAMPAIGN_RACE_OWN_H

#include "entry.h"
#include "plain_race.h"

#include "base/cli.h"
#include "trial/fault.h"

#include <matchrace/attributes.h>

#include <stddef.h>

// So many contestants make a table; the null contestant of the first comes on top.
#define MR_OWN_NAMES_MAX 6

// The names, one a word.
struct mr_own_names {
    char *texts; // owned: the words, each ended by a zero byte
    const char *name[MR_OWN_NAMES_MAX];
    const char *as[MR_OWN_NAMES_MAX]; // without the folder of a path
    size_t count;
    char ceiling[PATH_MAX]; // "NAME@drain" of the first
};

// Reads words like "A,B" and "C". 0; -EINVAL where they are too few, too many or the same, with
// *fault set. The caller ends it with mr_own_names_fini(), whatever happened; `list` may go.
MR_NODISCARD int mr_own_names_read(struct mr_own_names *names_out,
                                   const struct mr_option_list *list, struct mr_trial_fault *fault);
void mr_own_names_fini(struct mr_own_names *names);

// Fills in entries and comparisons: the first against each of the others with a verdict (at most
// four, none where one declares gaps), all others without; and the first one's `drain` as the
// ceiling of its socket code. 0; a negative errno with *fault set, where one is not there, cannot
// be read, or is not made for this job. `names` must outlive the race.
MR_NODISCARD int mr_own_race_fill(struct mr_plain_race *race_io, struct mr_own_names *names,
                                  const struct mr_entry_places *places,
                                  struct mr_trial_fault *fault);

#endif
