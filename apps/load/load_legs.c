// load_legs.c: see load_legs.h.
#include "load_legs.h"

#include "base/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// A slow server has legs so long that few of them say enough.
#define LEGS_LIMIT_NS MR_NS_PER_S

void mr_load_hold_back(struct mr_load_run *run)
{
    size_t held = mr_legs_plan(&run->legs, run->order.count);
    if (held > 0) {
        mr_order_hold_back(&run->order, held, (uint32_t)run->options->connections);
    }
}

// A loop of its own over the first thread's connections: what it counts stays apart from what was
// timed.
static bool make_worker(struct mr_load_run *run)
{
    struct mr_load_worker_params params = {.shared = &run->shared,
                                           .thread = 0,
                                           .clients_count = run->worker[0].clients_count,
                                           .client = run->worker[0].client,
                                           .length_ns = MR_NS_PER_S};
    struct mr_load_worker *worker = aligned_alloc(_Alignof(struct mr_load_worker), sizeof *worker);
    int result = worker == NULL ? -ENOMEM : mr_load_worker_init(worker, &params);
    if (result != 0) {
        free(worker);
        return mr_load_fail(&run->failure, MR_LOAD_FAILED, MR_LOAD_ANSWERS, "legs: %s",
                            strerror(-result));
    }
    worker->legs = &run->legs;
    run->leg_worker = worker;
    return true;
}

// Reads the held batches once: their pages are there as they are for batches that were sent.
static void touch_held(const struct mr_load_run *run)
{
    const struct mr_order *order = &run->order;
    const struct mr_frames *frames = &run->dataset->frames;
    for (size_t i = order->count; i < order->count + order->held; i++) {
        const volatile uint8_t *payload = mr_frames_payload(frames, order->batch[i]);
        for (size_t at = 0; at < frames->frame[order->batch[i]].payload_bytes;
             at += MR_CACHE_LINE_BYTES) {
            (void)payload[at];
        }
    }
}

bool mr_load_next_leg(struct mr_load_worker *worker)
{
    if (!mr_legs_next(worker->legs, worker->progress_ns)) {
        return false;
    }
    size_t first = worker->legs->number * worker->legs->leg_batches;
    for (uint32_t i = 0; i < worker->clients_count; i++) {
        mr_load_enqueue(worker, &worker->client[(first + i) % worker->clients_count]);
    }
    return true;
}

bool mr_load_legs(struct mr_load_run *run)
{
    // With a gate off requests may be left unanswered, whose replies would come into the legs.
    if (run->legs.leg_batches == 0 || mr_load_any_gate_off(&run->failure)) {
        return true;
    }
    if (!make_worker(run)) {
        return false;
    }
    touch_held(run);
    struct mr_window timed = run->shared.window;
    run->legs.limit_ns = mr_clock_ns() + LEGS_LIMIT_NS;
    run->shared.opening = true;
    run->shared.window = mr_load_no_window();
    bool fine = mr_load_run_threads(run, run->leg_worker, 1);
    run->shared.opening = false;
    run->shared.window = timed;
    return fine;
}

void mr_load_legs_fini(struct mr_load_run *run)
{
    if (run->leg_worker != NULL) {
        mr_load_worker_fini(run->leg_worker);
        free(run->leg_worker);
        run->leg_worker = NULL;
    }
}
