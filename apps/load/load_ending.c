// load_ending.c: see load_ending.h.
#include "load_ending.h"

#include "call.h"
#include "stats_reply.h"

#include <inttypes.h>

static bool check_stats(struct mr_load_run *run)
{
    const struct mr_call_params stats = {.question = MR_FRAME_STATS,
                                         .answer = MR_FRAME_STATS_REPLY,
                                         .timeout_ns = run->options->stall_limit_ns,
                                         .cancel_fd = run->signal_fd};
    struct mr_reply_fault fault;
    if (!mr_call(&run->client[0], &stats, &run->stats_final, &run->failure)) {
        return false;
    }
    if (run->stats_final.json == NULL) {
        return true; // there was no answer, and the gate that minds is switched off
    }
    run->stats_check = MR_CHECK_FAILED;
    if (!mr_stats_reply_totals((const uint8_t *)run->stats_final.json, run->stats_final.json_bytes,
                               &run->totals_got, &fault)) {
        return mr_load_fail(&run->failure, MR_LOAD_WRONG, MR_LOAD_STATS,
                            "STATS is not understood: %s", fault.text);
    }
    if (!mr_totals_equal(&run->totals_expected, &run->totals_got)) {
        char text[480];
        mr_totals_difference(&run->totals_expected, &run->totals_got, text, sizeof text);
        return mr_load_fail(&run->failure, MR_LOAD_WRONG, MR_LOAD_STATS,
                            "STATS differs from what was sent: %s", text);
    }
    run->stats_check = MR_CHECK_PASSED;
    return true;
}

static bool check_kept(struct mr_load_run *run)
{
    const struct mr_call_params kept = {.question = MR_FRAME_KEPT,
                                        .answer = MR_FRAME_KEPT_REPLY,
                                        .timeout_ns = run->options->stall_limit_ns,
                                        .cancel_fd = run->signal_fd};
    const struct mr_kept *expected = &run->kept_expected;
    struct mr_kept *got = &run->kept_got;
    struct mr_reply_fault fault;
    if (!mr_call(&run->client[0], &kept, &run->kept_final, &run->failure)) {
        return false;
    }
    if (run->kept_final.json == NULL) {
        return true;
    }
    run->kept_check = MR_CHECK_FAILED;
    if (!mr_kept_reply((const uint8_t *)run->kept_final.json, run->kept_final.json_bytes, got,
                       &fault)) {
        return mr_load_fail(&run->failure, MR_LOAD_WRONG, MR_LOAD_KEPT,
                            "KEPT is not understood: %s", fault.text);
    }
    if (got->batches != expected->batches || got->records != expected->records ||
        got->digest != expected->digest) {
        return mr_load_fail(&run->failure, MR_LOAD_WRONG, MR_LOAD_KEPT,
                            "KEPT differs from the last %u accepted batches of each connection: "
                            "expected %" PRIu64 " batches, %" PRIu64 " records, digest %016" PRIx64
                            "; got %" PRIu64 ", %" PRIu64 ", %016" PRIx64,
                            MR_RING_PLACES, expected->batches, expected->records, expected->digest,
                            got->batches, got->records, got->digest);
    }
    run->kept_check = MR_CHECK_PASSED;
    return true;
}

bool mr_load_sum_up(struct mr_load_run *run)
{
    const struct mr_load_options *options = run->options;
    run->totals_expected = run->totals_initial;
    for (uint32_t i = 0; i < run->workers_count; i++) {
        mr_expected_add_totals(&run->worker[i].expected, &run->totals_expected);
    }
    if (run->leg_worker != NULL) {
        mr_expected_add_totals(&run->leg_worker->expected, &run->totals_expected);
        run->replies += run->leg_worker->expected.replies;
    }
    for (uint32_t i = 0; i < run->clients_count; i++) {
        mr_kept_model_add(&run->client[i].kept, &run->kept_expected);
    }
    if (mr_recorder_init(&run->sum, options->plan, mr_load_length_ns(options)) != 0) {
        return mr_load_fail(&run->failure, MR_LOAD_FAILED, MR_LOAD_ANSWERS, "out of memory");
    }
    run->has_sum = true;
    mr_recorder_begin(&run->sum, &run->shared.window);
    run->window_complete = !run->shared.opening && run->workers_count > 0;
    for (uint32_t i = 0; i < run->workers_count; i++) {
        const struct mr_load_worker *worker = &run->worker[i];
        if (worker->recorder.window.start_ns == run->shared.window.start_ns) {
            mr_recorder_merge(&run->sum, &worker->recorder);
        }
        run->window_complete = run->window_complete && worker->phase != MR_PHASE_RUNNING;
        run->probes += worker->probes;
        run->replies += worker->expected.replies;
        if (worker->first_reply_ns != 0 &&
            (run->first_reply_ns == 0 || worker->first_reply_ns < run->first_reply_ns)) {
            run->first_reply_ns = worker->first_reply_ns;
        }
    }
    return true;
}

void mr_load_check_ending(struct mr_load_run *run)
{
    if (check_stats(run)) {
        (void)check_kept(run);
    }
}
