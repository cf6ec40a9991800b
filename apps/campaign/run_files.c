// run_files.c: see run_files.h.
#define _GNU_SOURCE
#include "run_files.h"

#include "hash_log.h"
#include "trial_table.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define LOG_BYTES_MAX (1u << 30)

// The log's lines with hashes, by name; those of one name in the log's order.
struct check {
    const char *folder;
    char *log;
    struct mr_hash_line *lines;
    size_t count;
    void (*found)(void *context, const struct mr_run_file *file);
    void *context;
};

MR_PRINTF(4, 5)
static void tell(const struct check *check, const char *name, enum mr_run_file_state state,
                 const char *format, ...)
{
    struct mr_run_file file = {.name = name, .state = state};
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(file.text, sizeof file.text, format, arguments);
    va_end(arguments);
    check->found(check->context, &file);
}

static int compare_names(const struct mr_hash_line *a, const struct mr_hash_line *b)
{
    size_t length = a->name_length < b->name_length ? a->name_length : b->name_length;
    int order = memcmp(a->name, b->name, length);
    return order != 0 ? order
                      : (a->name_length > b->name_length) - (a->name_length < b->name_length);
}

static int by_name(const void *a, const void *b)
{
    const struct mr_hash_line *left = a;
    const struct mr_hash_line *right = b;
    int order = compare_names(left, right);
    return order != 0 ? order : (left->name > right->name) - (left->name < right->name);
}

static int by_name_alone(const void *a, const void *b)
{
    return compare_names(a, b);
}

static int read_lines(struct check *check)
{
    size_t room = 1;
    for (const char *line = check->log; line != NULL; line = mr_hash_line_after(line)) {
        room++;
    }
    check->lines = calloc(room, sizeof check->lines[0]);
    if (check->lines == NULL) {
        return -ENOMEM;
    }
    for (const char *line = check->log; line != NULL; line = mr_hash_line_after(line)) {
        check->count += mr_hash_line_read(line, &check->lines[check->count]);
    }
    qsort(check->lines, check->count, sizeof check->lines[0], by_name);
    return 0;
}

// Trials are written once; what the conformance kit says is written again by each sitting.
static bool is_written_once(const char *name)
{
    return strncmp(name, "trials/", 7) == 0 || strncmp(name, "maxima/", 7) == 0;
}

// `line` is the last of its name; `before`, of the same name, or NULL.
static void check_line(const struct check *check, const struct mr_hash_line *line,
                       const struct mr_hash_line *before)
{
    char name[300];
    char path[PATH_MAX];
    char hash[MR_HASH_TEXT_BYTES];
    (void)snprintf(name, sizeof name, "%.*s", (int)line->name_length, line->name);
    (void)snprintf(path, sizeof path, "%s/%s", check->folder, name);
    int result = mr_file_hash_of(path, hash);
    if (result == -ENOENT) {
        tell(check, name, MR_RUN_FILE_GONE, "the log names it, but it cannot be read: %s",
             mr_file_fault(result));
    } else if (result != 0) {
        tell(check, name, MR_RUN_FILE_UNREADABLE, "the log names it, but it cannot be read: %s",
             mr_file_fault(result));
    } else if (strncmp(hash, line->hash, line->hash_length) != 0) {
        tell(check, name, MR_RUN_FILE_CHANGED, "sha256 %s, but the log has %.*s", hash,
             (int)line->hash_length, line->hash);
    } else if (before != NULL && is_written_once(name) &&
               strncmp(before->hash, line->hash, line->hash_length) != 0) {
        tell(check, name, MR_RUN_FILE_TWICE,
             "the log has two hashes of it: it was taken away and ran again; the first was %.*s",
             (int)before->hash_length, before->hash);
    }
}

static void check_logged(const struct check *check)
{
    const struct mr_hash_line *before = NULL;
    for (size_t i = 0; i < check->count; i++) {
        const struct mr_hash_line *line = &check->lines[i];
        if (i + 1 < check->count && compare_names(line, line + 1) == 0) {
            before = before == NULL ? line : before;
            continue;
        }
        check_line(check, line, before);
        before = NULL;
    }
}

