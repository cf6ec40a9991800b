// aa_power.c: the number of pairs that is proposed finds what it is proposed for, nine times in
// ten.
#include "aa.h"

#include <stats/paired.h>
#include <stats/power.h>

#include <math.h>
#include <stdio.h>

#define ALPHA     0.05
#define POWER     0.9
#define PAIRS_MAX MR_POWER_PAIRS_MAX

// How often `pairs` pairs put the whole interval on the right side of 0.
static double found_share(struct aa *aa, const struct noise *noise, double difference, size_t pairs)
{
    struct mr_rng rng = mr_rng_seeded(aa->seed + 4000 + pairs);
    uint64_t found = 0;
    for (uint64_t i = 0; i < aa->campaigns; i++) {
        static double logs[PAIRS_MAX];
        size_t above = 0;
        for (size_t j = 0; j < pairs; j++) {
            logs[j] = difference + noise_draw(noise, &rng);
            above += logs[j] > 0;
        }
        found += 2 * above > pairs && mr_sign_p_value(logs, pairs) <= ALPHA;
    }
    return (double)found / (double)aa->campaigns;
}

static void power_rows(struct aa *aa, const struct noise *noise, const char *name,
                       double difference)
{
    double scratch[NOISE_VALUES_MAX];
    double wrong_side = mr_wrong_side(noise->logs, noise->count, difference, scratch);
    size_t least = mr_pairs_needed(1, ALPHA);
    size_t pairs = mr_pairs_for(wrong_side, ALPHA, POWER, 1);
    char what[96];
    if (pairs == 0) {
        (void)snprintf(what, sizeof what, "%s: more than %d pairs", name, MR_POWER_PAIRS_MAX);
        aa_row(aa, noise->name, what, mr_power(MR_POWER_PAIRS_MAX, wrong_side, ALPHA), 0, POWER);
        return;
    }
    (void)snprintf(what, sizeof what, "%s: found by the %zu pairs proposed", name, pairs);
    // The smallest number that decides anything may be more than enough.
    aa_row(aa, noise->name, what, found_share(aa, noise, difference, pairs), POWER - 0.05,
           pairs > least ? POWER + 0.05 : 1);
    if (pairs / 4 >= least) {
        (void)snprintf(what, sizeof what, "%s, planted: a quarter of them", name);
        aa_row(aa, noise->name, what, found_share(aa, noise, difference, pairs / 4), 0, 0.7);
    }
}

void aa_power(struct aa *aa)
{
    for (size_t series = 0; series < aa->noises.count; series++) {
        const struct noise *noise = &aa->noises.series[series];
        power_rows(aa, noise, "1 % true", log1p(0.01));
        power_rows(aa, noise, "2 % true", log1p(0.02));
        power_rows(aa, noise, "5 % true", log1p(0.05));
    }
}
