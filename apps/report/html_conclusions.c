// html_conclusions.c: what a reader may take from this run: verdicts, the machine's grade, and who
// was taken out.
#include "controls_words.h"
#include "html_out.h"
#include "html_page.h"
#include "report_never.h"
#include "report_words.h"
#include "results_view.h"

#include <string.h>

static void write_not_as_logged(const struct mr_page *page)
{
    size_t index;
    size_t count;
    yyjson_val *file;
    yyjson_val *files = yyjson_obj_get(page->results, "not_as_logged");
    if (yyjson_arr_size(files) > 0) {
        mr_html(page->out, "<div class=\"warning\"><strong>%s</strong> %s\n<ul>",
                mr_words_not_as_logged, mr_words_not_as_logged_means);
    }
    yyjson_arr_foreach(files, index, count, file)
    {
        mr_html(page->out, "<li>%s: %s</li>\n", mr_view_text(file, "file"),
                mr_view_text(file, "what"));
    }
    mr_html(page->out, yyjson_arr_size(files) > 0 ? "</ul></div>\n" : "");
}

// Entries of which no trial counts: who runs the same again gets the same again.
static void write_never(const struct mr_page *page)
{
    size_t listed = 0;
    struct mr_never at = {0};
    while (mr_never_next(page->results, &at)) {
        mr_html(page->out, listed++ == 0
                               ? "<div class=\"warning\"><strong>Never counted</strong>:\n<ul>"
                               : "");
        mr_html(page->out, "<li>%s in %s, all %zu trials excluded; the last: %s</li>\n",
                mr_view_text(at.entry, "entry"), mr_view_text(at.cell, "name"), at.excluded,
                mr_view_text(at.last, "reason"));
    }
    if (listed > 0) {
        mr_html(page->out, "</ul>%s</div>\n", mr_words_never);
    }
}

static void write_state(const struct mr_page *page)
{
    if (!yyjson_is_true(yyjson_obj_get(page->results, "complete"))) {
        mr_html(page->out,
                "<p class=\"warning\"><strong>Incomplete.</strong> Not every planned row could be "
                "counted; what is below rests on the rows that were. <a href=\"#missing\">What is "
                "missing</a>.</p>\n");
        write_never(page);
    }
}

// What a verdict looks like: told by a word too, never by colour alone.
static const char *verdict_class(const char *verdict)
{
    if (strncmp(verdict, "faster", 6) == 0 || strncmp(verdict, "slower", 6) == 0) {
        return "decided";
    }
    return strcmp(verdict, "same") == 0 ? "same" : "open";
}

static void write_verdict(const struct mr_page *page, size_t cell_number, yyjson_val *cell,
                          yyjson_val *comparison)
{
    char sentence[512];
    char ratio[32];
    char words[128];
    bool bound;
    char headroom[512];
    (void)mr_words_headroom(cell, &bound, headroom);
    mr_view_sentence(cell, comparison, sentence, sizeof sentence);
    mr_html(page->out, "<li class=\"verdict %s\"",
            verdict_class(mr_view_text(comparison, "verdict")));
    mr_page_filter(page, cell_number, mr_view_text(comparison, "a"), mr_view_text(comparison, "b"));
    mr_html(page->out,
            "><span class=\"ratio\" aria-hidden=\"true\">%s<small>×</small></span><span "
            "class=\"word\">%s%s</span><a href=\"#cell-%zu\">%s</a></li>\n",
            mr_view_format(mr_view_number(comparison, "ratio"), 2, ratio),
            mr_words_verdict(comparison, words), bound ? " · generator-bound" : "", cell_number,
            sentence);
}

static void write_verdicts(const struct mr_page *page)
{
    struct mr_page_comparison at = {0};
    size_t written = 0;
    while (mr_page_next(page, &at)) {
        if (yyjson_is_true(yyjson_obj_get(at.comparison, "primary"))) {
            mr_html(page->out, written++ == 0 ? "<ul class=\"verdicts\">\n" : "");
            write_verdict(page, at.cell_number, at.cell, at.comparison);
        }
    }
    mr_html(page->out,
            written > 0 ? "</ul>\n" : "<p>This run fixed no comparison that gets a verdict.</p>\n");
}

