// sweep_cmd.c: the command `matchrace sweep`: from the command line to a folder with curves.
#define _GNU_SOURCE
#include "cmd.h"

#include "race_conform.h"
#include "race_data.h"
#include "sweep_files.h"
#include "sweep_run.h"
#include "sweep_summary.h"

#include "base/clock.h"
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A matrix of one cell that holds everybody: drivers, data and conformance know no other shape.
static void make_matrix(struct mr_sweep *sweep)
{
    const struct mr_sweep_options *options = &sweep->options;
    struct mr_matrix *matrix = &sweep->race.matrix;
    matrix->name = "sweep";
    matrix->title = "sweep";
    matrix->budget_ns = options->budget_ns;
    matrix->seed = options->seed;
    mr_rules_default(&matrix->rules);
    matrix->rules.warmup_ns = options->warmup_ns;
    matrix->rules.warmup_managed_ns = options->warmup_ns; // told for all alike
    matrix->rules.drain_limit_ns = options->drain_limit_ns;
    matrix->cells_count = 1;
    struct mr_cell *cell = &matrix->cells[0];
    *cell = (struct mr_cell){.name = "sweep",
                             .driver = "served",
                             .job = "ingest",
                             .mode = options->mode,
                             .metric = "records_per_s",
                             .data = options->data,
                             .load = mr_cell_load_default(),
                             .server_threads = options->threads,
                             .rows = options->repeats,
                             .entries_count = options->contestants_count};
    cell->load.connections = options->connections;
    cell->load.depth = options->depth;
    memcpy(cell->entries, options->contestants, sizeof cell->entries);
    memcpy(cell->contestants, options->contestants, sizeof cell->contestants);
}

// On a machine without a spare core nearly every trial would be excluded: there gates only mark.
static void set_gates(struct mr_sweep *sweep)
{
    const char *gates = sweep->options.gates;
    bool by_grade = strcmp(gates, "grade") == 0 && sweep->race.cores.grade == MR_GRADE_C;
    if (by_grade || strcmp(gates, "mark") == 0) {
        sweep->options.gates = "mark";
        for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
            if (gate != MR_GATE_ANSWERS) {
                sweep->race.matrix.rules.gates.action[gate] = MR_GATE_MARK;
            }
        }
    } else {
        sweep->options.gates = "exclude";
    }
}

static void take_entries(struct mr_sweep *sweep)
{
    sweep->entries_count = sweep->options.contestants_count;
    for (size_t i = 0; i < sweep->entries_count; i++) {
        struct mr_sweep_entry *entry = &sweep->entry[i];
        entry->entry = mr_entry_find(&sweep->race.entries, sweep->options.contestants[i]);
        entry->conformance = "not checked in this run";
        entry->maximum_per_s = NAN;
        sweep->race.conformance[i] = entry->conformance;
    }
}

static void take_conformance(struct mr_sweep *sweep)
{
    for (size_t i = 0; i < sweep->entries_count; i++) {
        struct mr_sweep_entry *entry = &sweep->entry[i];
        entry->conformance = sweep->race.conformance[i];
        if (sweep->race.not_conformant[i]) {
            (void)snprintf(entry->wrong, sizeof entry->wrong,
                           "not conformant, so not timed: conform-%s.txt lists what it got wrong",
                           entry->entry->name);
        }
    }
}

static int prepare(struct mr_sweep *sweep, struct mr_trial_fault *fault)
{
    static char default_folder[PATH_MAX];
    struct mr_sweep_options *options = &sweep->options;
    struct mr_entry_places places = {.folders = options->folders.item,
                                     .folders_count = options->folders.count,
                                     .build_dir = sweep->self.build_dir};
    make_matrix(sweep);
    int result = mr_entries_init(&sweep->race.entries, &sweep->race.matrix, &places, fault);
    if (result == 0) {
        take_entries(sweep);
        result = mr_race_open_cores(&sweep->race, fault);
    }
    if (result == 0) {
        set_gates(sweep);
        result = mr_race_open_signals(&sweep->race, fault);
    }
    if (result == 0) {
        result = mr_sweep_rows_init(&sweep->rows, options);
    }
    if (result == 0) {
        mr_race_default_folder("sweep", default_folder, sizeof default_folder);
        result = mr_race_open_folder(&sweep->race,
                                     options->out == NULL ? default_folder : options->out, fault);
    }
    if (result == 0) {
        result = mr_race_data_prepare(&sweep->race, options->data_folder, fault);
    }
    if (result == 0 && !options->no_conform) {
        result = mr_race_conform(&sweep->race, fault);
        if (result == 0) {
            take_conformance(sweep);
        }
    }
    return result;
}

static bool anybody_wrong(const struct mr_sweep *sweep, struct mr_text *names)
{
    for (size_t i = 0; i < sweep->entries_count; i++) {
        if (sweep->entry[i].wrong[0] != '\0') {
            mr_text_printf(names, "%s%s: %s", names->length > 0 ? "; " : "",
                           sweep->entry[i].entry->text, sweep->entry[i].wrong);
        }
    }
    return names->length > 0;
}

