// own_turns.c: see own_turns.h.
#include "own_turns.h"

#include "host_record.h"

#include "host/family.h"

#include <math.h>

static struct mr_reading used_ns(pid_t pid)
{
    struct mr_family family;
    mr_family_read(pid, &family);
    return mr_family_exec_ns(&family);
}

void mr_own_turns_begin(struct mr_own_turns *turns, pid_t pid)
{
    turns->begun_ns = used_ns(pid);
    if (!turns->first_ns.known) {
        turns->first_ns = turns->begun_ns;
    }
}

void mr_own_turns_end(struct mr_own_turns *turns, pid_t pid)
{
    turns->last_ns = used_ns(pid);
    struct mr_reading inside = mr_reading_since(turns->begun_ns, turns->last_ns);
    turns->inside_ns += inside.value;
    turns->unknown = turns->unknown || !inside.known;
}

enum mr_driver_result mr_own_turns_check(struct mr_trial_run *run, const struct mr_own_turns *turns)
{
    struct mr_reading all = mr_reading_since(turns->first_ns, turns->last_ns);
    bool known = all.known && !turns->unknown && all.value >= turns->inside_ns;
    double outside_ns = known ? (double)(all.value - turns->inside_ns) : NAN;
    mr_record_number(run->doc, run->details, "exec_outside_passes_ns", outside_ns);
    if (!known || outside_ns <= MR_OUTSIDE_TURNS_SHARE_MAX * (double)turns->inside_ns) {
        return MR_DRIVER_OK;
    }
    return mr_trial_run_fail(run, MR_TRIAL_EXCLUDED,
                             "turns: it, or what it started, used %.1f ms of CPU time between its "
                             "own passes, beside %.1f ms in them: that was the others' time",
                             outside_ns / 1e6, (double)turns->inside_ns / 1e6);
}
