// conform_stamp.c: see conform_stamp.h.
#define _GNU_SOURCE
#include "conform_stamp.h"

#include "base/clock.h"
#include "base/file.h"
#include "conform_rules.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <sha2.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yyjson.h>

#define STAMP_BYTES_MAX (1u << 20)

MR_PRINTF(3, 4)
static int fail(struct mr_stamp_fault *fault, int result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return result;
}

static void stamp_path(const struct mr_stamp_place *place, char path_out[PATH_MAX])
{
    (void)snprintf(path_out, PATH_MAX, "%s/%s.json", place->folder, place->name);
}

// `name` below `folder`, or `name` itself when it begins with a slash. False when that is too long.
static bool join(const char *folder, const char *name, char path_out[PATH_MAX])
{
    int length = name[0] == '/' ? snprintf(path_out, PATH_MAX, "%s", name)
                                : snprintf(path_out, PATH_MAX, "%s/%s", folder, name);
    return length >= 0 && length < PATH_MAX;
}

static void hash_end(SHA2_CTX *hash, char text_out[SHA256_DIGEST_STRING_LENGTH])
{
    (void)SHA256End(hash, text_out);
}

static int hash_add_file(SHA2_CTX *hash, const char *path)
{
    struct mr_map map;
    int result = mr_map_init(&map, path);
    if (result == 0) {
        SHA256Update(hash, map.bytes, map.size_bytes);
        mr_map_fini(&map);
    }
    return result;
}

static int hash_file(const char *path, char text_out[SHA256_DIGEST_STRING_LENGTH])
{
    SHA2_CTX hash;
    SHA256Init(&hash);
    int result = hash_add_file(&hash, path);
    hash_end(&hash, text_out);
    return result;
}

// Names and contents of the folder's files, in the order of their names.
static int hash_folder(const char *folder, char text_out[SHA256_DIGEST_STRING_LENGTH])
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0) {
        return -errno;
    }
    SHA2_CTX hash;
    SHA256Init(&hash);
    int result = 0;
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        struct stat status;
        if (result == 0 && join(folder, entries[i]->d_name, path) && stat(path, &status) == 0 &&
            S_ISREG(status.st_mode)) {
            SHA256Update(&hash, (const uint8_t *)entries[i]->d_name,
                         strlen(entries[i]->d_name) + 1);
            result = hash_add_file(&hash, path);
        }
        free(entries[i]);
    }
    free(entries);
    hash_end(&hash, text_out);
    return result;
}

// A stricter kit makes old stamps void.
static void hash_rules(char text_out[SHA256_DIGEST_STRING_LENGTH])
{
    SHA2_CTX hash;
    SHA256Init(&hash);
    for (size_t rule = 0; rule < MR_RULE_COUNT; rule++) {
        SHA256Update(&hash, (const uint8_t *)mr_rules[rule].name, strlen(mr_rules[rule].name) + 1);
        SHA256Update(&hash, (const uint8_t *)&mr_rules[rule].modes, sizeof mr_rules[rule].modes);
    }
    hash_end(&hash, text_out);
}

// Where exec would find `word`: with a slash below the contestant's folder, else in PATH.
static bool find_program(const struct mr_contestant_file *contestant, const char *word,
                         char path_out[PATH_MAX])
{
    if (strchr(word, '/') != NULL) {
        return join(contestant->folder, word, path_out) && access(path_out, R_OK) == 0;
    }
    const char *at = getenv("PATH");
    while (at != NULL && *at != '\0') {
        size_t length = strcspn(at, ":");
        int written = snprintf(path_out, PATH_MAX, "%.*s/%s", (int)length, at, word);
        if (written > 0 && written < PATH_MAX && access(path_out, X_OK) == 0) {
            return true;
        }
        at += length + (at[length] == ':');
    }
    return false;
}

// A further word that is a regular file, seen from the contestant's folder.
static bool find_file(const struct mr_contestant_file *contestant, const char *word,
                      char path_out[PATH_MAX])
{
    struct stat status;
    return join(contestant->folder, word, path_out) && stat(path_out, &status) == 0 &&
           S_ISREG(status.st_mode);
}

