// matrix_controls.c: see matrix_controls.h.
#include "matrix_controls.h"

#include "base/mr_assert.h"
#include "base/rng.h"
#include "stats/paired.h"
#include "stats/williams.h"

#include <math.h>
#include <string.h>

#define BASELINES_MAX 2
#define DOSES_MAX     4
#define LIARS_MAX     32
#define PARTS_MAX     (BASELINES_MAX + 1)
#define ROWS_DEFAULT  12
#define ROWS_MAX      1000

// Draws of the controls are others than those of schedule and generator.
#define SEED_APART 0xC0117801u

static const char *const keys[] = {"like",  "rows",          "baselines", "doses",
                                   "liars", "object_orders", NULL};

// Each stands once in a matrix, so that nothing that goes by an entry's name mixes two of them.
static const char *const code_names[PARTS_MAX * (DOSES_MAX + 3)] = {
    "code-01", "code-02", "code-03", "code-04", "code-05", "code-06", "code-07",
    "code-08", "code-09", "code-10", "code-11", "code-12", "code-13", "code-14",
    "code-15", "code-16", "code-17", "code-18", "code-19", "code-20", "code-21"};

static const char *const part_names[PARTS_MAX] = {"controls, part 1", "controls, part 2",
                                                  "controls, part 3"};

struct controls {
    const struct mr_cell *like;
    uint64_t rows;
    const char *baselines[BASELINES_MAX];
    size_t baselines_count;
    uint64_t doses_ppm[DOSES_MAX];
    size_t doses_count;
    const char *liars[LIARS_MAX];
    size_t liars_count;
    const char *object_orders[2];
    size_t object_orders_count;
    struct mr_rng rng;
    size_t names_used;
    size_t parts_used;
};

// At most `max` texts at `key`.
static size_t read_texts(struct mr_json_file *file, yyjson_val *object, const char *key, size_t max,
                         const char **texts_out)
{
    size_t index;
    size_t count;
    yyjson_val *value;
    yyjson_val *array = mr_json_array(file, object, key, false);
    yyjson_arr_foreach(array, index, count, value)
    {
        if (!yyjson_is_str(value) || index == max) {
            mr_json_fail(file, yyjson_obj_get(object, key), "\"%s\" is a list of at most %zu names",
                         key, max);
            return 0;
        }
        texts_out[index] = yyjson_get_str(value);
    }
    return yyjson_arr_size(array);
}

static void read_doses(struct mr_json_file *file, yyjson_val *object, struct controls *controls)
{
    size_t index;
    size_t count;
    yyjson_val *value;
    yyjson_arr_foreach(mr_json_array(file, object, "doses", false), index, count, value)
    {
        double share = yyjson_get_num(value);
        uint64_t ppm = share > 0 && share <= 1 ? (uint64_t)llround(share * 1e6) : 0;
        bool ascends = index == 0 || (index < DOSES_MAX && ppm > controls->doses_ppm[index - 1]);
        if (ppm == 0 || index == DOSES_MAX || !ascends) {
            mr_json_fail(file, yyjson_obj_get(object, "doses"),
                         "\"doses\": at most %d ascending shares above 0, up to 1", DOSES_MAX);
            return;
        }
        controls->doses_ppm[controls->doses_count++] = ppm;
    }
}

// A dose shows in what a busy server answers: in throughput of a closed loop.
static const struct mr_cell *find_like(struct mr_json_file *file, yyjson_val *object,
                                       const struct mr_matrix *matrix)
{
    const char *name = mr_json_text(file, object, "like", NULL);
    yyjson_val *place = yyjson_obj_get(object, "like");
    for (size_t i = 0; i < matrix->cells_count; i++) {
        const struct mr_cell *cell = &matrix->cells[i];
        if (strcmp(cell->name, name) != 0) {
            continue;
        }
        if (strcmp(cell->driver, "stepped") == 0 || mr_cell_load_is_open(&cell->load) ||
            strcmp(cell->metric, "records_per_s") != 0 || strcmp(cell->mode, "drain") == 0 ||
            strcmp(cell->measures, "contestant") != 0) {
            mr_json_fail(
                file, place,
                "controls are \"like\" a cell of servers in a closed loop that is compared "
                "by \"records_per_s\" and does more than \"drain\"; \"%s\" is not",
                name);
        }
        return cell;
    }
    mr_json_fail(file, place, "controls are \"like\" no cell: there is none called \"%s\"", name);
    return NULL;
}

