// report_cells.c: the tables of a cell: what each contestant did, and the ratios between them.
#include "report_page.h"
#include "report_words.h"
#include "results_view.h"

#include <stdint.h>
#include <string.h>

// A ceiling, and who does other work than the rest, has none.
static void write_place(FILE *out, yyjson_val *places, const char *entry)
{
    yyjson_val *place = yyjson_obj_get(places, entry);
    if (place == NULL) {
        (void)fprintf(out, "– | ");
    } else {
        (void)fprintf(out, "%llu | ", (unsigned long long)yyjson_get_uint(place));
    }
}

static void write_figures(FILE *out, yyjson_val *cell)
{
    yyjson_val *places = yyjson_obj_get(yyjson_obj_get(cell, "places"), "of");
    (void)fprintf(out, places == NULL ? "| contestant |" : "| place | contestant |");
    (void)fprintf(out, " trials |");
    const struct mr_column *column;
    for (size_t i = 0; (column = mr_words_column(i)) != NULL; i++) {
        if (mr_words_has_column(cell, column)) {
            (void)fprintf(out, " %s |", column->title);
        }
    }
    (void)fprintf(out, places == NULL ? "\n|---|--:|" : "\n|--:|---|--:|");
    for (size_t i = 0; (column = mr_words_column(i)) != NULL; i++) {
        if (mr_words_has_column(cell, column)) {
            (void)fprintf(out, "--:|");
        }
    }
    yyjson_val *entry;
    for (size_t rank = 0; (entry = mr_view_entry_at(cell, rank)) != NULL; rank++) {
        (void)fprintf(out, "\n| ");
        if (places != NULL) {
            write_place(out, places, mr_view_text(entry, "entry"));
        }
        mr_view_put(out, entry, "entry");
        char unsteady[64];
        if (mr_words_unsteady(entry, unsteady)[0] != '\0') {
            (void)fprintf(out, ", **%s**", unsteady);
        }
        (void)fprintf(out, " | %s |", MR_VIEW_WHOLE(entry, "trials_counted"));
        for (size_t i = 0; (column = mr_words_column(i)) != NULL; i++) {
            if (mr_words_has_column(cell, column)) {
                char text[32];
                double value = mr_view_median(entry, column->metric) * column->scale;
                (void)fprintf(out, " %s |", mr_view_format(value, column->digits, text));
            }
        }
    }
    (void)fprintf(out, "\n\nEach figure is the median over the trials that count.%s\n\n",
                  places == NULL ? ""
                                 : " Contestants that were not distinguished share a place, and so "
                                   "do those whom such pairs tie together.");
    if (mr_words_has_unsteady(cell)) {
        (void)fprintf(out, "%s\n\n", mr_words_of_unsteady);
    }
}

// The median of each stratum; all pairs are in the estimate.
static void write_strata_ratios(FILE *out, yyjson_val *comparison)
{
    size_t index;
    size_t count;
    yyjson_val *stratum;
    yyjson_arr_foreach(yyjson_obj_get(comparison, "strata"), index, count, stratum)
    {
        char ratio[32];
        (void)fprintf(out, "%s%s (%s pairs)", index == 0 ? "; by strata: " : ", ",
                      mr_view_format(mr_view_number(stratum, "ratio"), 3, ratio),
                      MR_VIEW_WHOLE(stratum, "pairs"));
    }
}

static void write_ratio(FILE *out, yyjson_val *comparison)
{
    char ratio[32];
    char low[32];
    char high[32];
    char quotient[32];
    char resolvable[32];
    char confidence[32];
    char verdict[128];
    (void)fprintf(out, "| ");
    mr_view_put(out, comparison, "a");
    (void)fprintf(out, " : ");
    mr_view_put(out, comparison, "b");
    (void)fprintf(out, " | %s | %s to %s | %s %% | %s | ",
                  mr_view_format(mr_view_number(comparison, "ratio"), 3, ratio),
                  mr_view_format(mr_view_number(comparison, "ratio_low"), 3, low),
                  mr_view_format(mr_view_number(comparison, "ratio_high"), 3, high),
                  mr_view_format(100 * mr_view_number(comparison, "confidence"), 1, confidence),
                  MR_VIEW_WHOLE(comparison, "pairs"));
    mr_view_escape(out, mr_words_verdict(comparison, verdict));
    (void)fprintf(
        out, " | %s | %s %% | ",
        mr_view_format(mr_view_number(comparison, "quotient_of_medians"), 3, quotient),
        mr_view_format(100 * mr_view_number(comparison, "resolvable_difference"), 1, resolvable));
    (void)fprintf(out, "%s (%s to %s)",
                  mr_view_format(mr_view_number(comparison, "hodges_lehmann"), 3, ratio),
                  mr_view_format(mr_view_number(comparison, "hodges_lehmann_low"), 3, low),
                  mr_view_format(mr_view_number(comparison, "hodges_lehmann_high"), 3, high));
    write_strata_ratios(out, comparison);
    (void)fprintf(out, " |\n");
}

// With and without exclusions, side by side, where there were any.
static void write_exclusions(FILE *out, yyjson_val *comparisons)
{
    size_t index;
    size_t count;
    yyjson_val *comparison;
    yyjson_arr_foreach(comparisons, index, count, comparison)
    {
        char words[MR_WORDS_EXCLUSIONS_BYTES];
        if (mr_words_exclusions(comparison, words)[0] != '\0') {
            bool uneven = yyjson_is_true(yyjson_ptr_get(comparison, "/exclusions/uneven"));
            (void)fprintf(out, uneven ? "**One loses more trials than the other.** " : "");
            mr_view_escape(out, words);
            (void)fprintf(out, "\n\n");
        }
    }
}

