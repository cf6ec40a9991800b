// run_cmd.c: the command `matchrace run`: from a matrix to a folder with results and report.
#define _GNU_SOURCE
#include "cmd.h"

#include "manifest.h"
#include "race.h"
#include "race_absent.h"
#include "race_conform.h"
#include "race_data.h"
#include "race_feed.h"
#include "race_open.h"
#include "race_resume.h"
#include "rate_maximum.h"
#include "results.h"
#include "runner.h"

#include "base/cli.h"
#include "base/clock.h"
#include "base/file.h"
#include "host/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// As good as no limit.
#define MINUTES_MAX 1000000

#define REPORT_FAILED "the report could not be written; `matchrace report %s` tries again"

struct run_options {
    const char *matrix; // of a run that goes on: the folder's own
    const char *resume; // NULL: a run begins
    const char *out;
    const char *data_folder;
    const char *build_dir;
    struct mr_option_list contestants;
    bool no_conform;
    uint64_t max_minutes;
    bool json_progress;
    bool new_stratum;
    char matrix_path[PATH_MAX];
    char out_default[PATH_MAX];
    struct mr_race_self self;
    char reproduce[2 * PATH_MAX];
};

// A run begins with a matrix, or goes on with the one in its folder.
static enum mr_cli_result choose_matrix(struct run_options *options, const char *matrix)
{
    const char *wrong = NULL;
    if (options->resume == NULL && matrix == NULL) {
        wrong = "which MATRIX? (see matchrace run --help)";
    } else if (options->resume != NULL && (matrix != NULL || options->out != NULL)) {
        wrong = "--resume goes on with the matrix in its folder: no MATRIX, no --out";
    }
    if (wrong != NULL) {
        (void)fprintf(stderr, "matchrace run: %s\n", wrong);
        return MR_CLI_WRONG;
    }
    options->matrix = matrix;
    if (matrix == NULL) {
        (void)snprintf(options->matrix_path, sizeof options->matrix_path, "%s/matrix.json",
                       options->resume);
        options->matrix = options->matrix_path;
    }
    return MR_CLI_RUN;
}

static enum mr_cli_result parse_words(struct run_options *options, int argc, char **argv)
{
    const struct mr_option table[] = {
        {"out", MR_OPTION_TEXT, &options->out, "FOLDER",
         "Where results go; it may not exist yet. Default: out/NAME/TIME.", 0, 0, NULL},
        {"data-dir", MR_OPTION_TEXT, &options->data_folder, "FOLDER",
         "Where datasets are kept, and made when they are missing. Default: data.", 0, 0, NULL},
        {"contestants", MR_OPTION_LIST, &options->contestants, "FOLDER",
         "Where contestants are looked for; may be given again. Default: contestants.", 0, 0, NULL},
        {"build-dir", MR_OPTION_TEXT, &options->build_dir, "FOLDER",
         "What ${MR_BUILD_DIR} means in contestant.json. Default: the build that this program is "
         "of.",
         0, 0, NULL},
        {"resume", MR_OPTION_TEXT, &options->resume, "FOLDER",
         "Go on with a run that was ended, by its own matrix and schedule; refused where matrix, "
         "machine, programs or data are no longer the same.",
         0, 0, NULL},
        {"new-stratum", MR_OPTION_FLAG, &options->new_stratum, NULL,
         "With --resume: go on although machine, programs or data changed; results keep the parts "
         "apart.",
         0, 0, NULL},
        {"max-minutes", MR_OPTION_COUNT, &options->max_minutes, "N",
         "Begin no row later than that; --resume goes on. Default: the matrix's budget alone.", 0,
         MINUTES_MAX, NULL},
        {"json-progress", MR_OPTION_FLAG, &options->json_progress, NULL,
         "Print a line of JSON after each trial: cell, row, outcome, what is done and left.", 0, 0,
         NULL},
        {"skip-conform", MR_OPTION_FLAG, &options->no_conform, NULL,
         "Do not check conformance first; the manifest says so.", 0, 0, NULL},
    };
    const struct mr_command command = {
        .name = "matchrace run",
        .summary = "race contestants by a matrix, with rules fixed beforehand",
        .operands = "MATRIX",
        .operands_min = 0,
        .operands_max = 1,
        .options = table,
        .options_count = sizeof table / sizeof table[0],
        .notes =
            "Every finished trial is on disk before the next one starts; what was excluded is "
            "kept and listed.\n"
            "Exit codes: 0 ok; 1 environment; 2 usage; 3 a contestant was wrong; 5 incomplete "
            "(time budget, rows\n"
            "that could not be counted); 130/143 after a signal, with what was finished "
            "reported.\n"
            "None begins on cores where another run is at work: exit code 1, and its process is "
            "named.\n",
        .examples = "  matchrace run matrices/smoke.json\n"
                    "  matchrace run matrices/smoke.json --out out/mine --contestants contestants "
                    "--contestants ../mine\n"
                    "  matchrace run --resume out/mine\n",
    };
    const char *operands[1];
    size_t count;
    enum mr_cli_result result = mr_cli_parse(&command, argc, argv, operands, &count);
    if (result == MR_CLI_RUN) {
        result = choose_matrix(options, count == 0 ? NULL : operands[0]);
    }
    if (options->contestants.count == 0) {
        options->contestants.item[options->contestants.count++] = "contestants";
    }
    return result;
}

