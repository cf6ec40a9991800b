// entry.c: see entry.h.
#include "entry.h"

#include "base/mr_assert.h"

#include <matchrace/contract.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Splits "NAME@VARIANT" or "PATH/NAME@VARIANT". False when a part is empty or too long. A path's
// own
// @ belongs to it.
static bool split(struct mr_entry *entry)
{
    const char *slash = strrchr(entry->text, '/');
    const char *name = slash == NULL ? entry->text : slash + 1;
    const char *at = strchr(name, '@');
    size_t name_length = at == NULL ? strlen(name) : (size_t)(at - name);
    if (name_length == 0 || name_length >= sizeof entry->name) {
        return false;
    }
    memcpy(entry->name, name, name_length);
    if (at == NULL) {
        return true;
    }
    size_t variant_length = strlen(at + 1);
    if (variant_length == 0 || variant_length >= sizeof entry->variant_name) {
        return false;
    }
    memcpy(entry->variant_name, at + 1, variant_length + 1);
    return true;
}

// `folder`/`name` where there is a contestant.json in it.
static bool is_contestant(const char *folder, int folder_length, const char *name,
                          char path_out[PATH_MAX])
{
    char file[PATH_MAX];
    int length =
        snprintf(file, sizeof file, "%.*s/%s/contestant.json", folder_length, folder, name);
    if (length < 0 || (size_t)length >= sizeof file || access(file, R_OK) != 0) {
        return false;
    }
    (void)snprintf(path_out, PATH_MAX, "%.*s/%s", folder_length, folder, name);
    return true;
}

static int find_folder(const struct mr_entry *entry, const struct mr_entry_places *places,
                       char path_out[PATH_MAX], struct mr_trial_fault *fault)
{
    const char *slash = strrchr(entry->text, '/');
    if (slash != NULL) {
        int length = (int)(slash - entry->text);
        if (is_contestant(entry->text, length, entry->name, path_out)) {
            return 0;
        }
        mr_trial_fault_set(fault, "contestant \"%s\": there is no %.*s/%s/contestant.json",
                           entry->text, length, entry->text, entry->name);
        return -ENOENT;
    }
    for (size_t i = 0; i < places->folders_count; i++) {
        if (is_contestant(places->folders[i], (int)strlen(places->folders[i]), entry->name,
                          path_out)) {
            return 0;
        }
    }
    mr_trial_fault_set(fault, "contestant \"%s\": no folder %s with a contestant.json in %s%s",
                       entry->name, entry->name,
                       places->folders_count > 0 ? places->folders[0] : "(none)",
                       places->folders_count > 1 ? " and the other folders given" : "");
    return -ENOENT;
}

static int resolve_variant(struct mr_entry *entry, struct mr_trial_fault *fault)
{
    if (entry->variant_name[0] == '\0') {
        return 0;
    }
    entry->variant = mr_contestant_variant(&entry->contestant, entry->variant_name);
    if (entry->variant != NULL) {
        return 0;
    }
    int mode = mr_mode_by_name(entry->variant_name);
    if (mode < 0) {
        mr_trial_fault_set(fault, "contestant %s has no variant \"%s\" (see \"variants\" in %s)",
                           entry->name, entry->variant_name, entry->contestant.path);
        return -ENOENT;
    }
    entry->mode_override = mr_mode_names[mode];
    return 0;
}

// Folders are what matrices name, and names what results and stamps go by.
static int check_name(const struct mr_entry *entry, struct mr_trial_fault *fault)
{
    if (strcmp(entry->name, entry->contestant.name) == 0) {
        return 0;
    }
    mr_trial_fault_set(fault, "%s: \"name\" is \"%s\", but its folder is %s: they must be the same",
                       entry->contestant.path, entry->contestant.name, entry->name);
    return -EBADMSG;
}

// Two folders of one name are two programs.
static void name_program(struct mr_entry *entry)
{
    char of_folder[16] = "";
    if (mr_entry_is_path(entry)) {
        uint32_t hash = 0x811C9DC5u; // FNV-1a
        for (const char *at = entry->contestant.folder; *at != '\0'; at++) {
            hash = (hash ^ (unsigned char)*at) * 0x01000193u;
        }
        (void)snprintf(of_folder, sizeof of_folder, "-%08x", hash);
    }
    bool own = mr_entry_is_own_program(entry);
    (void)snprintf(entry->program, sizeof entry->program, "%s%s%s%s", entry->name, of_folder,
                   own ? "@" : "", own ? entry->variant_name : "");
}

static int resolve(struct mr_entry *entry, const struct mr_entry_places *places,
                   struct mr_trial_fault *fault)
{
    if (!split(entry)) {
        mr_trial_fault_set(fault,
                           "\"%s\" is no contestant: it must be NAME, PATH/NAME or NAME@VARIANT",
                           entry->text);
        return -EINVAL;
    }
    char folder[PATH_MAX];
    int result = find_folder(entry, places, folder, fault);
    if (result != 0) {
        return result;
    }
    result = mr_contestant_load(&entry->contestant, folder, places->build_dir, fault);
    result = result != 0 ? result : check_name(entry, fault);
    result = result != 0 ? result : resolve_variant(entry, fault);
    name_program(entry);
    return result;
}

