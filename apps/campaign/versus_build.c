// versus_build.c: see versus_build.h.
#define _GNU_SOURCE
#include "versus_build.h"

#include "base/file.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#define MANIFEST       "contestant.json"
#define MANIFEST_BYTES (1u << 20)
#define PLACEHOLDER    "${MR_BUILD_DIR}"

// `word` with what it stands for filled in; false: too long.
static bool fill_in(const char *word, const char *build_dir, struct mr_text *text)
{
    const char *found;
    while ((found = strstr(word, PLACEHOLDER)) != NULL) {
        mr_text_printf(text, "%.*s%s", (int)(found - word), word, build_dir);
        word = found + sizeof PLACEHOLDER - 1;
    }
    mr_text_printf(text, "%s", word);
    return !text->cut;
}

// A relative path that leads somewhere from the folder becomes absolute; anything else stays.
static void make_absolute(const char *folder, char word_io[PATH_MAX])
{
    char joined[2 * PATH_MAX];
    char resolved[PATH_MAX];
    (void)snprintf(joined, sizeof joined, "%s/%s", folder, word_io);
    if (word_io[0] != '/' && strchr(word_io, '/') != NULL && realpath(joined, resolved) != NULL) {
        memcpy(word_io, resolved, strlen(resolved) + 1);
    }
}

// Every text of a list or object, in place.
static int fill_in_texts(yyjson_mut_doc *doc, yyjson_mut_val *parent,
                         const struct mr_versus_build *build)
{
    yyjson_mut_arr_iter items = yyjson_mut_arr_iter_with(parent);
    yyjson_mut_obj_iter members = yyjson_mut_obj_iter_with(parent);
    for (;;) {
        yyjson_mut_val *value = yyjson_mut_arr_iter_next(&items);
        if (value == NULL) {
            value = yyjson_mut_obj_iter_get_val(yyjson_mut_obj_iter_next(&members));
        }
        if (value == NULL) {
            return 0;
        }
        char word[PATH_MAX];
        struct mr_text text = mr_text_init(word, sizeof word);
        if (!yyjson_mut_is_str(value)) {
            int result = fill_in_texts(doc, value, build);
            if (result != 0) {
                return result;
            }
            continue;
        }
        if (!fill_in(yyjson_mut_get_str(value), build->build_dir, &text)) {
            return -ENAMETOOLONG;
        }
        make_absolute(build->folder, word);
        yyjson_mut_val *copy = yyjson_mut_strcpy(doc, word);
        if (copy == NULL) {
            return -ENOMEM;
        }
        yyjson_mut_set_strn(value, yyjson_mut_get_str(copy), yyjson_mut_get_len(copy));
    }
}

// Programs of variants are there already, or not at all.
static void leave_builds_out(yyjson_mut_val *root)
{
    (void)yyjson_mut_obj_remove_key(root, "build");
    (void)yyjson_mut_obj_remove_key(root, "build_inputs");
    yyjson_mut_obj_iter variants = yyjson_mut_obj_iter_with(yyjson_mut_obj_get(root, "variants"));
    for (yyjson_mut_val *key; (key = yyjson_mut_obj_iter_next(&variants)) != NULL;) {
        (void)yyjson_mut_obj_remove_key(yyjson_mut_obj_iter_get_val(key), "build");
    }
}

static int write_manifest(const struct mr_versus_build *build, yyjson_mut_doc *doc,
                          const char *path)
{
    static const char *const places[] = {"run", "env", "variants", "parser_files"};
    yyjson_mut_val *root = yyjson_mut_doc_get_root(doc);
    leave_builds_out(root);
    (void)yyjson_mut_obj_remove_key(root, "$schema"); // a path from where it stood
    yyjson_mut_obj_add_null(doc, root, "build");
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int result = fill_in_texts(doc, yyjson_mut_obj_get(root, places[i]), build);
        if (result != 0) {
            return result;
        }
    }
    size_t length = 0;
    char *text = yyjson_mut_write(doc, YYJSON_WRITE_PRETTY_TWO_SPACES | YYJSON_WRITE_NEWLINE_AT_END,
                                  &length);
    int result = text == NULL ? -ENOMEM : mr_file_write(path, text, length);
    free(text);
    return result;
}

// Links to what stands in the build's folder, but for its manifest.
static int link_files(const char *from, const char *to)
{
    DIR *folder = opendir(from);
    if (folder == NULL) {
        return -errno;
    }
    int result = 0;
    for (struct dirent *entry; result == 0 && (entry = readdir(folder)) != NULL;) {
        char target[2 * PATH_MAX];
        char link[2 * PATH_MAX];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            strcmp(entry->d_name, MANIFEST) == 0) {
            continue;
        }
        (void)snprintf(target, sizeof target, "%s/%s", from, entry->d_name);
        (void)snprintf(link, sizeof link, "%s/%s", to, entry->d_name);
        result = symlink(target, link) == 0 ? 0 : -errno;
    }
    (void)closedir(folder);
    return result;
}

