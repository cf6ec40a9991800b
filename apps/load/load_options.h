// load_options.h: what a run is asked to do: the command line, checked.
#ifndef MR_LOAD_OPTIONS_H
#define MR_LOAD_OPTIONS_H

#include "load_failure.h"
#include "plan.h"
#include "plan_steps.h"

#include "base/cli.h"
#include "base/pin.h"

#include <matchrace/attributes.h>
#include <matchrace/contract.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Texts point into argv.
struct mr_load_options {
    const char *connect; // as given
    char host[256];
    char port[8];
    const char *data;
    const char *out;         // NULL: no result file
    const char *times_file;  // NULL: the five times are not written
    const char *hdr_log;     // NULL: no interval log
    const char *percentiles; // NULL: no percentile table
    enum mr_mode mode;
    enum mr_plan_kind plan;
    struct mr_cores cores;      // count 0: not confined
    uint64_t rate_per_s;        // 0: not given
    uint64_t burst_batches;     // 0: not given
    uint64_t period_ns;         // 0: not given
    struct mr_plan_steps steps; // count 0: not given
    uint64_t connections;
    uint64_t depth;
    uint64_t in_flight; // over all connections; 0: no limit but depth
    uint64_t threads;
    uint64_t seed;
    uint64_t warmup_ns;
    uint64_t warmup_max_ns; // at most so long where the server still compiles; 0: warmup_ns
    uint64_t window_ns;
    uint64_t drain_limit_ns;
    uint64_t stall_limit_ns;
    uint64_t spin_ns;
    uint64_t times_max; // entries kept for times_file
    bool events;
    bool trust_hashes;
    bool novelty; // legs of batches never sent before, after the window
    // Benchmarks of the generator only; a run with one of them is not verified.
    bool no_verify;
    bool no_record;
    bool same_batches;
    bool null_sender;                   // implies the three above
    struct mr_load_gates_off gates_off; // --without-gate
};

// Whether the warm-up may go on beyond warmup_ns.
static inline bool mr_load_may_warm_on(const struct mr_load_options *options)
{
    return options->warmup_max_ns > options->warmup_ns;
}

// The longest that the warm-up may be.
static inline uint64_t mr_load_warmup_limit_ns(const struct mr_load_options *options)
{
    return mr_load_may_warm_on(options) ? options->warmup_max_ns : options->warmup_ns;
}

// The longest that a run may be, from its first slot to its limit.
static inline uint64_t mr_load_length_ns(const struct mr_load_options *options)
{
    return mr_load_warmup_limit_ns(options) + options->window_ns + options->drain_limit_ns;
}

// Whether one of the benchmarks' switches is on.
static inline bool mr_load_is_reduced(const struct mr_load_options *options)
{
    return options->no_verify || options->no_record || options->same_batches;
}

// Reads the command line. MR_CLI_WRONG: one line on standard error was printed.
MR_NODISCARD enum mr_cli_result mr_load_options_parse(struct mr_load_options *options_out, int argc,
                                                      char **argv);

// Splits "HOST:PORT" or "[HOST]:PORT". False when it is neither.
MR_NODISCARD bool mr_load_split_address(const char *text, char host_out[256], char port_out[8]);

#endif
