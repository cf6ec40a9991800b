// report_gates.c: what the gates and marks said in a cell, and who lost more trials to a gate.
#include "report_page.h"
#include "report_words.h"
#include "results_view.h"

#include <stdint.h>
#include <string.h>

static void write_headroom(FILE *out, yyjson_val *cell)
{
    bool bound;
    char text[512];
    if (mr_words_headroom(cell, &bound, text)[0] != '\0') {
        (void)fprintf(out, "%s%s\n\n", bound ? "**Generator-bound**: " : "", text);
    }
}

// A gate's or a mark's: as the rules spell it.
static void write_name(FILE *out, yyjson_val *key)
{
    (void)fprintf(out, "`");
    mr_view_code(out, yyjson_get_str(key), SIZE_MAX);
    (void)fprintf(out, "`");
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
        (void)fprintf(out, "| ");
        write_name(out, key);
        (void)fprintf(out, " |");
        for (size_t i = 0; i < OUTCOMES_COUNT; i++) {
            (void)fprintf(out, " %s |", MR_VIEW_WHOLE(gate, outcomes[i]));
        }
        (void)fprintf(out, "\n");
    }
    (void)fprintf(out, "\n");
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
        (void)fprintf(out, " ");
        write_name(out, key);
        (void)fprintf(out, " |");
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
            char text[48];
            (void)fprintf(out, " %s |", mr_words_mark(value, text));
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
        (void)fprintf(out, "**Not the same for all**: gate ");
        write_name(out, gate);
        (void)fprintf(out, " failed in");
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
