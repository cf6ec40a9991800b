// report_gaps.c: what contestants of a cell have declared that they can't keep: beside their
// figures.
#include "report_page.h"
#include "results_view.h"

#include <string.h>

yyjson_val *mr_report_gaps_of(yyjson_val *results, const char *contestant)
{
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_val *contestants = yyjson_obj_get(yyjson_obj_get(results, "manifest"), "contestants");
    yyjson_arr_foreach(contestants, index, count, one)
    {
        yyjson_val *gaps = yyjson_obj_get(one, "gaps");
        if (strcmp(mr_view_text(one, "entry"), contestant) == 0 && yyjson_arr_size(gaps) > 0) {
            return gaps;
        }
    }
    return NULL;
}

// A sentence, how many names of cases show it, and the first of them; or a name alone.
static void write_gap(FILE *out, yyjson_val *gap)
{
    yyjson_val *names = yyjson_obj_get(gap, "shown_by");
    const char *first = yyjson_get_str(yyjson_arr_get_first(names));
    const char *what = mr_view_text(gap, "gap");
    (void)fprintf(out, "- ");
    if (what[0] != '\0') {
        mr_view_escape(out, what);
        (void)fprintf(out, " (");
    }
    mr_view_escape(out, first == NULL ? "" : first);
    size_t more = yyjson_arr_size(names) - (first != NULL);
    if (more > 0) {
        (void)fprintf(out, " and %zu more", more);
    }
    (void)fprintf(out, what[0] != '\0' ? ")\n" : "\n");
}

bool mr_report_is_unequal(yyjson_val *results, yyjson_val *cell)
{
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        if (mr_report_gaps_of(results, mr_view_text(entry, "contestant")) != NULL) {
            return true;
        }
    }
    return false;
}

void mr_report_gaps(FILE *out, yyjson_val *results, yyjson_val *cell)
{
    size_t index;
    size_t count;
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        yyjson_val *gaps = mr_report_gaps_of(results, mr_view_text(entry, "contestant"));
        if (gaps == NULL) {
            continue;
        }
        mr_view_put(out, entry, "entry");
        (void)fprintf(out,
                      " does less than the others. What it declares that it does not keep, and "
                      "what shows it:\n\n");
        size_t at;
        size_t total;
        yyjson_val *gap;
        yyjson_arr_foreach(gaps, at, total, gap)
        {
            write_gap(out, gap);
        }
        (void)fprintf(out, "\n");
    }
}
