// verify_trials.c: see verify_folder.h: trials against schedule and rules.
#include "verify_folder.h"

#include "schedule.h"

#include "trial/judgement.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

// One trial file, and what it is held against.
struct subject {
    struct mr_verify *verify;
    const struct mr_matrix *matrix;
    const struct mr_schedule *schedule;
    char name[300];
};

static const struct mr_schedule_row *find_row(const struct subject *subject,
                                              const struct mr_trial *trial)
{
    for (size_t i = 0; i < subject->schedule->count; i++) {
        const struct mr_schedule_row *row = &subject->schedule->rows[i];
        if (row->row == trial->row &&
            strcmp(subject->matrix->cells[row->cell].name, trial->cell) == 0) {
            return row;
        }
    }
    return NULL;
}

// Who is absent or fails the kit beforehand is listed without a turn.
static bool had_no_turn(const struct mr_trial *trial)
{
    return trial->before_gates == MR_TRIAL_ABSENT ||
           (trial->before_gates == MR_TRIAL_WRONG && trial->metrics_count == 0);
}

static void check_place(const struct subject *subject, const struct mr_trial *trial,
                        uint64_t number)
{
    struct mr_verify *verify = subject->verify;
    if (trial->number != number) {
        mr_verify_differs(verify, subject->name, "number %llu where %llu is due",
                          (unsigned long long)trial->number, (unsigned long long)number);
    }
    const struct mr_schedule_row *row = find_row(subject, trial);
    if (row == NULL) {
        mr_verify_differs(verify, subject->name, "cell \"%s\" has no row %llu", trial->cell,
                          (unsigned long long)trial->row);
        return;
    }
    if (had_no_turn(trial)) {
        return;
    }
    bool in_row = trial->position < row->order_count;
    const char *due =
        in_row ? subject->matrix->cells[row->cell].entries[row->order[trial->position]] : "nobody";
    if (strcmp(due, trial->entry) != 0) {
        mr_verify_differs(verify, subject->name, "%s ran where the schedule has %s", trial->entry,
                          due);
    }
}

static void check_judgement(const struct subject *subject, const struct mr_trial *stored)
{
    struct mr_trial again = *stored;
    (void)mr_trial_judge(&again, &subject->matrix->rules);
    for (int gate = 0; gate < MR_GATE_COUNT; gate++) {
        if (again.gates[gate].outcome != stored->gates[gate].outcome) {
            mr_verify_differs(subject->verify, subject->name, "gate %s: %s, judged again %s",
                              mr_gate_name((enum mr_gate)gate),
                              mr_gate_outcome_name(stored->gates[gate].outcome),
                              mr_gate_outcome_name(again.gates[gate].outcome));
        }
    }
    for (int mark = 0; mark < MR_MARK_COUNT; mark++) {
        if (again.marks[mark].outcome != stored->marks[mark].outcome) {
            mr_verify_differs(subject->verify, subject->name, "mark %s: %s, judged again %s",
                              mr_mark_name((enum mr_mark)mark),
                              mr_mark_outcome_name(stored->marks[mark].outcome),
                              mr_mark_outcome_name(again.marks[mark].outcome));
        }
    }
    if (again.outcome != stored->outcome) {
        mr_verify_differs(subject->verify, subject->name, "%s, judged again %s",
                          mr_trial_outcome_name(stored->outcome),
                          mr_trial_outcome_name(again.outcome));
    }
}

static int check_all(struct subject *subject, struct mr_trial_fault *fault)
{
    struct mr_trial_names names;
    int result = mr_trial_names_init(&names, subject->verify->folder, fault);
    for (size_t i = 0; result == 0 && i < names.count; i++) {
        char path[PATH_MAX];
        struct mr_trial trial;
        struct mr_json_file file;
        struct mr_trial_fault one = {{0}};
        (void)snprintf(subject->name, sizeof subject->name, "trials/%s", names.name[i]->d_name);
        (void)snprintf(path, sizeof path, "%s/%s", subject->verify->folder, subject->name);
        if (mr_trial_read(&trial, &file, path, &one) != 0) {
            mr_verify_differs(subject->verify, subject->name, "no trial: %s", one.text);
        } else {
            check_place(subject, &trial, i + 1);
            check_judgement(subject, &trial);
        }
        mr_json_file_fini(&file);
    }
    mr_trial_names_fini(&names);
    return result;
}

int mr_verify_trials(struct mr_verify *verify, struct mr_trial_fault *fault)
{
    static struct mr_matrix matrix; // large
    char path[PATH_MAX];
    struct mr_schedule schedule = {0};
    (void)snprintf(path, sizeof path, "%s/matrix.json", verify->folder);
    int result = mr_matrix_load(&matrix, path, fault);
    if (result == 0 && mr_schedule_init(&schedule, &matrix) != 0) {
        mr_trial_fault_set(fault, "out of memory");
        result = -ENOMEM;
    }
    struct subject subject = {.verify = verify, .matrix = &matrix, .schedule = &schedule};
    if (result == 0) {
        result = check_all(&subject, fault);
    }
    mr_schedule_fini(&schedule);
    mr_matrix_fini(&matrix);
    return result;
}
