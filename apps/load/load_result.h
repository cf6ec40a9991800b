// load_result.h: the result of a run as JSON (schemas/load.schema.json) and as a few lines for
// people.
#ifndef MR_LOAD_RESULT_H
#define MR_LOAD_RESULT_H

#include "load_run.h"

#include "stats/mr_hist.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <yyjson.h>

// Writes the result to `path`, whole or not at all. 0 or a negative errno.
MR_NODISCARD int mr_load_result_write(const struct mr_load_run *run, const char *path);

// Whether everything was verified, recorded and varied, and every gate was on: what went well
// without is "not verified".
bool mr_load_is_whole(const struct mr_load_run *run);

// How the run ended, in the result's word; constant.
const char *mr_load_verdict(const struct mr_load_run *run);

// Prints the figures of a run that has them to `file`.
void mr_load_summary_print(const struct mr_load_run *run, FILE *file);

// load_summary.c: whether a percentile that may be printed would be lower by more than this share
// had the loop looked in time: then the summary has the bracket's low end, too (measuring rule 4).
#define MR_LOAD_GAP_SHARE 0.01
bool mr_load_gap_matters(const struct mr_hist *high, const struct mr_hist *low);

// load_result_window.c: adds what was measured: window, series, generator, connections, timeline.
void mr_load_result_measured(yyjson_mut_doc *doc, yyjson_mut_val *root,
                             const struct mr_load_run *run);

// load_result_window.c: the share of the window in which the busiest thread moved bytes.
double mr_load_busy_share(const struct mr_load_run *run);

// load_result_window.c: slots of a plan that is not closed due inside the window, and whether the
// backlog grew in it by more than 1 % of them.
uint64_t mr_load_planned(const struct mr_load_run *run);
bool mr_load_overloaded(const struct mr_load_run *run);

// load_series.c: the percentiles that are printed where there are enough values.
extern const double mr_load_percentiles[];
extern const size_t mr_load_percentiles_count;

// load_series.c: values needed for a percentile to be printed (measuring rule 6).
uint64_t mr_load_percentile_needs(double percentile);

// load_series.c: a histogram: n, exact minimum, mean and maximum, percentiles, or null where n is
// too small; with its buckets where `with_buckets`, so that trials can be merged later.
yyjson_mut_val *mr_load_series_json(yyjson_mut_doc *doc, const struct mr_hist *hist,
                                    bool with_buckets);

// load_series.c: the timeline, whose values are `series`, as arrays of the same length.
yyjson_mut_val *mr_load_timeline_json(yyjson_mut_doc *doc, const struct mr_timeline *timeline,
                                      enum mr_series series);

#endif
