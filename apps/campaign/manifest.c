// manifest.c: see manifest.h.
#define _GNU_SOURCE
#include "manifest.h"

#include "hash_log.h"
#include "rate_manifest.h"

#include "base/clock.h"
#include "base/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef MR_VERSION
#error "MR_VERSION comes from the build"
#endif

// The program that an entry runs: the first of its words that is a file, by path or in its folder.
static bool program_hash(const struct mr_entry *entry, char hash_out[MR_HASH_TEXT_BYTES])
{
    size_t run_count;
    const char *const *run = mr_contestant_run(&entry->contestant, entry->variant, &run_count);
    for (size_t i = run_count; i-- > 0;) { // interpreters come first, programs last
        const char *word = run[i];
        char path[2 * PATH_MAX];
        (void)snprintf(path, sizeof path, "%s%s%s", word[0] == '/' ? "" : entry->contestant.folder,
                       word[0] == '/' ? "" : "/", word);
        if (access(path, R_OK) == 0 && mr_file_hash_of(path, hash_out) == 0) {
            return true;
        }
    }
    return false;
}

// A sentence and the names that it covers; a name without a sentence stands by itself.
static void add_gaps(const struct mr_contestant_file *file, yyjson_mut_doc *doc,
                     yyjson_mut_val *one)
{
    yyjson_mut_val *gaps = yyjson_mut_obj_add_arr(doc, one, "gaps");
    yyjson_mut_val *names = NULL;
    for (size_t i = 0; i < file->gaps_count; i++) {
        const struct mr_gap *gap = &file->gaps[i];
        if (names == NULL || gap->what[0] == '\0' || gap->what != file->gaps[i - 1].what) {
            yyjson_mut_val *added = yyjson_mut_arr_add_obj(doc, gaps);
            yyjson_mut_obj_add_str(doc, added, "gap", gap->what);
            names = yyjson_mut_obj_add_arr(doc, added, "shown_by");
        }
        yyjson_mut_arr_add_str(doc, names, gap->name);
    }
}

static void add_libraries(const struct mr_libraries *libraries, yyjson_mut_doc *doc,
                          yyjson_mut_val *one)
{
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, one, "libraries");
    for (size_t i = 0; i < libraries->count; i++) {
        yyjson_mut_val *library = yyjson_mut_arr_add_obj(doc, list);
        yyjson_mut_obj_add_str(doc, library, "path", libraries->item[i].path);
        yyjson_mut_obj_add_str(doc, library, "sha256", libraries->item[i].sha256);
    }
}

static void add_contestants(const struct mr_race *race, yyjson_mut_doc *doc, yyjson_mut_val *root)
{
    yyjson_mut_val *contestants = yyjson_mut_obj_add_arr(doc, root, "contestants");
    for (size_t i = 0; i < race->entries.count; i++) {
        const struct mr_entry *entry = race->entries.entry[i];
        const struct mr_contestant_file *file = &entry->contestant;
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, contestants);
        char hash[MR_HASH_TEXT_BYTES];
        yyjson_mut_obj_add_str(doc, one, "entry", entry->text);
        yyjson_mut_obj_add_str(doc, one, "name", file->name);
        yyjson_mut_obj_add_str(doc, one, "variant", entry->variant_name);
        yyjson_mut_obj_add_str(doc, one, "mode_override",
                               entry->mode_override == NULL ? "" : entry->mode_override);
        yyjson_mut_obj_add_str(doc, one, "class", file->class);
        yyjson_mut_obj_add_str(doc, one, "language", file->language);
        yyjson_mut_obj_add_str(doc, one, "how", file->how);
        yyjson_mut_obj_add_str(doc, one, "licence", file->licence);
        yyjson_mut_obj_add_str(doc, one, "text", file->text);
        yyjson_mut_obj_add_str(doc, one, "memory_safety", file->memory_safety);
        yyjson_mut_obj_add_bool(doc, one, "any_json", file->any_json);
        yyjson_mut_obj_add_uint(doc, one, "parser_lines", file->parser_lines);
        yyjson_mut_obj_add_bool(doc, one, "equal_work",
                                !mr_entry_is_part(entry) && file->gaps_count == 0);
        yyjson_mut_obj_add_str(doc, one, "conformance", race->conformance[i]);
        add_gaps(file, doc, one);
        if (program_hash(entry, hash)) {
            yyjson_mut_obj_add_strcpy(doc, one, "program_sha256", hash);
        } else {
            yyjson_mut_obj_add_null(doc, one, "program_sha256");
        }
        add_libraries(&race->libraries[i], doc, one);
    }
}

