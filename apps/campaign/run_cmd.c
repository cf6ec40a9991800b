// run_cmd.c: the command `matchrace run`: from a matrix to a folder with results and report.
#define _GNU_SOURCE
#include "cmd.h"

#include "manifest.h"
#include "race.h"
#include "race_absent.h"
#include "race_conform.h"
#include "race_data.h"
#include "rate_maximum.h"
#include "results.h"
#include "runner.h"
#include "survivors.h"

#include "base/cli.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "host/cpu_quota.h"
#include "host/probe.h"
#include "host/process.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

struct run_options {
    const char *matrix;
    const char *out;
    const char *data_folder;
    const char *build_dir;
    struct mr_option_list contestants;
    bool no_conform;
    char out_default[PATH_MAX];
    char program[PATH_MAX];
    char build_default[PATH_MAX];
    char reproduce[2 * PATH_MAX];
};

static int complain(const char *text)
{
    (void)fprintf(stderr, "matchrace run: %s\n", text);
    return -EINVAL;
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
        {"skip-conform", MR_OPTION_FLAG, &options->no_conform, NULL,
         "Do not check conformance first; the manifest says so.", 0, 0, NULL},
    };
    const struct mr_command command = {
        .name = "matchrace run",
        .summary = "race contestants by a matrix, with rules fixed beforehand",
        .operands = "MATRIX",
        .operands_min = 1,
        .operands_max = 1,
        .options = table,
        .options_count = sizeof table / sizeof table[0],
        .notes = "Every finished trial is on disk before the next one starts; what was excluded is "
                 "kept and listed.\n"
                 "Exit codes: 0 ok; 1 environment; 2 usage; 3 a contestant was wrong; 5 incomplete "
                 "(time budget, rows\n"
                 "that could not be counted); 130/143 after a signal, with what was finished "
                 "reported.\n",
        .examples = "  matchrace run matrices/smoke.json\n"
                    "  matchrace run matrices/smoke.json --out out/mine --contestants contestants "
                    "--contestants ../mine\n",
    };
    const char *operands[1];
    size_t count;
    enum mr_cli_result result = mr_cli_parse(&command, argc, argv, operands, &count);
    if (result == MR_CLI_RUN) {
        options->matrix = operands[0];
    }
    if (options->contestants.count == 0) {
        options->contestants.item[options->contestants.count++] = "contestants";
    }
    return result;
}

// The program's own path, and the build tree that it stands in (…/apps/matchrace/matchrace).
static int find_self(struct run_options *options)
{
    ssize_t length = readlink("/proc/self/exe", options->program, sizeof options->program - 1);
    if (length <= 0) {
        return complain("its own path cannot be read from /proc/self/exe");
    }
    options->program[length] = '\0';
    (void)snprintf(options->build_default, sizeof options->build_default, "%s", options->program);
    for (int i = 0; i < 3; i++) {
        char *slash = strrchr(options->build_default, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
    }
    const char *chosen = options->build_dir == NULL ? options->build_default : options->build_dir;
    char resolved[PATH_MAX];
    if (realpath(chosen, resolved) == NULL) {
        (void)fprintf(stderr, "matchrace run: --build-dir %s: %s\n", chosen, strerror(errno));
        return -errno;
    }
    memcpy(options->build_default, resolved, sizeof resolved);
    options->build_dir = options->build_default;
    return 0;
}

static int open_folder(struct run_options *options, struct mr_race *race,
                       struct mr_trial_fault *fault)
{
    if (options->out == NULL) {
        char now[21];
        mr_clock_utc_text(now);
        (void)snprintf(options->out_default, sizeof options->out_default,
                       "out/%s/%.4s%.2s%.2sT%.2s%.2s%.2sZ", race->matrix.name, now, now + 5,
                       now + 8, now + 11, now + 14, now + 17);
        options->out = options->out_default;
    }
    if (options->out[0] == '\0') {
        mr_trial_fault_set(fault, "--out is empty: name a folder that does not exist yet");
        return -EINVAL;
    }
    if (access(options->out, F_OK) == 0) {
        mr_trial_fault_set(fault,
                           "%s exists already: results never overwrite others; give another --out",
                           options->out);
        return -EEXIST;
    }
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/trials", options->out) >= (int)sizeof path - 32) {
        mr_trial_fault_set(fault, "%s: the path is too long", options->out);
        return -ENAMETOOLONG;
    }
    int result = mr_folder_make(path);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be made: %s", path, strerror(-result));
        return result;
    }
    (void)snprintf(path, sizeof path, "%s/run.log", options->out);
    race->log = fopen(path, "ae");
    if (race->log == NULL) {
        result = -errno;
        mr_trial_fault_set(fault, "%s: cannot be written: %s", path, strerror(errno));
        return result;
    }
    race->folder = options->out;
    return 0;
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

