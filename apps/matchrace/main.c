// main.c: the program matchrace: finds the subcommand and hands over.
#include "base/cli.h"

#include "../campaign/cmd.h"
#include "../conform/cmd.h"
#include "../data/cmd.h"
#include "../load/cmd.h"
#include "../report/cmd.h"

#include <stdio.h>
#include <string.h>

struct subcommand {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
};

static const struct subcommand subcommands[] = {
    {"run", "race contestants by a matrix; ends in a folder with trials, results and a report",
     mr_run_main},
    {"race", "race contestants on data of your own", mr_race_main},
    {"versus", "race two builds of one contestant: is the change slower?", mr_versus_main},
    {"compare", "who changed between two saved campaigns, by an anchor", mr_compare_main},
    {"data", "make, import, show and verify datasets", mr_data_main},
    {"conform", "check a contestant against the contract, by the wire", mr_conform_main},
    {"load", "the load generator: send verified batches to one server", mr_load_main},
    {"sweep", "response time against offered load, and how much load a latency limit allows",
     mr_sweep_main},
    {"doctor", "say what this host can and cannot see of a race, and which gates it can judge",
     mr_doctor_main},
    {"estimate", "compute results.json of a run again from its trials", mr_estimate_main},
    {"plan", "say what a matrix will run, for how long, and the rows that a difference needs",
     mr_plan_main},
    {"status", "say how far a run is", mr_status_main},
    {"verify", "check a run: hashes, gates, exclusions and verdicts again from its raw trials",
     mr_verify_main},
    {"report", "make the report of a finished run again from its files", mr_report_main},
};

static const size_t subcommands_count = sizeof subcommands / sizeof subcommands[0];

static void print_help(void)
{
    printf("matchrace %s: fair head-to-head races between programs that do the same job\n\n"
           "Usage: matchrace SUBCOMMAND [OPTIONS]\n\nSubcommands:\n",
           MR_VERSION);
    for (size_t i = 0; i < subcommands_count; i++) {
        printf("  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    }
    printf("\nExamples:\n"
           "  matchrace run matrices/smoke.json --out out/mine\n"
           "  matchrace load --help\n");
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        (void)fprintf(stderr, "matchrace: which subcommand? (see matchrace --help)\n");
        return MR_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_help();
        return MR_EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("matchrace %s\n", MR_VERSION);
        return MR_EXIT_OK;
    }
    for (size_t i = 0; i < subcommands_count; i++) {
        if (strcmp(argv[1], subcommands[i].name) == 0) {
            return subcommands[i].run(argc - 1, argv + 1);
        }
    }
    (void)fprintf(stderr, "matchrace: unknown subcommand '%s' (see matchrace --help)\n", argv[1]);
    return MR_EXIT_USAGE;
}
