// report_page.c: report.md from top to bottom: what may be concluded first, then the evidence.
#include "report_page.h"

#include "controls_words.h"
#include "report_never.h"
#include "report_words.h"
#include "results_view.h"

#include <math.h>
#include <string.h>

static void write_verdicts(FILE *out, yyjson_val *results)
{
    size_t index;
    size_t count;
    yyjson_val *cell;
    size_t sentences = 0;
    bool any_bound = false;
    yyjson_arr_foreach(yyjson_obj_get(results, "cells"), index, count, cell)
    {
        size_t at;
        size_t total;
        yyjson_val *comparison;
        bool bound;
        char headroom[512];
        (void)mr_words_headroom(cell, &bound, headroom);
        any_bound |= bound;
        yyjson_arr_foreach(yyjson_obj_get(cell, "comparisons"), at, total, comparison)
        {
            if (yyjson_is_true(yyjson_obj_get(comparison, "primary"))) {
                char sentence[512];
                mr_view_sentence(cell, comparison, sentence, sizeof sentence);
                (void)fprintf(out, "- **");
                mr_view_escape(out, sentence);
                (void)fprintf(out, "**%s\n", bound ? ", generator-bound" : "");
                sentences++;
            }
        }
    }
    if (sentences == 0) {
        (void)fprintf(out, "This run fixed no comparison that gets a verdict.\n");
    }
    (void)fprintf(out, "%s\n",
                  sentences > 0 && any_bound
                      ? "\nGenerator-bound: sockets and generator hide part of the difference, so "
                        "the true ratio is further from 1 than is shown (the cell says how far).\n"
                      : "");
}

// A line for every entry that `key` says something of: what was taken out of the race, and why.
static void write_out_of_race(FILE *out, yyjson_val *results, const char *key, const char *mark,
                              const char *what)
{
    size_t index;
    size_t count;
    yyjson_val *cell;
    size_t listed = 0;
    yyjson_arr_foreach(yyjson_obj_get(results, "cells"), index, count, cell)
    {
        size_t at;
        size_t total;
        yyjson_val *entry;
        yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), at, total, entry)
        {
            if (yyjson_is_str(yyjson_obj_get(entry, key)) &&
                !mr_control_is_liar(yyjson_obj_get(results, "controls"),
                                    mr_view_text(entry, "entry"))) {
                (void)fprintf(out, "- **%s**: ", mark);
                mr_view_put(out, entry, "entry");
                (void)fprintf(out, " in ");
                mr_view_put(out, cell, "name");
                (void)fprintf(out, " %s: ", what);
                mr_view_put(out, entry, key);
                (void)fprintf(out, "\n");
                listed++;
            }
        }
    }
    (void)fprintf(out, listed > 0 ? "\n" : "");
}

static void write_state(FILE *out, yyjson_val *results)
{
    if (yyjson_is_true(yyjson_obj_get(results, "complete"))) {
        return;
    }
    (void)fprintf(
        out,
        "> **Incomplete.** Not every planned row could be counted (the cells say how many were);"
        " what is below rests on the rows that were.\n\n");
    if (mr_report_never_counted(out, results) == 0) {
        (void)fprintf(out, "The same command runs it whole again.\n\n");
    }
}

// What was edited after it was written comes first: nothing behind it is what the run found.
static void write_not_as_logged(FILE *out, yyjson_val *results)
{
    size_t index;
    size_t count;
    yyjson_val *file;
    yyjson_arr_foreach(yyjson_obj_get(results, "not_as_logged"), index, count, file)
    {
        (void)fprintf(out, index == 0 ? "> **%s** %s\n>\n" : "", mr_words_not_as_logged,
                      mr_words_not_as_logged_means);
        (void)fprintf(out, "> - ");
        mr_view_put(out, file, "file");
        (void)fprintf(out, ": ");
        mr_view_put(out, file, "what");
        (void)fprintf(out, index + 1 == count ? "\n\n" : "\n");
    }
}

