// race_resume.c: see race_resume.h.
#define _GNU_SOURCE
#include "race_resume.h"

#include "hash_log.h"
#include "json_difference.h"
#include "manifest.h"
#include "race_open.h"
#include "rate_manifest.h"
#include "run_files.h"

#include "base/file.h"
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOG_BYTES_MAX (1u << 30)
#define CHANGES_MAX   4

static int read_log(const char *folder, char **log_out, struct mr_trial_fault *fault)
{
    char path[PATH_MAX];
    size_t size;
    (void)snprintf(path, sizeof path, "%s/run.log", folder);
    int result = mr_file_read(path, LOG_BYTES_MAX, log_out, &size);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be read: %s", path, mr_file_fault(result));
    }
    return result;
}

// Whoever edits what was fixed before the first trial begins another campaign.
static int check_unchanged(const char *folder, const char *log, const char *name,
                           struct mr_trial_fault *fault)
{
    char path[PATH_MAX];
    char now[MR_HASH_TEXT_BYTES];
    char then[MR_HASH_TEXT_BYTES];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!mr_hash_logged(log, name, then) || access(path, R_OK) != 0) {
        mr_trial_fault_set(fault,
                           "%s: it did not come to its first trial, so there is nothing to go on "
                           "with: start it anew",
                           folder);
        return -EINVAL;
    }
    int result = mr_file_hash_of(path, now);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be read: %s", path, mr_file_fault(result));
    } else if (strcmp(now, then) != 0) {
        mr_trial_fault_set(fault,
                           "%s was changed after the first trial; what ran by it cannot go on by "
                           "something else: put it back, or start a run of its own",
                           path);
        result = -EINVAL;
    }
    return result;
}

int mr_race_resume_open(struct mr_race *race, const char *folder, struct mr_trial_fault *fault)
{
    char *log = NULL;
    int result = mr_run_folder_check(folder, fault);
    if (result == 0) {
        result = mr_race_lock(race, folder, fault);
    }
    if (result == 0) {
        result = read_log(folder, &log, fault);
    }
    if (result == 0) {
        result = check_unchanged(folder, log, "matrix.json", fault);
    }
    if (result == 0) {
        result = check_unchanged(folder, log, "manifest.json", fault);
    }
    free(log);
    if (result == 0) { // going on would vouch for what was edited
        result = mr_run_files_expect(folder, fault);
    }
    return result == 0 ? mr_race_open_log(race, folder, fault) : result;
}

static void tell_change(void *context, const char *pointer, const char *a, const char *b)
{
    struct mr_text *text = context;
    mr_text_printf(text, "%s%s was %.66s, is %.66s", text->length > 0 ? "; " : "", pointer, a, b);
}

// The differences of now from `stored`, as text. 0 or -ENOMEM; *count_out: how many there are.
static int find_changes(const struct mr_race *race, yyjson_val *stored, struct mr_text *text,
                        size_t *count_out)
{
    yyjson_mut_doc *composed = mr_manifest_compose(race, "");
    yyjson_doc *manifest = composed == NULL ? NULL : yyjson_mut_doc_imut_copy(composed, NULL);
    yyjson_val *present = yyjson_doc_get_root(manifest);
    yyjson_doc *then = present == NULL ? NULL : mr_manifest_fixed_of(stored, present);
    yyjson_doc *now = present == NULL ? NULL : mr_manifest_fixed_of(present, stored);
    bool known = then != NULL && now != NULL;
    if (known) {
        *count_out = mr_json_difference(yyjson_doc_get_root(then), yyjson_doc_get_root(now),
                                        CHANGES_MAX, tell_change, text);
    }
    yyjson_doc_free(then);
    yyjson_doc_free(now);
    yyjson_doc_free(manifest);
    yyjson_mut_doc_free(composed);
    return known ? 0 : -ENOMEM;
}

