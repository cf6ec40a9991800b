// load_series.c: histograms and the timeline as JSON.
#include "load_result.h"

#include <math.h>
#include <stdio.h>

const double mr_load_percentiles[] = {50, 90, 99, 99.9, 99.99};
const size_t mr_load_percentiles_count = sizeof mr_load_percentiles / sizeof mr_load_percentiles[0];

// 100/(1 − X), X = percentile/100.
uint64_t mr_load_percentile_needs(double percentile)
{
    return (uint64_t)llround(10000.0 / (100.0 - percentile));
}

// "p50_ns", "p99_9_ns": constant, for yyjson keeps the pointer.
static const char *const percentile_keys[] = {"p50_ns", "p90_ns", "p99_ns", "p99_9_ns",
                                              "p99_99_ns"};

static void add_percentiles(yyjson_mut_doc *doc, yyjson_mut_val *series, const struct mr_hist *hist)
{
    uint64_t count = mr_hist_count(hist);
    bool whole = mr_hist_out_of_range_count(hist) == 0;
    uint64_t refused = 0;
    for (size_t i = 0; i < mr_load_percentiles_count; i++) {
        double percentile = mr_load_percentiles[i];
        if (whole && mr_hist_percentile_allowed(count, percentile)) {
            yyjson_mut_obj_add_uint(doc, series, percentile_keys[i],
                                    mr_hist_value_at_percentile(hist, percentile));
        } else {
            yyjson_mut_obj_add_null(doc, series, percentile_keys[i]);
            refused = refused == 0 ? mr_load_percentile_needs(percentile) : refused;
        }
    }
    if (!whole) {
        yyjson_mut_obj_add_str(doc, series, "why_null",
                               "values above an hour were not recorded: no percentile holds");
    } else if (refused > 0) {
        char why[96];
        (void)snprintf(why, sizeof why,
                       "n too small: the first percentile left out needs %llu values",
                       (unsigned long long)refused);
        yyjson_mut_obj_add_strcpy(doc, series, "why_null", why);
    }
}

static yyjson_mut_val *buckets_json(yyjson_mut_doc *doc, const struct mr_hist *hist)
{
    yyjson_mut_val *list = yyjson_mut_arr(doc);
    struct mr_hist_bucket bucket = {0};
    while (mr_hist_next(hist, &bucket)) {
        yyjson_mut_val *pair = yyjson_mut_arr_add_arr(doc, list);
        yyjson_mut_arr_add_uint(doc, pair, bucket.low_ns);
        yyjson_mut_arr_add_uint(doc, pair, bucket.count);
    }
    return list;
}

yyjson_mut_val *mr_load_series_json(yyjson_mut_doc *doc, const struct mr_hist *hist,
                                    bool with_buckets)
{
    yyjson_mut_val *series = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_uint(doc, series, "n", mr_hist_count(hist));
    yyjson_mut_obj_add_uint(doc, series, "out_of_range", mr_hist_out_of_range_count(hist));
    if (mr_hist_count(hist) > 0) {
        yyjson_mut_obj_add_uint(doc, series, "min_ns", mr_hist_min_ns(hist));
        yyjson_mut_obj_add_real(doc, series, "mean_ns", mr_hist_mean_ns(hist));
        yyjson_mut_obj_add_uint(doc, series, "max_ns", mr_hist_max_ns(hist));
    } else {
        yyjson_mut_obj_add_null(doc, series, "min_ns");
        yyjson_mut_obj_add_null(doc, series, "mean_ns");
        yyjson_mut_obj_add_null(doc, series, "max_ns");
    }
    add_percentiles(doc, series, hist);
    if (with_buckets) {
        yyjson_mut_obj_add_val(doc, series, "buckets", buckets_json(doc, hist));
    }
    return series;
}

yyjson_mut_val *mr_load_timeline_json(yyjson_mut_doc *doc, const struct mr_timeline *timeline,
                                      enum mr_series series)
{
    yyjson_mut_val *object = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_str(doc, object, "of", mr_series_name(series));
    yyjson_mut_obj_add_real(doc, object, "p50_error", mr_medians_error(&timeline->medians));
    yyjson_mut_obj_add_uint(doc, object, "bin_ns", MR_TIMELINE_BIN_NS);
    yyjson_mut_obj_add_uint(doc, object, "start_ns", timeline->start_ns);
    yyjson_mut_val *batches = yyjson_mut_obj_add_arr(doc, object, "batches");
    yyjson_mut_val *records = yyjson_mut_obj_add_arr(doc, object, "records");
    yyjson_mut_val *payload_bytes = yyjson_mut_obj_add_arr(doc, object, "payload_bytes");
    yyjson_mut_val *in_flight = yyjson_mut_obj_add_arr(doc, object, "in_flight");
    yyjson_mut_val *median = yyjson_mut_obj_add_arr(doc, object, "p50_ns");
    yyjson_mut_val *longest = yyjson_mut_obj_add_arr(doc, object, "max_ns");
    for (size_t i = 0; i < timeline->used_count; i++) {
        const struct mr_timeline_bin *bin = &timeline->bin[i];
        yyjson_mut_arr_add_uint(doc, batches, bin->batches);
        yyjson_mut_arr_add_uint(doc, records, bin->records);
        yyjson_mut_arr_add_uint(doc, payload_bytes, bin->payload_bytes);
        yyjson_mut_arr_add_uint(doc, in_flight, bin->in_flight);
        if (mr_hist_percentile_allowed(bin->batches, 50)) {
            uint64_t median_ns = mr_medians_value_ns(&timeline->medians, i);
            // The middle of a bucket may lie beyond what fell into it.
            yyjson_mut_arr_add_uint(doc, median, median_ns < bin->max_ns ? median_ns : bin->max_ns);
        } else {
            yyjson_mut_arr_add_null(doc, median);
        }
        yyjson_mut_arr_add_uint(doc, longest, bin->max_ns);
    }
    return object;
}
