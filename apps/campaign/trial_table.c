// trial_table.c: see trial_table.h.
#define _GNU_SOURCE
#include "trial_table.h"

#include "trial_run.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_trial_file(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0;
}

// By number: names have five digits, and more from 100,000 on.
static int by_number(const struct dirent **a, const struct dirent **b)
{
    size_t length_a = strlen((*a)->d_name);
    size_t length_b = strlen((*b)->d_name);
    return length_a != length_b ? (length_a > length_b ? 1 : -1)
                                : strcmp((*a)->d_name, (*b)->d_name);
}

static int read_one(struct mr_trial_table *table, const char *folder, const char *name,
                    struct mr_trial_fault *fault)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    if (length < 0 || (size_t)length >= sizeof path) {
        mr_trial_fault_set(fault, "%s: the path is too long", folder);
        return -ENAMETOOLONG;
    }
    size_t index = table->count++;
    (void)snprintf(table->names[index], sizeof table->names[index], "%s", name);
    return mr_trial_read(&table->trials[index], &table->files[index], path, fault);
}

int mr_trial_names_init(struct mr_trial_names *names_out, const char *folder,
                        struct mr_trial_fault *fault)
{
    *names_out = (struct mr_trial_names){0};
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/trials", folder);
    int count = scandir(path, &names_out->name, is_trial_file, by_number);
    if (count < 0) {
        int result = -errno;
        mr_trial_fault_set(fault, "%s: cannot be read: %s", path, strerror(errno));
        return result;
    }
    names_out->count = (size_t)count;
    return 0;
}

void mr_trial_names_fini(struct mr_trial_names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->name[i]);
    }
    free(names->name);
    *names = (struct mr_trial_names){0};
}

static int read_all(struct mr_trial_table *table, const char *folder,
                    const struct mr_trial_names *names, struct mr_trial_fault *fault)
{
    size_t room = names->count + 1;
    table->trials = calloc(room, sizeof table->trials[0]);
    table->files = calloc(room, sizeof table->files[0]);
    table->names = calloc(room, sizeof table->names[0]);
    if (table->trials == NULL || table->files == NULL || table->names == NULL) {
        mr_trial_fault_set(fault, "out of memory for %zu trials", names->count);
        return -ENOMEM;
    }
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/trials", folder);
    int result = 0;
    for (size_t i = 0; result == 0 && i < names->count; i++) {
        result = read_one(table, path, names->name[i]->d_name, fault);
    }
    return result;
}

int mr_trial_table_init(struct mr_trial_table *table_out, const char *folder,
                        struct mr_trial_fault *fault)
{
    *table_out = (struct mr_trial_table){0};
    struct mr_trial_names names;
    int result = mr_trial_names_init(&names, folder, fault);
    if (result == 0) {
        result = read_all(table_out, folder, &names, fault);
    }
    mr_trial_names_fini(&names);
    return result;
}

void mr_trial_table_fini(struct mr_trial_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        mr_json_file_fini(&table->files[i]);
    }
    free(table->trials);
    free(table->files);
    free(table->names);
    *table = (struct mr_trial_table){0};
}

double mr_trial_table_spent_s(const struct mr_trial_table *table, const char *cell)
{
    uint64_t spent_ns = 0;
    uint64_t until_ns = 0;
    for (size_t i = 0; i < table->count; i++) {
        const struct mr_trial *trial = &table->trials[i];
        if (strcmp(trial->cell, cell) == 0) {
            uint64_t from_ns = trial->start_ns > until_ns ? trial->start_ns : until_ns;
            spent_ns += trial->end_ns > from_ns ? trial->end_ns - from_ns : 0;
            until_ns = trial->end_ns;
        }
    }
    return (double)spent_ns / 1e9;
}

static const struct mr_trial *find(const struct mr_trial_table *table, const char *cell,
                                   const char *entry, enum mr_trial_outcome outcome)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct mr_trial *trial = &table->trials[i];
        if (trial->outcome == outcome && strcmp(trial->cell, cell) == 0 &&
            strcmp(trial->entry, entry) == 0) {
            return trial;
        }
    }
    return NULL;
}

const struct mr_trial *mr_trial_table_wrong(const struct mr_trial_table *table, const char *cell,
                                            const char *entry)
{
    return find(table, cell, entry, MR_TRIAL_WRONG);
}

const struct mr_trial *mr_trial_table_absent(const struct mr_trial_table *table, const char *cell,
                                             const char *entry)
{
    return find(table, cell, entry, MR_TRIAL_ABSENT);
}

