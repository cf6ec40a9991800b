// pause_watch.c: see pause_watch.h.
#include "pause_watch.h"

#include "core_thread.h"

#include <base/clock.h>

#include <stdbool.h>

static void *spin(void *context)
{
    struct mr_pause_watch *watch = context;
    struct mr_pauses pauses = mr_pauses_from(mr_clock_ns(), watch->pauses.threshold_ns);
    while (!atomic_load_explicit(&watch->stop, memory_order_relaxed)) {
        mr_pauses_note(&pauses, mr_clock_ns());
    }
    watch->pauses = pauses;
    return NULL;
}

int mr_pause_watch_start(struct mr_pause_watch *watch_out, unsigned core, uint64_t threshold_ns)
{
    watch_out->pauses = (struct mr_pauses){.threshold_ns = threshold_ns};
    atomic_init(&watch_out->stop, false);
    return mr_core_thread_start(&watch_out->thread, core, spin, watch_out);
}

void mr_pause_watch_stop(struct mr_pause_watch *watch, struct mr_pauses *pauses_out)
{
    atomic_store(&watch->stop, true);
    mr_core_thread_join(watch->thread);
    *pauses_out = watch->pauses;
}
