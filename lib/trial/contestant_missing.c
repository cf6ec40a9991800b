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

// Where the build writes about `name` in one of its folders; false: the path is too long.
static bool path_of(const char *build_dir, const char *folder, const char *name,
                    char path_out[PATH_MAX])
{
    int written = snprintf(path_out, PATH_MAX, "%s/%s/%s", build_dir, folder, name);
    return written >= 0 && written < PATH_MAX;
}

// What the build wrote; false where it wrote nothing.
static bool read_reason(const char *name, const char *build_dir, char *reason_out, size_t capacity)
{
    char path[PATH_MAX];
    char *bytes = NULL;
    size_t size = 0;
    if (!path_of(build_dir, "not-installed", name, path) ||
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

// The same of a variant with a program of its own, which is built only where it is asked for.
static bool is_variant_missing(const char *name, const struct mr_variant *variant,
                               const char *build_dir, char *reason_out, size_t capacity)
{
    char path[PATH_MAX];
    char entry[256];
    (void)snprintf(entry, sizeof entry, "%s@%s", name, variant->name);
    if (read_reason(entry, build_dir, reason_out, capacity)) {
        return true;
    }
    if (path_of(build_dir, "built", entry, path) && access(path, R_OK) == 0) {
        return false;
    }
    (void)snprintf(reason_out, capacity,
                   "not installed: it is built only when asked for, by './lab build --variants'");
    return true;
}

bool mr_contestant_missing(const struct mr_contestant_file *contestant,
                           const struct mr_variant *variant, const char *build_dir,
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
    return variant != NULL && variant->build[0] != '\0'
               ? is_variant_missing(contestant->name, variant, build_dir, reason_out, capacity)
               : read_reason(contestant->name, build_dir, reason_out, capacity);
}
