// load_summary.c: the figures of a run as a few lines for people.
#include "load_result.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>

static void print_time(FILE *file, const char *name, double ns)
{
    if (ns < 1e6) {
        (void)fprintf(file, "  %s %.1f us", name, ns / 1e3);
    } else {
        (void)fprintf(file, "  %s %.3f ms", name, ns / 1e6);
    }
}

static void print_series(FILE *file, const char *title, const struct mr_hist *hist)
{
    (void)fprintf(file, "  %-22s", title);
    for (size_t i = 0; i < mr_load_percentiles_count; i++) {
        double percentile = mr_load_percentiles[i];
        if (mr_hist_percentile_allowed(mr_hist_count(hist), percentile)) {
            char name[16];
            (void)snprintf(name, sizeof name, "p%g", percentile);
            print_time(file, name, (double)mr_hist_value_at_percentile(hist, percentile));
        } else if (i < 3) {
            (void)fprintf(file, "  p%g n too small (%" PRIu64 " of %" PRIu64 ")", percentile,
                          mr_hist_count(hist), mr_load_percentile_needs(percentile));
        }
    }
    if (mr_hist_count(hist) > 0) {
        print_time(file, "max", (double)mr_hist_max_ns(hist));
    }
    (void)fprintf(file, "\n");
}

void mr_load_summary_print(const struct mr_load_run *run, FILE *file)
{
    const struct mr_window_counts *counts = &run->sum.counts;
    double seconds = (double)run->options->window_ns / (double)MR_NS_PER_S;
    if (mr_load_is_reduced(run->options)) {
        (void)fprintf(file, "NOT VERIFIED: a benchmark of the generator alone\n");
    }
    if (run->options->no_verify) {
        (void)fprintf(file, "no reply, neither STATS nor KEPT were checked");
    } else {
        (void)fprintf(file, "verified: every one of %" PRIu64 " replies, STATS and KEPT",
                      run->replies);
    }
    (void)fprintf(file,
                  "; window %.3f s\n"
                  "  %.0f batches/s, %.0f records/s, %.1f MB/s of JSON\n",
                  seconds, (double)counts->batches / seconds, (double)counts->records / seconds,
                  (double)counts->payload_bytes / seconds / 1e6);
    if (run->options->plan == MR_PLAN_CLOSED) {
        char title[48];
        (void)snprintf(title, sizeof title, "round trip at depth %" PRIu64, run->options->depth);
        print_series(file, title, &run->sum.series[MR_SERIES_ROUND_TRIP]);
    } else {
        print_series(file, "latency", &run->sum.series[MR_SERIES_LATENCY]);
        print_series(file, "service time", &run->sum.series[MR_SERIES_SERVICE]);
        print_series(file, "generator's lateness", &run->sum.series[MR_SERIES_LATENESS]);
        (void)fprintf(file,
                      "  due and unanswered: %" PRIu64 " at the begin, %" PRIu64
                      " at the end of the window; censored %" PRIu64 "\n",
                      counts->backlog_begin, counts->backlog_end, counts->censored);
    }
    (void)fprintf(file, "  generator: %.0f %% busy, clock %.0f ns, sleep overshoot p50 %.1f us\n",
                  100.0 * mr_load_busy_share(run), run->costs.clock_ns,
                  (double)run->costs.overshoot_p50_ns / 1e3);
}