static int copy_matrix(const struct run_options *options, struct mr_trial_fault *fault)
{
    char path[PATH_MAX];
    char *bytes = NULL;
    size_t size;
    (void)snprintf(path, sizeof path, "%s/matrix.json", options->out);
    int result = mr_file_read(options->matrix, 1u << 24, &bytes, &size);
    if (result == 0) {
        result = mr_file_write(path, bytes, size);
    }
    free(bytes);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be written: %s", path, strerror(-result));
    }
    return result;
}

// The contestants that declare gaps race in tables of their own, without verdict.
static int check_gaps(const struct mr_race *race, struct mr_trial_fault *fault)
{
    for (size_t cell = 0; cell < race->matrix.cells_count; cell++) {
        const struct mr_cell *one = &race->matrix.cells[cell];
        for (size_t i = 0; i < one->comparisons_count; i++) {
            const char *names[2] = {one->contestants[one->comparisons[i].a],
                                    one->contestants[one->comparisons[i].b]};
            for (int side = 0; side < 2; side++) {
                const struct mr_entry *entry = mr_entry_find(&race->entries, names[side]);
                bool part = mr_entry_is_part(entry);
                if (one->comparisons[i].primary && (entry->contestant.gaps_count > 0 || part)) {
                    mr_trial_fault_set(fault,
                                       "cell \"%s\": %s %s, so a comparison with it "
                                       "gets no verdict: set \"primary\" to false",
                                       one->name, entry->text,
                                       part ? "does a part of the job only"
                                            : "declares rules that it cannot keep");
                    return -EINVAL;
                }
            }
        }
    }
    return 0;
}

static int make_folder(struct run_options *options, struct mr_race *race,
                       struct mr_trial_fault *fault)
{
    if (options->out == NULL) {
        mr_race_default_folder(race->matrix.name, options->out_default,
                               sizeof options->out_default);
        options->out = options->out_default;
    }
    int result = mr_race_open_folder(race, options->out, fault);
    return result == 0 ? copy_matrix(options, fault) : result;
}

// The run's own matrix and schedule, or those of the run that goes on.
static int open_matrix(const struct run_options *options, struct mr_race *race,
                       struct mr_trial_fault *fault)
{
    int result = options->resume == NULL ? 0 : mr_race_resume_open(race, options->resume, fault);
    if (result == 0) {
        result = mr_matrix_load(&race->matrix, options->matrix, fault);
    }
    if (result == 0 && (result = mr_schedule_init(&race->schedule, &race->matrix)) != 0) {
        mr_trial_fault_set(fault, "out of memory");
    }
    return result;
}

