// race_cmd.c: the command `matchrace race`: the reader's own data, raced by contestants of choice.
#include "cmd.h"

#include "plain_race.h"
#include "race_open.h"
#include "race_own.h"

#include "base/cli.h"
#include "base/file.h"
#include "base/text.h"
#include "dataset/file_hash.h"
#include "host/process.h"
#include "stats/verdict.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MINUTES_DEFAULT 5
#define MINUTES_MAX     10000
#define HASH_SHOWN      12
// A machine that does other things takes longer than planned; the rows are what was asked for.
#define LATE_FACTOR 2
// Less than that fits into the caches of large machines, as docs/MEASURING.md says of bulk data.
#define BULK_BYTES (64ll << 20)

struct race_options {
    const char *data;
    struct mr_option_list contestants;
    uint64_t minutes;
    const char *mode;
    uint64_t batch_records;
    struct mr_option_list folders;
    const char *data_folder;
    const char *build_dir;
    const char *out;
    bool matrix_only;
    struct mr_race_self self;
    char dataset[PATH_MAX];
    char matrix[PATH_MAX];
    char title[512];
};

static enum mr_cli_result parse_words(struct race_options *options, int argc, char **argv)
{
    static const char *const modes[] = {"totals", "keep", "fresh", NULL};
    const struct mr_option table[] = {
        {"data", MR_OPTION_TEXT, &options->data, "FILE",
         "Records of your own, JSON (an array) or NDJSON (one a line), or the NAME of a dataset.",
         0, 0, NULL},
        {"contestants", MR_OPTION_LIST, &options->contestants, "A,B",
         "Who races: names, folders' paths, either with @VARIANT; two to six. The first is "
         "compared "
         "with each of the others.",
         0, 0, NULL},
        {"minutes", MR_OPTION_COUNT, &options->minutes, "N",
         "How long they race; 5 by default. Checks of the contestants come on top.", 1, MINUTES_MAX,
         NULL},
        {"mode", MR_OPTION_CHOICE, &options->mode, "MODE",
         "totals, keep or fresh (docs/PROTOCOL.md); keep by default.", 0, 0, modes},
        {"batch-records", MR_OPTION_COUNT, &options->batch_records, "N",
         "Records a batch; 256 by default.", 1, 65535, NULL},
        {"contestants-dir", MR_OPTION_LIST, &options->folders, "FOLDER",
         "Where names are looked for; may be given again. Default: contestants.", 0, 0, NULL},
        {"data-dir", MR_OPTION_TEXT, &options->data_folder, "FOLDER",
         "Where datasets are kept; what is imported goes to own/ in it. Default: data.", 0, 0,
         NULL},
        {"build-dir", MR_OPTION_TEXT, &options->build_dir, "FOLDER",
         "What ${MR_BUILD_DIR} means in contestant.json. Default: this program's build.", 0, 0,
         NULL},
        {"matrix-only", MR_OPTION_FLAG, &options->matrix_only, NULL,
         "Import and write the matrix, to be changed and given to matchrace run; race nothing.", 0,
         0, NULL},
        {"out", MR_OPTION_TEXT, &options->out, "FOLDER",
         "Where results go; it may not exist yet. Default: out/race/TIME.", 0, 0, NULL},
    };
    const struct mr_command command = {
        .name = "matchrace race",
        .summary = "race contestants on data of your own, and write a report",
        .options = table,
        .options_count = sizeof table / sizeof table[0],
        .notes =
            "Records follow the schema of docs/DATASETS.md; one that does not is named with line, "
            "record and field.\nExit codes: those of matchrace run (0 ok; 1 environment; 2 "
            "usage; 3 a record or a contestant is wrong; 5\nincomplete).\n",
        .examples =
            "  matchrace race --data today.ndjson --contestants A,B\n"
            "  matchrace race --data today.json --contestants A,../my-server --minutes 15\n",
    };
    size_t count;
    enum mr_cli_result result = mr_cli_parse(&command, argc, argv, NULL, &count);
    const char *missing = options->data == NULL             ? "--data FILE"
                          : options->contestants.count == 0 ? "--contestants A,B"
                                                            : NULL;
    if (result == MR_CLI_RUN && missing != NULL) {
        (void)fprintf(stderr, "matchrace race: %s is missing (see matchrace race --help)\n",
                      missing);
        return MR_CLI_WRONG;
    }
    if (options->folders.count == 0) {
        options->folders.item[options->folders.count++] = "contestants";
    }
    return result;
}

