// plan_cmd.c: the command `matchrace plan`: what a matrix will run, how long it takes, and how many
// rows a difference needs.
#include "cmd.h"

#include "entry.h"
#include "plan_past.h"
#include "race_open.h"

#include "base/cli.h"
#include "stats/paired.h"
#include "stats/power.h"
#include "stats/williams.h"
#include "trial/contestant_missing.h"
#include "trial/matrix.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PAIRS_MAX 4096

struct plan {
    struct mr_matrix matrix;
    struct mr_entries entries;
    struct mr_plan_past past;
    bool past_known;
    const char *build_dir;
    double total_s;
    bool total_known;
    size_t trials;
};

// Contestants that are not installed, each once, with what is missing.
static void print_missing(const struct plan *plan)
{
    for (size_t i = 0; i < plan->entries.count; i++) {
        char reason[400] = "";
        const struct mr_entry *entry = plan->entries.entry[i];
        (void)mr_contestant_missing(&entry->contestant, entry->variant, plan->build_dir, reason,
                                    sizeof reason);
        if (reason[0] != '\0') {
            printf("skipped: %s: %s\n", entry->text, reason);
        }
    }
}

// A served trial's length is in the rules, but for start, conformance and end; that of one stepped
// depends on the contestant.
static double trial_s(const struct plan *plan, const struct mr_cell *cell,
                      const struct mr_plan_cell *past)
{
    const struct mr_rules *rules = &plan->matrix.rules;
    if (past->trials > 0) {
        return past->trial_s;
    }
    if (strcmp(cell->driver, "stepped") == 0) {
        return NAN;
    }
    // Elsewhere nobody waits for a runtime that still compiles (generator_words.c).
    bool may_warm_on = mr_cell_load_is_whole(&cell->load) && !mr_cell_load_is_open(&cell->load);
    double warmup_ns = 0;
    for (size_t i = 0; i < cell->entries_count; i++) {
        const struct mr_entry *entry = mr_entry_find(&plan->entries, cell->contestants[i]);
        bool managed = entry->contestant.managed;
        warmup_ns += (double)(may_warm_on ? mr_rules_warmup_max_ns(rules, managed)
                                          : mr_rules_warmup_ns(rules, managed));
    }
    double window_ns = (double)mr_cell_load_window_ns(&cell->load, rules->window_ns);
    return (warmup_ns / (double)cell->entries_count + window_ns) / 1e9;
}

static void print_need(double difference, double wrong_side, double alpha, size_t step)
{
    size_t rows = mr_pairs_for(wrong_side, alpha, MR_POWER, step);
    if (rows == 0) {
        printf("  %.0f %%: more than %d rows", 100 * difference, MR_POWER_PAIRS_MAX);
    } else {
        printf("  %.0f %%: %zu rows", 100 * difference, rows);
    }
}

// Rows that find 1, 2 and 5 % nine times in ten, at the level that Holm gives the first.
static void print_needs(const struct plan *plan, const struct mr_cell *cell)
{
    static const double differences[] = {0.01, 0.02, 0.05};
    static double logs[PAIRS_MAX];
    static double scratch[PAIRS_MAX];
    size_t primary = plan->matrix.primary_count;
    double alpha = plan->matrix.rules.alpha / (double)(primary == 0 ? 1 : primary);
    for (size_t i = 0; i < cell->comparisons_count; i++) {
        const char *a = cell->entries[cell->comparisons[i].a];
        const char *b = cell->entries[cell->comparisons[i].b];
        size_t count = mr_plan_past_logs(&plan->past, cell->name, a, b, logs, PAIRS_MAX);
        printf("  %s : %s,", a, b);
        if (count == 0) {
            printf(" no earlier pairs\n");
            continue;
        }
        printf(" by %zu earlier pairs:", count);
        for (size_t k = 0; k < sizeof differences / sizeof differences[0]; k++) {
            double wrong_side = mr_wrong_side(logs, count, log1p(differences[k]), scratch);
            print_need(differences[k], wrong_side, alpha, mr_williams_rows(cell->entries_count));
        }
        printf("\n");
    }
}