static int check_same(struct mr_race *race, yyjson_val *stored, bool new_stratum,
                      struct mr_trial_fault *fault)
{
    struct mr_stratum *stratum = &race->stratum;
    struct mr_text text = mr_text_init(stratum->changes, sizeof stratum->changes);
    size_t count = 0;
    if (find_changes(race, stored, &text, &count) != 0) {
        mr_trial_fault_set(fault, "out of memory");
        return -ENOMEM;
    }
    if (count > 0 && !new_stratum) {
        mr_trial_fault_set(fault,
                           "%s cannot go on as the same race (--new-stratum goes on and keeps the "
                           "figures apart): %s",
                           race->folder, stratum->changes);
        return -EINVAL;
    }
    stratum->number += count > 0;
    return 0;
}

// The manifest of the last stratum; its number is race->stratum's.
static int find_last_manifest(struct mr_race *race, char path_out[PATH_MAX],
                              struct mr_trial_fault *fault)
{
    char *log = NULL;
    int result = read_log(race->folder, &log, fault);
    for (uint64_t number = 1; result == 0; number++) {
        char name[MR_MANIFEST_NAME_BYTES];
        char path[PATH_MAX];
        mr_manifest_name(number, name);
        (void)snprintf(path, sizeof path, "%s/%s", race->folder, name);
        char hash[MR_HASH_TEXT_BYTES];
        // Killed between a later manifest and the log's line, a run ran nothing by it.
        if (access(path, F_OK) != 0 || (number > 1 && !mr_hash_logged(log, name, hash))) {
            break;
        }
        result = check_unchanged(race->folder, log, name, fault);
        memcpy(path_out, path, sizeof path);
        race->stratum.number = number;
    }
    free(log);
    return result;
}

// Killed between a trial's file and the log's line, a run leaves a file that nobody vouches for.
static void log_missing_hash(void *context, const struct mr_run_file *file)
{
    if (file->state == MR_RUN_FILE_NOT_LOGGED) {
        mr_hash_log(context, file->name);
    }
}

static int read_past(struct mr_race *race, struct mr_trial_fault *fault)
{
    struct mr_trial_table table;
    int result = mr_trial_table_init(&table, race->folder, fault);
    if (result == 0) {
        result = mr_run_files_check(race->folder, log_missing_hash, race, fault);
    }
    if (result == 0 &&
        (result = mr_past_read(&race->past, &race->matrix, &race->schedule, &table)) != 0) {
        mr_trial_fault_set(fault, "out of memory");
    }
    if (result == 0) {
        mr_race_log(race, "goes on behind trial %llu", (unsigned long long)race->past.last_number);
    }
    mr_trial_table_fini(&table);
    return result;
}

int mr_race_resume_is_complete(const struct mr_race *race, bool *complete_out,
                               struct mr_trial_fault *fault)
{
    struct mr_trial_table table;
    struct mr_past past = {0};
    int result = mr_trial_table_init(&table, race->folder, fault);
    if (result == 0 &&
        (result = mr_past_read(&past, &race->matrix, &race->schedule, &table)) != 0) {
        mr_trial_fault_set(fault, "out of memory");
    }
    *complete_out = result == 0 && mr_past_is_complete(&past, &race->schedule);
    mr_past_fini(&past);
    mr_trial_table_fini(&table);
    return result;
}

int mr_race_resume_past(struct mr_race *race, bool new_stratum, struct mr_trial_fault *fault)
{
    char path[PATH_MAX] = "";
    struct mr_json_file manifest = {0};
    int result = find_last_manifest(race, path, fault);
    uint64_t last = race->stratum.number;
    if (result == 0) {
        result = mr_json_file_init(&manifest, path, fault);
    }
    if (result == 0) {
        yyjson_val *root = yyjson_doc_get_root(manifest.doc);
        result = mr_rates_read(&race->matrix, root, fault);
        if (result == 0) {
            result = check_same(race, root, new_stratum, fault);
        }
    }
    mr_json_file_fini(&manifest);
    result = result == 0 ? read_past(race, fault) : result;
    race->stratum.first_trial = race->past.last_number + 1;
    if (result == 0 && race->stratum.number > last) {
        mr_race_log(race, "stratum %llu: %s", (unsigned long long)race->stratum.number,
                    race->stratum.changes);
    }
    return result;
}
