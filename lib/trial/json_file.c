// json_file.c: see json_file.h.
#include "json_file.h"

#include "base/file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX (256u << 20)

static size_t line_of(const struct mr_json_file *file, size_t offset)
{
    size_t line = 1;
    for (size_t i = 0; i < offset && i < file->text_bytes; i++) {
        line += file->text[i] == '\n';
    }
    return line;
}

// Where the text has the escape of a zero byte: texts end there in C, so that two of them could
// seem the same. text_bytes when there is none.
static size_t find_zero(const struct mr_json_file *file)
{
    bool escaped = false;
    for (size_t at = 0; at < file->text_bytes; at++) {
        if (escaped && file->text_bytes - at >= 5 && memcmp(file->text + at, "u0000", 5) == 0) {
            return at - 1;
        }
        escaped = !escaped && file->text[at] == '\\';
    }
    return file->text_bytes;
}

int mr_json_file_init(struct mr_json_file *file_out, const char *path, struct mr_trial_fault *fault)
{
    *file_out = (struct mr_json_file){.path = path, .fault = fault};
    int result = mr_file_read(path, FILE_BYTES_MAX, &file_out->text, &file_out->text_bytes);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be read: %s", path, mr_file_fault(result));
        file_out->failed = true;
        return result;
    }
    size_t zero = find_zero(file_out);
    if (zero < file_out->text_bytes) {
        mr_trial_fault_set(fault, "%s:%zu: \"\\u0000\" may not stand in a text", path,
                           line_of(file_out, zero));
        file_out->failed = true;
        return -EBADMSG;
    }
    char *padded = realloc(file_out->text, file_out->text_bytes + YYJSON_PADDING_SIZE);
    if (padded == NULL) {
        mr_trial_fault_set(fault, "%s: out of memory", path);
        file_out->failed = true;
        return -ENOMEM;
    }
    memset(padded + file_out->text_bytes, 0, YYJSON_PADDING_SIZE);
    file_out->text = padded;
    yyjson_read_err error;
    file_out->doc =
        yyjson_read_opts(padded, file_out->text_bytes, YYJSON_READ_INSITU, NULL, &error);
    if (file_out->doc == NULL) {
        mr_trial_fault_set(fault, "%s:%zu: not JSON: %s", path, line_of(file_out, error.pos),
                           error.msg);
        file_out->failed = true;
        return -EBADMSG;
    }
    if (!yyjson_is_obj(yyjson_doc_get_root(file_out->doc))) {
        mr_trial_fault_set(fault, "%s:1: a JSON object is needed here", path);
        file_out->failed = true;
        return -EBADMSG;
    }
    return 0;
}

void mr_json_file_fini(struct mr_json_file *file)
{
    yyjson_doc_free(file->doc);
    free(file->text);
    file->doc = NULL;
    file->text = NULL;
}

void mr_json_fail(struct mr_json_file *file, yyjson_val *place, const char *format, ...)
{
    if (file->failed) {
        return;
    }
    file->failed = true;
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    const char *at = yyjson_get_str(place);
    if (at != NULL && at >= file->text && at < file->text + file->text_bytes) {
        mr_trial_fault_set(file->fault, "%s:%zu: %s", file->path,
                           line_of(file, (size_t)(at - file->text)), message);
    } else {
        mr_trial_fault_set(file->fault, "%s: %s", file->path, message);
    }
}

void mr_json_only_keys(struct mr_json_file *file, yyjson_val *object, const char *const *keys)
{
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *value;
    yyjson_obj_foreach(object, index, count, key, value)
    {
        bool known = false;
        for (const char *const *candidate = keys; *candidate != NULL; candidate++) {
            known |= yyjson_equals_str(key, *candidate);
        }
        if (!known) {
            mr_json_fail(file, key, "unknown key \"%s\"", yyjson_get_str(key));
        }
    }
}

// The value at `name`, with its key for the line of a fault.
static yyjson_val *find(yyjson_val *object, const char *name, yyjson_val **key_out)
{
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *value;
    yyjson_obj_foreach(object, index, count, key, value)
    {
        if (yyjson_equals_str(key, name)) {
            *key_out = key;
            return value;
        }
    }
    // A missing key is shown at the object's first key: there is no better line.
    yyjson_obj_iter iterator = yyjson_obj_iter_with(object);
    *key_out = yyjson_obj_iter_next(&iterator);
    return NULL;
}

const char *mr_json_text(struct mr_json_file *file, yyjson_val *object, const char *key,
                         const char *fallback)
{
    yyjson_val *place;
    yyjson_val *value = find(object, key, &place);
    if (yyjson_is_str(value)) {
        return yyjson_get_str(value);
    }
    if (value != NULL) {
        mr_json_fail(file, place, "\"%s\" must be a string", key);
    } else if (fallback == NULL) {
        mr_json_fail(file, place, "\"%s\" is missing", key);
    }
    return fallback == NULL ? "" : fallback;
}

uint64_t mr_json_count(struct mr_json_file *file, yyjson_val *object, const char *key,
                       struct mr_json_range range)
{
    yyjson_val *place;
    yyjson_val *value = find(object, key, &place);
    if (value == NULL) {
        if (range.required) {
            mr_json_fail(file, place, "\"%s\" is missing", key);
        }
        return range.fallback;
    }
    if (!yyjson_is_uint(value) || yyjson_get_uint(value) < range.min ||
        yyjson_get_uint(value) > range.max) {
        mr_json_fail(file, place, "\"%s\" must be an integer from %llu to %llu", key,
                     (unsigned long long)range.min, (unsigned long long)range.max);
        return range.fallback;
    }
    return yyjson_get_uint(value);
}

double mr_json_number(struct mr_json_file *file, yyjson_val *object, const char *key,
                      double fallback)
{
    yyjson_val *place;
    yyjson_val *value = find(object, key, &place);
    if (value == NULL) {
        return fallback;
    }
    if (!yyjson_is_num(value) || yyjson_get_num(value) < 0) {
        mr_json_fail(file, place, "\"%s\" must be a number not below 0", key);
        return fallback;
    }
    return yyjson_get_num(value);
}

bool mr_json_bool(struct mr_json_file *file, yyjson_val *object, const char *key, bool fallback)
{
    yyjson_val *place;
    yyjson_val *value = find(object, key, &place);
    if (value == NULL) {
        return fallback;
    }
    if (!yyjson_is_bool(value)) {
        mr_json_fail(file, place, "\"%s\" must be true or false", key);
        return fallback;
    }
    return yyjson_get_bool(value);
}

yyjson_val *mr_json_array(struct mr_json_file *file, yyjson_val *object, const char *key,
                          bool required)
{
    yyjson_val *place;
    yyjson_val *value = find(object, key, &place);
    if ((value == NULL && required) || (value != NULL && !yyjson_is_arr(value))) {
        mr_json_fail(file, place, "\"%s\" must be there and be an array", key);
        return NULL;
    }
    return value;
}

yyjson_val *mr_json_object(struct mr_json_file *file, yyjson_val *object, const char *key,
                           bool required)
{
    yyjson_val *place;
    yyjson_val *value = find(object, key, &place);
    if ((value == NULL && required) || (value != NULL && !yyjson_is_obj(value))) {
        mr_json_fail(file, place, "\"%s\" must be there and be an object", key);
        return NULL;
    }
    return value;
}
