// rate_manifest.c: see rate_manifest.h.
#include "rate_manifest.h"

#include <errno.h>
#include <string.h>

static void add_count(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, uint64_t value)
{
    if (value > 0) {
        yyjson_mut_obj_add_uint(doc, object, key, value);
    } else {
        yyjson_mut_obj_add_null(doc, object, key);
    }
}

static void add_share(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key, double value)
{
    if (value > 0) {
        yyjson_mut_obj_add_real(doc, object, key, value);
    } else {
        yyjson_mut_obj_add_null(doc, object, key);
    }
}

static void add_steps(yyjson_mut_doc *doc, yyjson_mut_val *object, const struct mr_cell_load *load)
{
    if (load->steps_count == 0) {
        yyjson_mut_obj_add_null(doc, object, "steps");
        return;
    }
    yyjson_mut_val *steps = yyjson_mut_obj_add_arr(doc, object, "steps");
    for (size_t i = 0; i < load->steps_count; i++) {
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, steps);
        add_count(doc, one, "from_per_s", load->steps[i].from.per_s);
        add_share(doc, one, "from_share", load->steps[i].from.share);
        add_count(doc, one, "to_per_s", load->steps[i].to.per_s);
        add_share(doc, one, "to_share", load->steps[i].to.share);
        yyjson_mut_obj_add_uint(doc, one, "length_ns", load->steps[i].length_ns);
    }
}

yyjson_mut_val *mr_rate_load_json(yyjson_mut_doc *doc, const struct mr_cell_load *load)
{
    yyjson_mut_val *object = yyjson_mut_obj(doc);
    yyjson_mut_obj_add_str(doc, object, "plan", load->plan);
    yyjson_mut_obj_add_uint(doc, object, "connections", load->connections);
    yyjson_mut_obj_add_uint(doc, object, "depth", load->depth);
    add_count(doc, object, "in_flight", load->in_flight);
    add_count(doc, object, "rate_per_s", load->rate.per_s);
    add_share(doc, object, "share", load->rate.share);
    add_count(doc, object, "burst_batches", load->burst_batches);
    add_count(doc, object, "period_ns", load->period_ns);
    add_steps(doc, object, load);
    yyjson_mut_obj_add_bool(doc, object, "verify", load->verify);
    yyjson_mut_obj_add_bool(doc, object, "record", load->record);
    yyjson_mut_obj_add_bool(doc, object, "vary", load->vary);
    yyjson_mut_obj_add_bool(doc, object, "null_sender", load->null_sender);
    return object;
}

static void add_loads(const struct mr_race *race, yyjson_mut_doc *doc, yyjson_mut_val *root)
{
    yyjson_mut_val *loads = yyjson_mut_obj_add_arr(doc, root, "loads");
    for (size_t index = 0; index < race->matrix.cells_count; index++) {
        const struct mr_cell *cell = &race->matrix.cells[index];
        for (size_t i = 0; i < cell->entries_count; i++) {
            yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, loads);
            yyjson_mut_obj_add_str(doc, one, "cell", cell->name);
            yyjson_mut_obj_add_str(doc, one, "entry", cell->entries[i]);
            yyjson_mut_obj_add_str(doc, one, "contestant", cell->contestants[i]);
            yyjson_mut_obj_add_val(doc, one, "load", mr_rate_load_json(doc, &cell->loads[i]));
        }
    }
}

static void add_maxima(const struct mr_race *race, yyjson_mut_doc *doc, yyjson_mut_val *root)
{
    yyjson_mut_val *maxima = yyjson_mut_obj_add_arr(doc, root, "maxima");
    for (size_t i = 0; i < race->maxima.count; i++) {
        const struct mr_rate_maximum *maximum = &race->maxima.item[i];
        yyjson_mut_val *one = yyjson_mut_arr_add_obj(doc, maxima);
        yyjson_mut_obj_add_str(doc, one, "cell", race->matrix.cells[maximum->cell].name);
        yyjson_mut_obj_add_str(doc, one, "contestant", maximum->contestant);
        yyjson_mut_val *measured = yyjson_mut_obj_add_arr(doc, one, "batches_per_s");
        for (size_t k = 0; k < maximum->count; k++) {
            yyjson_mut_arr_add_real(doc, measured, maximum->batches_per_s[k]);
        }
        add_share(doc, one, "median_per_s", maximum->median);
        yyjson_mut_obj_add_bool(doc, one, "null_contestant", maximum->null_contestant);
        yyjson_mut_obj_add_bool(doc, one, "slowest", maximum->slowest);
        yyjson_mut_obj_add_str(doc, one, "reason", maximum->reason);
    }
}

void mr_rates_write(const struct mr_race *race, yyjson_mut_doc *doc, yyjson_mut_val *root)
{
    add_loads(race, doc, root);
    add_maxima(race, doc, root);
}

static yyjson_val *find_load(yyjson_val *root, const char *cell, const char *entry)
{
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(root, "loads"), index, count, one)
    {
        if (yyjson_equals_str(yyjson_obj_get(one, "cell"), cell) &&
            yyjson_equals_str(yyjson_obj_get(one, "entry"), entry)) {
            return yyjson_obj_get(one, "load");
        }
    }
    return NULL;
}

static bool read_count(yyjson_val *object, const char *key, bool needed, uint64_t *value_io)
{
    if (needed) {
        *value_io = yyjson_get_uint(yyjson_obj_get(object, key));
    }
    return !needed || *value_io > 0;
}

static bool read_load(yyjson_val *saved, struct mr_cell_load *load)
{
    bool bursts = load->period_ns > 0;
    bool known =
        read_count(saved, "rate_per_s", load->rate.share > 0, &load->rate.per_s) &&
        read_count(saved, "burst_batches", bursts && load->rate.share > 0, &load->burst_batches);
    yyjson_val *steps = yyjson_obj_get(saved, "steps");
    for (size_t i = 0; known && i < load->steps_count; i++) {
        struct mr_load_step *step = &load->steps[i];
        yyjson_val *one = yyjson_arr_get(steps, i);
        known = read_count(one, "from_per_s", step->from.share > 0, &step->from.per_s) &&
                read_count(one, "to_per_s", step->to.share > 0, &step->to.per_s);
    }
    return known;
}

int mr_rates_read(struct mr_matrix *matrix, yyjson_val *root, struct mr_trial_fault *fault)
{
    for (size_t index = 0; index < matrix->cells_count; index++) {
        struct mr_cell *cell = &matrix->cells[index];
        for (size_t i = 0; i < cell->entries_count; i++) {
            struct mr_cell_load *load = &cell->loads[i];
            if (mr_cell_load_is_shared(load) &&
                !read_load(find_load(root, cell->name, cell->entries[i]), load)) {
                mr_trial_fault_set(fault,
                                   "the manifest says no rate for \"%s\" of cell \"%s\", which "
                                   "gets a share of a maximum: it is not the manifest of this run",
                                   cell->entries[i], cell->name);
                return -EBADMSG;
            }
        }
    }
    return 0;
}
