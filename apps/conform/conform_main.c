// conform_main.c: the command `matchrace conform`: options, help, and what must be there first.
#include "cmd.h"

#include "base/cli.h"
#include "base/clock.h"
#include "conform_call.h"
#include "conform_report.h"
#include "conform_stop.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

// 1,024 connections need more descriptors than most shells allow.
static void raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

static int run_command(struct mr_conform_call *call, const char *const *operands, size_t count)
{
    char build_dir[PATH_MAX];
    if (call->words.list) {
        mr_conform_print_rules();
        return MR_EXIT_OK;
    }
    if (count == 0) {
        return mr_conform_complain(MR_EXIT_USAGE, "which contestant? Name its folder (see --help)");
    }
    if (realpath(call->words.build_dir, build_dir) == NULL) {
        return mr_conform_complain(mr_cli_exit_code(-errno), "--build-dir %s: %s",
                                   call->words.build_dir, strerror(errno));
    }
    call->words.build_dir = build_dir;
    int code = mr_conform_choose(&call->words, &call->options);
    if (code == 0 && !call->words.stamped) {
        struct mr_case_fault fault;
        int opened = mr_cases_init(&call->cases, call->words.cases, &fault);
        if (opened != 0) {
            code = mr_conform_complain(mr_cli_exit_code(opened), "%s", fault.text);
        }
    }
    int result = code == 0 ? mr_conform_stop_catch() : 0;
    if (result != 0) {
        code = mr_conform_complain(MR_EXIT_ENVIRONMENT, "signals cannot be caught: %s",
                                   strerror(-result));
    }
    if (code == 0) {
        raise_descriptors();
        code = mr_conform_call_run(call, operands, count);
    }
    mr_cases_fini(&call->cases);
    return code;
}

static const char *build_dir_default(void)
{
    const char *named = getenv("MR_BUILD_DIR");
    return named != NULL && named[0] != '\0' ? named : MR_BUILD_DIR;
}

#define CHOICES 7 // options that choose what to do
#define PLACES  7 // options that say where things are and how long they may take

static void add_choices(struct mr_option options_out[CHOICES], struct mr_conform_words *words)
{
    const struct mr_option choices[CHOICES] = {
        {.name = "mode",
         .kind = MR_OPTION_LIST,
         .value = &words->modes,
         .argument = "M",
         .help = "Only this mode; may be given again. All four by default (--quick: keep)."},
        {.name = "only",
         .kind = MR_OPTION_LIST,
         .value = &words->only,
         .argument = "CHECK,…",
         .help = "Only these checks, by number or name."},
        {.name = "phase",
         .kind = MR_OPTION_LIST,
         .value = &words->phases,
         .argument = "P",
         .help = "Only the checks of a phase: cases, large, kept, wire, command."},
        {.name = "quick",
         .kind = MR_OPTION_FLAG,
         .value = &words->quick,
         .help = "What a race sends first: two dozen cases, STATS, KEPT, SIGTERM."},
        {.name = "stamped",
         .kind = MR_OPTION_FLAG,
         .value = &words->stamped,
         .help = "Only say whether it has passed in these modes and nothing has changed since."},
        {.name = "list",
         .kind = MR_OPTION_FLAG,
         .value = &words->list,
         .help = "Print all checks with their modes and sentences."},
        {.name = "variant",
         .kind = MR_OPTION_TEXT,
         .value = &words->variant,
         .argument = "NAME",
         .help = "Run it as this variant of its contestant.json."},
    };
    memcpy(options_out, choices, sizeof choices);
}