// Liars are spared the conformance kit, so they may race nowhere else.
static void check_liars(struct mr_json_file *file, yyjson_val *object,
                        const struct mr_matrix *matrix, const struct controls *controls)
{
    for (size_t cell = 0; cell < matrix->cells_count; cell++) {
        for (size_t i = 0; i < matrix->cells[cell].entries_count; i++) {
            for (size_t k = 0; k < controls->liars_count; k++) {
                if (strcmp(matrix->cells[cell].contestants[i], controls->liars[k]) == 0) {
                    mr_json_fail(file, yyjson_obj_get(object, "liars"),
                                 "\"%s\" is a liar and races in cell \"%s\", too",
                                 controls->liars[k], matrix->cells[cell].name);
                }
            }
        }
    }
}

static void read_keys(struct mr_json_file *file, yyjson_val *object, struct controls *controls)
{
    static const struct mr_json_range rows = {2, ROWS_MAX, ROWS_DEFAULT, false};
    mr_json_only_keys(file, object, keys);
    controls->rows = mr_json_count(file, object, "rows", rows);
    controls->baselines_count =
        read_texts(file, object, "baselines", BASELINES_MAX, controls->baselines);
    read_doses(file, object, controls);
    controls->liars_count = read_texts(file, object, "liars", LIARS_MAX, controls->liars);
    controls->object_orders_count =
        read_texts(file, object, "object_orders", 2, controls->object_orders);
    yyjson_val *place = yyjson_obj_get(object, "object_orders");
    if (controls->object_orders_count == 1) {
        mr_json_fail(file, place, "\"object_orders\" names two builds of one program");
    }
    if (controls->baselines_count == 0 &&
        (controls->object_orders_count == 0 || controls->doses_count > 0 ||
         controls->liars_count > 0)) {
        mr_json_fail(file, yyjson_obj_get(object, "like"),
                     "controls need \"baselines\", the contestants that are entered twice");
    }
}

static void add_entry(struct mr_cell *cell, const char *contestant, enum mr_control control,
                      uint64_t dose_ppm)
{
    size_t at = cell->entries_count++;
    cell->contestants[at] = contestant;
    cell->loads[at] = cell->load;
    cell->optional[at] = false;
    cell->control[at] = control;
    cell->dose_ppm[at] = dose_ppm;
}

static void swap_entries(struct mr_cell *cell, size_t i, size_t j)
{
    const char *contestant = cell->contestants[i];
    enum mr_control control = cell->control[i];
    uint64_t dose_ppm = cell->dose_ppm[i];
    cell->contestants[i] = cell->contestants[j];
    cell->control[i] = cell->control[j];
    cell->dose_ppm[i] = cell->dose_ppm[j];
    cell->contestants[j] = contestant;
    cell->control[j] = control;
    cell->dose_ppm[j] = dose_ppm;
}

// Neither name nor place tells what an entry is.
static void hide(struct controls *controls, struct mr_cell *cell)
{
    for (size_t left = cell->entries_count; left > 1; left--) {
        swap_entries(cell, left - 1, mr_rng_below(&controls->rng, left));
    }
    for (size_t i = 0; i < cell->entries_count; i++) {
        cell->entries[i] = code_names[controls->names_used++];
    }
}

// A cell of the workload with nobody in it yet; NULL: there is no room for another.
static struct mr_cell *begin_part(struct mr_json_file *file, struct mr_matrix *matrix,
                                  struct controls *controls)
{
    if (matrix->cells_count == MR_CELLS_MAX) {
        mr_json_fail(file, NULL, "with its controls the matrix has more than %d cells",
                     MR_CELLS_MAX);
        return NULL;
    }
    const char *name = part_names[controls->parts_used++];
    for (size_t i = 0; i < matrix->cells_count; i++) { // trials go by the names of cells
        if (strcmp(matrix->cells[i].name, name) == 0) {
            mr_json_fail(file, NULL, "\"%s\" is what controls are called: name the cell otherwise",
                         name);
            return NULL;
        }
    }
    struct mr_cell *cell = &matrix->cells[matrix->cells_count++];
    *cell = *controls->like;
    cell->name = name;
    cell->like = controls->like->name;
    cell->entries_count = 0;
    cell->comparisons_count = 0;
    cell->is_control = true;
    return cell;
}

