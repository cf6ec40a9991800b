// loop_watch.c: see loop_watch.h.
#include "loop_watch.h"

#include <base/clock.h>
#include <base/mr_assert.h>

#include <time.h>

static uint64_t thread_cpu_ns(void)
{
    struct timespec used;
    int failed = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    MR_ASSERT(failed == 0);
    return (uint64_t)used.tv_sec * MR_NS_PER_S + (uint64_t)used.tv_nsec;
}

void mr_loop_watch_begin(struct mr_loop_watch *watch_out, uint64_t now_ns, uint64_t threshold_ns)
{
    *watch_out = (struct mr_loop_watch){
        .pauses = mr_pauses_from(now_ns, threshold_ns),
        .check_ns = now_ns,
        .check_cpu_ns = thread_cpu_ns(),
    };
}

static void note(struct mr_pauses *pauses, uint64_t began_ns, uint64_t length_ns)
{
    pauses->count++;
    pauses->total_ns += length_ns;
    if (length_ns > pauses->longest_ns) {
        pauses->longest_ns = length_ns;
        pauses->longest_at_ns = began_ns;
    }
}

// The part of the time since the last check in which the thread did not run; what it slept on
// purpose is no part of it.
static uint64_t unexplained_ns(const struct mr_loop_watch *watch, const struct mr_loop_turn *turn,
                               uint64_t cpu_ns)
{
    uint64_t gap_ns = turn->now_ns - watch->pauses.last_ns;
    if (turn->sleep_ns > 0) {
        uint64_t late_ns = gap_ns > turn->sleep_ns ? gap_ns - turn->sleep_ns : 0;
        return !turn->moved && late_ns >= MR_LOOP_WATCH_OVERSLEEP_NS ? late_ns : 0;
    }
    uint64_t wall_ns = turn->now_ns - watch->check_ns;
    uint64_t ran_ns = cpu_ns - watch->check_cpu_ns;
    uint64_t off_ns = wall_ns > ran_ns ? wall_ns - ran_ns : 0;
    return !turn->moved && gap_ns >= watch->pauses.threshold_ns && gap_ns > off_ns ? gap_ns
                                                                                   : off_ns;
}

void mr_loop_watch_judge(struct mr_loop_watch *watch, const struct mr_loop_turn *turn,
                         uint64_t cpu_ns)
{
    uint64_t length_ns = unexplained_ns(watch, turn, cpu_ns);
    if (length_ns >= watch->pauses.threshold_ns) {
        note(&watch->pauses, watch->pauses.last_ns, length_ns);
    }
    watch->check_ns = turn->now_ns;
    watch->check_cpu_ns = cpu_ns;
}

void mr_loop_watch_check(struct mr_loop_watch *watch, const struct mr_loop_turn *turn)
{
    mr_loop_watch_judge(watch, turn, thread_cpu_ns());
}
