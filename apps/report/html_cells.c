// html_cells.c: the tables of a cell: ratios, what each contestant did, what gates and marks said.
#define _GNU_SOURCE
#include "html_out.h"
#include "html_page.h"
#include "report_page.h"
#include "report_words.h"
#include "results_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_head(const struct mr_page *page, size_t number, yyjson_val *cell)
{
    double repeated = mr_view_number(cell, "rows_repeated");
    mr_html(page->out, "<h3 id=\"cell-%zu\">%s</h3>\n<p>Mode %s, data %s, ", number,
            mr_view_text(cell, "name"), mr_view_text(cell, "mode"), mr_view_text(cell, "shape"));
    if (strcmp(mr_view_text(cell, "driver"), "served") == 0) {
        const char *plan = mr_view_text(cell, "plan");
        mr_html(page->out, strcmp(plan, "closed") == 0 ? "%s loop, " : "open loop by plan %s, ",
                plan);
        (void)fprintf(page->out,
                      "%s connections, %s batches in flight on each, server threads: %s. ",
                      MR_VIEW_WHOLE(cell, "connections"), MR_VIEW_WHOLE(cell, "depth"),
                      MR_VIEW_WHOLE(cell, "threads"));
    } else if (strcmp(mr_view_text(cell, "driver"), "simulated") == 0) {
        mr_html(page->out, "<strong>simulated: nobody ran, the figures are drawn from a seed to "
                           "prove the campaign itself.</strong> ");
    } else {
        mr_html(page->out, "in-process on one core, pass by pass in turn. ");
    }
    (void)fprintf(page->out, "Rows counted: %s of %s, run again: %.0f. ",
                  MR_VIEW_WHOLE(cell, "rows_counted"), MR_VIEW_WHOLE(cell, "rows_planned"),
                  isfinite(repeated) ? repeated : 0);
    mr_html(page->out, "Compared by <code>%s</code>.</p>\n", mr_view_text(cell, "metric"));
    if (strcmp(mr_view_text(cell, "measures"), "generator") == 0) {
        mr_html(page->out, "<p>This cell measures the load generator: its entries differ in what "
                           "it does, and say nothing of contestants.</p>\n");
    }
}

static void write_headroom(const struct mr_page *page, yyjson_val *cell)
{
    bool bound;
    char text[512];
    if (mr_words_headroom(cell, &bound, text)[0] == '\0') {
        return;
    }
    if (bound) {
        mr_html(page->out, "<p class=\"warning\"><strong>Generator-bound</strong>: %s</p>\n", text);
    } else {
        mr_html(page->out, "<p class=\"note\">%s</p>\n", text);
    }
}

static void write_ratio(const struct mr_page *page, size_t number, yyjson_val *comparison)
{
    char verdict[128];
    const char *a = mr_view_text(comparison, "a");
    const char *b = mr_view_text(comparison, "b");
    mr_html(page->out, "<tr");
    mr_page_filter(page, number, a, b);
    mr_html(page->out, "><th scope=\"row\">%s : %s</th>", a, b);
    mr_html_figure(page->out, "", mr_view_number(comparison, "ratio"), 3);
    mr_html_number(page->out, mr_view_number(comparison, "ratio_low"), 3);
    mr_html_number(page->out, mr_view_number(comparison, "ratio_high"), 3);
    mr_html_number(page->out, 100 * mr_view_number(comparison, "confidence"), 1);
    mr_html_number(page->out, mr_view_number(comparison, "pairs"), 0);
    mr_html(page->out, "<td>%s</td>", mr_words_verdict(comparison, verdict));
    mr_html_number(page->out, mr_view_number(comparison, "quotient_of_medians"), 3);
    mr_html_number(page->out, 100 * mr_view_number(comparison, "resolvable_difference"), 1);
    mr_html_number(page->out, mr_view_number(comparison, "hodges_lehmann"), 3);
    mr_html(page->out, "</tr>\n");
}

