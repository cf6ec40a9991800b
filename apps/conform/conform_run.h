// conform_run.h: all selected checks against one contestant, mode by mode.
#ifndef MR_CONFORM_RUN_H
#define MR_CONFORM_RUN_H

#include "conform_checks.h"
#include "conform_kit.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What came out for one contestant.
struct mr_conform_counts {
    size_t ok;
    size_t failed;  // not declared
    size_t gaps;    // failed as declared
    size_t skipped; // this machine cannot tell
    size_t missing; // selected and not reached
};

// Marks what is to be run and runs it. Afterwards kit->finding has the outcomes; kit->trouble says
// when the contestant could not be checked (to the end). No process is left.
void mr_conform_run(struct mr_kit *kit);

// Counts the findings.
struct mr_conform_counts mr_conform_count(const struct mr_kit *kit);

// Whether everything that was selected passed, but for declared gaps.
bool mr_conform_passed(const struct mr_kit *kit);

// Whether every check of the selected modes was selected: what a stamp stands for, mode by mode.
bool mr_conform_complete(const struct mr_kit *kit);

#endif
