// race_absent.c: see race_absent.h.
#include "race_absent.h"

#include "base/cli.h"
#include "base/file.h"
#include "host/process.h"
#include "trial/contestant_missing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Its first line on standard error says why.
static void read_reason(const char *path, char *reason_out, size_t capacity)
{
    char *bytes = NULL;
    size_t size = 0;
    if (mr_file_read(path, 1u << 16, &bytes, &size) == 0) {
        size_t length = 0;
        while (length < size && bytes[length] != '\n') {
            length++;
        }
        (void)snprintf(reason_out, capacity, "%.*s", (int)length, bytes);
        free(bytes);
    }
    if (reason_out[0] == '\0') {
        (void)snprintf(reason_out, capacity, "it ends with exit code %d and says nothing",
                       MR_EXIT_ENVIRONMENT);
    }
}

// Runs one pass of entry `index` over `data`.
static int try_entry(struct mr_race *race, size_t index, const struct mr_race_data *data,
                     struct mr_trial_fault *fault)
{
    const struct mr_entry *entry = race->entries.entry[index];
    const char *path_given = data->feed_path[0] != '\0' ? data->feed_path : data->path;
    const char *words[] = {"parse",  "--data",   path_given, "--mode",
                           "totals", "--repeat", "1",        NULL};
    struct mr_entry_command command;
    if (!mr_entry_command(entry, words, &command)) {
        mr_trial_fault_set(fault, "%s: its command has too many words", entry->text);
        return -E2BIG;
    }
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/absent-%s.txt", race->folder, entry->name);
    struct mr_process_plan plan = {.argv = command.argv,
                                   .folder = entry->contestant.folder,
                                   .environment = command.env,
                                   .out = {.kind = MR_STREAM_NULL},
                                   .err = {.kind = MR_STREAM_FILE, .path = path}};
    struct mr_process process;
    struct mr_process_end end;
    enum mr_process_stage stage = MR_STAGE_STARTED;
    char *reason = race->absent[index];
    int result = mr_process_start(&process, &plan, &stage);
    if (result != 0 && stage == MR_STAGE_EXEC) {
        (void)snprintf(reason, sizeof race->absent[index], "%s %s: %s", command.argv[0],
                       mr_process_stage_text(stage), strerror(-result));
        result = 0;
    } else if (result == 0) {
        struct mr_patience patience = mr_race_patience(race, MR_FOREVER);
        result = mr_process_wait(&process, &patience, &end);
        if (result == 0 && end.exited && end.exit_code == MR_EXIT_ENVIRONMENT) {
            read_reason(path, reason, sizeof race->absent[index]);
        }
        mr_process_fini(&process);
    }
    (void)unlink(path);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s cannot be tried: %s", entry->text, strerror(-result));
    }
    return result;
}

int mr_race_absent_find(struct mr_race *race, const char *build_dir, struct mr_trial_fault *fault)
{
    for (size_t i = 0; i < race->entries.count; i++) {
        const struct mr_entry *entry = race->entries.entry[i];
        (void)mr_contestant_missing(&entry->contestant, entry->variant, build_dir, race->absent[i],
                                    sizeof race->absent[i]);
    }
    bool tried[MR_ENTRIES_MAX] = {false};
    for (size_t cell = 0; cell < race->matrix.cells_count; cell++) {
        const struct mr_cell *one = &race->matrix.cells[cell];
        for (size_t i = 0; i < one->entries_count; i++) {
            size_t index = mr_entry_index(&race->entries, one->contestants[i]);
            if (!one->optional[i] || tried[index] || race->absent[index][0] != '\0') {
                continue;
            }
            tried[index] = true;
            int result = try_entry(race, index, &race->data[cell], fault);
            if (result != 0) {
                return result;
            }
        }
    }
    return 0;
}