// Whether `name` is the common part of a dataset's files.
static bool is_dataset(const char *name)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s.batches", name);
    return length > 0 && (size_t)length < sizeof path && access(path, F_OK) == 0;
}

// The name of the file without folder and ending, in the characters of a dataset's name.
static void base_name(const char *path, char name_out[NAME_MAX])
{
    const char *slash = strrchr(path, '/');
    (void)snprintf(name_out, NAME_MAX, "%s", slash == NULL ? path : slash + 1);
    char *dot = strrchr(name_out, '.');
    if (dot != NULL && dot != name_out) {
        *dot = '\0';
    }
    for (char *at = name_out; *at != '\0'; at++) {
        bool plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                     (*at >= '0' && *at <= '9') || strchr("-_.", *at) != NULL;
        *at = plain ? *at : '-';
    }
}

// Where the import of the file goes: another content or batch size is another dataset.
static int name_dataset(struct race_options *options, struct mr_trial_fault *fault)
{
    char hash[MR_HASH_TEXT_BYTES];
    int result = mr_file_hash_of(options->data, hash);
    if (result != 0) {
        mr_trial_fault_set(fault, "--data %s: %s", options->data, strerror(-result));
        return result;
    }
    char name[NAME_MAX];
    base_name(options->data, name);
    int length = snprintf(options->dataset, sizeof options->dataset, "%s/own/%.60s-%.*s-%llu",
                          options->data_folder, name, HASH_SHOWN, hash,
                          (unsigned long long)options->batch_records);
    if (length < 0 || (size_t)length >= sizeof options->dataset) {
        mr_trial_fault_set(fault, "--data-dir %s: the path is too long", options->data_folder);
        return -ENAMETOOLONG;
    }
    return 0;
}

// Imports the file. 0; -EPROTO when it holds what is no record (the import has said so); another
// negative errno.
static int import_file(const struct race_options *options, struct mr_trial_fault *fault)
{
    char records[24];
    (void)snprintf(records, sizeof records, "%llu", (unsigned long long)options->batch_records);
    const char *words[] = {options->self.program, "data",  "import",
                           options->data,         "--out", options->dataset,
                           "--batch-records",     records, NULL};
    struct mr_process_plan plan = {
        .argv = words, .out = {.kind = MR_STREAM_INHERIT}, .err = {.kind = MR_STREAM_INHERIT}};
    struct mr_process process;
    struct mr_process_end end;
    int result = mr_process_start(&process, &plan, NULL);
    if (result == 0) {
        struct mr_patience patience = {.deadline_ns = MR_FOREVER, .wake_fd = -1};
        result = mr_process_wait(&process, &patience, &end);
        mr_process_fini(&process);
    }
    if (result == 0 && end.exited && end.exit_code == MR_EXIT_OK) {
        return 0;
    }
    bool rejected = result == 0 && end.exited && end.exit_code == MR_EXIT_WRONG;
    mr_trial_fault_set(fault, "%s: not imported, so there is nothing to race%s", options->data,
                       rejected ? ": mend the records named above" : "");
    return rejected ? -EPROTO : result != 0 ? result : -EIO;
}

static int prepare_data(struct race_options *options, struct mr_trial_fault *fault)
{
    if (is_dataset(options->data)) {
        (void)snprintf(options->dataset, sizeof options->dataset, "%s", options->data);
        return 0;
    }
    int result = name_dataset(options, fault);
    if (result == 0 && !is_dataset(options->dataset)) {
        result = import_file(options, fault);
    }
    return result;
}

