// versus_cmd.c: the command `matchrace versus`: is a change slower than its base?
#include "cmd.h"

#include "race_open.h"
#include "versus_count.h"
#include "versus_race.h"
#include "versus_write.h"

#include "base/cli.h"
#include "base/file.h"
#include "base/text.h"
#include "dataset/dataset.h"
#include "host/process.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MINUTES_DEFAULT 10
#define MINUTES_MAX     10000
#define COUNT_BATCHES   "8" // of 256 records: callgrind runs fifty times slower than the program

struct versus_options {
    struct mr_versus_build build[2]; // base, change
    const char *fail_if;
    uint64_t max_minutes;
    uint64_t seed;
    const char *measure;
    const char *count; // "instructions", or NULL
    const char *mode;
    const char *shape;
    const char *dataset;
    const char *data_folder;
    const char *called[2]; // in what is written
    const char *out;
    const char *again;
    bool skip_conform;
    double margin;
    struct mr_race_self self;
    char out_path[PATH_MAX];
    char placed[2][PATH_MAX]; // the builds' folders in it
    char reproduce[2 * PATH_MAX];
};

// "slower:3%": above 0, below 100.
static bool read_fail_if(const char *text, double *margin_out)
{
    static const char word[] = "slower:";
    char *end;
    if (strncmp(text, word, sizeof word - 1) != 0) {
        return false;
    }
    double percent = strtod(text + sizeof word - 1, &end);
    *margin_out = percent / 100;
    return end != text + sizeof word - 1 && strcmp(end, "%") == 0 && percent > 0 && percent < 100;
}

static enum mr_cli_result check_words(struct versus_options *options, size_t count)
{
    const char *wrong = NULL;
    if (!read_fail_if(options->fail_if, &options->margin)) {
        wrong = "--fail-if is like slower:3%";
    } else if (options->again != NULL && count > 0) {
        wrong = "--again takes no builds: they raced already";
    } else if (options->again == NULL && count != 2) {
        wrong = "which two builds? (see matchrace versus --help)";
    }
    if (wrong != NULL) {
        (void)fprintf(stderr, "matchrace versus: %s\n", wrong);
        return MR_CLI_WRONG;
    }
    return MR_CLI_RUN;
}

#define MEASURES 7
#define PLACES   9

// Where builds, data and results are, and what they are called.
static void list_places(struct versus_options *options, struct mr_option options_out[PLACES])
{
    const struct mr_option places[PLACES] = {
        {"data", MR_OPTION_TEXT, &options->dataset, "NAME",
         "An existing dataset in place of it (matchrace data import makes one of your own).", 0, 0,
         NULL},
        {"data-dir", MR_OPTION_TEXT, &options->data_folder, "FOLDER",
         "Where made data is kept. Default: data.", 0, 0, NULL},
        {"build-dir-base", MR_OPTION_TEXT, &options->build[0].build_dir, "FOLDER",
         "What ${MR_BUILD_DIR} means in the base's contestant.json. Default: this program's build.",
         0, 0, NULL},
        {"build-dir-change", MR_OPTION_TEXT, &options->build[1].build_dir, "FOLDER",
         "The same of the change.", 0, 0, NULL},
        {"call-base", MR_OPTION_TEXT, &options->called[0], "TEXT",
         "What the base is called in the files; its folder by default.", 0, 0, NULL},
        {"call-change", MR_OPTION_TEXT, &options->called[1], "TEXT", "The same of the change.", 0,
         0, NULL},
        {"skip-conform", MR_OPTION_FLAG, &options->skip_conform, NULL,
         "Do not check conformance first; answers are verified while they race all the same, but "
         "not while --count counts.",
         0, 0, NULL},
        {"out", MR_OPTION_TEXT, &options->out, "FOLDER",
         "Where everything goes; it may not exist yet. Default: out/versus/TIME.", 0, 0, NULL},
        {"again", MR_OPTION_TEXT, &options->again, "FOLDER",
         "Say again what came of an earlier one: race nothing.", 0, 0, NULL},
    };
    memcpy(options_out, places, sizeof places);
}

