// compare_cmd.c: the command `matchrace compare`: who changed between two saved campaigns, by the
// ratio to an anchor that ran in both.
#include "cmd.h"

#include "compare_side.h"
#include "pairs.h"
#include "race_open.h"

#include "base/cli.h"
#include "stats/change.h"
#include "stats/verdict.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// At most so many lines; a campaign has 64 cells of 16 entries.
#define LINES_MAX 1024

// One contestant of a cell in both campaigns.
struct line {
    const struct mr_cell *before;
    const struct mr_cell *after;
    const char *entry;
};

struct compare {
    struct mr_compare_side before;
    struct mr_compare_side after;
    const char *anchor;
    const char *only; // a contestant, or NULL: all
    struct line lines[LINES_MAX];
    size_t lines_count;
    size_t called_different;
};

static bool was_wrong(const struct compare *compare, const char *cell, const char *entry)
{
    return mr_trial_table_wrong(&compare->before.table, cell, entry) != NULL ||
           mr_trial_table_wrong(&compare->after.table, cell, entry) != NULL;
}

static bool ran_in_both(const struct mr_cell *before, const struct mr_cell *after, const char *name)
{
    return mr_compare_entry(before, name) < before->entries_count &&
           mr_compare_entry(after, name) < after->entries_count;
}

// Lists who is compared. Only what was there in both is; what is left out is said.
static int list_lines(struct compare *compare, struct mr_trial_fault *fault)
{
    bool anchor_found = false;
    for (size_t i = 0; i < compare->before.matrix.cells_count; i++) {
        const struct mr_cell *before = &compare->before.matrix.cells[i];
        const struct mr_cell *after = mr_compare_cell(&compare->after, before->name);
        const char *why =
            after == NULL                                       ? "only the old campaign has it"
            : !ran_in_both(before, after, compare->anchor)      ? "the anchor is not in both"
            : was_wrong(compare, before->name, compare->anchor) ? "the anchor was wrong"
            : mr_cell_load_is_shared(&before->load)
                ? "its rate is a share of what each campaign measured anew"
                : NULL;
        if (why != NULL) {
            printf("left out: cell \"%s\": %s\n", before->name, why);
            continue;
        }
        anchor_found = true;
        if (!mr_compare_same_cell(&compare->before, &compare->after, before->name, fault)) {
            return -EINVAL;
        }
        for (size_t k = 0; k < before->entries_count && compare->lines_count < LINES_MAX; k++) {
            const char *entry = before->entries[k];
            bool wanted = compare->only == NULL || strcmp(compare->only, entry) == 0;
            bool wrong = was_wrong(compare, before->name, entry);
            if (wanted && wrong) {
                printf("left out: %s in \"%s\": it was wrong\n", entry, before->name);
            }
            if (wanted && !wrong && strcmp(entry, compare->anchor) != 0 &&
                ran_in_both(before, after, entry)) {
                compare->lines[compare->lines_count++] = (struct line){before, after, entry};
            }
        }
    }
    if (compare->lines_count == 0) {
        mr_trial_fault_set(fault, "%s",
                           anchor_found ? "no contestant ran in both campaigns beside the anchor"
                                        : "no cell of both campaigns has the anchor; --anchor "
                                          "names another contestant that ran in both");
        return -EINVAL;
    }
    return 0;
}

// The log ratios of the line's entry to the anchor.
static int read_logs(const struct mr_compare_side *side, const struct mr_cell *cell,
                     const char *entry, const char *anchor, struct mr_pairs *pairs_out)
{
    int result = mr_pairs_init(pairs_out, &side->table, cell, NULL, mr_compare_entry(cell, entry),
                               mr_compare_entry(cell, anchor));
    for (size_t i = 0; result == 0 && i < pairs_out->count; i++) {
        pairs_out->a[i] = log(pairs_out->a[i] / pairs_out->b[i]);
    }
    return result;
}

static const char *words_of(const struct mr_change *change, double margin)
{
    static const char *const words[] = {
        [MR_VERDICT_NOT_RESOLVED] = "not resolved",
        [MR_VERDICT_FASTER] = "faster",
        [MR_VERDICT_SLOWER] = "slower",
        [MR_VERDICT_SAME] = "the same",
        [MR_VERDICT_FASTER_SIZE_OPEN] = "faster, size open",
        [MR_VERDICT_SLOWER_SIZE_OPEN] = "slower, size open",
        [MR_VERDICT_VOID] = "void",
    };
    struct mr_verdict_rules rules = {.better = MR_BETTER_HIGHER, .margin = margin};
    return words[mr_judge(&change->logs, change->log_ratio, &rules).verdict];
}

static void print_line(struct compare *compare, const struct line *line,
                       const struct mr_change *change, size_t before, size_t after)
{
    double ratio = exp(change->log_ratio);
    printf("| %s | %s | %.3f | ", line->before->name, line->entry, ratio);
    if (change->logs.known) {
        printf("%.3f to %.3f", exp(change->logs.low), exp(change->logs.high));
    } else {
        printf("– (too few pairs for so many comparisons)");
    }
    printf(" | %zu, %zu | %s |\n", before, after,
           words_of(change, compare->before.matrix.rules.margin));
    compare->called_different +=
        change->logs.known && (change->logs.low > 0 || change->logs.high < 0);
}