// The report's title, and on small data what its figures hold for.
static void write_title(struct race_options *options)
{
    char path[PATH_MAX + 16];
    struct stat status;
    (void)snprintf(path, sizeof path, "%s.batches", options->dataset);
    struct mr_text title = mr_text_init(options->title, sizeof options->title);
    mr_text_printf(&title, "A race on %.200s", options->data);
    if (stat(path, &status) == 0 && status.st_size < BULK_BYTES) {
        mr_text_printf(&title, ": %.1f MiB again and again, so figures are those of data in caches",
                       (double)status.st_size / (1 << 20));
    }
}

// Where the matrix goes: beside the imported data, or beside the dataset that was named.
static int write_matrix(struct race_options *options, struct mr_trial_fault *fault)
{
    struct mr_plain_race race = {.name = "race",
                                 .title = options->title,
                                 .driver = "served",
                                 .mode = options->mode,
                                 .dataset = options->dataset,
                                 .margin = MR_MARGIN,
                                 .minutes = (double)options->minutes,
                                 .minutes_at_most = 1 + LATE_FACTOR * (double)options->minutes,
                                 .seed = 42};
    write_title(options);
    struct mr_text path = mr_text_init(options->matrix, sizeof options->matrix);
    mr_text_printf(&path, "%s.race.json", options->dataset);
    if (path.cut) {
        mr_trial_fault_set(fault, "%s: the path is too long", options->dataset);
        return -ENAMETOOLONG;
    }
    struct mr_entry_places places = {.folders = options->folders.item,
                                     .folders_count = options->folders.count,
                                     .build_dir = options->self.build_dir};
    struct mr_own_names names;
    int result = mr_own_names_read(&names, &options->contestants, fault);
    if (result == 0) {
        result = mr_own_race_fill(&race, &names, &places, fault);
    }
    if (result == 0) {
        result = mr_plain_race_rows(&race, fault);
    }
    if (result == 0) {
        result = mr_plain_race_write(&race, options->matrix, fault);
    }
    if (result == 0) {
        printf("%zu entries, %llu rows, about %g min; the matrix is %s\n", race.entries_count,
               (unsigned long long)race.rows, race.minutes, options->matrix);
        (void)fflush(stdout);
    }
    mr_own_names_fini(&names);
    return result;
}

static int run_matrix(struct race_options *options)
{
    char *words[16 + 2 * MR_OPTION_LIST_MAX] = {"run", options->matrix, "--build-dir",
                                                options->self.build_dir};
    int count = 4;
    for (size_t i = 0; i < options->folders.count; i++) {
        words[count++] = "--contestants";
        words[count++] = (char *)options->folders.item[i];
    }
    if (options->out != NULL) {
        words[count++] = "--out";
        words[count++] = (char *)options->out;
    }
    return mr_run_main(count, words);
}

int mr_race_main(int argc, char **argv)
{
    static struct race_options options = {.minutes = MINUTES_DEFAULT,
                                          .mode = "keep",
                                          .batch_records = 256,
                                          .data_folder = "data"}; // large
    enum mr_cli_result parsed = parse_words(&options, argc, argv);
    if (parsed != MR_CLI_RUN) {
        return parsed == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    struct mr_trial_fault fault = {{0}};
    char reproduce[2 * PATH_MAX];
    mr_race_reproduce("./lab race", argc, argv, reproduce, sizeof reproduce);
    int result = mr_race_find_self(&options.self, options.build_dir, &fault);
    if (result == 0) {
        result = prepare_data(&options, &fault);
    }
    if (result == 0) {
        result = write_matrix(&options, &fault);
    }
    if (result == 0 && setenv("MR_REPRODUCE", reproduce, 0) != 0) {
        result = -errno;
    }
    if (result == 0) {
        return options.matrix_only ? MR_EXIT_OK : run_matrix(&options);
    }
    (void)fprintf(stderr, "matchrace race: %s\n", fault.text);
    return result == -EPROTO ? MR_EXIT_WRONG : mr_cli_exit_code(result);
}
