// aa_levels.c: false verdicts and coverage: noise is drawn from recorded pairs, the truth is known.
#include "aa.h"

#include <stats/paired.h>
#include <stats/places.h>
#include <stats/robust.h>
#include <stats/signed_rank.h>
#include <stats/verdict.h>

#include <math.h>
#include <stdio.h>

#define ALPHA     0.05
#define MARGIN    0.03
#define PAIRS_MAX 24
#define TABLE     4

static const struct mr_verdict_rules rules = {.better = MR_BETTER_HIGHER, .margin = MARGIN};

// What was counted over the campaigns of one series with one number of pairs.
struct counts {
    uint64_t differs;        // without any difference: the interval excludes 0
    uint64_t covered;        // sign test
    uint64_t covered_narrow; // an interval that is one order statistic too narrow at each end
    uint64_t covered_rank;   // signed rank
    uint64_t faster_at_margin;
    uint64_t same_at_margin;
};

static void draw_logs(const struct noise *noise, struct mr_rng *rng, double shift, double *logs,
                      size_t pairs)
{
    for (size_t i = 0; i < pairs; i++) {
        logs[i] = shift + noise_draw(noise, rng);
    }
    mr_sort(logs, pairs);
}

static bool holds(const struct mr_interval *interval, double value)
{
    return interval->low <= value && value <= interval->high;
}

static void run_campaign(const struct noise *noise, struct mr_rng *rng, size_t pairs,
                         struct counts *counts)
{
    double logs[PAIRS_MAX];
    double walsh[PAIRS_MAX * (PAIRS_MAX + 1) / 2];
    draw_logs(noise, rng, 0, logs, pairs);
    struct mr_interval interval = mr_sign_interval(logs, pairs, ALPHA);
    size_t order = mr_sign_order(pairs, ALPHA);
    const struct mr_interval narrow = {.low = logs[order], .high = logs[pairs - order - 1]};
    struct mr_hodges_lehmann symmetric = mr_hodges_lehmann(logs, pairs, ALPHA, walsh);
    counts->differs += mr_judge(&interval, mr_median_sorted(logs, pairs), &rules).side != 0;
    counts->covered += holds(&interval, 0);
    counts->covered_narrow += holds(&narrow, 0);
    counts->covered_rank += holds(&symmetric.interval, 0);
    draw_logs(noise, rng, log1p(MARGIN), logs, pairs);
    interval = mr_sign_interval(logs, pairs, ALPHA);
    enum mr_verdict verdict = mr_judge(&interval, mr_median_sorted(logs, pairs), &rules).verdict;
    counts->faster_at_margin += verdict == MR_VERDICT_FASTER;
    counts->same_at_margin += verdict == MR_VERDICT_SAME;
}

static void rows_of(struct aa *aa, const struct noise *noise, size_t pairs)
{
    struct mr_rng rng = mr_rng_seeded(aa->seed + pairs);
    struct counts counts = {0};
    for (uint64_t i = 0; i < aa->campaigns; i++) {
        run_campaign(noise, &rng, pairs, &counts);
    }
    double n = (double)aa->campaigns;
    double confidence = mr_sign_confidence(pairs, mr_sign_order(pairs, ALPHA));
    char what[96];
    (void)snprintf(what, sizeof what, "%zu pairs: a difference where there is none", pairs);
    aa_row(aa, noise->name, what, (double)counts.differs / n, 0, ALPHA);
    (void)snprintf(what, sizeof what, "%zu pairs: sign-test interval covers", pairs);
    aa_row(aa, noise->name, what, (double)counts.covered / n, confidence - aa_slack(aa, ALPHA), 1);
    (void)snprintf(what, sizeof what, "%zu pairs: signed-rank interval covers", pairs);
    aa_row(aa, noise->name, what, (double)counts.covered_rank / n, 1 - ALPHA - aa_slack(aa, ALPHA),
           1);
    (void)snprintf(what, sizeof what, "%zu pairs, 3 %% true: \"faster\" by more than 3 %%", pairs);
    aa_row(aa, noise->name, what, (double)counts.faster_at_margin / n, 0,
           ALPHA / 2 + aa_slack(aa, ALPHA / 2));
    (void)snprintf(what, sizeof what, "%zu pairs, 3 %% true: \"same\" within 3 %%", pairs);
    aa_row(aa, noise->name, what, (double)counts.same_at_margin / n, 0,
           ALPHA / 2 + aa_slack(aa, ALPHA / 2));
    (void)snprintf(what, sizeof what, "%zu pairs, planted: one order statistic too narrow", pairs);
    aa_row(aa, noise->name, what, (double)counts.covered_narrow / n, 0,
           1 - ALPHA - aa_slack(aa, ALPHA));
}

