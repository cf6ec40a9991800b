// libraries.c: see libraries.h.
#define _GNU_SOURCE
#include "libraries.h"

#include "race.h"
#include "survivors.h"

#include "base/clock.h"
#include "host/line_reader.h"
#include "host/process.h"
#include "host/slurp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PASS_NS    (3 * MR_NS_PER_S)
#define LINE_BYTES 4096

static bool is_library(const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    const char *end = strrchr(name, '.');
    // Not the first ".so" alone: libx.sort.so.1 has two.
    for (const char *so = strstr(name, ".so"); so != NULL; so = strstr(so + 1, ".so")) {
        if (so[3] == '\0' || so[3] == '.') {
            return true;
        }
    }
    return end != NULL && strcasecmp(end, ".dll") == 0;
}

static bool is_known(const struct mr_libraries *libraries, const char *path)
{
    for (size_t i = 0; i < libraries->count; i++) {
        if (strcmp(libraries->item[i].path, path) == 0) {
            return true;
        }
    }
    return false;
}

static int add(struct mr_libraries *libraries, const char *path)
{
    struct mr_library *grown =
        realloc(libraries->item, (libraries->count + 1) * sizeof libraries->item[0]);
    if (grown == NULL) {
        return -ENOMEM;
    }
    libraries->item = grown;
    struct mr_library *library = &grown[libraries->count];
    (void)snprintf(library->path, sizeof library->path, "%s", path);
    // One that was taken away meanwhile says nothing.
    libraries->count += mr_file_hash_of(path, library->sha256) == 0;
    return 0;
}

static int by_path(const void *a, const void *b)
{
    const struct mr_library *left = a;
    const struct mr_library *right = b;
    return strcmp(left->path, right->path);
}

int mr_libraries_read(struct mr_libraries *libraries_out, pid_t pid)
{
    *libraries_out = (struct mr_libraries){0};
    char *maps = NULL;
    int result = mr_slurp(&maps, "/proc/%d/maps", (int)pid);
    char *rest = maps;
    for (char *line; result == 0 && (line = strsep(&rest, "\n")) != NULL;) {
        const char *path = strchr(line, '/');
        if (path != NULL && strlen(path) < sizeof libraries_out->item->path && is_library(path) &&
            !is_known(libraries_out, path)) {
            result = add(libraries_out, path);
        }
    }
    free(maps);
    if (libraries_out->count > 1) {
        qsort(libraries_out->item, libraries_out->count, sizeof libraries_out->item[0], by_path);
    }
    return result;
}

void mr_libraries_fini(struct mr_libraries *libraries)
{
    free(libraries->item);
    *libraries = (struct mr_libraries){0};
}

// Starts a pass of entry `index` in `cell` and looks at what it has loaded when it is done, or long
// enough at work.
static int find_of(struct mr_race *race, size_t index, size_t cell)
{
    const struct mr_entry *entry = race->entries.entry[index];
    const struct mr_race_data *data = &race->data[cell];
    const char *mode = mr_entry_mode(entry, race->matrix.cells[cell].mode);
    const char *words[] = {"parse",    "--data", data->path, "--mode", mode,
                           "--repeat", "2",      "--step",   NULL};
    struct mr_entry_command command;
    struct mr_process process;
    if (!mr_entry_command(entry, words, &command)) {
        return 0;
    }
    const struct mr_process_plan plan = {.argv = command.argv,
                                         .folder = entry->contestant.folder,
                                         .environment = command.env,
                                         .cores = &race->cores.server,
                                         .in = {.kind = MR_STREAM_PIPE},
                                         .out = {.kind = MR_STREAM_PIPE},
                                         .err = {.kind = MR_STREAM_NULL}};
    if (mr_process_start(&process, &plan, NULL) != 0) {
        return 0; // who is not there is told of later
    }
    char bytes[LINE_BYTES];
    char *line;
    size_t length;
    struct mr_line_reader lines;
    struct mr_patience patience = mr_race_patience(race, PASS_NS);
    mr_line_reader_init(&lines, process.out, bytes, sizeof bytes);
    int result = mr_process_write(&process, "\n", 1, &patience);
    if (result == 0) {
        result = mr_line_reader_next(&lines, &patience, &line, &length);
    }
    if (result == 0 || result == -ETIMEDOUT) {
        result = mr_libraries_read(&race->libraries[index], process.pid);
    }
    mr_process_fini(&process);
    (void)mr_survivors_end(NULL, 0);
    return result == -EINTR || result == -ENOMEM ? result : 0;
}

int mr_race_libraries_find(struct mr_race *race)
{
    bool tried[MR_ENTRIES_MAX] = {false};
    int result = 0;
    for (size_t cell = 0; cell < race->matrix.cells_count; cell++) {
        const struct mr_cell *one = &race->matrix.cells[cell];
        for (size_t i = 0; result == 0 && i < one->entries_count; i++) {
            size_t index = mr_entry_index(&race->entries, one->contestants[i]);
            if (strcmp(one->driver, "simulated") != 0 && !tried[index]) {
                tried[index] = true;
                result = find_of(race, index, cell);
            }
        }
    }
    return result;
}