// Says in *fault what is not as it should be. The exit code.
static int judge(const struct mr_sweep *sweep, int signal_code, struct mr_trial_fault *fault)
{
    char wrong_bytes[256];
    char missing[256];
    struct mr_text wrong = mr_text_init(wrong_bytes, sizeof wrong_bytes);
    bool whole = sweep->end == MR_SWEEP_COMPLETE && mr_sweep_is_whole(sweep);
    bool is_wrong = anybody_wrong(sweep, &wrong);
    mr_sweep_missing_text(sweep, missing, sizeof missing);
    if (is_wrong) {
        mr_trial_fault_set(fault, "a contestant was wrong: %s", wrong_bytes);
    } else if (!whole) {
        mr_trial_fault_set(fault, "incomplete%s; missing: %s",
                           sweep->end == MR_SWEEP_BUDGET   ? ": the time budget ended"
                           : sweep->end == MR_SWEEP_SIGNAL ? ": a signal ended it"
                                                           : "",
                           missing);
    }
    return signal_code != 0 ? signal_code
           : is_wrong       ? MR_EXIT_WRONG
           : whole          ? MR_EXIT_OK
                            : MR_EXIT_INCOMPLETE;
}

static int sweep_and_report(struct mr_sweep *sweep, struct mr_trial_fault *fault)
{
    sweep->race.deadline_ns = mr_clock_ns() + sweep->options.budget_ns;
    mr_race_log(&sweep->race, "start: %zu rows, budget %.0f s", sweep->rows.count,
                (double)sweep->options.budget_ns / 1e9);
    int result = mr_sweep_run(sweep, fault);
    int signal_code = mr_race_signal_code(&sweep->race);
    if (result == 0) {
        result = mr_sweep_json_write(sweep, fault);
    }
    if (result == 0) {
        result = mr_sweep_csv_write(sweep, fault);
    }
    if (result == 0) {
        result = mr_sweep_text_write(sweep, fault);
    }
    if (result != 0) {
        return MR_EXIT_ENVIRONMENT;
    }
    bool drawn;
    bool failed = mr_sweep_chart(sweep, &drawn) != 0;
    mr_sweep_text(stdout, sweep);
    printf("\nResults: %s/sweep.json, sweep.csv, sweep.txt%s\n", sweep->race.folder,
           drawn ? ", latency.svg" : "");
    if (failed) {
        printf(
            "No latency.svg: gnuplot is missing or failed (./lab setup installs it; then: gnuplot "
            "latency.gnuplot in that folder)\n");
    } else if (!drawn) {
        printf(
            "No latency.svg: no load has the 200 batches of a median (give a longer --window)\n");
    }
    int code = judge(sweep, signal_code, fault);
    mr_race_log(&sweep->race, "end: exit code %d%s%s", code, fault->text[0] != '\0' ? ": " : "",
                fault->text);
    return code;
}

static int exit_code_of(const struct mr_sweep *sweep, int result)
{
    return result == -EINTR ? mr_race_signal_code(&sweep->race) : mr_cli_exit_code(result);
}

static int run(struct mr_sweep *sweep, int argc, char **argv)
{
    struct mr_trial_fault fault = {{0}};
    mr_race_reproduce("./lab sweep", argc, argv, sweep->reproduce, sizeof sweep->reproduce);
    mr_clock_utc_text(sweep->started_utc);
    int code = MR_EXIT_ENVIRONMENT;
    if (mr_race_find_self(&sweep->self, sweep->options.build_dir, &fault) == 0) {
        sweep->race.program = sweep->self.program;
        int result = prepare(sweep, &fault);
        code = result == 0 ? sweep_and_report(sweep, &fault) : exit_code_of(sweep, result);
    }
    if (fault.text[0] != '\0') {
        (void)fflush(stdout);
        (void)fprintf(stderr, "matchrace sweep: %s\n", fault.text);
    }
    if (sweep->race.log != NULL) {
        (void)fclose(sweep->race.log);
    }
    return code;
}

int mr_sweep_main(int argc, char **argv)
{
    struct mr_sweep *sweep = calloc(1, sizeof *sweep);
    if (sweep == NULL) {
        (void)fprintf(stderr, "matchrace sweep: out of memory\n");
        return MR_EXIT_ENVIRONMENT;
    }
    sweep->race.wake_fd = -1;
    sweep->race.deadline_ns = MR_FOREVER;
    enum mr_cli_result parsed = mr_sweep_options_parse(&sweep->options, argc, argv);
    int code = parsed == MR_CLI_DONE    ? MR_EXIT_OK
               : parsed == MR_CLI_WRONG ? MR_EXIT_USAGE
                                        : run(sweep, argc, argv);
    mr_sweep_rows_fini(&sweep->rows);
    mr_entries_fini(&sweep->race.entries);
    free(sweep->trial);
    free(sweep);
    return code;
}
