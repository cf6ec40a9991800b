// host_watch.h: what the host did beside a trial: everything that the gates of the host judge.
//
// The same for every contestant, and from outside. Counters are always read; the fixed work and the
// pause spinner run only where the rules judge what they see.
#ifndef MR_CAMPAIGN_HOST_WATCH_H
#define MR_CAMPAIGN_HOST_WATCH_H

#include "race.h"

#include "host/pause_watch.h"
#include "host/probe_set.h"
#include "host/window_watch.h"
#include "trial/gates.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <sys/types.h>
#include <yyjson.h>

// The fixed work before and after. Trials that run in turn share one, for it is the same machine.
struct mr_host_work {
    bool before_known;
    bool after_known;
    struct mr_probe_times before;
    struct mr_probe_times after;
};

// One trial's watch; large, and it must stay where it is between begin and end.
struct mr_host_watch {
    const struct mr_race *race;
    struct mr_host_work *work;    // the one below, or that of a row
    struct mr_host_work own_work; //
    bool in_turn;                 // others of its row run on the same cores, and no generator
    struct mr_window_watch window;
    bool began;
    bool ended;
    bool spins;
    unsigned spin_core;
    struct mr_pause_watch spinner;
    struct mr_pauses pauses;
    struct mr_window_use use; // of the window, once mr_host_watch_end() was called
};

// Before the server starts: fixed work on the trial's cores (80 ms, where it is judged). 0, or a
// negative errno; the watch can be used nevertheless, and what failed is unavailable.
int mr_host_watch_prepare(struct mr_host_watch *watch, const struct mr_race *race);

// The same for a trial whose contestant runs in turn with others on the server's cores, and without
// a generator: those cores alone are watched, no spinner runs, and the fixed work is the row's,
// done by whoever comes first. `work` is zeroed before and outlives the watch.
int mr_host_watch_prepare_in_turn(struct mr_host_watch *watch, const struct mr_race *race,
                                  struct mr_host_work *work);

// Before the window's start of such a trial: who else of the row has a process.
void mr_host_watch_share(struct mr_host_watch *watch, const pid_t *others, size_t count);

// At the window's start: counters, and the pause spinner where a core is spare.
// `generator` is 0 where there is none.
void mr_host_watch_begin(struct mr_host_watch *watch, pid_t server, pid_t generator);

// At its end. `watch->use` is filled.
void mr_host_watch_end(struct mr_host_watch *watch);

// After the server has ended: fixed work again. Fills in what the gates judge of the host (pauses
// stay NAN where no core is spare: the generator's loop is the watch there) and adds the object
// "host" to `details` (null where there was no whole window). Must be called once after prepare,
// whatever happened in between.
void mr_host_watch_finish(struct mr_host_watch *watch, struct mr_observation *seen_out,
                          yyjson_mut_doc *doc, yyjson_mut_val *details);

// Where no core is spare: takes pauses from the generator's result (object generator.pauses); fills
// in only what is NAN yet. `result` may be NULL.
void mr_host_watch_see_loop(struct mr_observation *seen_io, yyjson_val *result);

// Calibrates the fixed work once a race, into race->probe (0.6 s), where its rules judge the
// machine's speed. 0, or a negative errno: then the gate is unavailable.
int mr_host_watch_calibrate(struct mr_race *race);

#endif
