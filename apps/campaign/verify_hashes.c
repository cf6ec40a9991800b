// verify_hashes.c: see verify_folder.h: files against the hashes in the run's log.
#define _GNU_SOURCE
#include "hash_log.h"
#include "verify_folder.h"

#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LOG_BYTES_MAX (1u << 30)

void mr_verify_differs(struct mr_verify *verify, const char *name, const char *format, ...)
{
    verify->differences++;
    (void)fprintf(verify->out, "%s/%s: ", verify->folder, name);
    va_list arguments;
    va_start(arguments, format);
    (void)vfprintf(verify->out, format, arguments);
    va_end(arguments);
    (void)fprintf(verify->out, "\n");
}

static void check_line(struct mr_verify *verify, const struct mr_hash_line *line)
{
    char name[256];
    char path[PATH_MAX];
    char hash[MR_HASH_TEXT_BYTES];
    (void)snprintf(name, sizeof name, "%.*s", (int)line->name_length, line->name);
    (void)snprintf(path, sizeof path, "%s/%s", verify->folder, name);
    int result = mr_hash_file(path, hash);
    if (result != 0) {
        mr_verify_differs(verify, name, "the log names it, but it cannot be read: %s",
                          strerror(-result));
    } else if (strncmp(hash, line->hash, line->hash_length) != 0) {
        mr_verify_differs(verify, name, "sha256 %s, but the log has %.*s", hash,
                          (int)line->hash_length, line->hash);
    }
}

static void expect_named(struct mr_verify *verify, const char *log, const char *name)
{
    char hash[MR_HASH_TEXT_BYTES];
    if (!mr_hash_logged(log, name, hash)) {
        mr_verify_differs(verify, name, "the log has no hash of it");
    }
}

static int check_named(struct mr_verify *verify, const char *log, struct mr_trial_fault *fault)
{
    expect_named(verify, log, "matrix.json");
    expect_named(verify, log, "manifest.json");
    struct mr_trial_names names;
    int result = mr_trial_names_init(&names, verify->folder, fault);
    for (size_t i = 0; result == 0 && i < names.count; i++) {
        char name[300];
        (void)snprintf(name, sizeof name, "trials/%s", names.name[i]->d_name);
        expect_named(verify, log, name);
    }
    mr_trial_names_fini(&names);
    return result;
}

int mr_verify_hashes(struct mr_verify *verify, struct mr_trial_fault *fault)
{
    char path[PATH_MAX];
    char *log = NULL;
    size_t size;
    (void)snprintf(path, sizeof path, "%s/run.log", verify->folder);
    int result = mr_file_read(path, LOG_BYTES_MAX, &log, &size);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be read: %s", path, strerror(-result));
        return result;
    }
    for (const char *line = log; line != NULL; line = mr_hash_line_after(line)) {
        struct mr_hash_line found;
        if (mr_hash_line_read(line, &found)) {
            check_line(verify, &found);
        }
    }
    result = check_named(verify, log, fault);
    free(log);
    return result;
}