static int compare_line(struct compare *compare, const struct line *line)
{
    struct mr_pairs before = {0};
    struct mr_pairs after = {0};
    int result = read_logs(&compare->before, line->before, line->entry, compare->anchor, &before);
    if (result == 0) {
        result = read_logs(&compare->after, line->after, line->entry, compare->anchor, &after);
    }
    if (result == 0 && (before.count == 0 || after.count == 0)) {
        printf("| %s | %s | – | – | %zu, %zu | no pairs |\n", line->before->name, line->entry,
               before.count, after.count);
    } else if (result == 0) {
        double alpha = compare->before.matrix.rules.alpha / (double)compare->lines_count;
        struct mr_change change =
            mr_change_estimate(before.a, before.count, after.a, after.count, alpha);
        print_line(compare, line, &change, before.count, after.count);
    }
    mr_pairs_fini(&before);
    mr_pairs_fini(&after);
    return result;
}

// The anchor's own build is part of every ratio.
static void print_remarks(const struct compare *compare)
{
    const struct line *line = &compare->lines[0];
    const char *contestant =
        line->before->contestants[mr_compare_entry(line->before, compare->anchor)];
    if (!mr_compare_same_program(&compare->before, &compare->after, contestant)) {
        printf("\nThe anchor's program is not known to be the same (by its hash): where it became "
               "faster, all others seem slower.\n");
    }
}

static int print_all(struct compare *compare)
{
    printf("%s, then %s; speed by way of %s, new over old: above 1 is faster now\n\n",
           compare->before.folder, compare->after.folder, compare->anchor);
    printf(
        "| cell | contestant | change | interval | pairs | verdict |\n|---|---|--:|---|---|---|\n");
    int result = 0;
    for (size_t i = 0; result == 0 && i < compare->lines_count; i++) {
        result = compare_line(compare, &compare->lines[i]);
    }
    printf("\n%zu comparison%s share a chance of %g %% to call any equal pair different; %zu "
           "exclude%s \"no change\". Margin %g %%.\n",
           compare->lines_count, compare->lines_count == 1 ? "" : "s",
           100 * compare->before.matrix.rules.alpha, compare->called_different,
           compare->called_different == 1 ? "s" : "", 100 * compare->before.matrix.rules.margin);
    print_remarks(compare);
    return result;
}

static int run(struct compare *compare, const char *const *folders, struct mr_trial_fault *fault)
{
    int result = mr_compare_side_init(&compare->before, folders[0], fault);
    if (result == 0) {
        result = mr_compare_side_init(&compare->after, folders[1], fault);
    }
    if (result == 0 && !mr_compare_same_terms(&compare->before, &compare->after, fault)) {
        result = -EINVAL;
    }
    if (result == 0) {
        result = list_lines(compare, fault);
    }
    if (result == 0 && (result = print_all(compare)) != 0) {
        mr_trial_fault_set(fault, "out of memory");
    }
    mr_compare_side_fini(&compare->before);
    mr_compare_side_fini(&compare->after);
    return result;
}

int mr_compare_main(int argc, char **argv)
{
    const char *anchor = NULL;
    const char *only = NULL;
    const struct mr_option options[] = {
        {"anchor", MR_OPTION_TEXT, &anchor, "NAME",
         "The contestant that stands for the machine: unchanged, and in both campaigns.", 0, 0,
         NULL},
        {"contestant", MR_OPTION_TEXT, &only, "NAME",
         "Compare this one only; fewer comparisons need fewer pairs.", 0, 0, NULL},
    };
    const struct mr_command command = {
        .name = "matchrace compare",
        .summary = "say who changed between two saved campaigns, by the ratio to an anchor",
        .operands = "OLD NEW",
        .operands_min = 2,
        .operands_max = 2,
        .options = options,
        .options_count = sizeof options / sizeof options[0],
        .notes =
            "Refused (exit code 2) where CPU, cores, rules or data are not the same. Two builds "
            "are better raced in\none campaign: matchrace versus. Exit codes: 0; 1 "
            "environment; 2 usage, or not comparable.\n",
        .examples = "  matchrace compare out/smoke/MONDAY out/smoke/TUESDAY --anchor NAME\n",
    };
    const char *folders[2];
    size_t count;
    enum mr_cli_result parsed = mr_cli_parse(&command, argc, argv, folders, &count);
    if (parsed != MR_CLI_RUN) {
        return parsed == MR_CLI_DONE ? MR_EXIT_OK : MR_EXIT_USAGE;
    }
    if (anchor == NULL) {
        (void)fprintf(stderr, "matchrace compare: --anchor is missing: a contestant that ran, "
                              "unchanged, in both campaigns\n");
        return MR_EXIT_USAGE;
    }
    struct mr_trial_fault fault = {{0}};
    struct compare *compare = calloc(1, sizeof *compare);
    if (compare == NULL) {
        (void)fprintf(stderr, "matchrace compare: out of memory\n");
        return MR_EXIT_ENVIRONMENT;
    }
    compare->anchor = anchor;
    compare->only = only;
    int result = run(compare, folders, &fault);
    free(compare);
    if (result == 0) {
        return MR_EXIT_OK;
    }
    (void)fprintf(stderr, "matchrace compare: %s\n", fault.text);
    return mr_cli_exit_code(result);
}
