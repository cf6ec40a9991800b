// html_choose.c: what else a reader chooses by than a ratio, and the advice that follows from the
// verdicts by rules that stand beside it.
#include "html_out.h"
#include "html_page.h"
#include "report_words.h"
#include "results_view.h"

#include <math.h>
#include <string.h>

static yyjson_val *contestant_of(const struct mr_page *page, const char *entry)
{
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(page->manifest, "contestants"), index, count, one)
    {
        if (strcmp(mr_view_text(one, "entry"), entry) == 0) {
            return one;
        }
    }
    return NULL;
}

static bool takes_any_json(const struct mr_page *page, const char *entry)
{
    return yyjson_is_true(yyjson_obj_get(contestant_of(page, entry), "any_json"));
}

static bool is_null_contestant(const struct mr_page *page, const char *entry)
{
    return strcmp(mr_view_text(contestant_of(page, entry), "mode_override"), "drain") == 0;
}

// What the verdicts of a cell say of `x` against `y`: 1 faster, 0 the same, -1 slower; NAN:
// nothing.
static double verdict_between(yyjson_val *cell, const char *x, const char *y)
{
    size_t index;
    size_t count;
    yyjson_val *comparison;
    double found = NAN;
    yyjson_arr_foreach(yyjson_obj_get(cell, "comparisons"), index, count, comparison)
    {
        const char *verdict = mr_view_text(comparison, "verdict");
        bool forward = strcmp(mr_view_text(comparison, "a"), x) == 0 &&
                       strcmp(mr_view_text(comparison, "b"), y) == 0;
        bool backward = strcmp(mr_view_text(comparison, "a"), y) == 0 &&
                        strcmp(mr_view_text(comparison, "b"), x) == 0;
        if (!(forward || backward) || !yyjson_is_true(yyjson_obj_get(comparison, "primary"))) {
            continue;
        }
        double side = strncmp(verdict, "faster", 6) == 0   ? 1
                      : strncmp(verdict, "slower", 6) == 0 ? -1
                      : strcmp(verdict, "same") == 0       ? 0
                                                           : NAN;
        found = forward ? side : -side;
    }
    return found;
}

// Whether `x` leads the cell: against the others (only those that take any JSON, where `any_json`)
// some verdict calls it faster or the same, and none slower.
static bool leads(const struct mr_page *page, yyjson_val *cell, const char *x, bool any_json)
{
    size_t index;
    size_t count;
    yyjson_val *other;
    size_t decided = 0;
    size_t lost = 0;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, other)
    {
        const char *y = mr_view_text(other, "entry");
        double side = any_json && !takes_any_json(page, y) ? NAN : verdict_between(cell, x, y);
        decided += isfinite(side) ? 1 : 0;
        lost += side < 0 ? 1 : 0;
    }
    return decided > 0 && lost == 0 && !is_null_contestant(page, x) &&
           (!any_json || takes_any_json(page, x));
}

// The leaders of a cell, with "and" between them. Returns their number; `special_out`: one of them
// is bound to this schema.
static size_t write_leaders(const struct mr_page *page, yyjson_val *cell, bool any_json,
                            bool *special_out)
{
    size_t index;
    size_t count;
    yyjson_val *entry;
    size_t written = 0;
    *special_out = false;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        const char *name = mr_view_text(entry, "entry");
        if (leads(page, cell, name, any_json)) {
            mr_html(page->out, "%s<strong>%s</strong>", written++ > 0 ? " or " : "", name);
            *special_out = *special_out || !takes_any_json(page, name);
        }
    }
    return written;
}

static void write_advice(const struct mr_page *page, size_t number, yyjson_val *cell)
{
    bool special;
    bool bound;
    char headroom[512];
    mr_html(page->out, "<p class=\"advice\"");
    mr_page_filter(page, number, NULL, NULL);
    mr_html(page->out, "><em>%s</em>: ", mr_view_text(cell, "name"));
    if (write_leaders(page, cell, false, &special) == 0) {
        mr_html(page->out, "no advice: no verdict of this run puts anyone first.</p>\n");
        return;
    }
    mr_html(page->out, " for speed.");
    if (special) {
        bool ignored;
        mr_html(page->out, " Where other JSON than this schema may come: ");
        if (write_leaders(page, cell, true, &ignored) == 0) {
            mr_html(page->out, "no advice, for no verdict compares those that take any JSON "
                               "with each other");
        }
        mr_html(page->out, ".");
    }
    (void)mr_words_headroom(cell, &bound, headroom);
    mr_html(page->out, bound ? " Sockets and generator hide part of the difference here: the "
                               "direction holds, the size is larger than shown.</p>\n"
                             : "</p>\n");
}

static void write_rules(const struct mr_page *page)
{
    mr_html(
        page->out,
        "<details><summary>The rules behind the advice</summary>\n<ol>\n<li>Only verdicts count: "
        "what is shown without verdict, indicative or not resolved recommends nothing.</li>\n"
        "<li>In a cell, a contestant comes first when a verdict calls it faster than another or "
        "the same, and none calls it slower. Several may share the place; those that no verdict "
        "compares with each other are not ranked.</li>\n<li>Where one of the first is made for "
        "this schema only, the same rule is asked again among those that take any JSON.</li>\n"
        "<li>The null contestant, and who was wrong or absent, is never recommended.</li>\n"
        "<li>Speed alone is judged. Cost, memory, tail and upkeep stand in the tables: what they "
        "are worth is the reader's to say.</li>\n</ol>\n</details>\n");
}