// Whether server and generator would share execution units, which a hypervisor may hide: about a
// second.
static double share_of_units(const struct mr_assignment *cores)
{
    struct mr_probe probe;
    uint64_t alone_ns;
    uint64_t beside_ns;
    if (mr_probe_calibrate(cores->server.core[0], MR_PROBE_WORK_NS, 10, &probe) != 0 ||
        mr_probe_pair(cores->server.core[0], cores->generator.core[0], &probe, &alone_ns,
                      &beside_ns) != 0) {
        return NAN;
    }
    return (double)beside_ns / (double)alone_ns;
}

static int open_cores(struct mr_race *race, struct mr_trial_fault *fault)
{
    struct mr_cores usable;
    int result = mr_pin_allowed(&usable);
    if (result != 0) {
        mr_trial_fault_set(fault, "the usable cores cannot be read: %s", strerror(-result));
        return result;
    }
    mr_topology_read("", &usable, &race->topology);
    mr_assign(&race->topology, mr_cpu_quota_read(""), &race->cores);
    if (race->cores.grade == MR_GRADE_NONE) {
        mr_trial_fault_set(
            fault,
            "a race needs two cores, one for the server and one for the generator; this machine "
            "lets us use %zu",
            race->topology.count);
        return -ENODEV;
    }
    race->beside_over_alone = share_of_units(&race->cores);
    return 0;
}

static int open_signals(struct mr_race *race, struct mr_trial_fault *fault)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    (void)sigaddset(&set, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0) {
        mr_trial_fault_set(fault, "signals cannot be blocked: %s", strerror(errno));
        return -errno;
    }
    if (mr_survivors_adopt() != 0) {
        mr_trial_fault_set(fault, "orphans of contestants cannot be adopted: %s", strerror(errno));
        return -errno;
    }
    race->wake_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (race->wake_fd < 0) {
        mr_trial_fault_set(fault, "signals cannot be read: %s", strerror(errno));
        return -errno;
    }
    return 0;
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