static void write_grade(FILE *out, yyjson_val *environment)
{
    const char *grade = mr_view_text(environment, "grade");
    (void)fprintf(out, "Grade **");
    mr_view_escape(out, grade);
    (void)fprintf(out, "**: %s\n\n", mr_words_grade(grade));
    size_t index;
    size_t count;
    yyjson_val *lack;
    yyjson_val *lacks = yyjson_obj_get(environment, "lacks");
    if (yyjson_arr_size(lacks) > 0) {
        (void)fprintf(out, "An ideal host would have what this one lacks:\n\n");
    }
    yyjson_arr_foreach(lacks, index, count, lack)
    {
        (void)fprintf(out, "- ");
        mr_view_escape(out, yyjson_get_str(lack));
        (void)fprintf(out, "\n");
    }
    (void)fprintf(out, "\n");
}

static void write_reading(FILE *out, yyjson_val *results)
{
    double margin =
        mr_view_number(yyjson_obj_get(yyjson_obj_get(results, "manifest"), "rules"), "margin");
    char text[1024];
    (void)fprintf(out, "%s\n\n", mr_words_reading(margin, text));
}

// Nothing but the name of a file of trials/ can stand in a link.
static void write_link(FILE *out, yyjson_val *trial)
{
    const char *file = mr_view_text(trial, "file");
    bool plain =
        file[0] != '\0' && file[strspn(file, "0123456789abcdefghijklmnopqrstuvwxyz._-")] == '\0';
    (void)fprintf(out, plain ? "| [%s](trials/%s) | " : "| %s | ", MR_VIEW_WHOLE(trial, "number"),
                  file);
}

static void write_excluded(FILE *out, yyjson_val *results)
{
    (void)fprintf(out, "## Excluded and wrong trials\n\n");
    size_t index;
    size_t count;
    yyjson_val *trial;
    size_t listed = 0;
    yyjson_arr_foreach(yyjson_obj_get(results, "trials"), index, count, trial)
    {
        if (strcmp(mr_view_text(trial, "outcome"), "counted") == 0) {
            continue;
        }
        if (listed++ == 0) {
            (void)fprintf(out, "| trial | cell | row, attempt | contestant | outcome | reason "
                               "|\n|---|---|---|---|---|---|\n");
        }
        write_link(out, trial);
        mr_view_put(out, trial, "cell");
        (void)fprintf(out, " | %s, %s | ", MR_VIEW_WHOLE(trial, "row"),
                      MR_VIEW_WHOLE(trial, "attempt"));
        mr_view_put(out, trial, "entry");
        (void)fprintf(out, " | ");
        mr_view_put(out, trial, "outcome");
        (void)fprintf(out, " | ");
        mr_view_put(out, trial, "reason");
        (void)fprintf(out, " |\n");
    }
    (void)fprintf(out,
                  listed == 0 ? "None: all %zu trials count.\n\n"
                              : "\nOf %zu trials in all. Their data are kept.\n\n",
                  count);
}

void mr_report_page(FILE *out, yyjson_val *results, bool has_picture)
{
    yyjson_val *manifest = yyjson_obj_get(results, "manifest");
    (void)fprintf(out, "# ");
    mr_view_put(out, manifest, "title");
    (void)fprintf(out, "\n\n");
    write_not_as_logged(out, results);
    write_state(out, results);
    mr_report_sensitivity(out, results);
    write_verdicts(out, results);
    mr_report_targets(out, results);
    write_out_of_race(out, results, "wrong", "WRONG", "was taken out of the race");
    write_out_of_race(out, results, "absent", "ABSENT", "was left out");
    (void)fprintf(out, "## What may be concluded on this machine\n\n");
    write_grade(out, yyjson_obj_get(manifest, "environment"));
    write_reading(out, results);
    if (has_picture) {
        (void)fprintf(
            out, "![Speed ratios with their intervals; each point is one pair](ratios.svg)\n\n");
    }
    mr_report_cells(out, results);
    mr_report_controls(out, results);
    write_excluded(out, results);
    mr_report_provenance(out, results);
}