static enum mr_cli_result parse_words(struct versus_options *options, int argc, char **argv)
{
    static const char *const measures[] = {"serve", "parse", "simulated", NULL};
    static const char *const counts[] = {"instructions", NULL};
    static const char *const modes[] = {"totals", "keep", "fresh", NULL};
    static const char *const shapes[] = {"simple", "messy", NULL};
    struct mr_option table[MEASURES + PLACES] = {
        {"fail-if", MR_OPTION_TEXT, &options->fail_if, "slower:P%",
         "By how much the change must be slower to fail; slower:3% by default.", 0, 0, NULL},
        {"max-minutes", MR_OPTION_COUNT, &options->max_minutes, "N",
         "How long they race at most; 10 by default. Checks of the builds come on top.", 1,
         MINUTES_MAX, NULL},
        {"seed", MR_OPTION_COUNT, &options->seed, "N", "Of the schedule; 42 by default.", 0, 0,
         NULL},
        {"measure", MR_OPTION_CHOICE, &options->measure, "WHAT",
         "serve: the whole server over TCP (the default). parse: its parser in-process, pass by "
         "pass in turn: steadier, and no sockets. simulated: nobody runs, for proofs of the gate.",
         0, 0, measures},
        {"count", MR_OPTION_CHOICE, &options->count, "instructions",
         "Count instructions by callgrind in place of measuring times: the same on every run, for "
         "machines that are too unsteady.",
         0, 0, counts},
        {"mode", MR_OPTION_CHOICE, &options->mode, "MODE",
         "totals, keep or fresh; keep by default.", 0, 0, modes},
        {"shape", MR_OPTION_CHOICE, &options->shape, "SHAPE",
         "Data that is made: simple or messy; messy by default.", 0, 0, shapes},
    };
    list_places(options, table + MEASURES);
    const struct mr_command command = {
        .name = "matchrace versus",
        .summary = "race two builds of one contestant, and say whether the change is slower",
        .operands = "BASE CHANGE",
        .operands_min = 0,
        .operands_max = 2,
        .options = table,
        .options_count = sizeof table / sizeof table[0],
        .notes = "BASE and CHANGE are folders with a contestant.json, built. FOLDER gets versus.md "
                 "(for a pull request),\nversus.xml (JUnit), and race/ with the report and every "
                 "trial.\nExit codes: 0 the same or faster; 4 slower beyond --fail-if; 5 not "
                 "resolved within the minutes; 3 wrong answers;\n1 environment; 2 usage.\n",
        .examples = "  matchrace versus ../main/my-server my-server --max-minutes 15\n"
                    "  matchrace versus old new --measure parse --fail-if slower:2%\n"
                    "  matchrace versus old new --count instructions\n",
    };
    const char *operands[2];
    size_t count = 0;
    enum mr_cli_result result = mr_cli_parse(&command, argc, argv, operands, &count);
    if (result != MR_CLI_RUN) {
        return result;
    }
    for (size_t i = 0; i < count; i++) {
        options->build[i].folder = operands[i];
        options->called[i] = options->called[i] == NULL ? operands[i] : options->called[i];
    }
    return check_words(options, count);
}

// Makes the folder with both builds in it.
static int place_builds(struct versus_options *options, struct mr_trial_fault *fault)
{
    static const char *const names[2] = {MR_VERSUS_BASE, MR_VERSUS_CHANGE};
    char made[PATH_MAX];
    char place[PATH_MAX + 32];
    for (size_t i = 0; i < 2; i++) {
        if (options->build[i].build_dir == NULL) {
            options->build[i].build_dir = options->self.build_dir;
        }
    }
    int result = mr_versus_builds_differ(&options->build[0], &options->build[1], fault);
    if (result != 0) {
        return result;
    }
    if (options->out == NULL) {
        mr_race_default_folder("versus", made, sizeof made);
        options->out = made;
    }
    if (access(options->out, F_OK) == 0) {
        mr_trial_fault_set(fault, "%s exists already: results never overwrite others",
                           options->out);
        return -EEXIST;
    }
    result = mr_folder_make(options->out);
    if (result == 0 && realpath(options->out, options->out_path) == NULL) {
        result = -errno;
    }
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be made: %s", options->out, strerror(-result));
        return result;
    }
    options->out = options->out_path;
    for (size_t i = 0; result == 0 && i < 2; i++) {
        (void)snprintf(place, sizeof place, "%s/builds/%s", options->out, names[i]);
        result = mr_versus_build_place(&options->build[i], place, options->placed[i], fault);
    }
    return result;
}

static int write_files(const struct versus_options *options, const char *headline,
                       enum mr_versus_answer answer, const char *table)
{
    bool failed = answer == MR_VERSUS_SLOWER || answer == MR_VERSUS_WRONG;
    const char *outcome = answer == MR_VERSUS_PASSED ? "passed"
                          : failed                   ? "failed"
                                                     : "not resolved";
    struct mr_versus_words words = {.base = options->called[0],
                                    .change = options->called[1],
                                    .headline = headline,
                                    .outcome = outcome,
                                    .table = table,
                                    .reproduce = options->reproduce};
    return mr_versus_write(options->out, &words);
}