static int prepare(struct run_options *options, struct mr_race *race, struct mr_trial_fault *fault)
{
    struct mr_entry_places places = {.folders = options->contestants.item,
                                     .folders_count = options->contestants.count,
                                     .build_dir = options->build_dir};
    int result = mr_matrix_load(&race->matrix, options->matrix, fault);
    if (result == 0) {
        result = mr_entries_init(&race->entries, &race->matrix, &places, fault);
    }
    if (result == 0) {
        result = check_gaps(race, fault);
    }
    if (result == 0) {
        result = open_cores(race, fault);
    }
    if (result == 0) {
        result = open_signals(race, fault);
    }
    if (result == 0) {
        result = mr_schedule_init(&race->schedule, &race->matrix);
    }
    if (result == 0) {
        result = open_folder(options, race, fault);
    }
    if (result == 0) {
        result = copy_matrix(options, fault);
    }
    if (result == 0) {
        result = mr_race_data_prepare(race, options->data_folder, fault);
    }
    if (result == 0) {
        result = mr_race_absent_find(race, fault);
    }
    for (size_t i = 0; i < race->entries.count; i++) {
        race->conformance[i] = "not checked in this run";
    }
    if (result == 0 && !options->no_conform) {
        result = mr_race_conform(race, fault);
    }
    if (result == 0) {
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

static int signal_exit_code(int wake_fd)
{
    struct signalfd_siginfo info;
    ssize_t got = read(wake_fd, &info, sizeof info);
    return got == (ssize_t)sizeof info ? 128 + (int)info.ssi_signo : 0;
}

// Races, then makes results and report of what was finished, whatever ended it.
static int race_and_report(struct mr_race *race, struct mr_trial_fault *fault)
{
    enum mr_runner_end end = MR_RUNNER_COMPLETE;
    race->deadline_ns = mr_clock_ns() + race->matrix.budget_ns;
    mr_race_log(race, "start: %zu rows, budget %.0f s", race->schedule.count,
                (double)race->matrix.budget_ns / 1e9);
    int result = mr_runner_run(race, &end, fault);
    int signal_code = signal_exit_code(race->wake_fd);
    static const char *const ends[] = {"all rows ran", "the time budget ended",
                                       "a signal ended it"};
    mr_race_log(race, "end: %s", result != 0 ? fault->text : ends[end]);
    struct mr_results_outcome outcome = {MR_EXIT_ENVIRONMENT};
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
        mr_trial_fault_set(fault,
                           "the report could not be written; `matchrace report %s` tries again",
                           race->folder);
        return MR_EXIT_ENVIRONMENT;
    }
    printf("Report: %s/report.md\n", race->folder);
    if (end == MR_RUNNER_COMPLETE && outcome.exit_code == MR_EXIT_INCOMPLETE) {
        mr_trial_fault_set(fault,
                           "incomplete: some rows could not be counted; %s/report.md says which",
                           race->folder);
    }
    if (outcome.exit_code == MR_EXIT_WRONG) {
        mr_trial_fault_set(fault, "a contestant was wrong; %s/report.md says who and how",
                           race->folder);
    }
    if (end != MR_RUNNER_COMPLETE) {
        mr_trial_fault_set(fault, "incomplete: %s; %s/report.md says what is missing", ends[end],
                           race->folder);
    }
    return signal_code != 0 ? signal_code : outcome.exit_code;
}

// The words of this run as a command, less where its results went.
static void write_reproduce(struct run_options *options, int argc, char **argv)
{
    struct mr_text text = mr_text_init(options->reproduce, sizeof options->reproduce);
    mr_text_printf(&text, "./lab run");
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--out") == 0) {
            i++;
        } else if (strncmp(argv[i], "--out=", 6) != 0) {
            bool plain = argv[i][strcspn(argv[i], " '\"\\$`*?;&|<>()")] == '\0';
            mr_text_printf(&text, plain ? " %s" : " '%s'", argv[i]);
        }
    }
}

int mr_run_main(int argc, char **argv)
{
    static struct run_options options = {.data_folder = "data"};
    enum mr_cli_result parsed = parse_words(&options, argc, argv);
    if (parsed != MR_CLI_RUN) {
        return parsed == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    struct mr_race *race = calloc(1, sizeof *race);
    if (race == NULL || find_self(&options) != 0) {
        free(race);
        return MR_EXIT_ENVIRONMENT;
    }
    const char *reproduce = getenv("MR_REPRODUCE");
    write_reproduce(&options, argc, argv);
    if (reproduce != NULL) {
        (void)snprintf(options.reproduce, sizeof options.reproduce, "%s", reproduce);
    }
    race->program = options.program;
    race->wake_fd = -1;
    race->deadline_ns = MR_FOREVER;
    struct mr_trial_fault fault = {{0}};
    int result = prepare(&options, race, &fault);
    int exit_code;
    if (result == -EINTR) {
        exit_code = signal_exit_code(race->wake_fd);
    } else if (result != 0) {
        exit_code =
            result == -EBADMSG || result == -EINVAL || result == -EEXIST || result == -ENOENT
                ? MR_EXIT_USAGE
            : result == -EPROTO ? MR_EXIT_WRONG
                                : MR_EXIT_ENVIRONMENT;
    } else {
        exit_code = race_and_report(race, &fault);
    }
    if (fault.text[0] != '\0') {
        (void)fprintf(stderr, "matchrace run: %s\n", fault.text);
    }
    if (race->log != NULL) {
        (void)fclose(race->log);
    }
    mr_schedule_fini(&race->schedule);
    mr_rate_maxima_fini(&race->maxima);
    mr_entries_fini(&race->entries);
    mr_matrix_fini(&race->matrix);
    free(race);
    return exit_code;
}