static int prepare(struct run_options *options, struct mr_race *race, struct mr_trial_fault *fault)
{
    mr_race_add_liars(&options->self, &options->contestants);
    struct mr_entry_places places = {.folders = options->contestants.item,
                                     .folders_count = options->contestants.count,
                                     .build_dir = options->self.build_dir};
    bool same = false; // as in an earlier sitting: its manifest holds
    int result = mr_entries_init(&race->entries, &race->matrix, &places, fault);
    if (result == 0) {
        result = check_gaps(race, fault);
    }
    if (result == 0) {
        result = mr_race_open_cores(race, fault);
    }
    if (result == 0) {
        result = mr_race_open_signals(race, fault);
    }
    if (result == 0 && options->resume == NULL) {
        result = make_folder(options, race, fault);
    }
    if (result == 0) {
        result = mr_race_data_prepare(race, options->data_folder, fault);
    }
    if (result == 0 && (result = mr_race_libraries_find(race)) == -ENOMEM) {
        mr_trial_fault_set(fault, "out of memory");
    }
    if (result == 0 && options->resume != NULL) { // before anything is written to its log
        result = mr_race_resume_past(race, options->new_stratum, fault);
        same = race->stratum.changes[0] == '\0';
    }
    if (result == 0) {
        result = mr_race_feed_prepare(race, fault);
    }
    if (result == 0) {
        result = mr_race_absent_find(race, options->self.build_dir, fault);
    }
    for (size_t i = 0; i < race->entries.count; i++) {
        race->conformance[i] = "not checked in this run";
    }
    if (result == 0 && !options->no_conform) {
        result = mr_race_conform(race, fault);
    }
    if (result != 0 || same) {
        return result;
    }
    if (options->resume == NULL) {
        result = mr_race_rates_prepare(race, fault);
    }
    return result == 0 ? mr_manifest_write(race, options->reproduce, fault) : result;
}

static int report(const struct mr_race *race)
{
    const char *words[] = {race->program, "report", race->folder, NULL};
    struct mr_process_plan plan = {
        .argv = words, .out = {.kind = MR_STREAM_INHERIT}, .err = {.kind = MR_STREAM_INHERIT}};
    struct mr_process process;
    struct mr_process_end end;
    int result = mr_process_start(&process, &plan, NULL);
    if (result == 0) {
        struct mr_patience patience = mr_patience_for(60 * MR_NS_PER_S);
        result = mr_process_wait(&process, &patience, &end);
        mr_process_fini(&process);
    }
    return result != 0 ? result : end.exited && end.exit_code == 0 ? 0 : -EIO;
}

// Whether the report was written before the results that it is of.
static bool is_report_stale(const struct mr_race *race)
{
    char path[PATH_MAX];
    struct stat results;
    struct stat page;
    (void)snprintf(path, sizeof path, "%s/results.json", race->folder);
    if (stat(path, &results) != 0) {
        return true;
    }
    (void)snprintf(path, sizeof path, "%s/report.html", race->folder);
    return stat(path, &page) != 0 || page.st_mtim.tv_sec < results.st_mtim.tv_sec ||
           (page.st_mtim.tv_sec == results.st_mtim.tv_sec &&
            page.st_mtim.tv_nsec < results.st_mtim.tv_nsec);
}

// A run of which every row ran: results and report are made where a kill left them out, and nothing
// else is written.
static int go_on_with_nothing(const struct mr_race *race, struct mr_trial_fault *fault)
{
    struct mr_results_outcome outcome;
    int result = mr_results_make(race->folder, &outcome, fault);
    if (result != 0) {
        return mr_cli_exit_code(result);
    }
    if (is_report_stale(race) && report(race) != 0) {
        mr_trial_fault_set(fault, REPORT_FAILED, race->folder);
        return MR_EXIT_ENVIRONMENT;
    }
    printf("%s: every row ran already, so nothing ran now\nReport: %s/report.md\n", race->folder,
           race->folder);
    return outcome.exit_code;
}

