// pause_watch.c: see pause_watch.h.
#include "pause_watch.h"

#include "core_thread.h"

#include <base/clock.h>

#include <stdbool.h>

struct mr_pauses mr_pauses_of_start(uint64_t asked_ns, uint64_t now_ns, uint64_t threshold_ns)
{
    bool kept = now_ns - asked_ns > MR_PAUSE_START_NS;
    return mr_pauses_from(kept ? asked_ns : now_ns, threshold_ns);
}

void mr_pauses_end(struct mr_pauses *pauses, uint64_t stop_ns)
{
    if (stop_ns > pauses->last_ns) { // it may have looked once more meanwhile
        mr_pauses_note(pauses, stop_ns);
    }
}

static void *spin(void *context)
{
    struct mr_pause_watch *watch = context;
    struct mr_pauses pauses =
        mr_pauses_of_start(watch->asked_ns, mr_clock_ns(), watch->pauses.threshold_ns);
    while (!atomic_load_explicit(&watch->stop, memory_order_relaxed)) {
        mr_pauses_note(&pauses, mr_clock_ns());
    }
    watch->pauses = pauses;
    return NULL;
}

int mr_pause_watch_start(struct mr_pause_watch *watch_out, unsigned core, uint64_t threshold_ns)
{
    watch_out->pauses = (struct mr_pauses){.threshold_ns = threshold_ns};
    watch_out->asked_ns = mr_clock_ns();
    atomic_init(&watch_out->stop, false);
    return mr_core_thread_start(&watch_out->thread, core, spin, watch_out);
}

void mr_pause_watch_stop(struct mr_pause_watch *watch, struct mr_pauses *pauses_out)
{
    uint64_t stop_ns = mr_clock_ns();
    atomic_store(&watch->stop, true);
    mr_core_thread_join(watch->thread);
    mr_pauses_end(&watch->pauses, stop_ns);
    *pauses_out = watch->pauses;
}
