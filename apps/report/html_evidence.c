// html_evidence.c: the pictures behind the figures: percentiles, latency against load, and every
// trial over time.
#include "html_out.h"
#include "html_page.h"
#include "results_view.h"

void mr_page_evidence(const struct mr_page *page)
{
    mr_html(page->out, "<section id=\"evidence\">\n<h2>Latency, and every trial over time</h2>\n");
    if (page->trials->missing_count > 0) {
        mr_html(page->out,
                "<p class=\"warning\"><strong>Raw files are missing</strong>: %zu of %zu trials "
                "have no readable file in trials/, so pictures lack them.</p>\n",
                page->trials->missing_count, page->trials->count);
    }
    mr_chart_load(page);
    for (size_t i = 0; i < yyjson_arr_size(page->cells); i++) {
        mr_html(page->out, "<article");
        mr_page_filter(page, i, NULL, NULL);
        mr_html(page->out, ">\n<h3>%s</h3>\n",
                mr_view_text(yyjson_arr_get(page->cells, i), "name"));
        mr_chart_percentiles(page, i);
        mr_chart_timelines(page, i);
        mr_html(page->out, "</article>\n");
    }
    mr_html(page->out, "</section>\n");
}
