// race_data.c: see race_data.h.
#include "race_data.h"

#include "base/file.h"
#include "base/mr_assert.h"
#include "base/text.h"
#include "dataset/dataset.h"
#include "host/process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAKINGS_AT_ONCE 2

// Appends to the file's name what makes the data differ from its shape's own.
static void name_form(struct mr_text *name, const struct mr_dataset_spec *spec)
{
    if (strcmp(spec->keys, "shuffled") == 0) {
        mr_text_printf(name, "-shuffled");
    }
    if (strcmp(spec->space, "compact") != 0) {
        mr_text_printf(name, "-%s", spec->space);
    }
    if (spec->record_bytes > 0) {
        mr_text_printf(name, "-b%llu", (unsigned long long)spec->record_bytes);
    }
    const struct {
        char letter;
        double share;
    } shares[] = {
        {'m', spec->messy_share}, {'e', spec->escape_share}, {'n', spec->non_ascii_share}};
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        if (shares[i].share > 0) {
            mr_text_printf(name, "-%c%g", shares[i].letter, shares[i].share);
        }
    }
}

static bool dataset_path(const struct mr_dataset_spec *spec, const char *data_folder,
                         char *path_out, size_t capacity)
{
    struct mr_text name = mr_text_init(path_out, capacity);
    if (spec->path != NULL) {
        mr_text_printf(&name, "%s", spec->path);
        return !name.cut;
    }
    mr_text_printf(&name, "%s/%s-%llu-%lluB-%llu", data_folder, spec->shape,
                   (unsigned long long)spec->seed, (unsigned long long)spec->bytes,
                   (unsigned long long)spec->batch_records);
    if (spec->reject_share >= 0) {
        mr_text_printf(&name, "-r%g", spec->reject_share);
    }
    name_form(&name, spec);
    return !name.cut;
}

#define WORDS_MAX 32

// The command that makes a dataset, as it is put together.
struct words {
    const char *word[WORDS_MAX];
    size_t count;
    char text[10][24];
    size_t texts_count;
};

static void add_word(struct words *words, const char *option, const char *value)
{
    MR_ASSERT(words->count + 2 < WORDS_MAX);
    words->word[words->count++] = option;
    if (value != NULL) {
        words->word[words->count++] = value;
    }
}

static char *new_text(struct words *words)
{
    MR_ASSERT(words->texts_count < sizeof words->text / sizeof words->text[0]);
    return words->text[words->texts_count++];
}

static void add_count(struct words *words, const char *option, uint64_t count)
{
    char *text = new_text(words);
    (void)snprintf(text, sizeof words->text[0], "%llu", (unsigned long long)count);
    add_word(words, option, text);
}

// `share` of 1 as a percentage.
static void add_share(struct words *words, const char *option, double share)
{
    char *text = new_text(words);
    (void)snprintf(text, sizeof words->text[0], "%g%%", 100 * share);
    add_word(words, option, text);
}

static void add_form(struct words *words, const struct mr_dataset_spec *spec)
{
    if (strcmp(spec->keys, "shuffled") == 0) {
        add_word(words, "--shuffled-keys", NULL);
    }
    if (strcmp(spec->space, "compact") != 0) {
        add_word(words, "--space", spec->space);
    }
    if (spec->record_bytes > 0) {
        add_count(words, "--record-bytes", spec->record_bytes);
    }
    const struct {
        const char *option;
        double share;
    } shares[] = {{"--messy-share", spec->messy_share},
                  {"--escape-share", spec->escape_share},
                  {"--non-ascii-share", spec->non_ascii_share}};
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        if (shares[i].share > 0) {
            add_share(words, shares[i].option, shares[i].share);
        }
    }
}

static void add_words(struct words *words, const struct mr_dataset_spec *spec, const char *path)
{
    add_word(words, "data", "make");
    add_word(words, "--shape", spec->shape);
    add_count(words, "--seed", spec->seed);
    add_count(words, "--bytes", spec->bytes);
    add_count(words, "--batch-records", spec->batch_records);
    add_word(words, "--out", path);
    if (spec->reject_share >= 0) {
        add_share(words, "--reject-share", spec->reject_share);
    }
    add_form(words, spec);
}

// `matchrace data make` at work on one dataset.
struct making {
    struct mr_process process;
    const char *path;
    bool running;
};

static int start_making(const struct mr_race *race, const struct mr_dataset_spec *spec,
                        struct making *making, struct mr_trial_fault *fault)
{
    struct words words = {.word = {race->program}, .count = 1};
    add_words(&words, spec, making->path);
    struct mr_process_plan plan = {
        .argv = words.word, .out = {.kind = MR_STREAM_NULL}, .err = {.kind = MR_STREAM_INHERIT}};
    int result = mr_process_start(&making->process, &plan, NULL);
    making->running = result == 0;
    if (result != 0) {
        mr_trial_fault_set(fault, "dataset %s cannot be made: %s", making->path, strerror(-result));
    }
    return result;
}