static void write_ratios(const struct mr_page *page, size_t number, yyjson_val *cell)
{
    static const char *const titles[] = {
        "A : B",         "#speed ratio",   "#from",   "#to",
        "#confidence %", "#pairs",         "verdict", "#quotient of medians",
        "#resolves %",   "#Hodges-Lehmann"};
    yyjson_val *comparisons = yyjson_obj_get(cell, "comparisons");
    if (yyjson_arr_size(comparisons) == 0) {
        return;
    }
    char caption[256];
    (void)snprintf(caption, sizeof caption, "%s: ratios, pair by pair", mr_view_text(cell, "name"));
    MR_PAGE_TABLE(page, caption, titles);
    bool without = false;
    size_t index;
    size_t count;
    yyjson_val *comparison;
    yyjson_arr_foreach(comparisons, index, count, comparison)
    {
        write_ratio(page, number, comparison);
        without |= yyjson_equals_str(yyjson_obj_get(comparison, "verdict"), "none");
    }
    mr_page_table_end(page, "results.json, cells[].comparisons");
    mr_html(page->out, without ? "<p class=\"note\">%s</p>\n" : "", mr_words_without_verdict);
}

static void write_entry(const struct mr_page *page, size_t number, yyjson_val *cell,
                        yyjson_val *entry)
{
    const char *name = mr_view_text(entry, "entry");
    char unsteady[64];
    char head[320];
    bool is_steady = mr_words_unsteady(entry, unsteady)[0] == '\0';
    (void)snprintf(head, sizeof head, "%.250s%s%s", name, is_steady ? "" : ", ", unsteady);
    mr_page_row(page, number, name, NULL, head);
    yyjson_val *places = yyjson_ptr_get(cell, "/places/of");
    if (places != NULL) {
        mr_html_number(page->out, mr_view_number(places, name), 0);
    }
    mr_html_number(page->out, mr_view_number(entry, "trials_counted"), 0);
    const struct mr_column *column;
    for (size_t i = 0; (column = mr_words_column(i)) != NULL; i++) {
        if (mr_words_has_column(cell, column)) {
            mr_html_figure(page->out, column->metric,
                           mr_view_median(entry, column->metric) * column->scale, column->digits);
        }
    }
    mr_html(page->out, "</tr>\n");
}

static void write_figures(const struct mr_page *page, size_t number, yyjson_val *cell)
{
    char caption[256];
    (void)snprintf(caption, sizeof caption, "%s: medians over the trials that count",
                   mr_view_text(cell, "name"));
    mr_page_table(page, caption);
    mr_html(page->out, "<thead><tr>");
    mr_page_head(page, "contestant", false);
    if (yyjson_ptr_get(cell, "/places/of") != NULL) {
        mr_page_head(page, "place", true);
    }
    mr_page_head(page, "trials", true);
    const struct mr_column *column;
    for (size_t i = 0; (column = mr_words_column(i)) != NULL; i++) {
        if (mr_words_has_column(cell, column)) {
            mr_page_head(page, column->title, true);
        }
    }
    mr_html(page->out, "</tr></thead><tbody>\n");
    yyjson_val *entry;
    for (size_t rank = 0; (entry = mr_view_entry_at(cell, rank)) != NULL; rank++) {
        write_entry(page, number, cell, entry);
    }
    mr_page_table_end(page, "results.json, cells[].entries[].metrics");
    if (mr_words_has_unsteady(cell)) {
        mr_html(page->out, "<p class=\"warning\">%s</p>\n", mr_words_of_unsteady);
    }
}

static void write_gates(const struct mr_page *page, yyjson_val *cell)
{
    static const char *const titles[] = {"gate",         "#passed", "#failed",
                                         "#unavailable", "#exempt", "#off"};
    static const char *const outcomes[] = {"passed", "failed", "unavailable", "exempt", "off"};
    MR_PAGE_TABLE(page, "Trials by what each gate said", titles);
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *gate;
    yyjson_obj_foreach(yyjson_obj_get(cell, "gates"), index, count, key, gate)
    {
        mr_html(page->out, "<tr><th scope=\"row\">%s</th>", yyjson_get_str(key));
        for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
            mr_html_number(page->out, mr_view_number(gate, outcomes[i]), 0);
        }
        mr_html(page->out, "</tr>\n");
    }
    mr_page_table_end(page, "results.json, cells[].gates");
}

