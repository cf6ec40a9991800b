// contestant_missing.h: whether a contestant is installed here, as its contestant.json lets one
// know: the programs that it needs, and what the lab's build wrote about it.
#ifndef MR_TRIAL_CONTESTANT_MISSING_H
#define MR_TRIAL_CONTESTANT_MISSING_H

#include "contestant.h"

#include <stdbool.h>
#include <stddef.h>

// False: as far as is known `variant` of it (NULL: none) can be run. True: it is not installed, and
// `reason_out` (`capacity` bytes, at least 1) says why in one line: a program of "needs" is not in
// PATH; or the first line of `build_dir`/not-installed/NAME, which the lab's build leaves where it
// cannot make the contestant; or, where the variant is a program of its own, of
// not-installed/NAME@VARIANT, or that nobody has asked for it yet.
bool mr_contestant_missing(const struct mr_contestant_file *contestant,
                           const struct mr_variant *variant, const char *build_dir,
                           char *reason_out, size_t capacity);

#endif