// What both ways of measuring end with.
static int conclude(const struct versus_options *options, const char *headline,
                    enum mr_versus_answer answer, const char *table)
{
    int result = write_files(options, headline, answer, table);
    if (result != 0) {
        (void)fprintf(stderr, "matchrace versus: %s: cannot be written: %s\n", options->out,
                      strerror(-result));
        return MR_EXIT_ENVIRONMENT;
    }
    printf("%s\nFor a pull request: %s/versus.md; JUnit: %s/versus.xml\n", headline, options->out,
           options->out);
    return mr_versus_exit_code(answer);
}

static int conclude_race(const struct versus_options *options, struct mr_trial_fault *fault)
{
    struct mr_versus versus;
    char headline[1024];
    char table[2048];
    if (mr_versus_read(options->out, &versus, fault) != 0) {
        return MR_EXIT_ENVIRONMENT;
    }
    mr_versus_sentence(&versus, headline, sizeof headline);
    if (mr_versus_table(options->out, table, sizeof table) != 0) {
        mr_trial_fault_set(fault, "%s/race/results.json: cannot be read", options->out);
        return MR_EXIT_ENVIRONMENT;
    }
    return conclude(options, headline, versus.answer, table);
}

static int race(struct versus_options *options, struct mr_trial_fault *fault)
{
    struct mr_versus_plan plan = {.program = options->self.program,
                                  .build_dir = options->self.build_dir,
                                  .out = options->out,
                                  .build = {options->placed[0], options->placed[1]},
                                  .measure = options->measure,
                                  .mode = options->mode,
                                  .dataset = options->dataset,
                                  .shape = options->shape,
                                  .data_folder = options->data_folder,
                                  .margin = options->margin,
                                  .minutes = (double)options->max_minutes,
                                  .seed = options->seed,
                                  .skip_conform = options->skip_conform};
    int exit_code = MR_EXIT_ENVIRONMENT;
    int result = mr_versus_race(&plan, &exit_code, fault);
    if (result != 0) {
        return mr_cli_exit_code(result);
    }
    if (exit_code != MR_EXIT_OK && exit_code != MR_EXIT_WRONG && exit_code != MR_EXIT_INCOMPLETE) {
        return exit_code; // the run has said why
    }
    return conclude_race(options, fault);
}

// Runs this program with `words`. 0 or a negative errno; *code_out: how it ended.
static int run_self(const char *const *words, int *code_out)
{
    struct mr_process_plan plan = {
        .argv = words, .out = {.kind = MR_STREAM_NULL}, .err = {.kind = MR_STREAM_INHERIT}};
    struct mr_process process;
    struct mr_process_end end;
    struct mr_patience patience = {.deadline_ns = MR_FOREVER, .wake_fd = -1};
    int result = mr_process_start(&process, &plan, NULL);
    if (result == 0) {
        result = mr_process_wait(&process, &patience, &end);
        mr_process_fini(&process);
    }
    *code_out = result == 0 && end.exited ? end.exit_code : MR_EXIT_ENVIRONMENT;
    return result;
}

// Nobody looks at the answers of what is counted. *wrong_out: the build that failed the kit, or
// NULL.
static int conform_builds(const struct versus_options *options, const char **wrong_out,
                          struct mr_trial_fault *fault)
{
    char stamps[PATH_MAX + 16];
    *wrong_out = NULL;
    (void)snprintf(stamps, sizeof stamps, "%s/conform", options->out);
    for (size_t i = 0; i < 2 && *wrong_out == NULL && !options->skip_conform; i++) {
        const char *words[] = {options->self.program, "conform", "--mode",           options->mode,
                               "--stamp-dir",         stamps,    options->placed[i], NULL};
        int code;
        int result = run_self(words, &code);
        if (result == 0 && code != MR_EXIT_OK && code != MR_EXIT_WRONG) {
            result = -EIO;
        }
        if (result != 0) {
            mr_trial_fault_set(fault, "the conformance of %s could not be checked",
                               options->called[i]);
            return result;
        }
        *wrong_out = code == MR_EXIT_WRONG ? options->called[i] : NULL;
    }
    return 0;
}

// The small dataset that is counted on: `name_out` is its path, `records_out` those of a pass.
static int make_counted(const struct versus_options *options, char name_out[PATH_MAX],
                        uint64_t *records_out, struct mr_trial_fault *fault)
{
    (void)snprintf(name_out, PATH_MAX, "%s/counted", options->out);
    const char *words[] = {options->self.program, "data",   "make",   "--shape",
                           options->shape,        "--seed", "42",     "--batches",
                           COUNT_BATCHES,         "--out",  name_out, NULL};
    int result = 0;
    if (options->dataset != NULL) {
        if (realpath(options->dataset, name_out) == NULL) {
            (void)snprintf(name_out, PATH_MAX, "%s", options->dataset);
        }
    } else {
        int code;
        result = run_self(words, &code);
        result = result == 0 && code != MR_EXIT_OK ? -EIO : result;
    }
    struct mr_dataset dataset;
    struct mr_dataset_fault wrong = {{0}};
    if (result == 0) {
        result = mr_dataset_init(&dataset, name_out, &wrong);
    }
    if (result != 0) {
        mr_trial_fault_set(fault, "the data to count on: %s",
                           wrong.text[0] != '\0' ? wrong.text : strerror(-result));
        return result;
    }
    *records_out = 0;
    for (size_t i = 0; i < dataset.frames.count; i++) {
        *records_out += dataset.answers[i].records;
    }
    mr_dataset_fini(&dataset);
    return 0;
}

