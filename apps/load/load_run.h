// load_run.h: one run from the first connection to the last comparison.
#ifndef MR_LOAD_RUN_H
#define MR_LOAD_RUN_H

#include "call.h"
#include "client.h"
#include "load_failure.h"
#include "load_options.h"
#include "load_worker.h"
#include "order.h"
#include "pacer.h"
#include "recorder.h"

#include "dataset/dataset.h"

#include <matchrace/attributes.h>
#include <matchrace/contract.h>

#include <stdbool.h>
#include <stdint.h>

// How far a gate of the end came.
enum mr_load_check { MR_CHECK_NOT_REACHED, MR_CHECK_PASSED, MR_CHECK_FAILED };

// Everything about a run; big, zero it and call mr_load_run(). What was measured before a failure
// is there too.
struct mr_load_run {
    const struct mr_load_options *options;
    const struct mr_dataset *dataset;
    struct mr_order order;
    struct mr_load_shared shared;
    struct mr_client *client;      // owned; connection thread's first, then the next thread's, …
    uint32_t clients_count;        // connected
    struct mr_load_worker *worker; // owned
    uint32_t workers_count;
    struct mr_pacer_costs costs;
    struct mr_pacer_costs costs_after; // its sleeps, once all is answered; open loop only

    struct mr_call_reply welcome;
    struct mr_call_reply stats_initial;
    struct mr_call_reply stats_final;
    struct mr_call_reply kept_final;
    struct mr_totals totals_initial; // what the server had counted before us
    struct mr_totals totals_expected;
    struct mr_totals totals_got;
    struct mr_kept kept_expected;
    struct mr_kept kept_got;
    enum mr_load_check stats_check;
    enum mr_load_check kept_check;

    uint64_t connect_ns; // before the first connection
    uint64_t connected_ns;
    uint64_t drained_ns;
    struct mr_recorder sum; // of all threads; initialised where has_sum
    bool has_sum;
    struct mr_legs legs;
    struct mr_load_worker *leg_worker; // owned; the legs' replies; NULL: there were no legs
    bool window_complete;              // the window's end was reached
    uint64_t probes;                   // for early answers, none of which came
    uint64_t replies;                  // verified, opening and warm-up included
    uint64_t first_reply_ns;           // to a batch; 0: none
    int signal_number;                 // that ended it; 0: none
    int signal_fd;
    struct mr_load_failure failure;
};

// Starts the threads of `worker` for one run, waits for their end and takes over how it ended.
// Whether all is well. For the legs of load_legs.h.
bool mr_load_run_threads(struct mr_load_run *run, struct mr_load_worker *worker, uint32_t count);

// The window in which nothing is timed.
struct mr_window mr_load_no_window(void);

// Runs `plan`, which stays the caller's. How it ended stands in run->failure. The caller ends it
// with mr_load_run_fini(), whatever happened. Blocks SIGINT and SIGTERM of the process and takes
// them itself.
void mr_load_run(struct mr_load_run *run, const struct mr_load_options *options,
                 const struct mr_plan *plan, const struct mr_dataset *dataset);
void mr_load_run_fini(struct mr_load_run *run);

#endif
