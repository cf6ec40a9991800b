// sweep_saturation.c: see sweep_saturation.h.
#include "sweep_saturation.h"

#include "base/mr_assert.h"
#include "stats/paired.h"
#include "stats/robust.h"

#include <math.h>

#define PAIRS_MAX 99

// The achieved rates of whole pairs, by pair.
struct pairs {
    double open_per_s[PAIRS_MAX];
    double closed_per_s[PAIRS_MAX];
    size_t count;
    size_t sustained;
};

static bool counts(const struct mr_sweep_trial *trial, size_t entry)
{
    return trial->phase == MR_SWEEP_PAIR && trial->entry == entry &&
           trial->outcome == MR_TRIAL_COUNTED;
}

// The counted trial of one pair, open or closed; NULL: there is none.
static const struct mr_sweep_trial *find(const struct mr_sweep *sweep, size_t entry,
                                         uint64_t repeat, bool closed)
{
    for (size_t i = 0; i < sweep->trials_count; i++) {
        const struct mr_sweep_trial *trial = &sweep->trial[i];
        if (counts(trial, entry) && trial->repeat == repeat && (trial->rate_per_s == 0) == closed) {
            return trial;
        }
    }
    return NULL;
}

static void collect(const struct mr_sweep *sweep, size_t entry, struct pairs *pairs_out)
{
    *pairs_out = (struct pairs){.count = 0};
    for (uint64_t repeat = 0; repeat < sweep->options.pairs && repeat < PAIRS_MAX; repeat++) {
        const struct mr_sweep_trial *closed = find(sweep, entry, repeat, true);
        const struct mr_sweep_trial *open = find(sweep, entry, repeat, false);
        if (closed == NULL || open == NULL) {
            continue;
        }
        pairs_out->sustained += open->overloaded ? 0 : 1;
        pairs_out->open_per_s[pairs_out->count] = open->achieved_per_s;
        pairs_out->closed_per_s[pairs_out->count++] = closed->achieved_per_s;
    }
}

static enum mr_saturation_verdict judge(const struct mr_sweep_saturation *found)
{
    double low = 1 - MR_SATURATION_AGREEMENT;
    double high = 1 + MR_SATURATION_AGREEMENT;
    if (isnan(found->ratio_low)) {
        return MR_SATURATION_OPEN;
    }
    if (found->ratio_low >= low && found->ratio_high <= high) {
        return MR_SATURATION_AGREES;
    }
    return found->ratio_high < low || found->ratio_low > high ? MR_SATURATION_APART
                                                              : MR_SATURATION_OPEN;
}

struct mr_sweep_saturation mr_sweep_saturation_of(const struct mr_sweep *sweep, size_t entry)
{
    struct pairs pairs;
    collect(sweep, entry, &pairs);
    struct mr_sweep_saturation found = {.sustained = pairs.sustained,
                                        .open_per_s = NAN,
                                        .closed_per_s = NAN,
                                        .ratio = NAN,
                                        .ratio_low = NAN,
                                        .ratio_high = NAN,
                                        .verdict = MR_SATURATION_OPEN};
    double scratch[2 * PAIRS_MAX];
    struct mr_paired paired;
    size_t place;
    const struct mr_paired_params params = {.a = pairs.open_per_s,
                                            .b = pairs.closed_per_s,
                                            .count = pairs.count,
                                            .alpha = MR_ALPHA,
                                            .scratch = scratch};
    if (mr_paired_estimate(&params, &paired, &place) != MR_PAIRED_OK) {
        return found; // none, or a trial in which nothing was answered
    }
    found.pairs = pairs.count;
    found.open_per_s = mr_median(pairs.open_per_s, pairs.count, scratch);
    found.closed_per_s = mr_median(pairs.closed_per_s, pairs.count, scratch);
    found.ratio = paired.ratio;
    if (paired.logs.known) {
        found.ratio_low = paired.ratio_low;
        found.ratio_high = paired.ratio_high;
        found.confidence = paired.confidence;
    }
    found.verdict = judge(&found);
    return found;
}

const char *mr_saturation_verdict_name(enum mr_saturation_verdict verdict)
{
    static const char *const names[] = {"within 10 %", "more than 10 % apart", "open"};
    MR_ASSERT((size_t)verdict < sizeof names / sizeof names[0]);
    return names[verdict];
}

uint64_t mr_sweep_pair_rate(const struct mr_sweep *sweep, size_t entry)
{
    double most = sweep->entry[entry].maximum_per_s;
    if (!(most > 0)) {
        return 0;
    }
    for (size_t i = 0; i < sweep->trials_count; i++) {
        const struct mr_sweep_trial *trial = &sweep->trial[i];
        if (counts(trial, entry) && trial->rate_per_s == 0) {
            most = fmax(most, trial->achieved_per_s);
        }
    }
    return mr_sweep_rate(most, MR_SATURATION_PERCENT);
}

size_t mr_sweep_pairs_missing(const struct mr_sweep *sweep, size_t entry)
{
    struct pairs pairs;
    if (sweep->entry[entry].wrong[0] != '\0') {
        return 0;
    }
    collect(sweep, entry, &pairs);
    return (size_t)sweep->options.pairs - pairs.count;
}
