// html_trials.c: what is missing and what finishes it; trials that do not count; all trials.
#include "html_out.h"
#include "html_page.h"
#include "results_view.h"

#include <string.h>

static void write_missing_cell(const struct mr_page *page, size_t number, yyjson_val *cell)
{
    mr_page_row(page, number, NULL, NULL, mr_view_text(cell, "name"));
    mr_html_number(page->out, mr_view_number(cell, "rows_counted"), 0);
    mr_html_number(page->out, mr_view_number(cell, "rows_planned"), 0);
    mr_html(page->out, "<td>%s</td><td><code>%s</code></td></tr>\n",
            mr_view_number(cell, "rows_repeated") > 0
                ? "rows were run again as often as the rules allow and still had a trial that does "
                  "not count, or the run ended first"
                : "the run ended before its rows were done",
            mr_view_text(page->manifest, "reproduce"));
}

void mr_page_missing(const struct mr_page *page)
{
    static const char *const titles[] = {"cell", "#rows counted", "#planned", "why",
                                         "runs it whole"};
    mr_html(page->out, "<section id=\"missing\">\n<h2>What is missing</h2>\n");
    size_t index;
    size_t count;
    yyjson_val *cell;
    size_t written = 0;
    yyjson_arr_foreach(page->cells, index, count, cell)
    {
        if (mr_view_number(cell, "rows_counted") >= mr_view_number(cell, "rows_planned")) {
            continue;
        }
        if (written++ == 0) {
            MR_PAGE_TABLE(page, "Cells that are not whole", titles);
        }
        write_missing_cell(page, index, cell);
    }
    if (written > 0) {
        mr_page_table_end(page, "results.json, cells[]; what ended the run: run.log");
    } else {
        mr_html(page->out, "<p>Nothing: every planned row of every cell was counted.</p>\n");
    }
    mr_html(page->out, "</section>\n");
}

// A link to the trial's own file. Nothing but a file's name can stand in it.
static void write_link(const struct mr_page *page, yyjson_val *trial)
{
    const char *file = mr_view_text(trial, "file");
    char number[24];
    (void)mr_view_count(trial, "number", number);
    if (strpbrk(file, "/:?#%\\") == NULL) {
        mr_html(page->out, "<td class=\"n\" data-v=\"%s\"><a href=\"trials/%s\">%s</a></td>",
                number, file, number);
    } else {
        mr_html(page->out, "<td class=\"n\">%s</td>", number);
    }
}

static size_t cell_number(const struct mr_page *page, yyjson_val *trial)
{
    size_t index;
    size_t count;
    yyjson_val *cell;
    yyjson_arr_foreach(page->cells, index, count, cell)
    {
        if (strcmp(mr_view_text(cell, "name"), mr_view_text(trial, "cell")) == 0) {
            break;
        }
    }
    return index;
}

static void write_trial(const struct mr_page *page, yyjson_val *trial)
{
    const char *entry = mr_view_text(trial, "entry");
    yyjson_val *metrics = yyjson_obj_get(trial, "metrics");
    mr_html(page->out, "<tr");
    mr_page_filter(page, cell_number(page, trial), entry, NULL);
    mr_html(page->out, ">");
    write_link(page, trial);
    mr_html(page->out, "<td>%s</td><td>%s</td>", mr_view_text(trial, "cell"), entry);
    mr_html_number(page->out, mr_view_number(trial, "row"), 0);
    mr_html_number(page->out, mr_view_number(trial, "attempt"), 0);
    mr_html_number(page->out, mr_view_number(metrics, "records_per_s") / 1e6, 3);
    mr_html(page->out, "<td>%s</td><td class=\"long\">%s</td></tr>\n",
            mr_view_text(trial, "outcome"), mr_view_text(trial, "reason"));
}

static size_t write_table(const struct mr_page *page, const char *caption, bool excluded_only)
{
    static const char *const titles[] = {"#trial",   "cell",         "contestant", "#row",
                                         "#attempt", "#M records/s", "outcome",    "reason"};
    size_t index;
    size_t count;
    yyjson_val *trial;
    size_t written = 0;
    yyjson_arr_foreach(yyjson_obj_get(page->results, "trials"), index, count, trial)
    {
        if (excluded_only && strcmp(mr_view_text(trial, "outcome"), "counted") == 0) {
            continue;
        }
        if (written++ == 0) {
            MR_PAGE_TABLE(page, caption, titles);
        }
        write_trial(page, trial);
    }
    if (written > 0) {
        mr_page_table_end(page, "results.json, trials");
    }
    return written;
}

void mr_page_trials(const struct mr_page *page)
{
    mr_html(page->out, "<section id=\"trials\">\n<h2>Trials that do not count, and all</h2>\n");
    if (write_table(page, "Excluded and wrong trials; their data are kept", true) == 0) {
        mr_html(page->out, "<p>None was excluded: all %zu trials count.</p>\n",
                yyjson_arr_size(yyjson_obj_get(page->results, "trials")));
    }
    mr_html(page->out, "<details><summary>All trials</summary>\n");
    (void)write_table(page, "All trials in the order in which they ran", false);
    mr_html(page->out, "</details>\n</section>\n");
}