// Its contestant.json, as a document to change; NULL with *fault set.
static yyjson_mut_doc *read_manifest(const char *folder, struct mr_trial_fault *fault)
{
    char path[2 * PATH_MAX];
    char *bytes = NULL;
    size_t size = 0;
    (void)snprintf(path, sizeof path, "%s/" MANIFEST, folder);
    int result = mr_file_read(path, MANIFEST_BYTES, &bytes, &size);
    yyjson_doc *read = result == 0 ? yyjson_read(bytes, size, YYJSON_READ_NOFLAG) : NULL;
    yyjson_mut_doc *doc = read == NULL ? NULL : yyjson_doc_mut_copy(read, NULL);
    const char *name = yyjson_mut_get_str(yyjson_mut_obj_get(yyjson_mut_doc_get_root(doc), "name"));
    if (name == NULL || name[0] == '\0' || name[0] == '.' || strchr(name, '/') != NULL) {
        mr_trial_fault_set(fault, "%s: %s", path,
                           result != 0 ? strerror(-result) : "this is no contestant.json");
        yyjson_mut_doc_free(doc);
        doc = NULL;
    }
    yyjson_doc_free(read);
    free(bytes);
    return doc;
}

// Makes the folder that `doc` names below `place`, with everything in it.
static int make_place(const struct mr_versus_build *build, yyjson_mut_doc *doc, const char *place,
                      char folder_out[PATH_MAX], struct mr_trial_fault *fault)
{
    char path[PATH_MAX + 32];
    yyjson_mut_val *name = yyjson_mut_obj_get(yyjson_mut_doc_get_root(doc), "name");
    int length = snprintf(folder_out, PATH_MAX, "%s/%s", place, yyjson_mut_get_str(name));
    int result = length < PATH_MAX ? mr_folder_make(folder_out) : -ENAMETOOLONG;
    if (result == 0) {
        result = link_files(build->folder, folder_out);
    }
    if (result == 0) {
        (void)snprintf(path, sizeof path, "%s/" MANIFEST, folder_out);
        result = write_manifest(build, doc, path);
    }
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be made: %s", folder_out, strerror(-result));
    }
    return result;
}

int mr_versus_build_place(const struct mr_versus_build *build, const char *place,
                          char folder_out[PATH_MAX], struct mr_trial_fault *fault)
{
    char absolute[PATH_MAX];
    if (realpath(build->folder, absolute) == NULL) {
        int result = -errno;
        mr_trial_fault_set(fault, "%s: %s", build->folder, strerror(errno));
        return result;
    }
    yyjson_mut_doc *doc = read_manifest(absolute, fault);
    if (doc == NULL) {
        return -EBADMSG;
    }
    struct mr_versus_build there = {.folder = absolute, .build_dir = build->build_dir};
    int result = make_place(&there, doc, place, folder_out, fault);
    yyjson_mut_doc_free(doc);
    return result;
}

static bool is_same_path(const char *a, const char *b)
{
    char resolved_a[PATH_MAX];
    char resolved_b[PATH_MAX];
    return strcmp(a, b) == 0 ||
           (realpath(a, resolved_a) != NULL && realpath(b, resolved_b) != NULL &&
            strcmp(resolved_a, resolved_b) == 0);
}

// Whether some word of the list leads into the build folder.
static bool leads_into_build(yyjson_mut_val *words)
{
    yyjson_mut_arr_iter items = yyjson_mut_arr_iter_with(words);
    for (yyjson_mut_val *word; (word = yyjson_mut_arr_iter_next(&items)) != NULL;) {
        if (yyjson_mut_is_str(word) && strstr(yyjson_mut_get_str(word), PLACEHOLDER) != NULL) {
            return true;
        }
    }
    return false;
}

int mr_versus_builds_differ(const struct mr_versus_build *base,
                            const struct mr_versus_build *change, struct mr_trial_fault *fault)
{
    if (is_same_path(base->folder, change->folder) ||
        !is_same_path(base->build_dir, change->build_dir)) {
        return 0;
    }
    yyjson_mut_doc *base_doc = read_manifest(base->folder, fault);
    yyjson_mut_doc *change_doc = base_doc == NULL ? NULL : read_manifest(change->folder, fault);
    int result = change_doc == NULL ? -EBADMSG : 0;
    if (result == 0) {
        yyjson_mut_val *run = yyjson_mut_obj_get(yyjson_mut_doc_get_root(base_doc), "run");
        yyjson_mut_val *other = yyjson_mut_obj_get(yyjson_mut_doc_get_root(change_doc), "run");
        if (leads_into_build(run) && yyjson_mut_equals(run, other)) {
            mr_trial_fault_set(fault,
                               "%s and %s run one and the same program of %s: build each into its "
                               "own folder, or give --build-dir-base and --build-dir-change",
                               base->folder, change->folder, base->build_dir);
            result = -EINVAL;
        }
    }
    yyjson_mut_doc_free(change_doc);
    yyjson_mut_doc_free(base_doc);
    return result;
}
