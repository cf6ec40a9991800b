// html_published.c: the published figures that this lab re-examines, with ours beside them where
// this run has the cell.
#include "html_out.h"
#include "html_page.h"
#include "results_view.h"

#include <math.h>
#include <string.h>

static bool same(yyjson_val *row, yyjson_val *cell, const char *key)
{
    return strcmp(mr_view_text(row, key), mr_view_text(cell, key)) == 0;
}

// The cell of this run that answers a published row; NULL where there is none.
static yyjson_val *cell_for(const struct mr_page *page, yyjson_val *row)
{
    size_t index;
    size_t count;
    yyjson_val *cell;
    yyjson_arr_foreach(page->cells, index, count, cell)
    {
        // Whatever is not a closed loop has due times, so latency.
        const char *plan = strcmp(mr_view_text(cell, "plan"), "closed") == 0 ? "closed" : "open";
        bool served = strcmp(mr_view_text(cell, "driver"), "served") == 0;
        if (same(row, cell, "driver") && same(row, cell, "shape") && same(row, cell, "mode") &&
            strcmp(mr_view_text(cell, "measures"), "generator") != 0 &&
            (!served || strcmp(mr_view_text(row, "plan"), plan) == 0)) {
            return cell;
        }
    }
    return NULL;
}

static yyjson_val *entry_of(yyjson_val *cell, const char *name)
{
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        if (strcmp(mr_view_text(entry, "entry"), name) == 0) {
            return entry;
        }
    }
    return NULL;
}

static double median_of(yyjson_val *cell, const char *name, const char *metric)
{
    return mr_view_median(entry_of(cell, name), metric);
}

// A speed ratio as the quotient of the figures themselves: of two latencies the smaller is faster.
static double as_quotient(yyjson_val *cell, yyjson_val *row, double speed_b_to_a)
{
    yyjson_val *metrics = yyjson_obj_get(entry_of(cell, mr_view_text(row, "a")), "metrics");
    yyjson_val *metric = yyjson_obj_get(metrics, mr_view_text(row, "metric"));
    return strcmp(mr_view_text(metric, "better"), "lower") == 0 ? 1 / speed_b_to_a : speed_b_to_a;
}

// The median of the pairs' ratios, B over A, where the cell compares the two by this metric.
static double paired_ratio(yyjson_val *cell, yyjson_val *row)
{
    size_t index;
    size_t count;
    yyjson_val *comparison;
    if (strcmp(mr_view_text(cell, "metric"), mr_view_text(row, "metric")) != 0) {
        return NAN;
    }
    yyjson_arr_foreach(yyjson_obj_get(cell, "comparisons"), index, count, comparison)
    {
        const char *a = mr_view_text(comparison, "a");
        const char *b = mr_view_text(comparison, "b");
        double ratio = mr_view_number(comparison, "ratio");
        if (strcmp(a, mr_view_text(row, "a")) == 0 && strcmp(b, mr_view_text(row, "b")) == 0) {
            return as_quotient(cell, row, 1 / ratio);
        }
        if (strcmp(b, mr_view_text(row, "a")) == 0 && strcmp(a, mr_view_text(row, "b")) == 0) {
            return as_quotient(cell, row, ratio);
        }
    }
    return NAN;
}

static void write_published(const struct mr_page *page, yyjson_val *row)
{
    mr_html(page->out,
            "<tr><th scope=\"row\" class=\"wrap\">%s</th><td class=\"whole\">%s</td><td "
            "class=\"n\">%s</td>"
            "<td class=\"n\">%s</td><td class=\"n\">%s</td><td class=\"whole\">%s : %s</td>",
            mr_view_text(row, "title"), mr_view_text(row, "unit"), mr_view_text(row, "published_a"),
            mr_view_text(row, "published_b"), mr_view_text(row, "published_b_to_a"),
            mr_view_text(row, "a"), mr_view_text(row, "b"));
}

