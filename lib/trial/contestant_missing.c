// contestant_missing.c: see contestant_missing.h.
#include "contestant_missing.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REASON_FILE_BYTES_MAX (1u << 16)

static bool is_in_path(const char *program)
{
    const char *at = getenv("PATH");
    while (at != NULL && *at != '\0') {
        char path[PATH_MAX];
        size_t length = strcspn(at, ":");
        int written = snprintf(path, sizeof path, "%.*s/%s", (int)length, at, program);
        if (written > 0 && (size_t)written < sizeof path && access(path, X_OK) == 0) {
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

// What the build wrote; false where it wrote nothing.
static bool read_reason(const char *name, const char *build_dir, char *reason_out, size_t capacity)
{
    char path[PATH_MAX];
    char *bytes = NULL;
    size_t size = 0;
    int written = snprintf(path, sizeof path, "%s/not-installed/%s", build_dir, name);
    if (written < 0 || (size_t)written >= sizeof path ||
        mr_file_read(path, REASON_FILE_BYTES_MAX, &bytes, &size) != 0) {
        return false;
    }
    size_t length = 0;
    while (length < size && bytes[length] != '\n' && bytes[length] != '\0') {
        length++;
    }
    (void)snprintf(reason_out, capacity, "not installed: %.*s", (int)length, bytes);
    free(bytes);
    return true;
}

bool mr_contestant_missing(const struct mr_contestant_file *contestant, const char *build_dir,
                           char *reason_out, size_t capacity)
{
    for (size_t i = 0; i < contestant->needs_count; i++) {
        if (!is_in_path(contestant->needs[i])) {
            (void)snprintf(reason_out, capacity,
                           "not installed: it needs '%s', which is not in PATH",
                           contestant->needs[i]);
            return true;
        }
    }
    return read_reason(contestant->name, build_dir, reason_out, capacity);
}
