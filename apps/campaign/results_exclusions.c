// results_exclusions.c: see results_exclusions.h.
#include "results_exclusions.h"

#include "pairs.h"

#include "base/mr_assert.h"
#include "stats/fisher.h"
#include "stats/paired.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// The level of the warning: by itself, for a warning that comes too often does no harm.
#define WARNING_ALPHA 0.05

// The trials of one side that ran to their own end.
struct losses {
    size_t lost; // excluded ones
    size_t trials;
};

// Attempts that did not end by themselves are nobody's loss.
static void count_losses(const struct mr_trial_table *table, const struct mr_cell *cell,
                         struct losses *losses_out)
{
    uint64_t attempts = mr_trial_table_attempts(table);
    for (uint64_t row = 0; row < cell->rows; row++) {
        for (uint64_t attempt = 0; attempt < attempts; attempt++) {
            const struct mr_trial *trials[MR_CELL_ENTRIES_MAX];
            if (!mr_trial_table_attempt(table, cell, row, attempt, trials)) {
                continue;
            }
            for (size_t i = 0; i < cell->entries_count; i++) {
                losses_out[i].trials += trials[i] != NULL;
                losses_out[i].lost += trials[i] != NULL && trials[i]->outcome == MR_TRIAL_EXCLUDED;
            }
        }
    }
}

static void add_losses(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
                       struct losses losses)
{
    yyjson_mut_val *one = yyjson_mut_obj_add_obj(doc, object, key);
    yyjson_mut_obj_add_uint(doc, one, "lost", losses.lost);
    yyjson_mut_obj_add_uint(doc, one, "trials", losses.trials);
}

static void add_real(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, bool known,
                     double value)
{
    if (known && isfinite(value)) {
        yyjson_mut_obj_add_real(doc, object, key, value);
    } else {
        yyjson_mut_obj_add_null(doc, object, key);
    }
}

static int add_estimate(yyjson_mut_doc *doc, yyjson_mut_val *object,
                        const struct mr_trial_table *table, const struct mr_cell *cell,
                        const struct mr_comparison *comparison, double alpha)
{
    struct mr_pairs pairs;
    struct mr_paired paired;
    size_t place;
    if (mr_pairs_init_unexcluded(&pairs, table, cell, comparison->a, comparison->b) != 0) {
        return -ENOMEM;
    }
    const struct mr_paired_params params = {
        .a = pairs.a, .b = pairs.b, .count = pairs.count, .alpha = alpha, .scratch = pairs.scratch};
    enum mr_paired_status status = mr_paired_estimate(&params, &paired, &place);
    MR_ASSERT(status != MR_PAIRED_NOT_POSITIVE); // pairs take no such value
    bool estimated = status == MR_PAIRED_OK;
    yyjson_mut_obj_add_uint(doc, object, "pairs", pairs.count);
    add_real(doc, object, "ratio", estimated, paired.ratio);
    add_real(doc, object, "ratio_low", estimated && paired.logs.known, paired.ratio_low);
    add_real(doc, object, "ratio_high", estimated && paired.logs.known, paired.ratio_high);
    mr_pairs_fini(&pairs);
    return 0;
}

int mr_results_exclusions(yyjson_mut_doc *doc, yyjson_mut_val *one,
                          const struct mr_trial_table *table, const struct mr_cell *cell,
                          const struct mr_comparison *comparison, double alpha)
{
    struct losses losses[MR_CELL_ENTRIES_MAX] = {{0}};
    count_losses(table, cell, losses);
    struct losses a = losses[comparison->a];
    struct losses b = losses[comparison->b];
    double p_value = mr_fisher_p_value(a.lost, a.trials, b.lost, b.trials);
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, one, "exclusions");
    add_losses(doc, object, "a", a);
    add_losses(doc, object, "b", b);
    yyjson_mut_obj_add_real(doc, object, "p_value", p_value);
    yyjson_mut_obj_add_bool(doc, object, "uneven", p_value <= WARNING_ALPHA);
    return add_estimate(doc, yyjson_mut_obj_add_obj(doc, object, "without"), table, cell,
                        comparison, alpha);
}
