// json_file.h: reading our own JSON files strictly: unknown keys and wrong values are named with
// their line.
//
// The first fault sticks: later reads return their defaults and the caller checks once at the end.
#ifndef MR_TRIAL_JSON_FILE_H
#define MR_TRIAL_JSON_FILE_H

#include "fault.h"

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yyjson.h>

// An open file. Strings of `doc` point into `text` (in-situ), which is how a line is found.
struct mr_json_file {
    const char *path; // the caller's, must outlive this
    char *text;
    size_t text_bytes;
    yyjson_doc *doc;
    struct mr_trial_fault *fault; // the caller's
    bool failed;
};

// Reads `path`. 0; -EBADMSG when it is no JSON object; another negative errno. The fault is set.
// The caller ends it with mr_json_file_fini(), whatever happened.
MR_NODISCARD int mr_json_file_init(struct mr_json_file *file_out, const char *path,
                                   struct mr_trial_fault *fault);
void mr_json_file_fini(struct mr_json_file *file);

// Records a fault at `place` (a key or string of the file, or NULL), unless there is one already.
MR_PRINTF(3, 4)
void mr_json_fail(struct mr_json_file *file, yyjson_val *place, const char *format, ...);

// Faults every key of `object` that is not in `keys` (ends with NULL).
void mr_json_only_keys(struct mr_json_file *file, yyjson_val *object, const char *const *keys);

// The text at `key`. Missing: `fallback`, or a fault when that is NULL (then "" is returned).
const char *mr_json_text(struct mr_json_file *file, yyjson_val *object, const char *key,
                         const char *fallback);

// What an unsigned integer may be; a missing key takes `fallback`, or is a fault when `required`.
struct mr_json_range {
    uint64_t min;
    uint64_t max;
    uint64_t fallback;
    bool required;
};
uint64_t mr_json_count(struct mr_json_file *file, yyjson_val *object, const char *key,
                       struct mr_json_range range);

// A number ≥ 0 at `key`, or `fallback`.
double mr_json_number(struct mr_json_file *file, yyjson_val *object, const char *key,
                      double fallback);

// true or false at `key`, or `fallback`.
bool mr_json_bool(struct mr_json_file *file, yyjson_val *object, const char *key, bool fallback);

// The array (or object) at `key`; NULL when it is missing, which is a fault when `required`.
yyjson_val *mr_json_array(struct mr_json_file *file, yyjson_val *object, const char *key,
                          bool required);
yyjson_val *mr_json_object(struct mr_json_file *file, yyjson_val *object, const char *key,
                           bool required);

#endif
