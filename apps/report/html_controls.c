// html_controls.c: the controls of known size in report.html: how fine this run could see, and what
// each of them came to.
#include "controls_words.h"
#include "html_out.h"
#include "html_page.h"
#include "results_view.h"

#include <math.h>

// The finest and the coarsest of what the pairs of the compared cells resolve, as shares.
static size_t find_resolution(const struct mr_page *page, double *best_out, double *worst_out)
{
    struct mr_page_comparison at = {0};
    size_t found = 0;
    *best_out = INFINITY;
    *worst_out = 0;
    while (mr_page_next(page, &at)) {
        double share = mr_view_number(at.comparison, "resolvable_difference");
        if (isfinite(share)) {
            *best_out = fmin(*best_out, share);
            *worst_out = fmax(*worst_out, share);
            found++;
        }
    }
    return found;
}

static void write_resolution(const struct mr_page *page)
{
    double best;
    double worst;
    if (find_resolution(page, &best, &worst) == 0) {
        mr_html(page->out, "unavailable: too few pairs");
    } else {
        (void)fprintf(page->out,
                      "the smallest differences that as many pairs resolve at 90 %% power go from "
                      "%.1f %% to %.1f %% over this run's comparisons",
                      100 * best, 100 * worst);
    }
}

static void write_table(const struct mr_page *page, yyjson_val *of)
{
    static const char *const titles[] = {
        "code name", "contestant", "is",     "#CPU time beyond it, %", "#speed ratio", "#from",
        "#to",       "#pairs",     "came to"};
    size_t index;
    size_t count;
    yyjson_val *control;
    MR_PAGE_TABLE(page,
                  "Controls of known size: raced among the others under code names, which were "
                  "opened when every trial was judged",
                  titles);
    yyjson_arr_foreach(of, index, count, control)
    {
        char kind[64];
        mr_html(page->out, "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td>",
                mr_view_text(control, "entry"), mr_view_text(control, "contestant"),
                mr_control_kind(control, kind));
        mr_html_number(page->out, 100 * mr_view_number(control, "cpu_extra"), 2);
        mr_html_number(page->out, mr_view_number(control, "ratio"), 4);
        mr_html_number(page->out, mr_view_number(control, "ratio_low"), 4);
        mr_html_number(page->out, mr_view_number(control, "ratio_high"), 4);
        mr_html_number(page->out, mr_view_number(control, "pairs"), 0);
        const char *reason = mr_view_text(control, "reason");
        mr_html(page->out, "<td>%s%s%s</td></tr>\n", mr_control_outcome(control),
                reason[0] == '\0' ? "" : ": ", reason);
    }
    mr_page_table_end(page, "results.json, controls.of");
}

void mr_page_void(const struct mr_page *page)
{
    char words[MR_CONTROLS_WORDS_BYTES];
    if (mr_controls_void(yyjson_obj_get(page->results, "controls"), words)[0] != '\0') {
        mr_html(page->out, "<p class=\"warning\"><strong>Void.</strong> %s</p>\n", words);
    }
}

void mr_page_sensitivity(const struct mr_page *page)
{
    yyjson_val *controls = yyjson_obj_get(page->results, "controls");
    char words[MR_CONTROLS_WORDS_BYTES];
    mr_html(page->out,
            "<h3>Sensitivity</h3>\n<dl class=\"facts\">\n<dt>Measured, by controls of known "
            "size</dt><dd>%s</dd>\n",
            mr_controls_sensitivity(controls, words));
    mr_html(page->out, "<dt>Noise floor, by identical twins</dt><dd>%s</dd>\n",
            mr_controls_noise(controls, words));
    mr_html(page->out, "<dt>Planted lies</dt><dd>%s</dd>\n", mr_controls_lies(controls, words));
    mr_html(page->out, "<dt>Computed, from the spread of the pairs</dt><dd>");
    write_resolution(page);
    mr_html(page->out, "</dd>\n</dl>\n");
    yyjson_val *of = yyjson_obj_get(controls, "of");
    if (yyjson_arr_size(of) > 0) {
        write_table(page, of);
    }
}