static void expect_logged(const struct check *check, const char *name)
{
    struct mr_hash_line line = {.name = name, .name_length = strlen(name)};
    if (bsearch(&line, check->lines, check->count, sizeof line, by_name_alone) == NULL) {
        tell(check, name, MR_RUN_FILE_NOT_LOGGED, "the log has no hash of it");
    }
}

static int check_named(const struct check *check, struct mr_trial_fault *fault)
{
    struct mr_trial_names names;
    expect_logged(check, "matrix.json");
    expect_logged(check, "manifest.json");
    int result = mr_trial_names_init(&names, check->folder, fault);
    for (size_t i = 0; result == 0 && i < names.count; i++) {
        char name[300];
        (void)snprintf(name, sizeof name, "trials/%s", names.name[i]->d_name);
        expect_logged(check, name);
    }
    mr_trial_names_fini(&names);
    return result;
}

int mr_run_files_check(const char *folder,
                       void (*found)(void *context, const struct mr_run_file *file), void *context,
                       struct mr_trial_fault *fault)
{
    struct check check = {.folder = folder, .found = found, .context = context};
    char path[PATH_MAX];
    size_t size;
    (void)snprintf(path, sizeof path, "%s/run.log", folder);
    int result = mr_file_read(path, LOG_BYTES_MAX, &check.log, &size);
    if (result == 0) {
        result = read_lines(&check);
    }
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be read: %s", path, mr_file_fault(result));
    } else {
        check_logged(&check);
        result = check_named(&check, fault);
    }
    free(check.lines);
    free(check.log);
    return result;
}

// Where the first file that nobody may go on from is noted.
struct refusal {
    const char *folder;
    struct mr_trial_fault *fault;
    bool refused;
};

static void refuse(void *context, const struct mr_run_file *file)
{
    static const char *const ends[] = {
        [MR_RUN_FILE_CHANGED] = "was changed after it was written: put it back, or start anew",
        [MR_RUN_FILE_GONE] = "was taken away after it was written: put it back, or start anew",
        [MR_RUN_FILE_UNREADABLE] = "cannot be read",
        [MR_RUN_FILE_TWICE] = "was taken away and ran again: start anew",
    };
    struct refusal *refusal = context;
    // Each sitting asks the conformance kit anew, and a kill leaves half of what it said.
    bool is_of_kit = strncmp(file->name, "conform-", sizeof "conform-" - 1) == 0;
    if (!refusal->refused && !is_of_kit && file->state != MR_RUN_FILE_NOT_LOGGED) {
        refusal->refused = true;
        mr_trial_fault_set(refusal->fault, "%s/%s %s (%s)", refusal->folder, file->name,
                           ends[file->state], file->text);
    }
}

int mr_run_files_expect(const char *folder, struct mr_trial_fault *fault)
{
    struct refusal refusal = {.folder = folder, .fault = fault};
    int result = mr_run_files_check(folder, refuse, &refusal, fault);
    return result == 0 && refusal.refused ? -EINVAL : result;
}

bool mr_run_is_at_work(const char *folder)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/lock", folder);
    size_t size;
    int fd = mr_file_open(path, &size);
    if (fd < 0) {
        return false;
    }
    // Asking for it shared takes nothing from anybody.
    bool held = flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    (void)close(fd);
    return held;
}

int mr_run_folder_check(const char *folder, struct mr_trial_fault *fault)
{
    struct stat status;
    if (stat(folder, &status) != 0) {
        int result = -errno;
        mr_trial_fault_set(fault, "%s: %s", folder, strerror(errno));
        return result;
    }
    if (!S_ISDIR(status.st_mode)) {
        mr_trial_fault_set(fault, "%s: not a folder: name the folder of a run, as out/smoke/TIME",
                           folder);
        return -ENOTDIR;
    }
    return 0;
}