static void write_marks(const struct mr_page *page, size_t number, yyjson_val *cell)
{
    mr_page_table(page, "Trials with a mark; they count");
    mr_html(page->out, "<thead><tr>");
    mr_page_head(page, "contestant", false);
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *value;
    yyjson_obj_foreach(yyjson_obj_get(cell, "marks"), index, count, key, value)
    {
        mr_page_head(page, yyjson_get_str(key), true);
    }
    mr_html(page->out, "</tr></thead><tbody>\n");
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        const char *name = mr_view_text(entry, "entry");
        mr_page_row(page, number, name, NULL, name);
        size_t at;
        size_t total;
        yyjson_obj_foreach(yyjson_obj_get(entry, "marks"), at, total, key, value)
        {
            char text[48];
            mr_html(page->out, "<td class=\"n\">%s</td>", mr_words_mark(value, text));
        }
        mr_html(page->out, "</tr>\n");
    }
    mr_page_table_end(page, "results.json, cells[].entries[].marks");
}

static void write_uneven(const struct mr_page *page, yyjson_val *cell)
{
    size_t index;
    size_t count;
    yyjson_val *gate;
    yyjson_val *entries;
    yyjson_obj_foreach(yyjson_obj_get(cell, "uneven"), index, count, gate, entries)
    {
        mr_html(page->out,
                "<p class=\"warning\"><strong>Not the same for all</strong>: gate "
                "<code>%s</code> failed in",
                yyjson_get_str(gate));
        size_t at;
        size_t total;
        yyjson_val *entry;
        yyjson_val *failed;
        yyjson_obj_foreach(entries, at, total, entry, failed)
        {
            (void)fprintf(page->out, "%s %.0f of ", at == 0 ? "" : ",", yyjson_get_num(failed));
            mr_html(page->out, "%s", yyjson_get_str(entry));
        }
        mr_html(page->out, ". A gate that hits one more often than another may select among its "
                           "trials.</p>\n");
    }
}

// At which level of replication each one's throughput spreads.
static void write_replication(const struct mr_page *page, size_t number, yyjson_val *cell)
{
    static const char *const titles[] = {"entry", "#trials", "#thirds of a window %",
                                         "#processes %", "#strata (builds) %"};
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
            MR_PAGE_TABLE(page, "At which level throughput spreads", titles);
        }
        const char *name = mr_view_text(entry, "entry");
        mr_page_row(page, number, name, NULL, name);
        mr_html_number(page->out, mr_view_number(split, "trials"), 0);
        mr_html_number(page->out, 100 * mr_view_number(split, "thirds_of_window"), 2);
        mr_html_number(page->out, 100 * mr_view_number(split, "between_trials"), 2);
        mr_html_number(page->out, 100 * mr_view_number(split, "between_strata"), 2);
        mr_html(page->out, "</tr>\n");
    }
    if (written > 0) {
        mr_page_table_end(page, "results.json, cells[].entries[].replication");
        mr_html(page->out, "<p class=\"note\">%s</p>\n", mr_words_replication);
    }
}

// With and without exclusions, side by side, where there were any.
static void write_exclusions(const struct mr_page *page, yyjson_val *cell)
{
    size_t index;
    size_t count;
    yyjson_val *comparison;
    yyjson_arr_foreach(yyjson_obj_get(cell, "comparisons"), index, count, comparison)
    {
        char words[MR_WORDS_EXCLUSIONS_BYTES];
        bool uneven = yyjson_is_true(yyjson_ptr_get(comparison, "/exclusions/uneven"));
        if (mr_words_exclusions(comparison, words)[0] != '\0') {
            mr_html(page->out,
                    uneven ? "<p class=\"warning\"><strong>One loses more trials than the "
                             "other.</strong> %s</p>\n"
                           : "<p class=\"note\">%s</p>\n",
                    words);
        }
    }
}

static void write_overloaded(const struct mr_page *page, yyjson_val *cell)
{
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        yyjson_val *mark = yyjson_ptr_get(entry, "/marks/overloaded");
        char text[48];
        if (mr_view_number(mark, "marked") > 0) {
            mr_html(
                page->out,
                "<p class=\"warning\"><strong>Overloaded</strong>: %s did not sustain the rate "
                "in %s trials: its queue grew. That is a result, no reason to exclude it.</p>\n",
                mr_view_text(entry, "entry"), mr_words_mark(mark, text));
        }
    }
}

// What `write` says of a load, escaped.
static void write_escaped(const struct mr_page *page, void (*write)(FILE *, yyjson_val *),
                          yyjson_val *load)
{
    char *text = NULL;
    size_t length;
    FILE *memory = open_memstream(&text, &length);
    if (memory != NULL) {
        write(memory, load);
        mr_html(page->out, "<td>%s</td>", fclose(memory) == 0 ? text : "unavailable");
    }
    free(text);
}