static int add_file(yyjson_mut_doc *document, yyjson_mut_val *files, const char *path,
                    struct mr_stamp_fault *fault)
{
    char sum[SHA256_DIGEST_STRING_LENGTH];
    int result = hash_file(path, sum);
    if (result != 0) {
        return fail(fault, result, "%s: %s", path, strerror(-result));
    }
    yyjson_mut_obj_add(files, yyjson_mut_strcpy(document, path), yyjson_mut_strcpy(document, sum));
    return 0;
}

// All files of the folder of `path`: what a program loads stands beside it.
static int add_folder_of(yyjson_mut_doc *document, yyjson_mut_val *files, const char *path,
                         struct mr_stamp_fault *fault)
{
    char folder[PATH_MAX];
    char sum[SHA256_DIGEST_STRING_LENGTH];
    (void)snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0'; // of a path that begins with one
    int result = hash_folder(folder, sum);
    if (result != 0) {
        return fail(fault, result, "%s: %s", folder, strerror(-result));
    }
    yyjson_mut_obj_add(files, yyjson_mut_strcpy(document, folder),
                       yyjson_mut_strcpy(document, sum));
    return 0;
}

static int add_files(yyjson_mut_doc *document, yyjson_mut_val *files,
                     const struct mr_subject_plan *plan, struct mr_stamp_fault *fault)
{
    const struct mr_contestant_file *contestant = plan->contestant;
    char path[PATH_MAX];
    size_t run_count;
    const char *const *run = mr_contestant_run(contestant, plan->variant, &run_count);
    if (!find_program(contestant, run[0], path)) {
        return fail(fault, -ENOENT, "%s: there is no such program (is it built?)", run[0]);
    }
    int result = add_file(document, files, path, fault);
    for (size_t i = 1; i < run_count && result == 0; i++) {
        if (find_file(contestant, run[i], path)) {
            result = add_folder_of(document, files, path, fault);
        }
    }
    for (size_t i = 0; i < contestant->parser_files_count && result == 0; i++) {
        result = !join(contestant->folder, contestant->parser_files[i], path)
                     ? fail(fault, -ENAMETOOLONG, "%s: the path is too long", contestant->folder)
                     : add_file(document, files, path, fault);
    }
    return result;
}

// The stamp as it would be given now. NULL with the fault when something cannot be read.
static yyjson_mut_doc *make(const struct mr_stamp_place *place, struct mr_stamp_fault *fault)
{
    const struct mr_contestant_file *contestant = place->plan->contestant;
    yyjson_mut_doc *document = yyjson_mut_doc_new(NULL);
    yyjson_mut_val *root = yyjson_mut_obj(document);
    yyjson_mut_doc_set_root(document, root);
    char sum[SHA256_DIGEST_STRING_LENGTH];
    yyjson_mut_obj_add_strcpy(document, root, "contestant", place->name);
    hash_rules(sum);
    yyjson_mut_obj_add_strcpy(document, root, "checks", sum);
    int result = hash_folder(place->cases, sum);
    if (result != 0) {
        (void)fail(fault, result, "cases: %s: %s", place->cases, strerror(-result));
    }
    yyjson_mut_obj_add_strcpy(document, root, "cases", sum);
    if (result == 0) {
        result = hash_file(contestant->path, sum);
        yyjson_mut_obj_add_strcpy(document, root, "contestant_json", sum);
        if (result != 0) {
            (void)fail(fault, result, "%s: %s", contestant->path, strerror(-result));
        }
    }
    yyjson_mut_val *files = yyjson_mut_obj_add_obj(document, root, "files");
    if (result == 0) {
        result = add_files(document, files, place->plan, fault);
    }
    if (result != 0) {
        yyjson_mut_doc_free(document);
        return NULL;
    }
    return document;
}

// The first key of `now` that `then` has otherwise.
static const char *changed_key(yyjson_val *now, yyjson_val *then)
{
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *value;
    yyjson_obj_foreach(now, index, count, key, value)
    {
        yyjson_val *old = yyjson_obj_get(then, yyjson_get_str(key));
        if (yyjson_is_obj(value)) {
            const char *inside = changed_key(value, old);
            if (inside != NULL || yyjson_obj_size(value) != yyjson_obj_size(old)) {
                return inside != NULL ? inside : yyjson_get_str(key);
            }
        } else if (!yyjson_equals(value, old)) {
            return yyjson_get_str(key);
        }
    }
    return NULL;
}