static void add_datasets(const struct mr_race *race, yyjson_mut_doc *doc, yyjson_mut_val *root)
{
    yyjson_mut_val *datasets = yyjson_mut_obj_add_arr(doc, root, "datasets");
    for (size_t cell = 0; cell < race->matrix.cells_count; cell++) {
        const struct mr_race_data *data = &race->data[cell];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, datasets);
        yyjson_mut_obj_add_str(doc, one, "cell", race->matrix.cells[cell].name);
        yyjson_mut_obj_add_str(doc, one, "name", data->name);
        yyjson_mut_obj_add_str(doc, one, "shape", data->shape);
        yyjson_mut_obj_add_uint(doc, one, "seed", data->spec->seed);
        yyjson_mut_obj_add_uint(doc, one, "batch_records", data->spec->batch_records);
        yyjson_mut_obj_add_uint(doc, one, "batches", data->batches);
        yyjson_mut_obj_add_uint(doc, one, "records", data->records);
        yyjson_mut_obj_add_uint(doc, one, "payload_bytes", data->payload_bytes);
        yyjson_mut_obj_add_str(doc, one, "sha256", data->sha256);
    }
}

static void add_schedule(const struct mr_race *race, yyjson_mut_doc *doc, yyjson_mut_val *root)
{
    yyjson_mut_val *schedule = yyjson_mut_obj_add_arr(doc, root, "schedule");
    for (size_t i = 0; i < race->schedule.count; i++) {
        const struct mr_schedule_row *row = &race->schedule.rows[i];
        const struct mr_cell *cell = &race->matrix.cells[row->cell];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, schedule);
        yyjson_mut_obj_add_str(doc, one, "cell", cell->name);
        yyjson_mut_obj_add_uint(doc, one, "row", row->row);
        yyjson_mut_val *order = yyjson_mut_obj_add_arr(doc, one, "order");
        for (size_t k = 0; k < row->order_count; k++) {
            yyjson_mut_arr_add_str(doc, order, cell->entries[row->order[k]]);
        }
    }
}

yyjson_mut_doc *mr_manifest_compose(const struct mr_race *race, const char *reproduce)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    if (doc == NULL) {
        return NULL;
    }
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    char now[21];
    mr_clock_utc_text(now);
    const char *commit = getenv("MR_COMMIT");
    yyjson_mut_obj_add_str(doc, root, "schema", "matchrace/manifest/1");
    yyjson_mut_obj_add_str(doc, root, "name", race->matrix.name);
    yyjson_mut_obj_add_str(doc, root, "title", race->matrix.title);
    yyjson_mut_obj_add_strcpy(doc, root, "started_utc", now);
    yyjson_mut_obj_add_str(doc, root, "program_version", MR_VERSION);
    char hash[MR_HASH_TEXT_BYTES];
    if (mr_file_hash_of(race->program, hash) == 0) {
        yyjson_mut_obj_add_strcpy(doc, root, "program_sha256", hash);
    } else {
        yyjson_mut_obj_add_null(doc, root, "program_sha256");
    }
    yyjson_mut_obj_add_str(doc, root, "commit", commit == NULL ? "unavailable" : commit);
    yyjson_mut_obj_add_str(doc, root, "reproduce", reproduce);
    yyjson_mut_obj_add_uint(doc, root, "seed", race->matrix.seed);
    yyjson_mut_obj_add_real(doc, root, "budget_s", (double)race->matrix.budget_ns / 1e9);
    yyjson_mut_obj_add_val(doc, root, "rules", mr_rules_json(doc, &race->matrix.rules));
    mr_manifest_environment(race, doc, root);
    add_contestants(race, doc, root);
    add_datasets(race, doc, root);
    mr_rates_write(race, doc, root);
    add_schedule(race, doc, root);
    return doc;
}

void mr_manifest_name(uint64_t number, char name_out[MR_MANIFEST_NAME_BYTES])
{
    if (number <= 1) {
        (void)snprintf(name_out, MR_MANIFEST_NAME_BYTES, "manifest.json");
    } else {
        (void)snprintf(name_out, MR_MANIFEST_NAME_BYTES, "manifest-%u.json", (unsigned)number);
    }
}

// Later manifests say from where on they hold, and why there is one.
static void add_stratum(const struct mr_race *race, yyjson_mut_doc *doc)
{
    yyjson_mut_val *one = yyjson_mut_obj_add_obj(doc, yyjson_mut_doc_get_root(doc), "stratum");
    yyjson_mut_obj_add_uint(doc, one, "number", race->stratum.number);
    yyjson_mut_obj_add_uint(doc, one, "first_trial", race->stratum.first_trial);
    yyjson_mut_obj_add_str(doc, one, "changes", race->stratum.changes);
}

int mr_manifest_write(const struct mr_race *race, const char *reproduce,
                      struct mr_trial_fault *fault)
{
    char name[MR_MANIFEST_NAME_BYTES];
    char path[PATH_MAX];
    bool first = race->stratum.number <= 1;
    mr_manifest_name(race->stratum.number, name);
    (void)snprintf(path, sizeof path, "%s/%s", race->folder, name);
    yyjson_mut_doc *doc = mr_manifest_compose(race, reproduce);
    if (doc != NULL && !first) {
        add_stratum(race, doc);
    }
    size_t length;
    char *text = yyjson_mut_write(doc, YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_NEWLINE_AT_END,
                                  &length);
    int result = text == NULL ? -ENOMEM : mr_file_write(path, text, length);
    free(text);
    yyjson_mut_doc_free(doc);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be written: %s", path, strerror(-result));
        return result;
    }
    if (first) {
        mr_hash_log(race, "matrix.json");
    }
    mr_hash_log(race, name);
    return 0;
}