static struct mr_entry *lookup(const struct mr_entries *entries, const char *text)
{
    for (size_t i = 0; i < entries->count; i++) {
        if (strcmp(entries->entry[i]->text, text) == 0) {
            return entries->entry[i];
        }
    }
    return NULL;
}

static int add_entry(struct mr_entries *entries, const char *text,
                     const struct mr_entry_places *places, struct mr_trial_fault *fault)
{
    if (lookup(entries, text) != NULL) {
        return 0;
    }
    if (entries->count == MR_ENTRIES_MAX) {
        mr_trial_fault_set(fault, "more than %d contestants in one matrix", MR_ENTRIES_MAX);
        return -E2BIG;
    }
    struct mr_entry *entry = calloc(1, sizeof *entry);
    if (entry == NULL) {
        mr_trial_fault_set(fault, "out of memory");
        return -ENOMEM;
    }
    entry->text = text;
    entries->entry[entries->count++] = entry;
    return resolve(entry, places, fault);
}

static bool does_job(const struct mr_contestant_file *contestant, const char *job)
{
    for (size_t i = 0; i < contestant->jobs_count; i++) {
        if (strcmp(contestant->jobs[i], job) == 0) {
            return true;
        }
    }
    return false;
}

static int add_cell(struct mr_entries *entries, const struct mr_cell *cell,
                    const struct mr_entry_places *places, struct mr_trial_fault *fault)
{
    for (size_t i = 0; i < cell->entries_count; i++) {
        int result = add_entry(entries, cell->contestants[i], places, fault);
        if (result != 0) {
            return result;
        }
        const struct mr_entry *entry = mr_entry_find(entries, cell->contestants[i]);
        if (!does_job(&entry->contestant, cell->job)) {
            mr_trial_fault_set(fault,
                               "cell \"%s\": %s does not do the job \"%s\" (see \"jobs\" in %s)",
                               cell->name, entry->name, cell->job, entry->contestant.path);
            return -EINVAL;
        }
    }
    return 0;
}

int mr_entries_init(struct mr_entries *entries_out, const struct mr_matrix *matrix,
                    const struct mr_entry_places *places, struct mr_trial_fault *fault)
{
    *entries_out = (struct mr_entries){0};
    int result = 0;
    for (size_t cell = 0; cell < matrix->cells_count && result == 0; cell++) {
        result = add_cell(entries_out, &matrix->cells[cell], places, fault);
    }
    return result;
}

void mr_entries_fini(struct mr_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        mr_contestant_fini(&entries->entry[i]->contestant);
        free(entries->entry[i]);
    }
    entries->count = 0;
}

bool mr_entry_is_part(const struct mr_entry *entry)
{
    return strcmp(entry->contestant.class, "part") == 0;
}

const char *mr_entry_program(const struct mr_entry *entry)
{
    return entry->program;
}

bool mr_entry_is_own_program(const struct mr_entry *entry)
{
    return entry->variant != NULL && entry->variant->run_count > 0;
}

bool mr_entry_is_path(const struct mr_entry *entry)
{
    return strchr(entry->text, '/') != NULL;
}

size_t mr_entry_index(const struct mr_entries *entries, const char *text)
{
    size_t index = 0;
    while (strcmp(entries->entry[index]->text, text) != 0) {
        index++;
        MR_ASSERT(index < entries->count);
    }
    return index;
}

const struct mr_entry *mr_entry_find(const struct mr_entries *entries, const char *text)
{
    const struct mr_entry *entry = lookup(entries, text);
    MR_ASSERT(entry != NULL);
    return entry;
}

// Appends the `count` words; false when there is no room left for them and the closing NULL.
static bool append(const char **list, size_t *length_io, size_t capacity, const char *const *words,
                   size_t count)
{
    if (*length_io + count >= capacity) {
        return false;
    }
    memcpy(list + *length_io, words, count * sizeof words[0]);
    *length_io += count;
    list[*length_io] = NULL;
    return true;
}

bool mr_entry_command(const struct mr_entry *entry, const char *const *words,
                      struct mr_entry_command *command_out)
{
    const struct mr_contestant_file *contestant = &entry->contestant;
    const struct mr_variant *variant = entry->variant;
    size_t argc = 0;
    size_t envc = 0;
    size_t words_count = 0;
    while (words[words_count] != NULL) {
        words_count++;
    }
    size_t run_count;
    const char *const *run = mr_contestant_run(contestant, variant, &run_count);
    size_t env_max = sizeof command_out->env / sizeof command_out->env[0];
    return append(command_out->argv, &argc, MR_ENTRY_WORDS_MAX, run, run_count) &&
           append(command_out->argv, &argc, MR_ENTRY_WORDS_MAX, words, words_count) &&
           append(command_out->argv, &argc, MR_ENTRY_WORDS_MAX,
                  variant == NULL ? words : variant->args,
                  variant == NULL ? 0 : variant->args_count) &&
           append(command_out->env, &envc, env_max, contestant->env, contestant->env_count) &&
           append(command_out->env, &envc, env_max, variant == NULL ? words : variant->env,
                  variant == NULL ? 0 : variant->env_count);
}

const char *mr_entry_mode(const struct mr_entry *entry, const char *mode)
{
    return entry->mode_override != NULL ? entry->mode_override : mode;
}