// Collects one attempt. False when a trial of it is excluded or missing without a reason.
static bool attempt_is_clean(const struct mr_trial_table *table, const struct mr_cell *cell,
                             const struct mr_trial *any,
                             const struct mr_trial *trials_out[MR_CELL_ENTRIES_MAX])
{
    bool excluded = false;
    for (size_t i = 0; i < table->count; i++) {
        const struct mr_trial *trial = &table->trials[i];
        if (strcmp(trial->cell, cell->name) != 0 || trial->row != any->row ||
            trial->attempt != any->attempt) {
            continue;
        }
        excluded |= trial->outcome == MR_TRIAL_EXCLUDED;
        for (size_t entry = 0; entry < cell->entries_count; entry++) {
            if (strcmp(trial->entry, cell->entries[entry]) == 0) {
                trials_out[entry] = trial;
            }
        }
    }
    bool complete = true;
    bool any_counted = false;
    for (size_t entry = 0; entry < cell->entries_count; entry++) {
        const struct mr_trial *wrong =
            mr_trial_table_wrong(table, cell->name, cell->entries[entry]);
        bool out_of_race = (wrong != NULL && wrong->number <= any->number + cell->entries_count) ||
                           mr_trial_table_absent(table, cell->name, cell->entries[entry]) != NULL;
        complete &= trials_out[entry] != NULL || out_of_race;
        if (trials_out[entry] != NULL && trials_out[entry]->outcome != MR_TRIAL_COUNTED) {
            trials_out[entry] = NULL;
        }
        any_counted |= trials_out[entry] != NULL;
    }
    return complete && any_counted && !excluded;
}

bool mr_trial_table_row(const struct mr_trial_table *table, const struct mr_cell *cell,
                        uint64_t row, const struct mr_trial *trials_out[MR_CELL_ENTRIES_MAX])
{
    for (size_t i = table->count; i-- > 0;) { // the last attempt first
        const struct mr_trial *trial = &table->trials[i];
        if (trial->row == row && strcmp(trial->cell, cell->name) == 0) {
            for (size_t entry = 0; entry < MR_CELL_ENTRIES_MAX; entry++) {
                trials_out[entry] = NULL;
            }
            return attempt_is_clean(table, cell, trial, trials_out);
        }
    }
    return false;
}

bool mr_trial_was_interrupted(const struct mr_trial *trial)
{
    return strcmp(trial->reason, MR_TRIAL_INTERRUPTED) == 0;
}

static size_t entry_of(const struct mr_cell *cell, const char *name)
{
    size_t entry = 0;
    while (entry < cell->entries_count && strcmp(cell->entries[entry], name) != 0) {
        entry++;
    }
    return entry;
}

bool mr_trial_table_attempt(const struct mr_trial_table *table, const struct mr_cell *cell,
                            uint64_t row, uint64_t attempt,
                            const struct mr_trial *trials_out[MR_CELL_ENTRIES_MAX])
{
    const struct mr_trial *any = NULL;
    bool excluded = false;
    bool interrupted = false;
    memset((void *)trials_out, 0, MR_CELL_ENTRIES_MAX * sizeof trials_out[0]);
    for (size_t i = 0; i < table->count; i++) {
        const struct mr_trial *trial = &table->trials[i];
        if (trial->row != row || trial->attempt != attempt ||
            strcmp(trial->cell, cell->name) != 0) {
            continue;
        }
        any = trial;
        excluded |= trial->outcome == MR_TRIAL_EXCLUDED;
        interrupted |= mr_trial_was_interrupted(trial);
        size_t entry = entry_of(cell, trial->entry);
        bool has_figures =
            trial->outcome == MR_TRIAL_COUNTED || trial->outcome == MR_TRIAL_EXCLUDED;
        if (entry < cell->entries_count && has_figures) {
            trials_out[entry] = trial;
        }
    }
    if (any == NULL || interrupted) {
        return false;
    }
    const struct mr_trial *clean[MR_CELL_ENTRIES_MAX] = {NULL};
    return excluded || attempt_is_clean(table, cell, any, clean);
}

uint64_t mr_trial_table_attempts(const struct mr_trial_table *table)
{
    uint64_t attempts = 0;
    for (size_t i = 0; i < table->count; i++) {
        uint64_t number = table->trials[i].attempt + 1;
        attempts = number > attempts ? number : attempts;
    }
    return attempts;
}
