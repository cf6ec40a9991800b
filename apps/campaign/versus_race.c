// versus_race.c: see versus_race.h.
#include "versus_race.h"

#include "plain_race.h"

#include "base/text.h"
#include "host/process.h"
#include "trial/contestant.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of the minutes; the rest is for a machine that takes longer than planned.
#define PLANNED_SHARE 0.75

// What both builds' files say of them. 0; a negative errno with *fault set.
static int read_builds(const struct mr_versus_plan *plan, bool *managed_out, bool *verdict_out,
                       struct mr_trial_fault *fault)
{
    *managed_out = false;
    *verdict_out = true;
    struct mr_contestant_file *contestant = calloc(1, sizeof *contestant);
    if (contestant == NULL) {
        mr_trial_fault_set(fault, "out of memory");
        return -ENOMEM;
    }
    int result = 0;
    for (size_t i = 0; result == 0 && i < 2; i++) {
        result = mr_contestant_load(contestant, plan->build[i], plan->build_dir, fault);
        *managed_out |= result == 0 && contestant->managed;
        // Two builds with the same gaps do the same work; only `run` gives nobody with gaps a
        // verdict, and the answer here rests on the interval.
        *verdict_out &= contestant->gaps_count == 0;
        mr_contestant_fini(contestant);
    }
    free(contestant);
    return result;
}

static int write_matrix(const struct mr_versus_plan *plan, const char *path,
                        struct mr_trial_fault *fault)
{
    bool managed;
    bool verdict;
    int result = read_builds(plan, &managed, &verdict, fault);
    if (result != 0) {
        return result;
    }
    struct mr_plain_race race = {
        .name = "versus",
        .title = "A change against its base",
        .driver = strcmp(plan->measure, "serve") == 0   ? "served"
                  : strcmp(plan->measure, "parse") == 0 ? "stepped"
                                                        : "simulated",
        .mode = plan->mode,
        .dataset = plan->dataset,
        .shape = plan->shape,
        .margin = plan->margin,
        .minutes = PLANNED_SHARE * plan->minutes,
        .minutes_at_most = plan->minutes,
        .seed = plan->seed,
        .entries = {{plan->build[0], MR_VERSUS_BASE, managed},
                    {plan->build[0], MR_VERSUS_TWIN, managed},
                    {plan->build[1], MR_VERSUS_CHANGE, managed}},
        .entries_count = 3,
        .comparisons = {{2, 0, verdict}, {1, 0, false}},
        .comparisons_count = 2,
    };
    result = mr_plain_race_rows(&race, fault);
    if (result != 0) {
        return result;
    }
    printf("%llu rows of base, its twin and the change, in at most %g minutes\n",
           (unsigned long long)race.rows, plan->minutes);
    (void)fflush(stdout);
    return mr_plain_race_write(&race, path, fault);
}

int mr_versus_race(const struct mr_versus_plan *plan, int *exit_out, struct mr_trial_fault *fault)
{
    char matrix[PATH_MAX];
    char out[PATH_MAX];
    (void)snprintf(matrix, sizeof matrix, "%s/matrix.json", plan->out);
    (void)snprintf(out, sizeof out, "%s/race", plan->out);
    int result = write_matrix(plan, matrix, fault);
    if (result != 0) {
        return result;
    }
    const char *words[] = {plan->program,
                           "run",
                           matrix,
                           "--out",
                           out,
                           "--data-dir",
                           plan->data_folder,
                           "--build-dir",
                           plan->build_dir,
                           plan->skip_conform ? "--skip-conform" : NULL,
                           NULL};
    // The gate says on its last line what came of it; the run's own lines stand above.
    struct mr_process_plan process_plan = {
        .argv = words, .out = {.kind = MR_STREAM_INHERIT}, .err = {.kind = MR_STREAM_INHERIT}};
    struct mr_process process;
    struct mr_process_end end;
    result = mr_process_start(&process, &process_plan, NULL);
    if (result == 0) {
        struct mr_patience patience = {.deadline_ns = MR_FOREVER, .wake_fd = -1};
        result = mr_process_wait(&process, &patience, &end);
        mr_process_fini(&process);
    }
    if (result != 0 || !end.exited) {
        mr_trial_fault_set(fault, "matchrace run: %s",
                           result != 0 ? strerror(-result) : "ended by a signal");
        return result != 0 ? result : -EINTR;
    }
    *exit_out = end.exit_code;
    return 0;
}

