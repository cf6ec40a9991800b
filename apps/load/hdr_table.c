// hdr_table.c: see hdr_table.h.
#include "hdr_table.h"

#include <inttypes.h>
#include <math.h>

#define NS_PER_UNIT 1e3

// The next percentile to print: the step halves each time that the distance to 100 does.
static double level_after(double percentile)
{
    double halvings = floor(log2(100.0 / (100.0 - percentile)));
    return percentile + 100.0 / (MR_HDR_TABLE_TICKS * exp2(halvings + 1.0));
}

static double value_of(const struct mr_hist *hist, const struct mr_hist_bucket *bucket)
{
    uint64_t max_ns = mr_hist_max_ns(hist);
    uint64_t value_ns = bucket->high_ns < max_ns ? bucket->high_ns : max_ns;
    return (double)value_ns / NS_PER_UNIT;
}

static void print_rows(FILE *file, const struct mr_hist *hist)
{
    double count = (double)mr_hist_count(hist);
    double level = 0;
    struct mr_hist_bucket bucket = {0};
    while (mr_hist_next(hist, &bucket)) {
        bool last = bucket.cumulative == mr_hist_count(hist);
        double reached = 100.0 * (double)bucket.cumulative / count;
        while (reached >= level) {
            (void)fprintf(file, "%12.3f %2.12f %10" PRIu64 " %14.2f\n", value_of(hist, &bucket),
                          level / 100.0, bucket.cumulative, 1.0 / (1.0 - level / 100.0));
            level = level_after(level);
            if (last) {
                break;
            }
        }
        if (last) {
            (void)fprintf(file, "%12.3f %2.12f %10" PRIu64 "\n", value_of(hist, &bucket), 1.0,
                          bucket.cumulative);
        }
    }
}

// Of the middles of the buckets around the exact mean.
static double deviation_ns(const struct mr_hist *hist)
{
    double mean_ns = mr_hist_mean_ns(hist);
    double squares = 0;
    struct mr_hist_bucket bucket = {0};
    while (mr_hist_next(hist, &bucket)) {
        uint64_t half_ns = (bucket.high_ns - bucket.low_ns + 1) / 2;
        double middle_ns = (double)(bucket.low_ns + half_ns);
        squares += (middle_ns - mean_ns) * (middle_ns - mean_ns) * (double)bucket.count;
    }
    return mr_hist_count(hist) == 0 ? 0 : sqrt(squares / (double)mr_hist_count(hist));
}

void mr_hdr_table_print(FILE *file, const struct mr_hist *hist)
{
    (void)fprintf(file, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount",
                  "1/(1-Percentile)");
    print_rows(file, hist);
    (void)fprintf(file, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n",
                  mr_hist_mean_ns(hist) / NS_PER_UNIT, deviation_ns(hist) / NS_PER_UNIT);
    (void)fprintf(file, "#[Max     = %12.3f, Total count    = %12" PRIu64 "]\n",
                  (double)mr_hist_max_ns(hist) / NS_PER_UNIT, mr_hist_count(hist));
    (void)fprintf(file, "#[Buckets = %12u, SubBuckets     = %12u]\n", MR_HIST_BUCKETS,
                  MR_HIST_SUB_BUCKETS);
}
