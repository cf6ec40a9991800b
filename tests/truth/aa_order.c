// aa_order.c: a machine that wanders: orders that cancel it, and one that does not.
#include "aa.h"

#include <stats/paired.h>
#include <stats/robust.h>
#include <stats/williams.h>

#include <math.h>

#define ALPHA       0.05
#define PAIRS       12
#define TRIALS      ((size_t)2 * PAIRS)
#define PERSISTENCE 0.9  // of the AR(1) noise, from one trial to the next
#define DRIFT       0.01 // of the machine's speed, a trial

// Log speeds of a machine over the trials of a campaign, whoever runs.
static void wander(const struct noise *noise, struct mr_rng *rng, double drift, double spread,
                   double speed[TRIALS])
{
    double state = spread * draw_normal(rng);
    for (size_t i = 0; i < TRIALS; i++) {
        speed[i] = drift * (double)i + state + noise_draw(noise, rng) / sqrt(2);
        state =
            PERSISTENCE * state + spread * sqrt(1 - PERSISTENCE * PERSISTENCE) * draw_normal(rng);
    }
}

static bool excludes_zero(double logs[PAIRS])
{
    mr_sort(logs, PAIRS);
    struct mr_interval interval = mr_sign_interval(logs, PAIRS, ALPHA);
    return interval.low > 0 || interval.high < 0;
}

// The order that the lab runs: blocks of two rows, each drawn anew.
static bool differs_paired(const double speed[TRIALS], struct mr_rng *rng)
{
    double logs[PAIRS];
    for (size_t row = 0; row < PAIRS; row += 2) {
        unsigned design[4];
        mr_williams_design(2, mr_rng_next(rng), design);
        for (size_t i = 0; i < 2; i++) {
            size_t first = 2 * (row + i);
            double forward = speed[first] - speed[first + 1];
            logs[row + i] = design[2 * i] == 0 ? forward : -forward;
        }
    }
    return excludes_zero(logs);
}

// All of A, then all of B: the pairs are those that a table would show side by side.
static bool differs_one_after_another(const double speed[TRIALS])
{
    double logs[PAIRS];
    for (size_t i = 0; i < PAIRS; i++) {
        logs[i] = speed[i] - speed[PAIRS + i];
    }
    return excludes_zero(logs);
}

static void order_rows(struct aa *aa, const struct noise *noise, double drift, double spread,
                       const char *paired, const char *planted)
{
    struct mr_rng rng = mr_rng_seeded(aa->seed + 3000);
    uint64_t wrong = 0;
    uint64_t wrong_planted = 0;
    for (uint64_t i = 0; i < aa->campaigns; i++) {
        double speed[TRIALS];
        wander(noise, &rng, drift, spread, speed);
        wrong += differs_paired(speed, &rng);
        wrong_planted += differs_one_after_another(speed);
    }
    double n = (double)aa->campaigns;
    aa_row(aa, noise->name, paired, (double)wrong / n, 0, ALPHA);
    aa_row(aa, noise->name, planted, (double)wrong_planted / n, 0.2, 1);
}

void aa_order(struct aa *aa)
{
    for (size_t series = 0; series < aa->noises.count; series++) {
        const struct noise *noise = &aa->noises.series[series];
        double scratch[NOISE_VALUES_MAX];
        double scale = mr_robust_scale(noise->logs, noise->count, scratch);
        order_rows(aa, noise, fmax(DRIFT, scale / 4), 0, "drift, ABBA: a false difference",
                   "drift, planted: AAAABBBB");
        order_rows(aa, noise, 0, 3 * scale, "AR(1) 0.9, ABBA: a false difference",
                   "AR(1) 0.9, planted: AAAABBBB");
    }
}
