// status_cmd.c: the command `matchrace status`: how far a run is, from its files alone.
#include "cmd.h"

#include "past.h"
#include "run_files.h"
#include "schedule.h"
#include "trial_table.h"

#include "base/cli.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

struct status {
    const char *folder;
    struct mr_matrix matrix;
    struct mr_schedule schedule;
    struct mr_trial_table table;
    struct mr_past past;
};

// What is known of one cell, or of all.
struct tally {
    size_t rows;
    size_t rows_finished;
    size_t trials;
    size_t excluded;
    size_t wrong;
    double spent_s; // in trials, those of rows that run again among them
};

static struct tally tally_cell(const struct status *status, size_t cell)
{
    const char *name = status->matrix.cells[cell].name;
    struct tally tally = {.spent_s = mr_trial_table_spent_s(&status->table, name)};
    for (size_t i = 0; i < status->schedule.count; i++) {
        bool here = status->schedule.rows[i].cell == cell;
        tally.rows += here;
        tally.rows_finished += here && status->past.rows[i].finished;
    }
    for (size_t i = 0; i < status->table.count; i++) {
        const struct mr_trial *trial = &status->table.trials[i];
        if (strcmp(trial->cell, name) == 0) {
            tally.trials++;
            tally.excluded += trial->outcome == MR_TRIAL_EXCLUDED;
            tally.wrong += trial->outcome == MR_TRIAL_WRONG;
        }
    }
    return tally;
}

static void print_line(const char *name, const struct tally *tally)
{
    printf("%s: row %zu of %zu, %zu trial%s, %zu excluded, %zu wrong", name, tally->rows_finished,
           tally->rows, tally->trials, tally->trials == 1 ? "" : "s", tally->excluded,
           tally->wrong);
}

static void print_status(const struct status *status)
{
    struct tally all = {.rows = 0};
    double left_s = 0;
    bool left_known = true;
    for (size_t cell = 0; cell < status->matrix.cells_count; cell++) {
        struct tally tally = tally_cell(status, cell);
        printf("  ");
        print_line(status->matrix.cells[cell].name, &tally);
        printf("\n");
        all.rows += tally.rows;
        all.rows_finished += tally.rows_finished;
        all.trials += tally.trials;
        all.excluded += tally.excluded;
        all.wrong += tally.wrong;
        left_known &= tally.rows_finished > 0;
        if (tally.rows_finished > 0) {
            left_s += tally.spent_s / (double)tally.rows_finished *
                      (double)(tally.rows - tally.rows_finished);
        }
    }
    print_line(status->folder, &all);
    if (all.rows_finished == all.rows) {
        printf("; all rows ran");
    } else if (left_known) {
        printf("; about %.0f min of trials left", left_s / 60 + 0.5);
    }
    printf(mr_run_is_at_work(status->folder) ? "; a run is at work\n" : "; nobody is at work\n");
}

static int read_status(struct status *status, struct mr_trial_fault *fault)
{
    static char path[PATH_MAX]; // the matrix keeps it
    (void)snprintf(path, sizeof path, "%s/matrix.json", status->folder);
    int result = mr_run_folder_check(status->folder, fault);
    if (result == 0) {
        result = mr_run_files_expect(status->folder, fault);
    }
    if (result == 0) {
        result = mr_matrix_load(&status->matrix, path, fault);
    }
    if (result == 0) {
        result = mr_trial_table_init(&status->table, status->folder, fault);
    }
    if (result != 0) {
        return result;
    }
    result = mr_schedule_init(&status->schedule, &status->matrix);
    if (result == 0) {
        result = mr_past_read(&status->past, &status->matrix, &status->schedule, &status->table);
    }
    if (result != 0) {
        mr_trial_fault_set(fault, "out of memory");
    }
    return result;
}

int mr_status_main(int argc, char **argv)
{
    static const struct mr_command command = {
        .name = "matchrace status",
        .summary = "say how far a run is, from another terminal or behind it",
        .operands = "FOLDER",
        .operands_min = 1,
        .operands_max = 1,
        .notes = "Exit codes: 0 all rows ran; 5 some did not yet; 2 it is no run's folder, or "
                 "its files were changed; 1 it cannot be read.\n",
        .examples = "  matchrace status out/campaign/20261130T144830Z\n",
    };
    const char *operands[1];
    size_t count;
    enum mr_cli_result parsed = mr_cli_parse(&command, argc, argv, operands, &count);
    if (parsed != MR_CLI_RUN) {
        return parsed == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    static struct status status; // large
    struct mr_trial_fault fault = {{0}};
    status.folder = operands[0];
    int result = read_status(&status, &fault);
    int exit_code = mr_cli_exit_code(result);
    if (result != 0) {
        (void)fprintf(stderr, "matchrace status: %s\n", fault.text);
    } else {
        print_status(&status);
        for (size_t i = 0; i < status.schedule.count; i++) {
            exit_code = status.past.rows[i].finished ? exit_code : MR_EXIT_INCOMPLETE;
        }
    }
    mr_past_fini(&status.past);
    mr_schedule_fini(&status.schedule);
    mr_trial_table_fini(&status.table);
    mr_matrix_fini(&status.matrix);
    return exit_code;
}
