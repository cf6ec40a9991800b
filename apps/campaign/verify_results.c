// verify_results.c: see verify_folder.h: results and report, made again, against those in the
// folder.
#define _GNU_SOURCE
#include "verify_folder.h"

#include "json_difference.h"
#include "results.h"

#include "base/clock.h"
#include "base/file.h"
#include "host/process.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_BYTES_MAX  (1u << 30)
#define TOLD_MAX        20
#define REPORT_LIMIT_NS (120 * MR_NS_PER_S)

static const char *const report_files[] = {"report.html", "report.md", "ratios.svg", "trials.csv",
                                           "trials-columns.md"};

static void tell(void *context, const char *pointer, const char *a, const char *b)
{
    mr_verify_differs(context, "results.json", "%s is %.200s, computed again %.200s", pointer, a,
                      b);
}

// Both are text of results; the first is the folder's.
static void tell_where(struct mr_verify *verify, const char *stored, size_t stored_length,
                       const struct mr_results_text *again)
{
    yyjson_doc *a = yyjson_read(stored, stored_length, 0);
    yyjson_doc *b = yyjson_read(again->text, again->length, 0);
    size_t count = 0;
    if (a == NULL || b == NULL) {
        mr_verify_differs(verify, "results.json", "it is no JSON");
    } else {
        count = mr_json_difference(yyjson_doc_get_root(a), yyjson_doc_get_root(b), TOLD_MAX, tell,
                                   verify);
    }
    if (a != NULL && b != NULL && count == 0) {
        mr_verify_differs(verify, "results.json", "the same values in other bytes");
    } else if (count > TOLD_MAX) {
        mr_verify_differs(verify, "results.json", "and %zu differences more", count - TOLD_MAX);
    }
    yyjson_doc_free(a);
    yyjson_doc_free(b);
}

static bool equal_bytes(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a_length == b_length && memcmp(a, b, a_length) == 0;
}

static int read_of(const char *folder, const char *name, char **text_out, size_t *length_out)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return mr_file_read(path, FILE_BYTES_MAX, text_out, length_out);
}

static int check_results(struct mr_verify *verify, const struct mr_results_text *again,
                         struct mr_trial_fault *fault)
{
    char *stored = NULL;
    size_t length;
    int result = read_of(verify->folder, "results.json", &stored, &length);
    if (result == -ENOENT) {
        mr_verify_differs(verify, "results.json",
                          "missing: the run did not come to its end; `matchrace run --resume` goes "
                          "on with it, `matchrace estimate` computes what there is");
        return 0;
    }
    if (result != 0) {
        mr_trial_fault_set(fault, "%s/results.json: cannot be read: %s", verify->folder,
                           mr_file_fault(result));
        return result;
    }
    if (!equal_bytes(stored, length, again->text, again->length)) {
        tell_where(verify, stored, length, again);
    }
    free(stored);
    return 0;
}

static void check_report_file(struct mr_verify *verify, const char *made, const char *name)
{
    char *old = NULL;
    char *new = NULL;
    size_t old_length;
    size_t new_length;
    int old_result = read_of(verify->folder, name, &old, &old_length);
    int new_result = read_of(made, name, &new, &new_length);
    if (old_result != 0 && new_result == 0) {
        mr_verify_differs(verify, name, "cannot be read: %s", mr_file_fault(old_result));
    } else if (old_result == 0 && new_result != 0) {
        mr_verify_differs(verify, name, "is not made again%s",
                          strcmp(name, "ratios.svg") == 0 ? " (is gnuplot missing here?)" : "");
    } else if (old_result == 0 && !equal_bytes(old, old_length, new, new_length)) {
        size_t at = 0;
        size_t line = 1;
        while (at < old_length && at < new_length && old[at] == new[at]) {
            line += old[at++] == '\n';
        }
        mr_verify_differs(verify, name, "differs from line %zu on", line);
    }
    free(old);
    free(new);
}

static int make_report(const struct mr_verify *verify, const char *folder)
{
    const char *words[] = {verify->program, "report", folder, NULL};
    struct mr_process_plan plan = {
        .argv = words, .out = {.kind = MR_STREAM_NULL}, .err = {.kind = MR_STREAM_NULL}};
    struct mr_process process;
    struct mr_process_end end;
    int result = mr_process_start(&process, &plan, NULL);
    if (result == 0) {
        struct mr_patience patience = mr_patience_for(REPORT_LIMIT_NS);
        result = mr_process_wait(&process, &patience, &end);
        mr_process_fini(&process);
    }
    return result != 0 ? result : end.exited && end.exit_code == 0 ? 0 : -EIO;
}

static int write_results(const char *folder, const struct mr_results_text *again)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/results.json", folder);
    return mr_file_write(path, again->text, again->length);
}

// The page shows single trials: those of the folder itself.
static int link_trials(const struct mr_verify *verify, const char *folder)
{
    char given[PATH_MAX];
    char path[PATH_MAX];
    char trials[PATH_MAX];
    (void)snprintf(given, sizeof given, "%s/trials", verify->folder);
    (void)snprintf(path, sizeof path, "%s/trials", folder);
    if (realpath(given, trials) == NULL || symlink(trials, path) != 0) {
        return -errno;
    }
    return 0;
}

static void remove_made(const char *folder)
{
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/trials", folder);
    (void)unlink(path);
    (void)snprintf(path, sizeof path, "%s/results.json", folder);
    (void)unlink(path);
    for (size_t i = 0; i < sizeof report_files / sizeof report_files[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, report_files[i]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
}

static int check_report(struct mr_verify *verify, const struct mr_results_text *again,
                        struct mr_trial_fault *fault)
{
    const char *temporary = getenv("TMPDIR");
    char folder[PATH_MAX / 2];
    (void)snprintf(folder, sizeof folder, "%s/matchrace-verify-XXXXXX",
                   temporary == NULL ? "/tmp" : temporary);
    if (mkdtemp(folder) == NULL) {
        int result = -errno;
        mr_trial_fault_set(fault, "%s: cannot be made: %s", folder, strerror(errno));
        return result;
    }
    int result = write_results(folder, again);
    if (result == 0) {
        result = link_trials(verify, folder);
    }
    if (result == 0) {
        result = make_report(verify, folder);
    }
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: the report cannot be made again there: %s", folder,
                           strerror(-result));
    }
    for (size_t i = 0; result == 0 && i < sizeof report_files / sizeof report_files[0]; i++) {
        check_report_file(verify, folder, report_files[i]);
    }
    remove_made(folder);
    return result;
}

int mr_verify_results(struct mr_verify *verify, struct mr_trial_fault *fault)
{
    struct mr_results_text again;
    int result = mr_results_compute(verify->folder, &again, fault);
    if (result == 0) {
        result = check_results(verify, &again, fault);
    }
    if (result == 0) {
        result = check_report(verify, &again, fault);
    }
    free(again.text);
    return result;
}
