// load_warmup.c: a warm-up that goes on for as long as the server compiles: thread 0 asks STATS
// once a second and fixes the window's begin, which all threads take over.
#include "load_worker.h"

#include "stats_reply.h"

#include <errno.h>
#include <stdlib.h>

// From the decision to the window: every thread has looked by then, and holds no probe back.
#define LEAD_NS (300 * MR_NS_PER_MS)

int mr_load_warmup_init(struct mr_load_worker *worker)
{
    if (worker->thread != 0 || !mr_load_may_warm_on(worker->shared->options)) {
        return 0;
    }
    worker->warm = calloc(1, sizeof *worker->warm);
    worker->stats_room = malloc(mr_stats_reply_room_bytes(MR_STATS_COPY_BYTES));
    return worker->warm == NULL || worker->stats_room == NULL ? -ENOMEM : 0;
}

void mr_load_warmup_fini(struct mr_load_worker *worker)
{
    free(worker->warm);
    free(worker->stats_room);
    worker->warm = NULL;
    worker->stats_room = NULL;
}

// A reply to what was asked at the last look.
static void take_look(struct mr_load_worker *worker, uint64_t now_ns)
{
    struct mr_load_shared *shared = worker->shared;
    struct mr_stats_copy *copy = &worker->stats[MR_STATS_WARM];
    uint64_t methods = 0;
    if (copy->json_bytes <= MR_STATS_COPY_BYTES) {
        methods = mr_stats_reply_compiled_methods(copy->json, copy->json_bytes, worker->stats_room);
    }
    *copy = (struct mr_stats_copy){0};
    mr_warm_watch_look(worker->warm, methods);
    const struct mr_window *window = &worker->recorder.window;
    uint64_t begin_ns = now_ns + LEAD_NS;
    if (begin_ns >= window->start_ns + shared->options->warmup_ns && begin_ns < window->begin_ns &&
        mr_warm_watch_is_warm(worker->warm, &worker->recorder.timeline, now_ns)) {
        atomic_store(&shared->begin_ns, begin_ns);
        mr_recorder_move_window(&worker->recorder, begin_ns);
    }
}

void mr_load_warm_on(struct mr_load_worker *worker, uint64_t now_ns)
{
    struct mr_load_shared *shared = worker->shared;
    uint64_t begin_ns = atomic_load_explicit(&shared->begin_ns, memory_order_relaxed);
    if (begin_ns != 0) {
        if (begin_ns != worker->recorder.window.begin_ns) {
            mr_recorder_move_window(&worker->recorder, begin_ns);
        }
        return;
    }
    if (worker->warm == NULL) {
        return;
    }
    if (worker->stats[MR_STATS_WARM].at_ns != 0) {
        take_look(worker, now_ns);
    } else if (!worker->stats[MR_STATS_WARM].wanted && now_ns >= worker->next_look_ns) {
        worker->next_look_ns = now_ns + MR_WARM_LOOK_NS;
        mr_load_ask_stats(worker, MR_STATS_WARM);
    }
}
