// sweep_options.h: what a sweep is asked to do: the command line, checked.
#ifndef MR_CAMPAIGN_SWEEP_OPTIONS_H
#define MR_CAMPAIGN_SWEEP_OPTIONS_H

#include "base/cli.h"
#include "trial/matrix.h"

#include <matchrace/attributes.h>

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_SWEEP_LOADS_MAX 32

// Texts point into argv, or are constant.
struct mr_sweep_options {
    const char *contestants[MR_CELL_ENTRIES_MAX];
    size_t contestants_count;
    struct mr_option_list folders; // where contestants are looked for
    const char *build_dir;         // NULL: the build that this program is of
    const char *out;               // NULL: out/sweep/TIME
    const char *data_folder;
    struct mr_dataset_spec data;
    const char *mode;
    const char *plan;                          // of the open loops: poisson, open
    const char *of;                            // own, slowest: whose maximum a load is a share of
    const char *gates;                         // exclude, mark, grade
    unsigned load_percent[MR_SWEEP_LOADS_MAX]; // ascending
    size_t loads_count;
    uint64_t repeats;
    uint64_t pairs;     // of an overloaded open loop and a closed one, for the saturation
    uint64_t slo_ns;    // 0: no limit is looked for
    uint64_t window_ns; // 0: by the rate, so that p99 may be printed
    uint64_t warmup_ns;
    uint64_t drain_limit_ns;
    uint64_t budget_ns;
    uint64_t seed;
    uint64_t connections;
    uint64_t depth;
    uint64_t threads; // of the server
    bool no_conform;
};

// Reads the command line. MR_CLI_WRONG: one line on standard error was printed.
MR_NODISCARD enum mr_cli_result mr_sweep_options_parse(struct mr_sweep_options *options_out,
                                                       int argc, char **argv);

// Reads "10,25,50": whole percents, 1 to 1000, each once; sorted. False when it is none.
MR_NODISCARD bool mr_sweep_loads_parse(const char *text, struct mr_sweep_options *options_io);

#endif
