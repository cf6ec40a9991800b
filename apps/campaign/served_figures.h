// served_figures.h: from the generator's result and what was seen of the server to a trial's
// metrics and observation.
#ifndef MR_CAMPAIGN_SERVED_FIGURES_H
#define MR_CAMPAIGN_SERVED_FIGURES_H

#include "host/window_watch.h"
#include "trial/trial_file.h"

#include <stdint.h>
#include <yyjson.h>

// What was seen of the server from outside.
struct mr_served_seen {
    const struct mr_process_use *use; // NULL: another process than the one that was started
                                      // serves, so nothing is known of it
    uint64_t wall_ns;                 // of the window as it was seen
    uint64_t startup_ns;              // from exec to its line
    uint64_t cores;                   // of the server, > 0
    uint64_t threads;                 // that it was asked to serve with, > 0
};

// Adds the metrics of a served trial and fills the generator's and the server's part of
// *observation; `result` is a file of schemas/load.schema.json. What is missing in it is NAN.
// The flags of the observation are the caller's, and so is what the host watch sees.
void mr_served_figures(struct mr_trial *trial, struct mr_observation *observation,
                       yyjson_val *result, const struct mr_served_seen *seen);

#endif
