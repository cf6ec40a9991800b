// dataset_manifest.c: see dataset_manifest.h.
#include "dataset_manifest.h"

#include "base/file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

const char *const mr_dataset_file_names[MR_DATASET_FILES] = {"batches", "answers", "edits"};

int mr_dataset_bad(struct mr_dataset_fault *fault_out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault_out->text, sizeof fault_out->text, format, arguments);
    va_end(arguments);
    return -EBADMSG;
}

static void drop_end(char *path, const char *end)
{
    size_t length = strlen(path);
    size_t end_length = strlen(end);
    if (length > end_length && strcmp(path + length - end_length, end) == 0) {
        path[length - end_length] = '\0';
    }
}

int mr_dataset_base(const char *path, char *base_out, size_t capacity)
{
    size_t length = strlen(path);
    if (length + sizeof ".batches" > capacity) {
        return -ENAMETOOLONG;
    }
    memcpy(base_out, path, length + 1);
    drop_end(base_out, ".json");
    drop_end(base_out, ".batches");
    return 0;
}

// A reading under way; the first fault sticks.
struct reader {
    const char *path;
    struct mr_dataset_fault *fault;
    int result;
};

static void fail(struct reader *reader, const char *key, const char *wanted)
{
    if (reader->result == 0) {
        reader->result = mr_dataset_bad(reader->fault, "%s: \"%s\" is missing or not %s",
                                        reader->path, key, wanted);
    }
}

static uint64_t read_count(struct reader *reader, yyjson_val *object, const char *key)
{
    yyjson_val *value = yyjson_obj_get(object, key);
    if (!yyjson_is_uint(value)) {
        fail(reader, key, "a whole number");
        return 0;
    }
    return yyjson_get_uint(value);
}

// Copies the text at `key`, which must be shorter than `capacity`.
static void read_text(struct reader *reader, yyjson_val *object, const char *key, char *text_out,
                      size_t capacity)
{
    yyjson_val *value = yyjson_obj_get(object, key);
    text_out[0] = '\0';
    if (!yyjson_is_str(value) || yyjson_get_len(value) >= capacity) {
        fail(reader, key, "a text of the expected length");
        return;
    }
    memcpy(text_out, yyjson_get_str(value), yyjson_get_len(value));
    text_out[yyjson_get_len(value)] = '\0';
}

static void read_claims(struct reader *reader, yyjson_val *files, struct mr_manifest *manifest_out)
{
    for (size_t i = 0; i < MR_DATASET_FILES; i++) {
        yyjson_val *claim = yyjson_obj_get(files, mr_dataset_file_names[i]);
        manifest_out->file[i].size_bytes = read_count(reader, claim, "bytes");
        read_text(reader, claim, "sha256", manifest_out->file[i].sha256, MR_HASH_TEXT_BYTES);
    }
}

static int read_document(struct reader *reader, yyjson_doc *doc, struct mr_manifest *manifest_out)
{
    yyjson_val *root = yyjson_doc_get_root(doc);
    char schema[32];
    read_text(reader, root, "schema", schema, sizeof schema);
    if (reader->result == 0 && strcmp(schema, MR_MANIFEST_SCHEMA) != 0) {
        return mr_dataset_bad(reader->fault,
                              "%s: its schema is \"%s\", this program reads \"%s\": make the "
                              "dataset again",
                              reader->path, schema, MR_MANIFEST_SCHEMA);
    }
    read_text(reader, root, "shape", manifest_out->shape, sizeof manifest_out->shape);
    manifest_out->batches = read_count(reader, root, "batches");
    manifest_out->records_accepted = read_count(reader, root, "records_accepted");
    read_claims(reader, yyjson_obj_get(root, "files"), manifest_out);
    return reader->result;
}

int mr_manifest_read(const char *path, struct mr_manifest *manifest_out,
                     struct mr_dataset_fault *fault_out)
{
    char *text;
    size_t text_bytes;
    int result = mr_file_read(path, MR_MANIFEST_SIZE_LIMIT, &text, &text_bytes);
    if (result != 0) {
        (void)mr_dataset_bad(fault_out,
                             "%s: %s (a dataset's manifest; matchrace data make writes one)", path,
                             mr_file_fault(result));
        return result;
    }
    yyjson_read_err error = {0};
    yyjson_doc *doc = yyjson_read_opts(text, text_bytes, YYJSON_READ_NOFLAG, NULL, &error);
    struct reader reader = {.path = path, .fault = fault_out};
    if (doc == NULL) {
        result = mr_dataset_bad(fault_out, "%s: no manifest: %s at byte %zu", path, error.msg,
                                error.pos);
    } else {
        *manifest_out = (struct mr_manifest){0};
        result = read_document(&reader, doc, manifest_out);
    }
    yyjson_doc_free(doc);
    free(text);
    return result;
}
