// results_controls.c: see results_controls.h.
#include "results_controls.h"
#include "results_real.h"

#include "base/mr_assert.h"

#include <math.h>
#include <stdbool.h>

static const char *name_of(enum mr_control control)
{
    static const char *const names[] = {"none", "baseline", "twin", "dose", "liar", "object_order"};
    return names[control];
}

static const char *word_of(const struct mr_control_outcome *one)
{
    switch (one->control) {
    case MR_CONTROL_LIAR:
        return one->lie != NULL ? "caught" : one->believed ? "believed" : "not_run";
    case MR_CONTROL_DOSE:
        return !one->estimated ? "not_run"
               : one->off_size ? "off_size"
               : one->found    ? "found"
                               : "not_found";
    case MR_CONTROL_OBJECT_ORDER:
        return !one->estimated ? "not_run"
               : one->is_same  ? "same"
               : one->differs  ? "differs"
                               : "not_resolved";
    default:
        return !one->estimated ? "not_run" : one->differs ? "differs" : "not_distinguished";
    }
}

static void add_ratio(yyjson_mut_doc *doc, yyjson_mut_val *object,
                      const struct mr_control_outcome *one)
{
    const struct mr_paired *paired = &one->paired;
    bool known = one->estimated && paired->logs.known;
    yyjson_mut_obj_add_uint(doc, object, "pairs", one->estimated ? paired->pairs_count : 0);
    mr_results_add_real(doc, object, "ratio", one->estimated ? paired->ratio : NAN);
    mr_results_add_real(doc, object, "ratio_low", known ? paired->ratio_low : NAN);
    mr_results_add_real(doc, object, "ratio_high", known ? paired->ratio_high : NAN);
    mr_results_add_real(doc, object, "alpha", one->alpha);
    mr_results_add_real(doc, object, "cpu_extra", one->cpu_extra);
}

static void add_outcome(yyjson_mut_doc *doc, yyjson_mut_val *list, const struct mr_matrix *matrix,
                        const struct mr_control_outcome *one)
{
    const struct mr_cell *cell = &matrix->cells[one->cell];
    yyjson_mut_val *object = yyjson_mut_arr_add_obj(doc, list);
    yyjson_mut_obj_add_str(doc, object, "cell", cell->name);
    yyjson_mut_obj_add_str(doc, object, "entry", cell->entries[one->entry]);
    yyjson_mut_obj_add_str(doc, object, "contestant", cell->contestants[one->entry]);
    yyjson_mut_obj_add_str(doc, object, "beside", cell->entries[one->baseline]);
    yyjson_mut_obj_add_str(doc, object, "is", name_of(one->control));
    yyjson_mut_obj_add_str(doc, object, "outcome", word_of(one));
    if (one->control == MR_CONTROL_DOSE) {
        yyjson_mut_obj_add_real(doc, object, "planted", (double)cell->dose_ppm[one->entry] / 1e6);
    }
    if (one->control != MR_CONTROL_LIAR) {
        add_ratio(doc, object, one);
    } else if (one->lie != NULL) {
        yyjson_mut_obj_add_uint(doc, object, "trial", one->lie->number);
        yyjson_mut_obj_add_str(doc, object, "reason", one->lie->reason);
    }
}

// Where they raced and what compares them: what they show is known of that alone.
static void add_place(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct mr_matrix *matrix)
{
    size_t cell = 0;
    while (!matrix->cells[cell].is_control) {
        cell++;
        MR_ASSERT(cell < matrix->cells_count); // they were asked for
    }
    yyjson_mut_obj_add_str(doc, object, "like", matrix->cells[cell].like);
    yyjson_mut_obj_add_str(doc, object, "metric", matrix->cells[cell].metric);
}

void mr_results_controls(yyjson_mut_doc *doc, yyjson_mut_val *root, const struct mr_matrix *matrix,
                         const struct mr_controls *controls)
{
    if (!controls->asked) {
        yyjson_mut_obj_add_null(doc, root, "controls");
        return;
    }
    yyjson_mut_val *object = yyjson_mut_obj_add_obj(doc, root, "controls");
    add_place(doc, object, matrix);
    yyjson_mut_obj_add_bool(doc, object, "finished", controls->finished);
    mr_results_add_real(doc, object, "smallest_found", controls->smallest_found);
    yyjson_mut_obj_add_bool(doc, object, "doses_ran", controls->doses_ran);
    mr_results_add_real(doc, object, "claims_from", controls->limits.smallest);
    mr_results_add_real(doc, object, "noise_floor", controls->noise.floor);
    yyjson_mut_obj_add_uint(doc, object, "lies_told", controls->lies_told);
    yyjson_mut_obj_add_uint(doc, object, "lies_caught", controls->lies_caught);
    yyjson_mut_obj_add_bool(doc, object, "void", controls->limits.void_table);
    yyjson_mut_val *list = yyjson_mut_obj_add_arr(doc, object, "of");
    for (size_t i = 0; i < controls->count; i++) {
        add_outcome(doc, list, matrix, &controls->outcomes[i]);
    }
}
