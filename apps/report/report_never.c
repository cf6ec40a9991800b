// report_never.c: see report_never.h.
#include "report_never.h"

#include "report_words.h"
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

bool mr_never_next(yyjson_val *results, struct mr_never *at)
{
    yyjson_val *cells = yyjson_obj_get(results, "cells");
    for (; at->cell_index < yyjson_arr_size(cells); at->cell_index++, at->entry_index = 0) {
        at->cell = yyjson_arr_get(cells, at->cell_index);
        yyjson_val *entries = yyjson_obj_get(at->cell, "entries");
        while (at->entry_index < yyjson_arr_size(entries)) {
            at->entry = yyjson_arr_get(entries, at->entry_index++);
            struct tally tally =
                tally_of(results, mr_view_text(at->cell, "name"), mr_view_text(at->entry, "entry"));
            if (tally.others == 0 && tally.excluded >= EXCLUDED_MIN) {
                at->excluded = tally.excluded;
                at->last = tally.last;
                return true;
            }
        }
    }
    return false;
}

size_t mr_report_never_counted(FILE *out, yyjson_val *results)
{
    size_t listed = 0;
    struct mr_never at = {0};
    while (mr_never_next(results, &at)) {
        (void)fprintf(out, "- **never counted**: ");
        mr_view_put(out, at.entry, "entry");
        (void)fprintf(out, " in ");
        mr_view_put(out, at.cell, "name");
        (void)fprintf(out, ", all %zu trials excluded; the last: ", at.excluded);
        mr_view_put(out, at.last, "reason");
        (void)fprintf(out, "\n");
        listed++;
    }
    (void)fprintf(out, listed > 0 ? "\n%s\n\n" : "%.0s", mr_words_never);
    return listed;
}
