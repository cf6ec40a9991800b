// json_difference.c: see json_difference.h.
#include "json_difference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POINTER_MAX 1024

struct walk {
    mr_json_difference_fn *tell;
    void *context;
    size_t limit;
    size_t count;
    char pointer[POINTER_MAX];
    size_t length;
};

static void compare(struct walk *walk, yyjson_val *a, yyjson_val *b);

static void report(struct walk *walk, yyjson_val *a, yyjson_val *b)
{
    if (walk->count++ < walk->limit) {
        char *text_a = a == NULL ? NULL : yyjson_val_write(a, 0, NULL);
        char *text_b = b == NULL ? NULL : yyjson_val_write(b, 0, NULL);
        walk->tell(walk->context, walk->length == 0 ? "/" : walk->pointer,
                   text_a == NULL ? "nothing" : text_a, text_b == NULL ? "nothing" : text_b);
        free(text_a);
        free(text_b);
    }
}

// One step down; a pointer that grows too long is cut, the comparison goes on.
static void descend(struct walk *walk, const char *step, yyjson_val *a, yyjson_val *b)
{
    size_t before = walk->length;
    int length = snprintf(walk->pointer + before, sizeof walk->pointer - before, "/%s", step);
    if (length > 0 && before + (size_t)length < sizeof walk->pointer) {
        walk->length = before + (size_t)length;
    }
    compare(walk, a, b);
    walk->length = before;
    walk->pointer[before] = '\0';
}

static void compare_objects(struct walk *walk, yyjson_val *a, yyjson_val *b)
{
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *value;
    yyjson_obj_foreach(a, index, count, key, value)
    {
        descend(walk, yyjson_get_str(key), value, yyjson_obj_get(b, yyjson_get_str(key)));
    }
    yyjson_obj_foreach(b, index, count, key, value)
    {
        if (yyjson_obj_get(a, yyjson_get_str(key)) == NULL) {
            descend(walk, yyjson_get_str(key), NULL, value);
        }
    }
}

static void compare_arrays(struct walk *walk, yyjson_val *a, yyjson_val *b)
{
    size_t most = yyjson_arr_size(a) > yyjson_arr_size(b) ? yyjson_arr_size(a) : yyjson_arr_size(b);
    for (size_t i = 0; i < most; i++) {
        char step[24];
        (void)snprintf(step, sizeof step, "%zu", i);
        descend(walk, step, yyjson_arr_get(a, i), yyjson_arr_get(b, i));
    }
}

static void compare(struct walk *walk, yyjson_val *a, yyjson_val *b)
{
    if (yyjson_is_obj(a) && yyjson_is_obj(b)) {
        compare_objects(walk, a, b);
    } else if (yyjson_is_arr(a) && yyjson_is_arr(b)) {
        compare_arrays(walk, a, b);
    } else if (a == NULL || b == NULL || !yyjson_equals(a, b)) {
        report(walk, a, b);
    }
}

size_t mr_json_difference(yyjson_val *a, yyjson_val *b, size_t limit, mr_json_difference_fn *tell,
                          void *context)
{
    struct walk walk = {.tell = tell, .context = context, .limit = limit};
    compare(&walk, a, b);
    return walk.count;
}