static void write_ours(const struct mr_page *page, yyjson_val *row, yyjson_val *cell)
{
    const char *metric = mr_view_text(row, "metric");
    double scale = mr_view_number(row, "scale");
    int digits = (int)mr_view_number(row, "digits");
    double a = median_of(cell, mr_view_text(row, "a"), metric) * scale;
    double b = median_of(cell, mr_view_text(row, "b"), metric) * scale;
    mr_html(page->out, "<td>%s</td>", mr_view_text(cell, "name"));
    mr_html_number(page->out, a, digits);
    mr_html_number(page->out, b, digits);
    mr_html_number(page->out, b / a, 3);
    mr_html_number(page->out, paired_ratio(cell, row), 3);
}

// The rows of a group that this run has a cell for, with its figures; or the others.
static void write_rows(const struct mr_page *page, yyjson_val *group, bool answered)
{
    static const char *const numbers[] = {"published A", "B", "B/A"};
    static const char *const ours[] = {"ours A", "B", "B/A of medians", "B/A of pairs"};
    mr_page_table(page, answered ? "Published figures and ours" : "Published figures alone");
    mr_html(page->out, "<thead><tr>");
    mr_page_head(page, "published row", false);
    mr_page_head(page, "unit", false);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        mr_page_head(page, numbers[i], true);
    }
    mr_page_head(page, "our A : B", false);
    if (answered) {
        mr_page_head(page, "cell", false);
    }
    for (size_t i = 0; answered && i < sizeof ours / sizeof ours[0]; i++) {
        mr_page_head(page, ours[i], true);
    }
    mr_html(page->out, "</tr></thead><tbody>\n");
    size_t index;
    size_t count;
    yyjson_val *row;
    yyjson_arr_foreach(yyjson_obj_get(group, "rows"), index, count, row)
    {
        yyjson_val *cell = cell_for(page, row);
        if ((cell != NULL) == answered) {
            write_published(page, row);
            if (answered) {
                write_ours(page, row, cell);
            }
            mr_html(page->out, "</tr>\n");
        }
    }
    mr_page_table_end(page, "results.json; published figures: docs/published.json");
}

static size_t count_answered(const struct mr_page *page, yyjson_val *group)
{
    size_t index;
    size_t count;
    yyjson_val *row;
    size_t answered = 0;
    yyjson_arr_foreach(yyjson_obj_get(group, "rows"), index, count, row)
    {
        answered += cell_for(page, row) != NULL ? 1 : 0;
    }
    return answered;
}

static void write_group(const struct mr_page *page, yyjson_val *group, size_t answered)
{
    mr_html(page->out, "<h3>%s</h3>\n<p class=\"note\">%s</p>\n", mr_view_text(group, "title"),
            mr_view_text(group, "setup"));
    write_rows(page, group, true);
    size_t others = yyjson_arr_size(yyjson_obj_get(group, "rows")) - answered;
    if (others > 0) {
        mr_html(page->out,
                "<details><summary>%zu published rows that this run has no cell for"
                "</summary>\n",
                others);
        write_rows(page, group, false);
        mr_html(page->out, "</details>\n");
    }
}

void mr_page_published(const struct mr_page *page)
{
    size_t index;
    size_t count;
    yyjson_val *group;
    size_t written = 0;
    mr_html(page->out, "<section id=\"published\">\n<h2>Beside the published figures</h2>\n");
    yyjson_arr_foreach(yyjson_obj_get(page->published, "groups"), index, count, group)
    {
        size_t answered = count_answered(page, group);
        if (answered > 0) {
            write_group(page, group, answered);
            written++;
        }
    }
    mr_html(
        page->out,
        written > 0
            ? "<p class=\"note\">Other machine, other system, other versions: the two halves of "
              "a row say how the ratio travels, never how fast one is against the other. The "
              "quotient of the medians and the median of the pairs' ratios are printed "
              "both.</p>\n</section>\n"
            : "<p>No cell of this run answers a published figure.</p>\n</section>\n");
}
