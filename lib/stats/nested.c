// nested.c: see nested.h.
#include "nested.h"

#include <base/mr_assert.h>

#include <math.h>

static double mean_of(const double parts[MR_NESTED_PARTS])
{
    double sum = 0;
    for (size_t i = 0; i < MR_NESTED_PARTS; i++) {
        sum += parts[i];
    }
    return sum / MR_NESTED_PARTS;
}

// Sums over the groups.
struct groups {
    double sum[MR_NESTED_GROUPS_MAX]; // of the trials' means
    size_t size[MR_NESTED_GROUPS_MAX];
    size_t grouped;
    double squares; // of sizes
    double mean;    // of all
};

static struct groups gather(const struct mr_nested_params *params)
{
    struct groups groups = {.grouped = 0};
    for (size_t i = 0; i < params->count; i++) {
        MR_ASSERT(params->group[i] < params->groups && params->groups <= MR_NESTED_GROUPS_MAX);
        double mean = mean_of(params->values[i]);
        groups.sum[params->group[i]] += mean;
        groups.size[params->group[i]]++;
        groups.mean += mean / (double)params->count;
    }
    for (size_t i = 0; i < params->groups; i++) {
        groups.grouped += groups.size[i] > 0;
        groups.squares += (double)groups.size[i] * (double)groups.size[i];
    }
    return groups;
}

struct mr_nested mr_nested_split(const struct mr_nested_params *params)
{
    struct groups groups = gather(params);
    double trials = (double)params->count;
    double within = 0;
    double between_trials = 0;
    double between_groups = 0;
    for (size_t i = 0; i < params->count; i++) {
        double mean = mean_of(params->values[i]);
        size_t group = params->group[i];
        double group_mean = groups.sum[group] / (double)groups.size[group];
        for (size_t k = 0; k < MR_NESTED_PARTS; k++) {
            within += pow(params->values[i][k] - mean, 2);
        }
        between_trials += MR_NESTED_PARTS * pow(mean - group_mean, 2);
        between_groups += MR_NESTED_PARTS * pow(group_mean - groups.mean, 2);
    }
    struct mr_nested split = {.within = NAN, .trials = NAN, .groups = NAN};
    split.grouped = groups.grouped;
    if (params->count == 0) {
        return split;
    }
    split.within = within / (trials * (MR_NESTED_PARTS - 1));
    if (params->count == groups.grouped) {
        return split;
    }
    double mean_square = between_trials / (trials - (double)groups.grouped);
    split.trials = fmax(0, (mean_square - split.within) / MR_NESTED_PARTS);
    if (groups.grouped > 1) {
        double spare = (double)(groups.grouped - 1);
        double size = (trials - groups.squares / trials) / spare;
        split.groups = fmax(0, (between_groups / spare - mean_square) / (MR_NESTED_PARTS * size));
    }
    return split;
}
