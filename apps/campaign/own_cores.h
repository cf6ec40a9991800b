// own_cores.h: a contestant keeps to the cores that it was given, with all that it starts.
#ifndef MR_CAMPAIGN_OWN_CORES_H
#define MR_CAMPAIGN_OWN_CORES_H

#include "driver.h"

// Looks at the contestant of `run` and all that descend from it, where it is running: one thread
// that may run on a core of others makes it wrong, for what it used there is nobody's measure.
enum mr_driver_result mr_own_cores_check(struct mr_trial_run *run);

#endif