static void end_part(struct controls *controls, struct mr_cell *cell)
{
    size_t design = mr_williams_rows(cell->entries_count);
    cell->rows = (controls->rows + design - 1) / design * design;
    hide(controls, cell);
}

static void add_baseline(struct mr_json_file *file, struct mr_matrix *matrix,
                         struct controls *controls, const char *baseline)
{
    struct mr_cell *cell = begin_part(file, matrix, controls);
    if (cell == NULL) {
        return;
    }
    add_entry(cell, baseline, MR_CONTROL_BASELINE, 0);
    add_entry(cell, baseline, MR_CONTROL_TWIN, 0);
    for (size_t i = 0; i < controls->doses_count; i++) {
        add_entry(cell, baseline, MR_CONTROL_DOSE, controls->doses_ppm[i]);
    }
    if (controls->liars_count > 0) { // who was drawn is not drawn again
        size_t drawn = mr_rng_below(&controls->rng, controls->liars_count--);
        add_entry(cell, controls->liars[drawn], MR_CONTROL_LIAR, 0);
        controls->liars[drawn] = controls->liars[controls->liars_count];
    }
    end_part(controls, cell);
}

static void add_object_orders(struct mr_json_file *file, struct mr_matrix *matrix,
                              struct controls *controls)
{
    struct mr_cell *cell = begin_part(file, matrix, controls);
    if (cell != NULL) {
        add_entry(cell, controls->object_orders[0], MR_CONTROL_BASELINE, 0);
        add_entry(cell, controls->object_orders[1], MR_CONTROL_OBJECT_ORDER, 0);
        end_part(controls, cell);
    }
}

// What is compared at the strictest level must be able to come out.
static void check_level(struct mr_json_file *file, yyjson_val *object,
                        const struct mr_matrix *matrix, const struct controls *controls)
{
    size_t twins = controls->baselines_count + controls->object_orders_count / 2;
    size_t comparisons = matrix->primary_count > twins ? matrix->primary_count : twins;
    size_t pairs_min = mr_pairs_needed(comparisons, matrix->rules.alpha);
    if (controls->rows < pairs_min) {
        yyjson_val *place = yyjson_obj_get(object, "rows");
        mr_json_fail(file, place,
                     "%llu rows of controls cannot decide anything in this matrix; it needs at "
                     "least %zu",
                     (unsigned long long)controls->rows, pairs_min);
    }
}

void mr_matrix_read_controls(struct mr_json_file *file, yyjson_val *object,
                             struct mr_matrix *matrix_io)
{
    _Static_assert(DOSES_MAX + 3 <= MR_CELL_ENTRIES_MAX, "a cell must hold every control");
    struct controls controls = {.like = find_like(file, object, matrix_io),
                                .rng = mr_rng_seeded(matrix_io->seed ^ SEED_APART)};
    read_keys(file, object, &controls);
    if (!file->failed) {
        check_level(file, object, matrix_io, &controls);
        check_liars(file, object, matrix_io, &controls);
    }
    for (size_t i = 0; i < controls.baselines_count && !file->failed; i++) {
        add_baseline(file, matrix_io, &controls, controls.baselines[i]);
    }
    if (controls.object_orders_count > 0 && !file->failed) {
        add_object_orders(file, matrix_io, &controls);
    }
}

bool mr_matrix_is_liar(const struct mr_matrix *matrix, const char *contestant)
{
    bool is_liar = false;
    for (size_t cell = 0; cell < matrix->cells_count; cell++) {
        const struct mr_cell *one = &matrix->cells[cell];
        for (size_t i = 0; i < one->entries_count; i++) {
            is_liar |=
                one->control[i] == MR_CONTROL_LIAR && strcmp(one->contestants[i], contestant) == 0;
        }
    }
    return is_liar;
}
