// matrix_entries.c: see matrix_entries.h.
#include "matrix_entries.h"

#include <string.h>

static const char *const entry_keys[] = {"contestant", "as", "load", "optional", NULL};
static const char *const comparison_keys[] = {"a", "b", "primary", "at_least", "at_most", NULL};

static size_t entry_index(const struct mr_cell *cell, const char *name)
{
    size_t index = 0;
    while (index < cell->entries_count && strcmp(cell->entries[index], name) != 0) {
        index++;
    }
    return index;
}

static bool of_generator(const struct mr_cell *cell)
{
    return strcmp(cell->measures, "generator") == 0;
}

// What tables call it: of a path only the folder's name.
static const char *name_of(const char *contestant)
{
    const char *slash = contestant == NULL ? NULL : strrchr(contestant, '/');
    return slash == NULL ? contestant : slash + 1;
}

static void add_entry(struct mr_json_file *file, yyjson_val *value, struct mr_cell *cell)
{
    const char *contestant = yyjson_get_str(value);
    const char *name = name_of(contestant);
    struct mr_cell_load load = cell->load;
    bool optional = false;
    yyjson_val *place = value;
    if (yyjson_is_obj(value)) {
        mr_json_only_keys(file, value, entry_keys);
        contestant = mr_json_text(file, value, "contestant", NULL);
        name = mr_json_text(file, value, "as", name_of(contestant));
        place = yyjson_obj_get(value, yyjson_obj_get(value, "as") == NULL ? "contestant" : "as");
        optional = mr_json_bool(file, value, "optional", false);
        yyjson_val *own = mr_json_object(file, value, "load", false);
        if (own != NULL) {
            mr_cell_load_read(file, own, &load);
        }
    }
    if (entry_index(cell, name) < cell->entries_count) {
        mr_json_fail(file, place, "contestant \"%s\" stands twice in a cell%s", name,
                     yyjson_is_obj(value) ? " (give one another name with \"as\")" : "");
    }
    if (!mr_cell_load_is_whole(&load) && !of_generator(cell)) {
        mr_json_fail(file, place,
                     "\"%s\": only a cell with \"measures\": \"generator\" may switch off what the "
                     "generator verifies, records or varies",
                     name);
    }
    cell->entries[cell->entries_count] = name;
    cell->contestants[cell->entries_count] = contestant;
    cell->optional[cell->entries_count] = optional;
    cell->loads[cell->entries_count++] = load;
}

static void read_entries(struct mr_json_file *file, yyjson_val *array, struct mr_cell *cell)
{
    size_t index;
    size_t count;
    yyjson_val *value;
    yyjson_arr_foreach(array, index, count, value)
    {
        if ((!yyjson_is_str(value) && !yyjson_is_obj(value)) ||
            cell->entries_count == MR_CELL_ENTRIES_MAX) {
            mr_json_fail(file, value, "\"contestants\" is a list of at most %d names or objects",
                         MR_CELL_ENTRIES_MAX);
            return;
        }
        add_entry(file, value, cell);
    }
    if (cell->entries_count < 2) {
        mr_json_fail(file, NULL, "cell \"%s\" needs at least two contestants", cell->name);
    }
}

// What makes a comparison unfair or empty, at `place`.
static void check_comparison(struct mr_json_file *file, yyjson_val *place,
                             const struct mr_cell *cell, const struct mr_comparison *comparison)
{
    const struct mr_cell_load *a = &cell->loads[comparison->a];
    const struct mr_cell_load *b = &cell->loads[comparison->b];
    if (!of_generator(cell) && !mr_cell_load_equal(a, b)) {
        mr_json_fail(file, place,
                     "cell \"%s\": \"%s\" and \"%s\" get different loads, so comparing them is not "
                     "fair (only a cell with \"measures\": \"generator\" may)",
                     cell->name, cell->entries[comparison->a], cell->entries[comparison->b]);
    }
    bool throughput = strcmp(cell->metric, "records_per_s") == 0;
    if (throughput && comparison->primary && (mr_cell_load_is_open(a) || mr_cell_load_is_open(b))) {
        mr_json_fail(file, place,
                     "an open plan fixes the throughput beforehand, so comparing it decides "
                     "nothing: set \"metric\" to a latency or \"primary\" to false");
    }
    if (comparison->at_most > 0 && comparison->at_most < comparison->at_least) {
        mr_json_fail(file, place, "\"at_least\" is above \"at_most\": no ratio can be both");
    }
}

static void read_comparisons(struct mr_json_file *file, yyjson_val *array, struct mr_cell *cell)
{
    size_t index;
    size_t count;
    yyjson_val *value;
    yyjson_arr_foreach(array, index, count, value)
    {
        if (!yyjson_is_obj(value) || cell->comparisons_count == MR_CELL_COMPARISONS_MAX) {
            mr_json_fail(file, NULL, "\"comparisons\" of cell \"%s\": at most %d objects",
                         cell->name, MR_CELL_COMPARISONS_MAX);
            return;
        }
        mr_json_only_keys(file, value, comparison_keys);
        struct mr_comparison *comparison = &cell->comparisons[cell->comparisons_count++];
        comparison->a = entry_index(cell, mr_json_text(file, value, "a", NULL));
        comparison->b = entry_index(cell, mr_json_text(file, value, "b", NULL));
        comparison->primary = mr_json_bool(file, value, "primary", true);
        comparison->at_least = mr_json_number(file, value, "at_least", 0);
        comparison->at_most = mr_json_number(file, value, "at_most", 0);
        yyjson_val *place = yyjson_obj_get(value, "a");
        if (comparison->a >= cell->entries_count || comparison->b >= cell->entries_count ||
            comparison->a == comparison->b) {
            mr_json_fail(file, place,
                         "a comparison of cell \"%s\" names two contestants of that cell",
                         cell->name);
            return;
        }
        check_comparison(file, place, cell, comparison);
    }
}

// A stepped cell has no generator; a closed loop has no latency.
static void check_loads(struct mr_json_file *file, yyjson_val *object, const struct mr_cell *cell)
{
    bool stepped = strcmp(cell->driver, "stepped") == 0;
    bool latency = strncmp(cell->metric, "latency_", 8) == 0;
    for (size_t i = 0; i < cell->entries_count; i++) {
        if (latency && !mr_cell_load_is_open(&cell->loads[i])) {
            mr_json_fail(file, yyjson_obj_get(object, "metric"),
                         "a closed loop has round trips, no latency: it takes an open plan");
        }
        if (stepped && mr_cell_load_is_open(&cell->loads[i])) {
            mr_json_fail(file, yyjson_obj_get(object, "driver"),
                         "a stepped cell has no generator, so no plan but \"closed\"");
        }
    }
    if (strcmp(cell->metric, "generator_ns_per_batch") == 0 && !of_generator(cell)) {
        mr_json_fail(file, yyjson_obj_get(object, "metric"),
                     "\"generator_ns_per_batch\" says nothing of a contestant: it needs "
                     "\"measures\": \"generator\"");
    }
    if (stepped && of_generator(cell)) {
        mr_json_fail(file, yyjson_obj_get(object, "measures"),
                     "a stepped cell has no generator that could be measured");
    }
}

void mr_matrix_read_entries(struct mr_json_file *file, yyjson_val *object, struct mr_cell *cell_io)
{
    read_entries(file, mr_json_array(file, object, "contestants", true), cell_io);
    read_comparisons(file, mr_json_array(file, object, "comparisons", false), cell_io);
    check_loads(file, object, cell_io);
}