static double tail_ms(yyjson_val *entry)
{
    return mr_view_median(entry, "latency_p99_ns") / 1e6;
}

static double rejected_percent(const struct mr_page *page, yyjson_val *cell, yyjson_val *entry)
{
    double rejected =
        mr_trial_median(page->trials, cell, entry, "/details/generator/window/rejected", NULL);
    double batches =
        mr_trial_median(page->trials, cell, entry, "/details/generator/window/batches", NULL);
    return 100 * rejected / batches;
}

static void write_cost(const struct mr_page *page, size_t number, yyjson_val *cell,
                       yyjson_val *entry)
{
    const char *name = mr_view_text(entry, "entry");
    double peak = mr_view_median(entry, "peak_rss_bytes") / 1048576;
    bool keeps_nothing = strcmp(mr_view_text(cell, "mode"), "totals") == 0;
    mr_page_row(page, number, name, NULL, name);
    mr_html(page->out, "<td>%s</td>", mr_view_text(cell, "name"));
    mr_html_figure(page->out, "records_per_s", mr_view_median(entry, "records_per_s") / 1e6, 3);
    mr_html_figure(page->out, "server_cpu_s_per_million_records",
                   mr_view_median(entry, "server_cpu_s_per_million_records"), 3);
    mr_html_figure(page->out, "peak_rss_bytes", peak, 1);
    mr_html_figure(page->out, "peak_rss_bytes", keeps_nothing ? peak : NAN, 1);
    mr_html_figure(page->out, "latency_p99_ns", tail_ms(entry), 3);
    mr_html_figure(page->out, "startup_ns", mr_view_median(entry, "startup_ns") / 1e6, 1);
    mr_html_number(page->out, rejected_percent(page, cell, entry), 2);
    mr_html(page->out, "</tr>\n");
}

static void write_costs(const struct mr_page *page)
{
    static const char *const titles[] = {"contestant",
                                         "cell",
                                         "#M records/s",
                                         "#CPU s per M records",
                                         "#peak memory MiB",
                                         "#beyond kept bytes MiB",
                                         "#tail: latency p99 ms",
                                         "#start ms",
                                         "#batches rejected %"};
    MR_PAGE_TABLE(page, "What it gives and costs, cell by cell; medians over the trials that count",
                  titles);
    size_t index;
    size_t count;
    yyjson_val *cell;
    yyjson_arr_foreach(page->cells, index, count, cell)
    {
        size_t at;
        size_t total;
        yyjson_val *entry;
        // Who is compared with nobody (not warm, of another kind) is nothing to choose by.
        bool races = strcmp(mr_view_text(cell, "measures"), "generator") != 0 &&
                     yyjson_arr_size(yyjson_obj_get(cell, "comparisons")) > 0;
        yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), at, total, entry)
        {
            if (races && !is_null_contestant(page, mr_view_text(entry, "entry"))) {
                write_cost(page, index, cell, entry);
            }
        }
    }
    mr_page_table_end(page, "results.json, cells[].entries[].metrics");
    mr_html(page->out,
            "<p class=\"note\">“–” is unavailable. Cells that compare nobody are left out. Memory "
            "beyond the kept bytes is known only where "
            "nothing is kept: no trial tells how many bytes its kept records have. Tail is latency "
            "from the time at which a batch was due, and needs an open-loop cell with 10,000 "
            "batches.</p>\n");
}

static void write_quality(const struct mr_page *page, yyjson_val *one)
{
    const char *safety = mr_view_text(one, "memory_safety");
    const char *name = mr_view_text(one, "entry");
    mr_html(page->out,
            "<tr data-e=\"%zu\"><th scope=\"row\">%s</th><td>%s</td><td>%s</td><td>%s</td>"
            "<td>%s</td><td>%s</td>",
            mr_page_entry(page, name), name, mr_view_text(one, "class"),
            mr_view_text(one, "language"),
            yyjson_is_true(yyjson_obj_get(one, "any_json")) ? "any JSON" : "this schema only",
            safety, strncmp(safety, "by the language", 15) == 0 ? "no" : "yes");
    mr_html_number(page->out, mr_view_number(one, "parser_lines"), 0);
    mr_html(page->out, "</tr>\n");
}

static void write_qualities(const struct mr_page *page)
{
    static const char *const titles[] = {
        "contestant",           "class", "language", "takes", "memory safety", "fuzzer needed",
        "#parser lines to keep"};
    MR_PAGE_TABLE(page, "What it is to live with", titles);
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(page->manifest, "contestants"), index, count, one)
    {
        if (!is_null_contestant(page, mr_view_text(one, "entry"))) {
            write_quality(page, one);
        }
    }
    mr_page_table_end(page, "manifest.json, contestants");
    mr_html(page->out,
            "<p class=\"note\">%s Lines are counted from the files that its contestant.json names "
            "as its parser. A fuzzer is needed where the language does not keep memory safe.</p>\n",
            mr_words_classes);
}

void mr_page_choose(const struct mr_page *page)
{
    mr_html(page->out, "<section id=\"choose\">\n<h2>Which to choose</h2>\n");
    size_t index;
    size_t count;
    yyjson_val *cell;
    yyjson_arr_foreach(page->cells, index, count, cell)
    {
        if (strcmp(mr_view_text(cell, "measures"), "generator") != 0) {
            write_advice(page, index, cell);
        }
    }
    write_rules(page);
    write_costs(page);
    write_qualities(page);
    mr_html(page->out, "</section>\n");
}
