// html_gaps.c: what contestants of a cell have declared that they can't keep, above its figures.
#include "html_out.h"
#include "html_page.h"
#include "report_page.h"
#include "results_view.h"

// A sentence, how many names of cases show it, and the first of them; or a name alone.
static void write_gap(const struct mr_page *page, yyjson_val *gap)
{
    yyjson_val *names = yyjson_obj_get(gap, "shown_by");
    const char *first = yyjson_get_str(yyjson_arr_get_first(names));
    size_t more = yyjson_arr_size(names) - (first != NULL);
    mr_html(page->out, "<li>%s <code>%s</code>", mr_view_text(gap, "gap"),
            first == NULL ? "" : first);
    if (more > 0) {
        (void)fprintf(page->out, " and %zu more", more);
    }
    mr_html(page->out, "</li>\n");
}

void mr_page_gaps(const struct mr_page *page, yyjson_val *cell)
{
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        yyjson_val *gaps = mr_report_gaps_of(page->results, mr_view_text(entry, "contestant"));
        if (gaps == NULL) {
            continue;
        }
        mr_html(page->out,
                "<p class=\"warning\"><strong>Unequal work</strong>: %s does less than the others. "
                "What it declares that it does not keep, and what shows it:</p>\n<ul>\n",
                mr_view_text(entry, "entry"));
        size_t at;
        size_t total;
        yyjson_val *gap;
        yyjson_arr_foreach(gaps, at, total, gap)
        {
            write_gap(page, gap);
        }
        mr_html(page->out, "</ul>\n");
    }
}
