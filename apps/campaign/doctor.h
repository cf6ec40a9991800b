// doctor.h: what this host can and cannot see of a race, measured, and the table of it.
#ifndef MR_CAMPAIGN_DOCTOR_H
#define MR_CAMPAIGN_DOCTOR_H

#include "host/assignment.h"
#include "host/foreign.h"
#include "host/pause_watch.h"
#include "host/probe_set.h"
#include "host/sleep_cost.h"
#include "host/topology.h"
#include "host/window_watch.h"
#include "trial/rules.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Everything that was read and measured.
struct mr_doctor {
    struct mr_rules rules; // the default ones, but for the window
    struct mr_cores cores; // usable ones, MR_CORE_USE_MAX at most
    struct mr_topology topology;
    struct mr_assignment assignment;
    struct mr_window_watch window; // of this process as server and generator, over the pause watch
    struct mr_window_use use;
    struct mr_pauses pauses[MR_CORE_USE_MAX]; // by core; begin_ns 0: it could not be watched
    bool cost_known;
    struct mr_sleep_cost cost; // on the generator's core
    bool probe_known;
    struct mr_probe_set probe; // on server's and generator's core
};

// Prints the tables.
void mr_doctor_print(FILE *file, const struct mr_doctor *doctor);

#endif
