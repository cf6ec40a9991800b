// trial_views.h: the trials of a run as a page needs them: what results.json says of each, and what
// only its own file holds.
#ifndef MR_REPORT_TRIAL_VIEWS_H
#define MR_REPORT_TRIAL_VIEWS_H

#include "stats/mr_hist.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <yyjson.h>

// A trial. `row` is its element of results.json. `file` is the root of its own file without what is
// bulky and needed by nobody who reads a page (buckets of histograms, totals); NULL where the file
// is missing or is none.
struct mr_trial_view {
    yyjson_val *row;
    yyjson_doc *doc; // owned
    yyjson_val *file;
};

// All latencies (open loop) or round trips (closed loop) of the counted trials of an entry in a
// cell: their histograms added up.
struct mr_latencies {
    const char *cell;
    const char *entry;
    const char *series; // "latency", "round_trip"
    struct mr_hist hist;
};

struct mr_trial_views {
    struct mr_trial_view *views; // in the order of results.json
    size_t count;
    size_t missing_count; // files that could not be read
    struct mr_latencies *latencies;
    size_t latencies_count;
};

// Reads the files that results.json names, below `folder`/trials. A file that cannot be read is
// counted, no error. 0, or -ENOMEM; the caller ends *views_out with mr_trial_views_fini() whatever
// happened, before `results`.
MR_NODISCARD int mr_trial_views_init(struct mr_trial_views *views_out, const char *folder,
                                     yyjson_val *results);
void mr_trial_views_fini(struct mr_trial_views *views);

// The latencies of an entry in a cell, or NULL where none were recorded.
const struct mr_latencies *mr_trial_latencies(const struct mr_trial_views *views, const char *cell,
                                              const char *entry);

// Whether the trial stands in the estimate.
bool mr_trial_counts(const struct mr_trial_view *view);

// The median over the counted trials of the entry in the cell of the number at `pointer` (RFC 6901)
// of their files; with `begin` not NULL, of the number at `pointer` less that at `begin`. NAN where
// no trial has it. Numbers may also be texts of 16 hex digits, as STATS writes them.
double mr_trial_median(const struct mr_trial_views *views, yyjson_val *cell, yyjson_val *entry,
                       const char *pointer, const char *begin);

#endif
