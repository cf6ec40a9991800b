// race_own.c: see race_own.h.
#define _GNU_SOURCE
#include "race_own.h"

#include "stats/verdict.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add_name(struct mr_own_names *names, const char *name, struct mr_trial_fault *fault)
{
    if (names->count == MR_OWN_NAMES_MAX) {
        mr_trial_fault_set(fault, "--contestants: at most %d; a longer list takes a matrix",
                           MR_OWN_NAMES_MAX);
        return -EINVAL;
    }
    const char *slash = strrchr(name, '/');
    const char *as = slash == NULL ? name : slash + 1;
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->as[i], as) == 0) {
            mr_trial_fault_set(fault,
                               "--contestants: two are called \"%s\"; builds of one contestant are "
                               "compared by `matchrace versus`",
                               as);
            return -EINVAL;
        }
    }
    names->name[names->count] = name;
    names->as[names->count++] = as;
    return 0;
}

int mr_own_names_read(struct mr_own_names *names_out, const struct mr_option_list *list,
                      struct mr_trial_fault *fault)
{
    *names_out = (struct mr_own_names){.count = 0};
    size_t bytes = 1;
    for (size_t i = 0; i < list->count; i++) {
        bytes += strlen(list->item[i]) + 1;
    }
    names_out->texts = malloc(bytes);
    if (names_out->texts == NULL) {
        mr_trial_fault_set(fault, "out of memory");
        return -ENOMEM;
    }
    char *end = names_out->texts;
    for (size_t i = 0; i < list->count; i++) {
        end = stpcpy(stpcpy(end, list->item[i]), ",");
    }
    int result = 0;
    char *rest = names_out->texts;
    for (char *name; result == 0 && (name = strsep(&rest, ",")) != NULL;) {
        // "contestants/mine/" is what a shell completes to.
        size_t length = strlen(name);
        while (length > 1 && name[length - 1] == '/') {
            name[--length] = '\0';
        }
        result = name[0] == '\0' ? 0 : add_name(names_out, name, fault);
    }
    if (result == 0 && names_out->count < 2) {
        mr_trial_fault_set(fault, "--contestants: a race needs two, like A,B");
        result = -EINVAL;
    }
    return result;
}

void mr_own_names_fini(struct mr_own_names *names)
{
    free(names->texts);
    names->texts = NULL;
}

// The contestants' own files, which say who is managed and who declares gaps.
static int read_entries(struct mr_entries *entries, const struct mr_own_names *names,
                        const struct mr_entry_places *places, struct mr_trial_fault *fault)
{
    struct mr_matrix *matrix = calloc(1, sizeof *matrix);
    if (matrix == NULL) {
        mr_trial_fault_set(fault, "out of memory");
        return -ENOMEM;
    }
    matrix->cells_count = 1;
    struct mr_cell *cell = &matrix->cells[0];
    *cell = (struct mr_cell){
        .name = "race", .job = "ingest", .mode = "keep", .entries_count = names->count};
    memcpy(cell->contestants, names->name, sizeof names->name);
    int result = mr_entries_init(entries, matrix, places, fault);
    free(matrix);
    return result;
}

static bool gets_verdict(const struct mr_entries *entries, const struct mr_own_names *names,
                         size_t a, size_t b)
{
    const struct mr_entry *one = mr_entry_find(entries, names->name[a]);
    const struct mr_entry *other = mr_entry_find(entries, names->name[b]);
    return one->contestant.gaps_count == 0 && other->contestant.gaps_count == 0 &&
           one->mode_override == NULL && other->mode_override == NULL && !mr_entry_is_part(one) &&
           !mr_entry_is_part(other);
}

static void add_comparisons(struct mr_plain_race *race, const struct mr_entries *entries,
                            const struct mr_own_names *names)
{
    size_t primary = 0;
    for (size_t a = 0; a < names->count; a++) {
        for (size_t b = a + 1; b < names->count; b++) {
            bool chosen = a == 0 && primary < MR_PRIMARY_MAX && gets_verdict(entries, names, a, b);
            primary += chosen;
            race->comparisons[race->comparisons_count++] =
                (struct mr_plain_comparison){a, b, chosen};
        }
    }
}

// The null contestant of the first, unless that is one already.
static void add_ceiling(struct mr_plain_race *race, const struct mr_entries *entries,
                        struct mr_own_names *names)
{
    const struct mr_entry *first = mr_entry_find(entries, names->name[0]);
    const char *slash = strrchr(names->name[0], '/');
    int folder = slash == NULL ? 0 : (int)(slash - names->name[0]) + 1;
    (void)snprintf(names->ceiling, sizeof names->ceiling, "%.*s%s@drain", folder, names->name[0],
                   first->name);
    for (size_t i = 0; i < names->count; i++) {
        if (strcmp(names->as[i], names->ceiling + folder) == 0) {
            return;
        }
    }
    race->entries[race->entries_count++] = (struct mr_plain_entry){
        .contestant = names->ceiling,
        .as = names->ceiling + folder,
        .managed = first->contestant.managed,
    };
}

int mr_own_race_fill(struct mr_plain_race *race_io, struct mr_own_names *names,
                     const struct mr_entry_places *places, struct mr_trial_fault *fault)
{
    struct mr_entries *entries = calloc(1, sizeof *entries);
    if (entries == NULL) {
        mr_trial_fault_set(fault, "out of memory");
        return -ENOMEM;
    }
    int result = read_entries(entries, names, places, fault);
    if (result == 0) {
        for (size_t i = 0; i < names->count; i++) {
            const struct mr_entry *entry = mr_entry_find(entries, names->name[i]);
            race_io->entries[race_io->entries_count++] =
                (struct mr_plain_entry){names->name[i], names->as[i], entry->contestant.managed};
        }
        add_comparisons(race_io, entries, names);
        add_ceiling(race_io, entries, names);
    }
    mr_entries_fini(entries);
    free(entries);
    return result;
}