static void write_ratios(FILE *out, yyjson_val *cell)
{
    yyjson_val *comparisons = yyjson_obj_get(cell, "comparisons");
    if (yyjson_arr_size(comparisons) == 0) {
        return;
    }
    (void)fprintf(
        out,
        "| A : B | speed ratio | interval | confidence | pairs | verdict | quotient of the medians "
        "|"
        " smallest difference that as many pairs resolve | Hodges-Lehmann |\n"
        "|---|--:|--:|--:|--:|---|--:|--:|--:|\n");
    bool without = false;
    size_t index;
    size_t count;
    yyjson_val *comparison;
    yyjson_arr_foreach(comparisons, index, count, comparison)
    {
        write_ratio(out, comparison);
        without |= yyjson_equals_str(yyjson_obj_get(comparison, "verdict"), "none");
    }
    (void)fprintf(out, without ? "\n%s\n\n" : "\n%.0s", mr_words_without_verdict);
    write_exclusions(out, comparisons);
}

static void write_head(FILE *out, yyjson_val *results, yyjson_val *cell)
{
    bool served = strcmp(mr_view_text(cell, "driver"), "served") == 0;
    (void)fprintf(out, "### ");
    mr_view_put(out, cell, "name");
    (void)fprintf(out, "%s\n\nMode ", mr_report_is_unequal(results, cell) ? ": unequal work" : "");
    mr_view_put(out, cell, "mode");
    (void)fprintf(out, ", data ");
    mr_view_put(out, cell, "shape");
    (void)fprintf(out, ", ");
    if (served) {
        mr_view_put(out, cell, "plan");
        (void)fprintf(
            out, " loop, %s connections, %s batches in flight on each, %s server thread%s. ",
            MR_VIEW_WHOLE(cell, "connections"), MR_VIEW_WHOLE(cell, "depth"),
            MR_VIEW_WHOLE(cell, "threads"), mr_view_number(cell, "threads") > 1 ? "s" : "");
    } else if (strcmp(mr_view_text(cell, "driver"), "simulated") == 0) {
        (void)fprintf(out,
                      "**simulated: nobody ran, the figures are drawn from a seed to prove the "
                      "campaign itself.** ");
    } else {
        (void)fprintf(out, "in-process on one core, pass by pass in turn. ");
    }
    if (strncmp(mr_view_text(cell, "metric"), "latency_", 8) == 0) {
        (void)fprintf(out, "Compared by `");
        mr_view_code(out, mr_view_text(cell, "metric"), SIZE_MAX);
        (void)fprintf(out, "`, from the time at which a batch was due: a ratio above 1 means that "
                           "A answers sooner. ");
    }
    (void)fprintf(out, "Rows counted: %s of %s", MR_VIEW_WHOLE(cell, "rows_counted"),
                  MR_VIEW_WHOLE(cell, "rows_planned"));
    double repeated = mr_view_number(cell, "rows_repeated");
    (void)fprintf(out, repeated > 0 ? ", %.0f run again.\n\n" : ", none run again.\n\n", repeated);
}

// At which level of replication each one's throughput spreads.
static void write_replication(FILE *out, yyjson_val *cell)
{
    size_t index;
    size_t count;
    size_t written = 0;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        yyjson_val *split = yyjson_obj_get(entry, "replication");
        if (!yyjson_is_obj(split)) {
            continue;
        }
        if (written++ == 0) {
            (void)fprintf(out, "| throughput spreads by, %% | trials | thirds of a window | "
                               "processes | strata (builds) |\n|---|--:|--:|--:|--:|\n");
        }
        char number[32];
        char thirds[32];
        char trials[32];
        char strata[32];
        (void)fprintf(out, "| ");
        mr_view_put(out, entry, "entry");
        (void)fprintf(out, " | %s | %s | %s | %s |\n",
                      mr_view_format(mr_view_number(split, "trials"), 0, number),
                      mr_view_format(100 * mr_view_number(split, "thirds_of_window"), 2, thirds),
                      mr_view_format(100 * mr_view_number(split, "between_trials"), 2, trials),
                      mr_view_format(100 * mr_view_number(split, "between_strata"), 2, strata));
    }
    if (written > 0) {
        (void)fprintf(out, "\n%s\n\n", mr_words_replication);
    }
}

// A run that went on although something had changed says so before its figures.
static void write_strata(FILE *out, yyjson_val *strata)
{
    size_t index;
    size_t count;
    yyjson_val *stratum;
    yyjson_arr_foreach(strata, index, count, stratum)
    {
        if (index > 0) {
            (void)fprintf(out, "**From trial %s on something else ran: ",
                          MR_VIEW_WHOLE(stratum, "first_trial"));
            mr_view_put(out, stratum, "changes");
            (void)fprintf(out, ".**\n\n");
        }
    }
}

void mr_report_cells(FILE *out, yyjson_val *results)
{
    (void)fprintf(out, "## Results\n\n");
    write_strata(out, yyjson_obj_get(results, "strata"));
    mr_report_maxima(out, yyjson_obj_get(results, "manifest"));
    size_t index;
    size_t count;
    yyjson_val *cell;
    yyjson_arr_foreach(yyjson_obj_get(results, "cells"), index, count, cell)
    {
        write_head(out, results, cell);
        mr_report_load(out, cell);
        write_ratios(out, cell);
        write_figures(out, cell);
        write_replication(out, cell);
        mr_report_gaps(out, results, cell);
        mr_report_gates(out, cell);
    }
    (void)fprintf(out, "%s\n\n", mr_words_quotient);
}