// Opens `out`/race/results.json.
static int open_results(const char *out, char path_out[PATH_MAX], struct mr_json_file *file_out,
                        struct mr_trial_fault *fault)
{
    (void)snprintf(path_out, PATH_MAX, "%s/race/results.json", out);
    return mr_json_file_init(file_out, path_out, fault);
}

int mr_versus_read(const char *out, struct mr_versus *versus_out, struct mr_trial_fault *fault)
{
    char path[PATH_MAX];
    struct mr_json_file file;
    int result = open_results(out, path, &file, fault);
    if (result == 0 && mr_versus_judge(yyjson_doc_get_root(file.doc), versus_out) != 0) {
        mr_trial_fault_set(fault, "%s: these are no results of `matchrace versus`", path);
        result = -EBADMSG;
    }
    mr_json_file_fini(&file);
    return result;
}

// What a row of the table shows.
struct figure {
    const char *metric;
    const char *title;
    double factor;
    int digits;
};

static void add_row(struct mr_text *text, yyjson_val *entries, const struct figure *figure)
{
    static const char *const names[] = {MR_VERSUS_BASE, MR_VERSUS_TWIN, MR_VERSUS_CHANGE};
    double value[3] = {NAN, NAN, NAN};
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(entries, index, count, entry)
    {
        yyjson_val *metric = yyjson_obj_get(yyjson_obj_get(entry, "metrics"), figure->metric);
        yyjson_val *median = yyjson_obj_get(metric, "median");
        for (size_t i = 0; i < 3; i++) {
            if (yyjson_is_num(median) &&
                yyjson_equals_str(yyjson_obj_get(entry, "entry"), names[i])) {
                value[i] = yyjson_get_num(median) * figure->factor;
            }
        }
    }
    if (isnan(value[0]) || isnan(value[2])) {
        return;
    }
    mr_text_printf(text, "| %s |", figure->title);
    for (size_t i = 0; i < 3; i++) {
        mr_text_printf(text, " %.*f |", figure->digits, value[i]);
    }
    mr_text_printf(text, "\n");
}

int mr_versus_table(const char *out, char *text_out, size_t capacity)
{
    static const struct figure figures[] = {
        {"records_per_s", "M records/s", 1e-6, 3},
        {"ns_per_record", "ns a record", 1, 1},
        {"server_cpu_s_per_million_records", "server CPU s per M records", 1, 4},
        {"peak_rss_bytes", "peak memory MiB", 1.0 / (1 << 20), 1},
    };
    char path[PATH_MAX];
    struct mr_json_file file;
    struct mr_trial_fault fault = {{0}};
    struct mr_text text = mr_text_init(text_out, capacity);
    int result = open_results(out, path, &file, &fault);
    if (result == 0) {
        yyjson_val *cells = yyjson_obj_get(yyjson_doc_get_root(file.doc), "cells");
        yyjson_val *entries = yyjson_obj_get(yyjson_arr_get_first(cells), "entries");
        mr_text_printf(&text, "| median of the trials | base | base, once more | change |\n"
                              "|---|--:|--:|--:|\n");
        for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
            add_row(&text, entries, &figures[i]);
        }
        mr_text_printf(&text, "\n");
        result = text.cut ? -EBADMSG : 0; // an edited file may have figures of any length
    }
    mr_json_file_fini(&file);
    return result;
}