// Waits for its end, where it has begun. One that is interrupted is ended.
static int await_making(const struct mr_race *race, struct making *making,
                        struct mr_trial_fault *fault)
{
    if (!making->running) {
        return 0;
    }
    struct mr_process_end end;
    struct mr_patience patience = {.deadline_ns = MR_FOREVER, .wake_fd = race->wake_fd};
    int result = mr_process_wait(&making->process, &patience, &end);
    if (result == 0 && (!end.exited || end.exit_code != 0)) {
        result = -EIO;
    }
    mr_process_fini(&making->process);
    making->running = false;
    if (result != 0) {
        mr_trial_fault_set(fault, "dataset %s cannot be made%s", making->path,
                           result == -EINTR ? " (interrupted)" : "");
    }
    return result;
}

// Whether the dataset at `path` is missing and cell number `cell` is the first that needs it.
static bool must_be_made(const struct mr_race *race, size_t cell)
{
    char manifest[PATH_MAX + 8];
    const struct mr_race_data *data = &race->data[cell];
    (void)snprintf(manifest, sizeof manifest, "%s.json", data->path);
    if (data->spec->path != NULL || access(manifest, F_OK) == 0) {
        return false;
    }
    for (size_t i = 0; i < cell; i++) {
        if (strcmp(race->data[i].path, data->path) == 0) {
            return false;
        }
    }
    return true;
}

// Makes what is missing, two datasets at a time: each takes one core.
static int make_missing(const struct mr_race *race, const char *data_folder,
                        struct mr_trial_fault *fault)
{
    struct making makings[MAKINGS_AT_ONCE] = {{.running = false}};
    size_t started = 0;
    int result = 0;
    for (size_t cell = 0; cell < race->matrix.cells_count && result == 0; cell++) {
        if (must_be_made(race, cell)) {
            int made = started == 0 ? mr_folder_make(data_folder) : 0;
            if (made != 0) {
                mr_trial_fault_set(fault, "%s: cannot be made: %s", data_folder, strerror(-made));
                return made;
            }
            struct making *making = &makings[started++ % MAKINGS_AT_ONCE];
            result = await_making(race, making, fault);
            if (result == 0) {
                making->path = race->data[cell].path;
                result = start_making(race, race->data[cell].spec, making, fault);
            }
        }
    }
    for (size_t i = 0; i < MAKINGS_AT_ONCE; i++) {
        if (result == 0) {
            result = await_making(race, &makings[i], fault);
        } else if (makings[i].running) {
            mr_process_fini(&makings[i].process);
        }
    }
    return result;
}

static void sum_up(const struct mr_dataset *dataset, struct mr_race_data *data)
{
    (void)snprintf(data->name, sizeof data->name, "%s", dataset->name);
    (void)snprintf(data->shape, sizeof data->shape, "%s", dataset->shape);
    (void)snprintf(data->sha256, sizeof data->sha256, "%s", dataset->sha256);
    data->batches = dataset->frames.count;
    data->payload_bytes = dataset->frames.payload_bytes;
    for (size_t i = 0; i < dataset->frames.count; i++) {
        data->records += dataset->answers[i].records;
        data->digest += dataset->answers[i].digest;
    }
}

// Contestants run in folders of their own, so what they get is an absolute path.
static int make_absolute(struct mr_race_data *data, struct mr_trial_fault *fault)
{
    char resolved[PATH_MAX];
    char *slash = strrchr(data->path, '/');
    const char *name = slash == NULL ? data->path : slash + 1;
    char folder[PATH_MAX];
    (void)snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - data->path) + 1,
                   slash == NULL ? "." : data->path);
    char whole[2 * PATH_MAX];
    if (realpath(folder, resolved) == NULL) {
        int result = -errno;
        mr_trial_fault_set(fault, "%s: %s", folder, strerror(errno));
        return result;
    }
    int length = snprintf(whole, sizeof whole, "%s/%s", resolved, name);
    if (length < 0 || (size_t)length >= sizeof data->path) {
        mr_trial_fault_set(fault, "%s: the path is too long", folder);
        return -ENAMETOOLONG;
    }
    memcpy(data->path, whole, (size_t)length + 1);
    return 0;
}

static int open_one(struct mr_race_data *data, struct mr_trial_fault *fault)
{
    int absolute = make_absolute(data, fault);
    if (absolute != 0) {
        return absolute;
    }
    struct mr_dataset dataset;
    struct mr_dataset_fault dataset_fault = {{0}};
    int result = mr_dataset_init(&dataset, data->path, &dataset_fault);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s", dataset_fault.text);
        return result;
    }
    sum_up(&dataset, data);
    mr_dataset_fini(&dataset);
    return 0;
}

int mr_race_data_prepare(struct mr_race *race, const char *data_folder,
                         struct mr_trial_fault *fault)
{
    for (size_t cell = 0; cell < race->matrix.cells_count; cell++) {
        struct mr_race_data *data = &race->data[cell];
        *data = (struct mr_race_data){.spec = &race->matrix.cells[cell].data};
        if (!dataset_path(data->spec, data_folder, data->path, sizeof data->path)) {
            mr_trial_fault_set(fault, "%s: the path is too long", data_folder);
            return -ENAMETOOLONG;
        }
    }
    int result = make_missing(race, data_folder, fault);
    for (size_t cell = 0; cell < race->matrix.cells_count && result == 0; cell++) {
        result = open_one(&race->data[cell], fault);
    }
    return result;
}
