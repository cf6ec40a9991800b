// data_shape.c: see data_shape.h.
#include "data_shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct mr_look_targets mr_look_targets[2] = {
    [MR_LOOK_SIMPLE] = {.bytes = 158},
    [MR_LOOK_MESSY] = {.bytes = 763, .short_escapes = 22, .unicode_escapes = 9, .wide_bytes = 45},
};

static const struct mr_shape shapes[] = {
    {.name = "simple", .simple = true, .keep_places = true},
    {.name = "messy", .messy = true, .keep_places = true},
    {.name = "rejects", .simple = true, .messy = true, .reject_bp = 5000},
};

// The messy shape with N percent of faulty batches, each of which can still be varied.
static bool mixed_shape(const char *name, struct mr_shape *shape_out)
{
    static const char prefix[] = "mixed-";
    const char *number = name + sizeof prefix - 1;
    if (strncmp(name, prefix, sizeof prefix - 1) != 0 || number[0] < '1' || number[0] > '9' ||
        strspn(number, "0123456789") != strlen(number) || strlen(number) > 2) {
        return false;
    }
    *shape_out = (struct mr_shape){
        .messy = true, .reject_bp = 100 * (uint32_t)strtoul(number, NULL, 10), .keep_places = true};
    (void)snprintf(shape_out->name, sizeof shape_out->name, "%.8s", name);
    return true;
}

bool mr_shape_by_name(const char *name, struct mr_shape *shape_out)
{
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (strcmp(shapes[i].name, name) == 0) {
            *shape_out = shapes[i];
            return true;
        }
    }
    return mixed_shape(name, shape_out);
}