// The base is counted twice: what differs between the two is noise, and a verdict smaller than that
// is none.
static int count_builds(const struct versus_options *options, double per_record_out[3],
                        struct mr_trial_fault *fault)
{
    const char *const folders[3] = {options->placed[0], options->placed[0], options->placed[1]};
    char dataset[PATH_MAX];
    struct mr_versus_count count = {
        .dataset = dataset, .mode = options->mode, .build_dir = options->self.build_dir};
    int result = make_counted(options, dataset, &count.records, fault);
    for (size_t i = 0; result == 0 && i < 3; i++) {
        result = mr_versus_count(&count, folders[i], &per_record_out[i], fault);
    }
    return result;
}

static int count(struct versus_options *options, struct mr_trial_fault *fault)
{
    double per_record[3];
    char headline[512];
    char table[512];
    const char *wrong;
    int result = conform_builds(options, &wrong, fault);
    if (result == 0 && wrong != NULL) {
        (void)snprintf(headline, sizeof headline, "Failed: wrong answers. %.400s: not conformant",
                       wrong);
        return conclude(options, headline, MR_VERSUS_WRONG, "");
    }
    if (result == 0) {
        result = count_builds(options, per_record, fault);
    }
    if (result != 0) {
        return mr_cli_exit_code(result);
    }
    double noise = fabs(per_record[1] / per_record[0] - 1);
    double more = per_record[2] / per_record[0] - 1;
    enum mr_versus_answer answer = noise > options->margin  ? MR_VERSUS_VOID
                                   : more > options->margin ? MR_VERSUS_SLOWER
                                                            : MR_VERSUS_PASSED;
    (void)snprintf(headline, sizeof headline,
                   "%s: the change takes %.2f %% %s instructions a record than its base (%.1f, "
                   "%.1f; the base counted twice differs by %.3f %%). Instructions are no time.",
                   answer == MR_VERSUS_PASSED   ? "Passed"
                   : answer == MR_VERSUS_SLOWER ? "Failed"
                                                : "Not resolved",
                   100 * fabs(more), more < 0 ? "fewer" : "more", per_record[2], per_record[0],
                   100 * noise);
    (void)snprintf(table, sizeof table,
                   "| | base | base, once more | change |\n|---|--:|--:|--:|\n| instructions a "
                   "record | %.1f | %.1f | %.1f |\n\n",
                   per_record[0], per_record[1], per_record[2]);
    return conclude(options, headline, answer, table);
}

int mr_versus_main(int argc, char **argv)
{
    static struct versus_options options = {.fail_if = "slower:3%",
                                            .max_minutes = MINUTES_DEFAULT,
                                            .seed = 42,
                                            .measure = "serve",
                                            .mode = "keep",
                                            .shape = "messy",
                                            .data_folder = "data"}; // large
    enum mr_cli_result parsed = parse_words(&options, argc, argv);
    if (parsed != MR_CLI_RUN) {
        return parsed == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    struct mr_trial_fault fault = {{0}};
    const char *reproduce = getenv("MR_REPRODUCE");
    mr_race_reproduce("matchrace versus", argc, argv, options.reproduce, sizeof options.reproduce);
    if (reproduce != NULL) {
        (void)snprintf(options.reproduce, sizeof options.reproduce, "%s", reproduce);
    }
    int exit_code;
    int result = mr_race_find_self(&options.self, NULL, &fault);
    if (options.again != NULL) {
        options.out = options.again;
        options.called[0] = options.called[0] == NULL ? MR_VERSUS_BASE : options.called[0];
        options.called[1] = options.called[1] == NULL ? MR_VERSUS_CHANGE : options.called[1];
    } else if (result == 0) {
        result = place_builds(&options, &fault);
    }
    if (result != 0) {
        exit_code = mr_cli_exit_code(result);
    } else if (options.again != NULL) {
        exit_code = conclude_race(&options, &fault);
    } else {
        exit_code = options.count != NULL ? count(&options, &fault) : race(&options, &fault);
    }
    if (fault.text[0] != '\0') {
        (void)fprintf(stderr, "matchrace versus: %s\n", fault.text);
    }
    return exit_code;
}