static void write_grade(const struct mr_page *page)
{
    yyjson_val *environment = yyjson_obj_get(page->manifest, "environment");
    const char *grade = mr_view_text(environment, "grade");
    mr_html(page->out,
            "<h3>The machine</h3>\n<p><span class=\"grade\">%s</span>Grade <strong>%s</strong>: "
            "%s</p>\n",
            grade, grade, mr_words_grade(grade));
    yyjson_val *lacks = yyjson_obj_get(environment, "lacks");
    size_t index;
    size_t count;
    yyjson_val *lack;
    yyjson_arr_foreach(lacks, index, count, lack)
    {
        mr_html(page->out,
                index == 0 ? "<p>An ideal host would have what this one lacks:</p>\n<ul>" : "");
        const char *text = yyjson_get_str(lack);
        mr_html(page->out, "<li>%s</li>\n", text == NULL ? "" : text);
    }
    mr_html(page->out, yyjson_arr_size(lacks) > 0 ? "</ul>\n" : "");
}

// Who was taken out of a race by `key`, and why.
static void write_out(const struct mr_page *page, const char *key, const char *mark,
                      const char *what)
{
    size_t index;
    size_t count;
    yyjson_val *cell;
    yyjson_arr_foreach(page->cells, index, count, cell)
    {
        size_t at;
        size_t total;
        yyjson_val *entry;
        yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), at, total, entry)
        {
            if (yyjson_is_str(yyjson_obj_get(entry, key)) &&
                !mr_control_is_liar(yyjson_obj_get(page->results, "controls"),
                                    mr_view_text(entry, "entry"))) {
                mr_html(page->out,
                        "<p class=\"warning\"><strong>%s</strong>: %s in %s %s: %s</p>\n", mark,
                        mr_view_text(entry, "entry"), mr_view_text(cell, "name"), what,
                        mr_view_text(entry, key));
            }
        }
    }
}

static void write_target(const struct mr_page *page, size_t cell_number, yyjson_val *cell,
                         yyjson_val *comparison)
{
    yyjson_val *target = yyjson_obj_get(comparison, "target");
    const char *a = mr_view_text(comparison, "a");
    const char *b = mr_view_text(comparison, "b");
    mr_page_row(page, cell_number, NULL, NULL, mr_view_text(cell, "name"));
    mr_html(page->out, "<td>%s : %s</td>", a, b);
    mr_html_number(page->out, mr_view_number(comparison, "ratio"), 3);
    mr_html_number(page->out, mr_view_number(comparison, "ratio_low"), 3);
    mr_html_number(page->out, mr_view_number(comparison, "ratio_high"), 3);
    mr_html_number(page->out, mr_view_number(target, "at_least"), 2);
    mr_html_number(page->out, mr_view_number(target, "at_most"), 2);
    mr_html(page->out, "<td>%s</td></tr>\n", mr_view_text(target, "outcome"));
}

static void write_targets(const struct mr_page *page)
{
    static const char *const titles[] = {"cell", "A : B",     "#speed ratio", "#from",
                                         "#to",  "#at least", "#at most",     "target"};
    struct mr_page_comparison at = {0};
    size_t written = 0;
    while (mr_page_next(page, &at)) {
        if (yyjson_obj_get(at.comparison, "target") == NULL) {
            continue;
        }
        if (written++ == 0) {
            mr_html(page->out, "<h3>Targets</h3>\n");
            MR_PAGE_TABLE(page,
                          "Bounds that the matrix sets: met or missed where the whole interval "
                          "says so, else open",
                          titles);
        }
        write_target(page, at.cell_number, at.cell, at.comparison);
    }
    if (written > 0) {
        mr_page_table_end(page, "results.json, cells[].comparisons[].target");
    }
}

void mr_page_conclusions(const struct mr_page *page)
{
    char reading[1024];
    mr_html(page->out, "<section id=\"conclusions\">\n<h2>What may be concluded on this machine"
                       "</h2>\n");
    write_not_as_logged(page);
    write_state(page);
    mr_page_void(page);
    write_verdicts(page);
    mr_page_sensitivity(page);
    write_out(page, "wrong", "Wrong", "was taken out of the race");
    write_out(page, "absent", "Absent", "was left out");
    write_grade(page);
    write_targets(page);
    mr_html(page->out, "</section>\n<section id=\"ratios\">\n<h2>Ratios</h2>\n<p>%s</p>\n",
            mr_words_reading(mr_view_number(yyjson_obj_get(page->manifest, "rules"), "margin"),
                             reading));
    mr_chart_ratios(page);
    mr_html(page->out, "</section>\n");
}
