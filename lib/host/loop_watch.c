// loop_watch.c: see loop_watch.h.
#define _GNU_SOURCE
#include "loop_watch.h"

#include "proc_text.h"

#include <base/clock.h>
#include <base/mr_assert.h>

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static uint64_t thread_cpu_ns(void)
{
    struct timespec used;
    int failed = clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    MR_ASSERT(failed == 0);
    return (uint64_t)used.tv_sec * MR_NS_PER_S + (uint64_t)used.tv_nsec;
}

static struct mr_reading run_delay_ns(const struct mr_loop_watch *watch)
{
    char text[96];
    ssize_t got = watch->delay_fd < 0 ? -1 : pread(watch->delay_fd, text, sizeof text - 1, 0);
    text[got > 0 ? got : 0] = '\0';
    struct mr_proc_schedstat schedstat;
    return mr_proc_schedstat_parse(text, &schedstat) ? mr_reading_of(schedstat.run_delay_ns)
                                                     : (struct mr_reading){0};
}

void mr_loop_watch_init(struct mr_loop_watch *watch_out)
{
    *watch_out = (struct mr_loop_watch){
        .delay_fd = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC),
    };
}

void mr_loop_watch_fini(struct mr_loop_watch *watch)
{
    if (watch->delay_fd >= 0) {
        (void)close(watch->delay_fd);
    }
    watch->delay_fd = -1;
}

void mr_loop_watch_begin(struct mr_loop_watch *watch, uint64_t now_ns, uint64_t threshold_ns)
{
    watch->pauses = mr_pauses_from(now_ns, threshold_ns);
    watch->check_ns = now_ns;
    watch->check_cpu_ns = thread_cpu_ns();
    watch->delay_ns = run_delay_ns(watch).value;
    watch->counted_ns = 0;
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

// A turn with a sleep: late by the clock where nothing woke it, or by the kernel's own account of
// how long it was ready and waited.
static uint64_t late_ns(struct mr_loop_watch *watch, const struct mr_loop_turn *turn,
                        struct mr_reading run_delay)
{
    uint64_t gap_ns = turn->now_ns - watch->pauses.last_ns;
    uint64_t late_ns = !turn->moved && gap_ns > turn->sleep_ns ? gap_ns - turn->sleep_ns : 0;
    if (run_delay.known) {
        uint64_t known_ns = watch->delay_ns + watch->counted_ns;
        uint64_t waited_ns = run_delay.value > known_ns ? run_delay.value - known_ns : 0;
        waited_ns = waited_ns < gap_ns ? waited_ns : gap_ns;
        late_ns = waited_ns > late_ns ? waited_ns : late_ns;
        watch->delay_ns = run_delay.value;
        watch->counted_ns = 0;
    }
    return late_ns >= MR_LOOP_WATCH_OVERSLEEP_NS ? late_ns : 0;
}

// A turn without: the part of the time since the last check in which the thread did not run.
static uint64_t stopped_ns(const struct mr_loop_watch *watch, const struct mr_loop_turn *turn,
                           uint64_t cpu_ns)
{
    uint64_t gap_ns = turn->now_ns - watch->pauses.last_ns;
    uint64_t wall_ns = turn->now_ns - watch->check_ns;
    uint64_t ran_ns = cpu_ns - watch->check_cpu_ns;
    uint64_t off_ns = wall_ns > ran_ns ? wall_ns - ran_ns : 0;
    bool unexplained = !turn->moved && gap_ns >= watch->pauses.threshold_ns;
    return unexplained && gap_ns > off_ns ? gap_ns : off_ns;
}

uint64_t mr_loop_watch_judge(struct mr_loop_watch *watch, const struct mr_loop_turn *turn,
                             const struct mr_loop_clocks *clocks)
{
    uint64_t length_ns = turn->sleep_ns > 0 ? late_ns(watch, turn, clocks->run_delay_ns)
                                            : stopped_ns(watch, turn, clocks->cpu_ns);
    bool paused = length_ns >= watch->pauses.threshold_ns;
    if (paused) {
        note(&watch->pauses, watch->pauses.last_ns, length_ns);
        watch->counted_ns += turn->sleep_ns > 0 ? 0 : length_ns;
    }
    watch->check_ns = turn->now_ns;
    watch->check_cpu_ns = clocks->cpu_ns;
    return paused ? length_ns : 0;
}

uint64_t mr_loop_watch_check(struct mr_loop_watch *watch, const struct mr_loop_turn *turn)
{
    uint64_t gap_ns = turn->now_ns - watch->pauses.last_ns;
    bool long_sleep = turn->sleep_ns > 0 && gap_ns >= MR_LOOP_WATCH_OVERSLEEP_NS;
    const struct mr_loop_clocks clocks = {
        .cpu_ns = thread_cpu_ns(),
        .run_delay_ns = long_sleep ? run_delay_ns(watch) : (struct mr_reading){0},
    };
    return mr_loop_watch_judge(watch, turn, &clocks);
}