static void print_cell(struct plan *plan, const struct mr_cell *cell)
{
    struct mr_plan_cell past = {.trials = 0};
    if (plan->past_known) {
        past = mr_plan_past_cell(&plan->past, cell->name);
    }
    size_t trials = cell->rows * cell->entries_count;
    double cell_s = (double)trials * (1 + past.excluded_share) * trial_s(plan, cell, &past);
    plan->trials += trials;
    plan->total_known &= isfinite(cell_s);
    plan->total_s += isfinite(cell_s) ? cell_s : 0;
    printf("%s: %s, %zu contestants, %llu rows, %zu trials", cell->name, cell->driver,
           cell->entries_count, (unsigned long long)cell->rows, trials);
    if (past.trials > 0) {
        printf(", %.1f %% excluded earlier", 100 * past.excluded_share);
    }
    if (isfinite(cell_s)) {
        printf(", about %.1f min%s\n", cell_s / 60,
               past.trials > 0 ? "" : " of warm-up at its longest and windows");
    } else {
        printf(", time unknown without earlier trials (--from)\n");
    }
    if (plan->past_known) {
        print_needs(plan, cell);
    }
}

static int read_plan(struct plan *plan, const char *matrix, const char *from,
                     const struct mr_entry_places *places, struct mr_trial_fault *fault)
{
    int result = mr_matrix_load(&plan->matrix, matrix, fault);
    if (result == 0) {
        result = mr_entries_init(&plan->entries, &plan->matrix, places, fault);
    }
    if (result == 0 && from != NULL) {
        result = mr_plan_past_init(&plan->past, from, fault);
        plan->past_known = result == 0;
    }
    return result;
}

static void print_plan(struct plan *plan)
{
    printf("%s: %s\n", plan->matrix.name, plan->matrix.title);
    print_missing(plan);
    plan->total_known = true;
    for (size_t i = 0; i < plan->matrix.cells_count; i++) {
        print_cell(plan, &plan->matrix.cells[i]);
    }
    printf("%zu cell%s, %zu trials", plan->matrix.cells_count,
           plan->matrix.cells_count == 1 ? "" : "s", plan->trials);
    if (plan->total_known) {
        printf(", about %.1f min", plan->total_s / 60);
    }
    printf("; budget %.1f min a sitting%s\n", (double)plan->matrix.budget_ns / 60e9,
           plan->total_known && plan->total_s > (double)plan->matrix.budget_ns / 1e9
               ? ": not enough, --resume goes on"
               : "");
}

int mr_plan_main(int argc, char **argv)
{
    static struct plan plan; // large
    const char *from = NULL;
    const char *build_dir = NULL;
    struct mr_option_list contestants = {.count = 0};
    const struct mr_option options[] = {
        {"from", MR_OPTION_TEXT, &from, "FOLDER",
         "An earlier run with cells of the same names: its times, exclusions and noise.", 0, 0,
         NULL},
        {"contestants", MR_OPTION_LIST, &contestants, "FOLDER",
         "Where contestants are looked for; may be given again. Default: contestants.", 0, 0, NULL},
        {"build-dir", MR_OPTION_TEXT, &build_dir, "FOLDER",
         "What ${MR_BUILD_DIR} means in contestant.json. Default: this program's build.", 0, 0,
         NULL},
    };
    const struct mr_command command = {
        .name = "matchrace plan",
        .summary = "say what a matrix will run, for how long, and the rows that a difference needs",
        .operands = "MATRIX",
        .operands_min = 1,
        .operands_max = 1,
        .options = options,
        .options_count = sizeof options / sizeof options[0],
        .notes = "Rows: the least with which a difference of 1, 2 or 5 % is found nine times in "
                 "ten, given the noise of\nearlier pairs. Exit codes: 0; 1 environment; 2 usage.\n",
        .examples = "  matchrace plan matrices/smoke.json --from out/smoke/20261130T144830Z\n",
    };
    const char *operands[1];
    size_t count;
    enum mr_cli_result parsed = mr_cli_parse(&command, argc, argv, operands, &count);
    if (parsed != MR_CLI_RUN) {
        return parsed == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    if (contestants.count == 0) {
        contestants.item[contestants.count++] = "contestants";
    }
    struct mr_race_self self;
    struct mr_trial_fault fault = {{0}};
    int result = mr_race_find_self(&self, build_dir, &fault);
    if (result == 0) {
        mr_race_add_liars(&self, &contestants);
        const struct mr_entry_places places = {.folders = contestants.item,
                                               .folders_count = contestants.count,
                                               .build_dir = self.build_dir};
        plan.build_dir = self.build_dir;
        result = read_plan(&plan, operands[0], from, &places, &fault);
    }
    if (result == 0) {
        print_plan(&plan);
    } else {
        (void)fprintf(stderr, "matchrace plan: %s\n", fault.text);
    }
    mr_plan_past_fini(&plan.past);
    mr_entries_fini(&plan.entries);
    mr_matrix_fini(&plan.matrix);
    return mr_cli_exit_code(result);
}
