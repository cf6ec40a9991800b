// data_import.c: `matchrace data import`: the command line around data_importer.h.
#include "data_command.h"

#include "data_importer.h"

#include "base/cli.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char notes[] =
    "A file that begins with [ is a JSON array of records, any other holds one record a line\n"
    "(NDJSON). Records follow the contract's schema (docs/PROTOCOL.md) and keep their bytes; only\n"
    "white space around them is left out. Answers come from two readings that must agree.\n"
    "\nExit codes: 0 imported; 1 the machine failed; 2 wrong usage, or NAME exists; 3 a record "
    "was\n"
    "rejected: the first 20 are listed with line and byte, and nothing is written.\n";

static const char examples[] =
    "  matchrace data import today.ndjson --out data/today\n"
    "  matchrace data import a.json b.json --batch-records 64 --out data/both --force\n";

static void show_fault(const char *text)
{
    (void)fprintf(stderr, "%s\n", text);
}

// The command that makes the dataset again, as it was typed.
static void write_command(int argc, char **argv, char *text_out, size_t capacity)
{
    struct mr_text text = mr_text_init(text_out, capacity);
    mr_text_printf(&text, "matchrace data import");
    for (int i = 1; i < argc; i++) {
        mr_text_printf(&text, " %s", argv[i]);
    }
}

static int run(const struct mr_import_request *request)
{
    struct mr_import_result result;
    mr_data_catch_signals();
    int error = mr_import(request, &result);
    if (error != 0) {
        if (result.faults > MR_IMPORT_FAULTS_SHOWN) {
            (void)fprintf(stderr, "… and %llu more\n",
                          (unsigned long long)(result.faults - MR_IMPORT_FAULTS_SHOWN));
        }
        mr_data_say("import", result.fault.text);
        return mr_data_exit(error);
    }
    printf("%s: %llu batches, %llu records, %.1f MiB\nwhat is in it: matchrace data show %s\n",
           request->out, (unsigned long long)result.batches, (unsigned long long)result.records,
           (double)result.bytes / (1 << 20), request->out);
    return MR_EXIT_OK;
}

// Reads the command line; `paths` has argc places.
static int read_and_run(int argc, char **argv, const char **paths)
{
    uint64_t batch_records = 256;
    const char *out = NULL;
    char base[PATH_MAX];
    bool force = false;
    const struct mr_option options[] = {
        {.name = "out",
         .kind = MR_OPTION_TEXT,
         .value = &out,
         .argument = "NAME",
         .help = "The common part of the files' names; folders are made."},
        {.name = "batch-records",
         .kind = MR_OPTION_COUNT,
         .value = &batch_records,
         .argument = "N",
         .help = "Records a batch; 256 by default. Only the last may hold fewer.",
         .min = 1,
         .max = MR_BATCH_RECORDS_MAX},
        {.name = "force",
         .kind = MR_OPTION_FLAG,
         .value = &force,
         .help = "Replace the dataset that is there."},
    };
    const struct mr_command command = {.name = "matchrace data import",
                                       .summary = "make a dataset of JSON files of your own",
                                       .operands = "FILE…",
                                       .operands_min = 1,
                                       .operands_max = SIZE_MAX,
                                       .options = options,
                                       .options_count = sizeof options / sizeof options[0],
                                       .notes = notes,
                                       .examples = examples};
    size_t paths_count;
    enum mr_cli_result read = mr_cli_parse(&command, argc, argv, paths, &paths_count);
    if (read != MR_CLI_RUN) {
        return read == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    if (out == NULL) {
        mr_data_say("import", "--out is missing: the common part of the dataset's files "
                              "(see matchrace data import --help)");
        return MR_EXIT_USAGE;
    }
    if (!mr_data_take_base("import", &out, base)) {
        return MR_EXIT_USAGE;
    }
    char text[1024];
    write_command(argc, argv, text, sizeof text);
    return run(&(struct mr_import_request){.paths = paths,
                                           .paths_count = paths_count,
                                           .out = out,
                                           .batch_records = (uint32_t)batch_records,
                                           .force = force,
                                           .command = text,
                                           .show_fault = show_fault,
                                           .stopped = mr_data_signal});
}

int mr_data_import(int argc, char **argv)
{
    const char **paths = calloc((size_t)argc, sizeof *paths);
    if (paths == NULL) {
        mr_data_say("import", "out of memory");
        return MR_EXIT_ENVIRONMENT;
    }
    int code = read_and_run(argc, argv, paths);
    free(paths);
    return code;
}