// Races, then makes results and report of what was finished, whatever ended it.
static int race_and_report(struct mr_race *race, struct mr_trial_fault *fault)
{
    enum mr_runner_end end = MR_RUNNER_COMPLETE;
    race->deadline_ns = mr_clock_ns() + race->matrix.budget_ns;
    mr_race_log(race, "start: %zu rows, budget %.0f s", race->schedule.count,
                (double)race->matrix.budget_ns / 1e9);
    int result = mr_runner_run(race, &end, fault);
    mr_race_feed_remove(race); // results hold the hash of the log, which ends here
    int signal_code = mr_race_signal_code(race);
    static const char *const ends[] = {"all rows ran", "the time budget ended",
                                       "a signal ended it"};
    mr_race_log(race, "end: %s", result != 0 ? fault->text : ends[end]);
    struct mr_results_outcome outcome = {.exit_code = MR_EXIT_ENVIRONMENT};
    struct mr_trial_fault later;
    if (mr_results_make(race->folder, &outcome, result == 0 ? fault : &later) != 0) {
        return MR_EXIT_ENVIRONMENT;
    }
    int reported = report(race);
    if (result != 0) {
        return MR_EXIT_ENVIRONMENT;
    }
    fault->text[0] = '\0';
    if (reported != 0) {
        mr_trial_fault_set(fault, REPORT_FAILED, race->folder);
        return MR_EXIT_ENVIRONMENT;
    }
    printf("Report: %s/report.md\n", race->folder);
    if (end == MR_RUNNER_COMPLETE && outcome.exit_code == MR_EXIT_INCOMPLETE) {
        mr_trial_fault_set(fault,
                           "incomplete: some rows could not be counted; %s/report.md says which",
                           race->folder);
    }
    if (outcome.exit_code == MR_EXIT_WRONG) {
        const char *what = outcome.not_as_logged > 0 ? "files of the run were changed meanwhile"
                           : outcome.lie_believed
                               ? "a planted lie was believed, so nothing of this run stands"
                               : "a contestant was wrong";
        mr_trial_fault_set(fault, "%s; %s/report.md says who and how", what, race->folder);
    }
    if (end != MR_RUNNER_COMPLETE) {
        mr_trial_fault_set(fault, "incomplete: %s; %s/report.md says what is missing", ends[end],
                           race->folder);
    }
    return signal_code != 0 ? signal_code : outcome.exit_code;
}

int mr_run_main(int argc, char **argv)
{
    static struct run_options options = {.data_folder = "data", .max_minutes = MINUTES_MAX};
    enum mr_cli_result parsed = parse_words(&options, argc, argv);
    if (parsed != MR_CLI_RUN) {
        return parsed == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    struct mr_trial_fault fault = {{0}};
    struct mr_race *race = calloc(1, sizeof *race);
    if (race == NULL || mr_race_find_self(&options.self, options.build_dir, &fault) != 0) {
        free(race);
        (void)fprintf(stderr, "matchrace run: %s\n", fault.text);
        return MR_EXIT_ENVIRONMENT;
    }
    const char *reproduce = getenv("MR_REPRODUCE");
    mr_race_reproduce("./lab run", argc, argv, options.reproduce, sizeof options.reproduce);
    if (reproduce != NULL) {
        (void)snprintf(options.reproduce, sizeof options.reproduce, "%s", reproduce);
    }
    race->program = options.self.program;
    race->wake_fd = -1;
    race->lock_fd = -1;
    race->json_progress = options.json_progress;
    race->last_row_ns = options.max_minutes == MINUTES_MAX
                            ? MR_FOREVER
                            : mr_clock_ns() + options.max_minutes * 60 * MR_NS_PER_S;
    race->deadline_ns = MR_FOREVER;
    bool nothing_left = false;
    int result = open_matrix(&options, race, &fault);
    if (result == 0 && options.resume != NULL) {
        result = mr_race_resume_is_complete(race, &nothing_left, &fault);
    }
    if (result == 0 && !nothing_left) {
        result = prepare(&options, race, &fault);
    }
    int exit_code;
    if (result == 0 && nothing_left) {
        exit_code = go_on_with_nothing(race, &fault);
    } else if (result == -EINTR) {
        exit_code = mr_race_signal_code(race);
    } else if (result != 0) {
        exit_code = result == -EPROTO ? MR_EXIT_WRONG : mr_cli_exit_code(result);
    } else {
        exit_code = race_and_report(race, &fault);
    }
    mr_race_feed_remove(race);
    if (fault.text[0] != '\0') {
        (void)fprintf(stderr, "matchrace run: %s\n", fault.text);
    }
    if (race->log != NULL) {
        (void)fclose(race->log);
    }
    if (race->lock_fd >= 0) {
        (void)close(race->lock_fd);
    }
    for (size_t i = 0; i < MR_ENTRIES_MAX; i++) {
        mr_libraries_fini(&race->libraries[i]);
    }
    mr_past_fini(&race->past);
    mr_schedule_fini(&race->schedule);
    mr_rate_maxima_fini(&race->maxima);
    mr_entries_fini(&race->entries);
    mr_matrix_fini(&race->matrix);
    free(race);
    return exit_code;
}
