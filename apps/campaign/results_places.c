// results_places.c: see results_places.h.
#include "results_places.h"

#include "pairs.h"

#include "base/mr_assert.h"
#include "stats/paired.h"
#include "stats/places.h"

#include <math.h>
#include <string.h>

// Who is in the table, and who was found ahead of whom.
struct places {
    size_t entry[MR_CELL_ENTRIES_MAX];
    size_t count;
    bool ahead[MR_CELL_ENTRIES_MAX * MR_CELL_ENTRIES_MAX];
};

// Compares two of the table by the sign test's interval.
static int compare(struct places *places, size_t i, size_t j, const struct mr_trial_table *table,
                   const struct mr_cell *cell, const struct mr_places_rules *rules)
{
    struct mr_pairs pairs;
    int result = mr_pairs_init(&pairs, table, cell, NULL, places->entry[i], places->entry[j]);
    if (result != 0) {
        return result;
    }
    struct mr_paired paired;
    size_t place;
    const struct mr_paired_params params = {.a = pairs.a,
                                            .b = pairs.b,
                                            .count = pairs.count,
                                            .alpha = rules->alpha,
                                            .scratch = pairs.scratch};
    enum mr_paired_status status = mr_paired_estimate(&params, &paired, &place);
    MR_ASSERT(status != MR_PAIRED_NOT_POSITIVE); // mr_pairs_init() takes no such value
    bool known = status == MR_PAIRED_OK && paired.logs.known &&
                 fabs(paired.log_ratio) >= log1p(rules->smallest);
    places->ahead[i * places->count + j] = known && paired.logs.low > 0;
    places->ahead[j * places->count + i] = known && paired.logs.high < 0;
    mr_pairs_fini(&pairs);
    return 0;
}

static bool is_table(const struct places *places, const struct mr_cell *cell)
{
    const struct mr_cell_load *load = &cell->loads[places->entry[0]];
    // An open plan fixes the throughput beforehand.
    bool decides = strcmp(cell->metric, "records_per_s") != 0 || !mr_cell_load_is_open(load);
    for (size_t i = 0; i < places->count; i++) {
        decides &= mr_cell_load_equal(load, &cell->loads[places->entry[i]]);
    }
    return decides && places->count > 2 && strcmp(cell->measures, "contestant") == 0;
}

int mr_results_places(yyjson_mut_doc *doc, yyjson_mut_val *one, const struct mr_cell *cell,
                      const struct mr_trial_table *table, const bool *takes_part,
                      const struct mr_places_rules *rules)
{
    _Static_assert(MR_CELL_ENTRIES_MAX <= MR_PLACES_MAX, "a table must hold every entry");
    struct places places = {.count = 0};
    for (size_t i = 0; i < cell->entries_count; i++) {
        if (takes_part[i]) {
            places.entry[places.count++] = i;
        }
    }
    if (!is_table(&places, cell)) {
        yyjson_mut_obj_add_null(doc, one, "places");
        return 0;
    }
    const struct mr_places_rules shared = {.alpha = mr_places_level(places.count, rules->alpha),
                                           .smallest = rules->smallest};
    int result = 0;
    for (size_t i = 0; i < places.count; i++) {
        for (size_t j = i + 1; result == 0 && j < places.count; j++) {
            result = compare(&places, i, j, table, cell, &shared);
        }
    }
    size_t place[MR_PLACES_MAX];
    mr_places(places.ahead, places.count, place);
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, one, "places");
    yyjson_mut_obj_add_real(doc, object, "alpha", shared.alpha);
    yyjson_mut_val *of = yyjson_mut_obj_add_obj(doc, object, "of");
    for (size_t i = 0; i < places.count; i++) {
        yyjson_mut_obj_add_uint(doc, of, cell->entries[places.entry[i]], place[i]);
    }
    return result;
}
