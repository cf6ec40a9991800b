// report_never.c: see report_never.h.
#include "report_never.h"

#include "results_view.h"

#include <string.h>

// Fewer may be chance: what spoils one trial of a row is gone in the next.
#define EXCLUDED_MIN 2

struct tally {
    size_t excluded;
    size_t others;
    yyjson_val *last; // trial that was excluded
};

static struct tally tally_of(yyjson_val *results, const char *cell, const char *entry)
{
    struct tally tally = {0};
    size_t index;
    size_t count;
    yyjson_val *trial;
    yyjson_arr_foreach(yyjson_obj_get(results, "trials"), index, count, trial)
    {
        if (strcmp(mr_view_text(trial, "cell"), cell) != 0 ||
            strcmp(mr_view_text(trial, "entry"), entry) != 0) {
            continue;
        }
        bool excluded = yyjson_equals_str(yyjson_obj_get(trial, "outcome"), "excluded");
        tally.excluded += excluded;
        tally.others += !excluded;
        tally.last = excluded ? trial : tally.last;
    }
    return tally;
}

size_t mr_report_never_counted(FILE *out, yyjson_val *results)
{
    size_t listed = 0;
    size_t index;
    size_t count;
    yyjson_val *cell;
    yyjson_arr_foreach(yyjson_obj_get(results, "cells"), index, count, cell)
    {
        size_t at;
        size_t total;
        yyjson_val *entry;
        yyjson_arr_foreach(yyjson_obj_get(cell, "entries"), at, total, entry)
        {
            struct tally tally =
                tally_of(results, mr_view_text(cell, "name"), mr_view_text(entry, "entry"));
            if (tally.others > 0 || tally.excluded < EXCLUDED_MIN) {
                continue;
            }
            (void)fprintf(out, "- **never counted**: ");
            mr_view_put(out, entry, "entry");
            (void)fprintf(out, " in ");
            mr_view_put(out, cell, "name");
            (void)fprintf(out, ", all %zu trials excluded; the last: ", tally.excluded);
            mr_view_put(out, tally.last, "reason");
            (void)fprintf(out, "\n");
            listed++;
        }
    }
    if (listed > 0) {
        (void)fprintf(out, "\nThe same command would most likely end alike: mend the reason, or"
                           " take the entry out of the matrix, before it runs again.\n\n");
    }
    return listed;
}