static void write_loads(const struct mr_page *page, size_t number, yyjson_val *cell)
{
    static const char *const titles[] = {"entry",        "contestant",         "plan",
                                         "#connections", "#in flight on each", "checks"};
    MR_PAGE_TABLE(page, "What was offered to whom", titles);
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        yyjson_val *load = yyjson_obj_get(entry, "load");
        const char *name = mr_view_text(entry, "entry");
        mr_page_row(page, number, name, NULL, name);
        mr_html(page->out, "<td>%s</td>", mr_view_text(entry, "contestant"));
        write_escaped(page, mr_report_plan, load);
        mr_html_number(page->out, mr_view_number(load, "connections"), 0);
        mr_html_number(page->out, mr_view_number(load, "depth"), 0);
        write_escaped(page, mr_report_switches, load);
        mr_html(page->out, "</tr>\n");
    }
    mr_page_table_end(page, "manifest.json, loads");
}

static void write_maximum(const struct mr_page *page, yyjson_val *one)
{
    const char *remark =
        yyjson_is_true(yyjson_obj_get(one, "slowest"))           ? "the slowest: it sets the rates"
        : yyjson_is_true(yyjson_obj_get(one, "null_contestant")) ? "does no work: sets no rate"
                                                                 : "";
    mr_html(page->out, "<tr><th scope=\"row\">%s</th><td>%s</td>", mr_view_text(one, "cell"),
            mr_view_text(one, "contestant"));
    mr_html_number(page->out, mr_view_number(one, "median_per_s"), 1);
    mr_html(page->out, "<td>%s%s</td></tr>\n", remark, mr_view_text(one, "reason"));
}

static void write_maxima(const struct mr_page *page)
{
    yyjson_val *maxima = yyjson_obj_get(page->manifest, "maxima");
    if (yyjson_arr_size(maxima) == 0) {
        return;
    }
    static const char *const titles[] = {"cell", "contestant", "#batches/s", "remark"};
    MR_PAGE_TABLE(page,
                  "Maxima that shares of a load are shares of: closed loop, 16 connections with 4 "
                  "batches in flight, measured before the first trial",
                  titles);
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(maxima, index, count, one)
    {
        write_maximum(page, one);
    }
    mr_page_table_end(page, "manifest.json, maxima; raw: maxima/");
}

// A run that went on although something had changed says so before its figures.
static void write_strata(const struct mr_page *page)
{
    size_t index;
    size_t count;
    yyjson_val *stratum;
    yyjson_arr_foreach(yyjson_obj_get(page->results, "strata"), index, count, stratum)
    {
        if (index > 0) {
            (void)fprintf(page->out,
                          "<p class=\"warning\"><strong>From trial %s on something else ran"
                          "</strong>: ",
                          MR_VIEW_WHOLE(stratum, "first_trial"));
            mr_html(page->out, "%s</p>\n", mr_view_text(stratum, "changes"));
        }
    }
}

void mr_page_cells(const struct mr_page *page)
{
    mr_html(page->out, "<section id=\"results\">\n<h2>Results, cell by cell</h2>\n<p>%s</p>\n",
            mr_words_quotient);
    write_strata(page);
    write_maxima(page);
    size_t index;
    size_t count;
    yyjson_val *cell;
    yyjson_arr_foreach(page->cells, index, count, cell)
    {
        mr_html(page->out, "<article");
        mr_page_filter(page, index, NULL, NULL);
        mr_html(page->out, ">\n");
        write_head(page, index, cell);
        mr_page_gaps(page, cell);
        write_headroom(page, cell);
        write_uneven(page, cell);
        write_exclusions(page, cell);
        write_overloaded(page, cell);
        write_ratios(page, index, cell);
        write_figures(page, index, cell);
        mr_html(page->out, "<details><summary>Load, spread, gates and marks</summary>\n");
        if (strcmp(mr_view_text(cell, "driver"), "served") == 0) {
            write_loads(page, index, cell);
        }
        write_replication(page, index, cell);
        write_gates(page, cell);
        write_marks(page, index, cell);
        mr_html(page->out, "</details>\n</article>\n");
    }
    mr_html(page->out, "</section>\n");
}
