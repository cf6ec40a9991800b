// own_turns.h: a contestant of a stepped cell works in its own passes, and not in those of others.
//
// All of a row live on one core at the same time. A process of a contestant's, or a thread, that is
// busy between its passes makes the passes of the others longer, which no figure of its own shows.
#ifndef MR_CAMPAIGN_OWN_TURNS_H
#define MR_CAMPAIGN_OWN_TURNS_H

#include "driver.h"

#include "host/reading.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Of what a contestant and its descendants use, this much may lie outside its passes: a runtime
// that cleans up or compiles behind its back.
#define MR_OUTSIDE_TURNS_SHARE_MAX 0.05

// CPU time over the timed passes; zeroed before the first one.
struct mr_own_turns {
    struct mr_reading first_ns; // of the family since its start, when the first pass began
    struct mr_reading begun_ns; // when the pass under way did
    struct mr_reading last_ns;  // when the last one ended
    uint64_t inside_ns;         // used in passes
    bool unknown;               // a reading was missing
};

// Around each timed pass of the process `pid`.
void mr_own_turns_begin(struct mr_own_turns *turns, pid_t pid);
void mr_own_turns_end(struct mr_own_turns *turns, pid_t pid);

// Adds the detail "exec_outside_passes_ns" (null: not readable) and excludes the trial where it is
// too much.
enum mr_driver_result mr_own_turns_check(struct mr_trial_run *run,
                                         const struct mr_own_turns *turns);

#endif
