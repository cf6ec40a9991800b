// server_process.h: a contestant as a server: start pinned, read where it listens, end it and judge
// its end.
#ifndef MR_CAMPAIGN_SERVER_PROCESS_H
#define MR_CAMPAIGN_SERVER_PROCESS_H

#include "driver.h"
#include "error_keeper.h"

#include "host/line_reader.h"
#include "host/process.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stdint.h>

// Contract section 6: SIGTERM ends a server within 2 s.
#define MR_SERVER_STOP_NS 2000000000ull

// How long a server may take to say that it listens: managed runtimes start slowly, a hung one must
// not hold up the race.
#define MR_SERVER_START_NS 20000000000ull

struct mr_server_process {
    struct mr_process process;
    bool started;
    char address[64];    // HOST:PORT
    uint64_t startup_ns; // from exec to its line
    struct mr_line_reader lines;
    char line_bytes[256];
    struct mr_error_keeper errors; // of its standard error
};

// Starts the entry of `run` on the server cores and waits for its line. On failure outcome and
// reason of the trial are set; mr_server_process_end() is called in any case.
MR_NODISCARD enum mr_driver_result mr_server_process_start(struct mr_trial_run *run,
                                                           struct mr_server_process *server);

// Ends it (SIGTERM, 2 s, SIGKILL) and checks that it ended as the contract says. Adds its end to
// the trial's details.
enum mr_driver_result mr_server_process_end(struct mr_trial_run *run,
                                            struct mr_server_process *server);

// Sets outcome and reason for a server that ended by itself: one killed from outside (SIGKILL) may
// run again, any other end is its own doing.
enum mr_driver_result mr_server_process_died(struct mr_trial_run *run,
                                             const struct mr_process_end *end);

// Says in one text how a process ended: "exit code 3", "signal 9".
void mr_process_end_text(const struct mr_process_end *end, char *text_out, size_t capacity);

#endif