// The stamp that stands there. NULL with the fault when there is none.
static yyjson_doc *load(const struct mr_stamp_place *place, struct mr_stamp_fault *fault)
{
    char path[PATH_MAX];
    char *text = NULL;
    size_t length = 0;
    stamp_path(place, path);
    int result = mr_file_read(path, STAMP_BYTES_MAX, &text, &length);
    if (result != 0) {
        (void)fail(fault, result, "no stamp %s: %s", path, mr_file_fault(result));
        return NULL;
    }
    yyjson_doc *stamp = yyjson_read(text, length, 0);
    free(text);
    if (stamp == NULL) {
        (void)fail(fault, -EBADMSG, "%s is no stamp", path);
    }
    return stamp;
}

// Whether nothing has changed since the stamp `then` was given.
static bool unchanged(yyjson_mut_doc *document, yyjson_doc *then, struct mr_stamp_fault *fault)
{
    yyjson_doc *now = yyjson_mut_doc_imut_copy(document, NULL);
    const char *key =
        now == NULL ? "memory" : changed_key(yyjson_doc_get_root(now), yyjson_doc_get_root(then));
    if (key != NULL) {
        (void)fail(fault, 0, "changed since it passed: %s", key);
    }
    yyjson_doc_free(now);
    return key == NULL;
}

static bool has_mode(yyjson_doc *stamp, size_t mode)
{
    size_t index;
    size_t count;
    yyjson_val *name;
    yyjson_arr_foreach(yyjson_obj_get(yyjson_doc_get_root(stamp), "modes"), index, count, name)
    {
        if (yyjson_equals_str(name, mr_mode_names[mode])) {
            return true;
        }
    }
    return false;
}

// Adds the modes that have passed now, and those of a stamp of before that still holds.
static void add_modes(const struct mr_stamp_place *place, yyjson_mut_doc *document)
{
    struct mr_stamp_fault nobody_asks;
    yyjson_doc *then = load(place, &nobody_asks);
    bool holds = then != NULL && unchanged(document, then, &nobody_asks);
    yyjson_mut_val *modes =
        yyjson_mut_obj_add_arr(document, yyjson_mut_doc_get_root(document), "modes");
    for (size_t mode = 0; mode < MR_MODE_COUNT; mode++) {
        if (place->modes[mode] || (holds && has_mode(then, mode))) {
            yyjson_mut_arr_add_str(document, modes, mr_mode_names[mode]);
        }
    }
    yyjson_doc_free(then);
}

int mr_stamp_write(const struct mr_stamp_place *place, struct mr_stamp_fault *fault_out)
{
    yyjson_mut_doc *document = make(place, fault_out);
    if (document == NULL) {
        return -EIO;
    }
    char time[21];
    mr_clock_utc_text(time);
    add_modes(place, document);
    yyjson_mut_obj_add_str(document, yyjson_mut_doc_get_root(document), "passed_at", time);
    size_t length;
    char *text = yyjson_mut_write(document, YYJSON_WRITE_PRETTY_TWO_SPACES, &length);
    char path[PATH_MAX];
    stamp_path(place, path);
    int result = text == NULL ? -ENOMEM : mr_folder_make(place->folder);
    result = result != 0 ? result : mr_file_write(path, text, length);
    free(text);
    yyjson_mut_doc_free(document);
    return result == 0
               ? 0
               : fail(fault_out, result, "%s cannot be written: %s", path, strerror(-result));
}

bool mr_stamp_valid(const struct mr_stamp_place *place, struct mr_stamp_fault *fault_out)
{
    yyjson_doc *then = load(place, fault_out);
    yyjson_mut_doc *now = then == NULL ? NULL : make(place, fault_out);
    bool valid = now != NULL && unchanged(now, then, fault_out);
    for (size_t mode = 0; mode < MR_MODE_COUNT && valid; mode++) {
        if (place->modes[mode] && !has_mode(then, mode)) {
            valid = false;
            (void)fail(fault_out, 0, "mode %s has not passed yet", mr_mode_names[mode]);
        }
    }
    yyjson_mut_doc_free(now);
    yyjson_doc_free(then);
    return valid;
}

void mr_stamp_remove(const struct mr_stamp_place *place)
{
    char path[PATH_MAX];
    stamp_path(place, path);
    (void)unlink(path);
}
