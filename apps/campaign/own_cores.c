// own_cores.c: see own_cores.h.
#include "own_cores.h"

#include "base/pin.h"
#include "host/family.h"

enum mr_driver_result mr_own_cores_check(struct mr_trial_run *run)
{
    struct mr_family family;
    struct mr_stray stray;
    mr_family_read(run->pid, &family);
    if (!mr_family_strays(&family, &run->race->cores.server, &stray)) {
        return MR_DRIVER_OK;
    }
    char given[64];
    char taken[64];
    mr_cores_text(&run->race->cores.server, given, sizeof given);
    mr_cores_text(&stray.cores, taken, sizeof taken);
    return mr_trial_run_fail(run, MR_TRIAL_WRONG,
                             "cores: its thread %d (process %d) may run on %s; it was given %s",
                             (int)stray.tid, (int)stray.pid, taken, given);
}
