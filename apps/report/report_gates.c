// report_gates.c: what the gates and marks said in a cell, and who lost more trials to a gate.
#include "report_page.h"
#include "results_view.h"

#include <math.h>
#include <string.h>

static void write_headroom(FILE *out, yyjson_val *cell)
{
    const char *limit = mr_view_text(cell, "server_is_limit");
    if (strcmp(limit, "passed") == 0) {
        (void)fprintf(out,
                      "The server is the limit: the null contestant (`drain`) is %.2f times as "
                      "fast as the best here"
                      " (at least %.2f is asked).\n\n",
                      mr_view_number(cell, "headroom"), mr_view_number(cell, "headroom_min"));
    } else if (strcmp(limit, "failed") == 0) {
        (void)fprintf(out,
                      "**Generator-bound**: the null contestant (`drain`) is only %.2f times as "
                      "fast as the best here"
                      " (at least %.2f is asked), so the sockets and the generator hide part of "
                      "the difference:"
                      " the true ratio is further from 1.\n\n",
                      mr_view_number(cell, "headroom"), mr_view_number(cell, "headroom_min"));
    }
}

static const char *const outcomes[] = {"passed", "failed", "unavailable", "exempt", "off"};
#define OUTCOMES_COUNT (sizeof outcomes / sizeof outcomes[0])

static void write_counts(FILE *out, yyjson_val *cell)
{
    yyjson_val *gates = yyjson_obj_get(cell, "gates");
    if (yyjson_obj_size(gates) == 0) {
        return;
    }
    (void)fprintf(out, "| gate, trials | passed | failed | unavailable | exempt | off |\n"
                       "|---|--:|--:|--:|--:|--:|\n");
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *gate;
    yyjson_obj_foreach(gates, index, count, key, gate)
    {
        if (strcmp(yyjson_get_str(key), "server_is_limit") == 0) {
            continue; // judged over the cell: the sentence above
        }
        (void)fprintf(out, "| %s |", yyjson_get_str(key));
        for (size_t i = 0; i < OUTCOMES_COUNT; i++) {
            (void)fprintf(out, " %.0f |", mr_view_number(gate, outcomes[i]));
        }
        (void)fprintf(out, "\n");
    }
    (void)fprintf(out, "\n");
}

// "3 of 8", "unavailable" where no trial could tell, "–" where the mark does not apply.
static void write_mark(FILE *out, yyjson_val *counts)
{
    double marked = mr_view_number(counts, "marked");
    double judged = marked + mr_view_number(counts, "clear");
    if (judged > 0) {
        (void)fprintf(out, " %.0f of %.0f |", marked, judged);
    } else {
        (void)fprintf(out, mr_view_number(counts, "unavailable") > 0 ? " unavailable |" : " – |");
    }
}

static void write_marks(FILE *out, yyjson_val *cell)
{
    yyjson_val *marks = yyjson_obj_get(cell, "marks");
    if (yyjson_obj_size(marks) == 0) {
        return;
    }
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *value;
    (void)fprintf(out, "| marked trials (they count) |");
    yyjson_obj_foreach(marks, index, count, key, value)
    {
        (void)fprintf(out, " %s |", yyjson_get_str(key));
    }
    (void)fprintf(out, "\n|---|");
    for (size_t i = 0; i < yyjson_obj_size(marks); i++) {
        (void)fprintf(out, "--:|");
    }
    yyjson_val *entry;
    yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), index, count, entry)
    {
        (void)fprintf(out, "\n| ");
        mr_view_put(out, entry, "entry");
        (void)fprintf(out, " |");
        size_t at;
        size_t total;
        yyjson_obj_foreach(yyjson_obj_get(entry, "marks"), at, total, key, value)
        {
            write_mark(out, value);
        }
    }
    (void)fprintf(out, "\n\n");
}

static void write_uneven(FILE *out, yyjson_val *cell)
{
    size_t index;
    size_t count;
    yyjson_val *gate;
    yyjson_val *entries;
    yyjson_obj_foreach(yyjson_obj_get(cell, "uneven"), index, count, gate, entries)
    {
        (void)fprintf(out, "**Not the same for all**: gate `%s` failed in", yyjson_get_str(gate));
        size_t at;
        size_t total;
        yyjson_val *entry;
        yyjson_val *failed;
        yyjson_obj_foreach(entries, at, total, entry, failed)
        {
            (void)fprintf(out, "%s %.0f trial%s of ", at == 0 ? "" : ",", yyjson_get_num(failed),
                          yyjson_get_num(failed) == 1 ? "" : "s");
            mr_view_escape(out, yyjson_get_str(entry));
        }
        (void)fprintf(out, ". A gate that hits one more often than another may select among its "
                           "trials.\n\n");
    }
}

void mr_report_gates(FILE *out, yyjson_val *cell)
{
    write_headroom(out, cell);
    write_counts(out, cell);
    write_uneven(out, cell);
    write_marks(out, cell);
}