// Four primary comparisons: any false one of them, with Holm's levels and with the plain level.
static void family_rows(struct aa *aa, const struct noise *noise)
{
    struct mr_rng rng = mr_rng_seeded(aa->seed + 1000);
    uint64_t wrong = 0;
    uint64_t wrong_plain = 0;
    for (uint64_t i = 0; i < aa->campaigns; i++) {
        double p_values[MR_PRIMARY_MAX];
        double levels[MR_PRIMARY_MAX];
        bool any = false;
        bool any_plain = false;
        for (size_t c = 0; c < MR_PRIMARY_MAX; c++) {
            double logs[PAIRS_MAX];
            draw_logs(noise, &rng, 0, logs, PAIRS_MAX);
            p_values[c] = mr_sign_p_value(logs, PAIRS_MAX);
        }
        mr_holm(p_values, MR_PRIMARY_MAX, ALPHA, levels);
        for (size_t c = 0; c < MR_PRIMARY_MAX; c++) {
            any |= p_values[c] <= levels[c];
            any_plain |= p_values[c] <= ALPHA;
        }
        wrong += any;
        wrong_plain += any_plain;
    }
    double n = (double)aa->campaigns;
    aa_row(aa, noise->name, "four comparisons, Holm: any false difference", (double)wrong / n, 0,
           ALPHA);
    aa_row(aa, noise->name, "four comparisons, planted: each at the plain level",
           (double)wrong_plain / n, ALPHA, 1);
}

// Four alike contestants in eight rows, as the rules ask: whether anybody gets a place of his own.
static void table_row(struct aa *aa, const struct noise *noise)
{
    const size_t rows = 8;
    struct mr_rng rng = mr_rng_seeded(aa->seed + 2000);
    double level = mr_places_level(TABLE, ALPHA);
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < aa->campaigns; i++) {
        double speed[TABLE][PAIRS_MAX];
        for (size_t row = 0; row < rows; row++) {
            for (size_t c = 0; c < TABLE; c++) {
                speed[c][row] = noise_draw(noise, &rng);
            }
        }
        bool ahead[TABLE * TABLE] = {false};
        for (size_t a = 0; a < TABLE; a++) {
            for (size_t b = 0; b < TABLE; b++) {
                double logs[PAIRS_MAX];
                for (size_t row = 0; row < rows; row++) {
                    logs[row] = speed[a][row] - speed[b][row];
                }
                mr_sort(logs, rows);
                ahead[a * TABLE + b] = mr_sign_interval(logs, rows, level).low > 0;
            }
        }
        size_t place[TABLE];
        mr_places(ahead, TABLE, place);
        wrong += place[0] > 1 || place[1] > 1 || place[2] > 1 || place[3] > 1;
    }
    aa_row(aa, noise->name, "a table of four alike: not all share the first place",
           (double)wrong / (double)aa->campaigns, 0, ALPHA);
}

void aa_levels(struct aa *aa)
{
    static const size_t pairs[] = {6, 8, 12, 24};
    for (size_t series = 0; series < aa->noises.count; series++) {
        const struct noise *noise = &aa->noises.series[series];
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
            rows_of(aa, noise, pairs[i]);
        }
        family_rows(aa, noise);
        table_row(aa, noise);
    }
}
