// manifest_fixed.c: see manifest.h: what may not change while a run goes on.
#include "manifest.h"

#include <stdbool.h>
#include <string.h>

// Readings (how busy the machine is, when it was started) change by themselves and are left out.
static const char *const environment_keys[] = {
    "grade",           "cpu_model",          "cpu_features",         "cores_server",
    "cores_generator", "memory_bytes",       "cpu_quota_millicores", "kernel",
    "huge_pages",      "frequency_governor", "clock_source"};

static void copy(yyjson_mut_doc *doc, yyjson_mut_val *to, yyjson_val *from, const char *key)
{
    yyjson_val *value = yyjson_obj_get(from, key);
    if (value != NULL) {
        yyjson_mut_obj_add_val(doc, to, key, yyjson_val_mut_copy(doc, value));
    }
}

// Of each item of `list`: `value` under its `key`.
static void copy_list(yyjson_mut_doc *doc, yyjson_mut_val *to, yyjson_val *list, const char *key,
                      const char *value)
{
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(list, index, count, one)
    {
        yyjson_mut_obj_put(to, yyjson_val_mut_copy(doc, yyjson_obj_get(one, key)),
                           yyjson_val_mut_copy(doc, yyjson_obj_get(one, value)));
    }
}

// The contestant of `manifest` that the matrix calls `entry`, or NULL.
static yyjson_val *contestant_of(yyjson_val *manifest, const char *entry)
{
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(manifest, "contestants"), index, count, one)
    {
        if (yyjson_equals_str(yyjson_obj_get(one, "entry"), entry)) {
            return one;
        }
    }
    return NULL;
}

static const char *name_of(yyjson_val *library)
{
    const char *path = yyjson_get_str(yyjson_obj_get(library, "path"));
    const char *slash = path == NULL ? NULL : strrchr(path, '/');
    return slash == NULL ? "" : slash + 1;
}

static bool has_library(yyjson_val *contestant, const char *name)
{
    size_t index;
    size_t count;
    yyjson_val *library;
    yyjson_arr_foreach(yyjson_obj_get(contestant, "libraries"), index, count, library)
    {
        if (strcmp(name_of(library), name) == 0) {
            return true;
        }
    }
    return false;
}

// By name, for another version may lie in another folder; and only those that `beside` has, too:
// what a runtime loads for its own threads may come a moment later.
static void copy_libraries(yyjson_mut_doc *doc, yyjson_mut_val *to, yyjson_val *contestant,
                           yyjson_val *beside)
{
    yyjson_mut_val *object = yyjson_mut_obj(doc);
    size_t index;
    size_t count;
    yyjson_val *library;
    yyjson_arr_foreach(yyjson_obj_get(contestant, "libraries"), index, count, library)
    {
        const char *name = name_of(library);
        if (has_library(beside, name) && yyjson_mut_obj_get(object, name) == NULL) {
            yyjson_mut_obj_add_val(doc, object, name,
                                   yyjson_val_mut_copy(doc, yyjson_obj_get(library, "sha256")));
        }
    }
    yyjson_mut_obj_put(to, yyjson_val_mut_copy(doc, yyjson_obj_get(contestant, "entry")), object);
}

static void copy_all_libraries(yyjson_mut_doc *doc, yyjson_mut_val *to, yyjson_val *manifest,
                               yyjson_val *beside)
{
    size_t index;
    size_t count;
    yyjson_val *one;
    yyjson_arr_foreach(yyjson_obj_get(manifest, "contestants"), index, count, one)
    {
        const char *entry = yyjson_get_str(yyjson_obj_get(one, "entry"));
        copy_libraries(doc, to, one, contestant_of(beside, entry == NULL ? "" : entry));
    }
}

yyjson_doc *mr_manifest_fixed_of(yyjson_val *manifest, yyjson_val *beside)
{
    yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
    if (doc == NULL) {
        return NULL;
    }
    yyjson_mut_val *root = yyjson_mut_obj(doc);
    yyjson_mut_doc_set_root(doc, root);
    copy(doc, root, manifest, "program_version");
    copy(doc, root, manifest, "program_sha256");
    yyjson_mut_val *environment = yyjson_mut_obj_add_obj(doc, root, "environment");
    for (size_t i = 0; i < sizeof environment_keys / sizeof environment_keys[0]; i++) {
        copy(doc, environment, yyjson_obj_get(manifest, "environment"), environment_keys[i]);
    }
    copy_list(doc, yyjson_mut_obj_add_obj(doc, root, "contestants"),
              yyjson_obj_get(manifest, "contestants"), "entry", "program_sha256");
    copy_all_libraries(doc, yyjson_mut_obj_add_obj(doc, root, "libraries"), manifest, beside);
    copy_list(doc, yyjson_mut_obj_add_obj(doc, root, "datasets"),
              yyjson_obj_get(manifest, "datasets"), "cell", "sha256");
    yyjson_doc *fixed = yyjson_mut_doc_imut_copy(doc, NULL);
    yyjson_mut_doc_free(doc);
    return fixed;
}
