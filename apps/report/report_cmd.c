// report_cmd.c: the command `matchrace report`: opens results.json and writes the report's files.
#define _GNU_SOURCE
#include "cmd.h"
#include "html_page.h"
#include "report_page.h"
#include "results_view.h"

#include "base/cli.h"
#include "base/file.h"
#include "dataset/file_hash.h"
#include "trial/json_file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A run that was killed leaves its trials, but no results.
static bool has_trials_only(const char *folder)
{
    char results[PATH_MAX];
    char trials[PATH_MAX];
    (void)snprintf(results, sizeof results, "%s/results.json", folder);
    (void)snprintf(trials, sizeof trials, "%s/trials", folder);
    return access(results, F_OK) != 0 && access(trials, F_OK) == 0;
}

// Writes `text`, which it frees, to `path`, unless making it failed already (`result`); says what
// went wrong.
static int put_file(const char *path, char *text, size_t length, int result)
{
    if (result == 0) {
        result = mr_file_write(path, text, length);
    }
    free(text);
    if (result != 0) {
        (void)fprintf(stderr, "matchrace report: %s: cannot be written: %s\n", path,
                      strerror(-result));
    }
    return result;
}

// Collects what `write` prints and puts it into `folder`/`name`, whole or not at all.
static int write_file(const char *folder, const char *name, void (*write)(FILE *, yyjson_val *),
                      yyjson_val *results)
{
    char path[PATH_MAX];
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL) {
        return -ENOMEM;
    }
    write(out, results);
    int result = fclose(out) == 0 ? 0 : -ENOMEM;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return put_file(path, text, length, result);
}

static void page_with_picture(FILE *out, yyjson_val *results)
{
    mr_report_page(out, results, true);
}

static void page_without_picture(FILE *out, yyjson_val *results)
{
    mr_report_page(out, results, false);
}

static int write_html(const char *folder, yyjson_val *results)
{
    char path[PATH_MAX];
    char *text = NULL;
    size_t length;
    struct mr_trial_views trials;
    int result = mr_trial_views_init(&trials, folder, results);
    FILE *out = open_memstream(&text, &length);
    if (result == 0 && out != NULL) {
        result = mr_html_page(out, results, &trials);
    }
    if (out == NULL || fclose(out) != 0) {
        result = -ENOMEM;
    }
    mr_trial_views_fini(&trials);
    (void)snprintf(path, sizeof path, "%s/report.html", folder);
    return put_file(path, text, length, result);
}

static int write_all(const char *folder, yyjson_val *results)
{
    bool drawn;
    int result = mr_report_chart(folder, results, &drawn);
    if (result != 0) {
        (void)fprintf(stderr, "matchrace report: no picture: gnuplot is missing or failed (./lab "
                              "doctor says what is missing)\n");
    }
    result =
        write_file(folder, "report.md", drawn ? page_with_picture : page_without_picture, results);
    if (result == 0) {
        result = write_file(folder, "trials.csv", mr_report_csv, results);
    }
    if (result == 0) {
        result = write_file(folder, "trials-columns.md", mr_report_columns, results);
    }
    return result != 0 ? result : write_html(folder, results);
}

// Results of other trials than those beside them would put one run's words on another's data. A
// file that is not there says nothing; the page tells of it.
static int check_trials(const char *folder, yyjson_val *results)
{
    size_t index;
    size_t count;
    yyjson_val *trial;
    yyjson_arr_foreach(yyjson_obj_get(results, "trials"), index, count, trial)
    {
        char path[PATH_MAX];
        char hash[MR_HASH_TEXT_BYTES];
        const char *name = mr_view_text(trial, "file");
        const char *then = mr_view_text(trial, "sha256");
        (void)snprintf(path, sizeof path, "%s/trials/%s", folder, name);
        if (then[0] == '\0' || strchr(name, '/') != NULL || mr_file_hash_of(path, hash) != 0 ||
            strcmp(hash, then) == 0) {
            continue;
        }
        (void)fprintf(stderr,
                      "matchrace report: %s is not the trial that results.json was computed from: "
                      "`matchrace verify %s` says what was changed, `matchrace estimate %s` "
                      "computes the results again\n",
                      path, folder, folder);
        return -EINVAL;
    }
    return 0;
}

// What cannot be the folder of a run is said here. 0, or a negative errno.
static int check_folder(const char *folder)
{
    struct stat status;
    int result = stat(folder, &status) != 0 ? -errno
                 : !S_ISDIR(status.st_mode) ? -ENOTDIR
                 : has_trials_only(folder)  ? -EINVAL
                                            : 0;
    if (result == -EINVAL) {
        (void)fprintf(
            stderr,
            "matchrace report: %s: the run did not come to its end; `matchrace estimate %s` "
            "makes results.json from the trials that are there\n",
            folder, folder);
    } else if (result != 0) {
        (void)fprintf(stderr, "matchrace report: %s: %s\n", folder, strerror(-result));
    }
    return result;
}

int mr_report_main(int argc, char **argv)
{
    static const struct mr_command command = {
        .name = "matchrace report",
        .summary = "write the report of a run again, from its results.json",
        .operands = "FOLDER",
        .operands_min = 1,
        .operands_max = 1,
        .notes = "Writes report.html, report.md, ratios.svg, trials.csv and trials-columns.md into "
                 "FOLDER; the "
                 "same results give\n"
                 "the same bytes. `matchrace estimate FOLDER` makes results.json again from the "
                 "trials.\nExit codes: 0; 2 it is no run's folder, or results.json is not of these "
                 "trials; 1 environment.\n",
        .examples = "  matchrace report out/smoke/20261130T144830Z\n",
    };
    const char *operands[1];
    size_t count;
    enum mr_cli_result parsed = mr_cli_parse(&command, argc, argv, operands, &count);
    if (parsed != MR_CLI_RUN) {
        return parsed == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    int result = check_folder(operands[0]);
    if (result != 0) {
        return mr_cli_exit_code(result);
    }
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/results.json", operands[0]);
    struct mr_trial_fault fault;
    struct mr_json_file file;
    result = mr_json_file_init(&file, path, &fault);
    if (result == 0) {
        yyjson_val *root = yyjson_doc_get_root(file.doc);
        if (strcmp(mr_json_text(&file, root, "schema", ""), "matchrace/results/1") != 0) {
            mr_json_fail(&file, NULL, "not the results of a run of this version");
        }
        result = file.failed ? -EBADMSG : check_trials(operands[0], root);
        result = result == 0 ? write_all(operands[0], root) : result;
    }
    if (file.failed) {
        (void)fprintf(stderr, "matchrace report: %s\n", fault.text);
    }
    mr_json_file_fini(&file);
    return mr_cli_exit_code(result);
}
