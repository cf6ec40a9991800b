// proc_files.c: see proc_files.h.
#define _GNU_SOURCE
#include "proc_files.h"

#include "proc_text.h"
#include "slurp.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool holds(const struct mr_proc_files *files, const char *path, size_t length)
{
    for (size_t i = 0; i < files->count; i++) {
        if (strlen(files->path[i]) == length && memcmp(files->path[i], path, length) == 0) {
            return true;
        }
    }
    return false;
}

static int append(struct mr_proc_files *files, const char *path, size_t length)
{
    if (holds(files, path, length)) {
        return 0;
    }
    char **grown = realloc(files->path, (files->count + 1) * sizeof *grown);
    if (grown == NULL) {
        return -ENOMEM;
    }
    files->path = grown;
    files->path[files->count] = strndup(path, length);
    if (files->path[files->count] == NULL) {
        return -ENOMEM;
    }
    files->count++;
    return 0;
}

static int append_program(struct mr_proc_files *files, pid_t pid)
{
    char link[64];
    char path[PATH_MAX];
    (void)snprintf(link, sizeof link, "/proc/%d/exe", pid);
    ssize_t length = readlink(link, path, sizeof path);
    if (length < 0) {
        return errno == ENOENT ? -ESRCH : -errno;
    }
    return append(files, path, (size_t)length);
}

int mr_proc_files_read(pid_t pid, struct mr_proc_files *files_out)
{
    *files_out = (struct mr_proc_files){0};
    char *text = NULL;
    int result = append_program(files_out, pid);
    if (result == 0) {
        result = mr_slurp(&text, "/proc/%d/maps", pid);
        result = result == -ENOENT ? -ESRCH : result;
    }
    const char *at = text;
    const char *path;
    size_t length;
    while (result == 0 && mr_maps_next_file(&at, &path, &length)) {
        if (mr_is_library(path, length)) {
            result = append(files_out, path, length);
        }
    }
    free(text);
    if (result != 0) {
        mr_proc_files_fini(files_out);
    }
    return result;
}

void mr_proc_files_fini(struct mr_proc_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->path[i]);
    }
    free(files->path);
    *files = (struct mr_proc_files){0};
}