static void add_places(struct mr_option options_out[PLACES], struct mr_conform_call *call)
{
    struct mr_conform_words *words = &call->words;
    struct mr_kit_options *kit = &call->options;
    const struct mr_option places[PLACES] = {
        {.name = "json",
         .kind = MR_OPTION_TEXT,
         .value = &words->json,
         .argument = "FILE",
         .help = "Write the findings as JSON too."},
        {.name = "patience",
         .kind = MR_OPTION_DURATION,
         .value = &kit->patience_ns,
         .argument = "TIME",
         .min = 100 * MR_NS_PER_MS,
         .max = 600 * MR_NS_PER_S,
         .help = "How long to wait for what must come, without what a busy host keeps "
                 "it from a core; 10s by default."},
        {.name = "limit",
         .kind = MR_OPTION_DURATION,
         .value = &kit->limit_ns,
         .argument = "TIME",
         .min = MR_NS_PER_S,
         .help = "The time for one contestant in all, reckoned the same way; 5m by default."},
        {.name = "sample",
         .kind = MR_OPTION_COUNT,
         .value = &kit->sample,
         .argument = "N",
         .min = 1,
         .max = 1000,
         .help = "Byte by byte only every N-th case; 1 by default."},
        {.name = "cases",
         .kind = MR_OPTION_TEXT,
         .value = &words->cases,
         .argument = "FOLDER",
         .help = "The cases; tests/cases by default."},
        {.name = "build-dir",
         .kind = MR_OPTION_TEXT,
         .value = &words->build_dir,
         .argument = "FOLDER",
         .help = "What ${MR_BUILD_DIR} stands for in contestant.json; this build by default."},
        {.name = "stamp-dir",
         .kind = MR_OPTION_TEXT,
         .value = &words->stamp_dir,
         .argument = "FOLDER",
         .help = "Where stamps are kept; build/conform by default."},
    };
    memcpy(options_out, places, sizeof places);
}

static const char notes[] =
    "CONTESTANT is a folder with a contestant.json, anywhere, or that file.\n"
    "Passing all checks of a mode is stamped with hashes of the program, its parser\n"
    "files, its contestant.json and the cases, so that a race in that mode needs only\n"
    "--stamped and --quick. Checks that contestant.json declares as gaps may fail; cases\n"
    "that it declares must be answered otherwise than is right.\n"
    "Who is not installed (\"needs\", or its build failed) is named and left out.\n\n"
    "Exit codes: 0 conformant; 1 it cannot be run here; 2 wrong usage, or a\n"
    "contestant.json that is wrong; 3 not conformant; 5 out of time; 130, 143 signals.\n";
static const char examples[] =
    "  matchrace conform contestants/NAME\n"
    "  matchrace conform --mode keep --only W5,W32 ../my-server\n"
    "  matchrace conform --phase wire --json findings.json contestants/NAME\n"
    "  matchrace conform --stamped contestants/NAME\n"
    "  matchrace conform --list\n";

int mr_conform_main(int argc, char **argv)
{
    struct mr_conform_call call = {
        .words = {.cases = MR_SOURCE_DIR "/tests/cases",
                  .stamp_dir = MR_SOURCE_DIR "/build/conform",
                  .build_dir = build_dir_default()},
        .options = {.patience_ns = 10 * MR_NS_PER_S, .limit_ns = 300 * MR_NS_PER_S, .sample = 1}};
    struct mr_option options[CHOICES + PLACES];
    add_choices(options, &call.words);
    add_places(options + CHOICES, &call);
    const struct mr_command command = {
        .name = "matchrace conform",
        .summary = "checks contestants against the contract, by the wire and by their command line",
        .operands = "CONTESTANT…",
        .operands_max = SIZE_MAX,
        .options = options,
        .options_count = CHOICES + PLACES,
        .notes = notes,
        .examples = examples,
    };
    const char **operands = calloc((size_t)argc + 1, sizeof(const char *));
    if (operands == NULL) {
        return mr_conform_complain(MR_EXIT_ENVIRONMENT, "out of memory");
    }
    size_t count = 0;
    enum mr_cli_result parsed = mr_cli_parse(&command, argc, argv, operands, &count);
    int code = parsed == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    if (parsed == MR_CLI_RUN) {
        code = run_command(&call, operands, count);
    }
    free(operands);
    return code;
}
