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

// `word` with what it stands for filled in; false: too long.
static bool fill_in(const char *word, const char *build_dir, struct mr_text *text)
{
    static const char placeholder[] = "${MR_BUILD_DIR}";
    const char *found;
    while ((found = strstr(word, placeholder)) != NULL) {
        mr_text_printf(text, "%.*s%s", (int)(found - word), word, build_dir);
        word = found + sizeof placeholder - 1;
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
                          const char *path, const char *name)
{
    static const char *const places[] = {"run", "env", "variants", "parser_files"};
    yyjson_mut_val *root = yyjson_mut_doc_get_root(doc);
    leave_builds_out(root);
    (void)yyjson_mut_obj_remove_key(root, "name");
    (void)yyjson_mut_obj_remove_key(root, "$schema"); // a path from where it stood
    yyjson_mut_obj_add_str(doc, root, "name", name);
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

static int place_manifest(const struct mr_versus_build *build, const char *folder, const char *name,
                          struct mr_trial_fault *fault)
{
    char from[2 * PATH_MAX];
    char to[2 * PATH_MAX];
    (void)snprintf(from, sizeof from, "%s/" MANIFEST, build->folder);
    (void)snprintf(to, sizeof to, "%s/" MANIFEST, folder);
    char *bytes = NULL;
    size_t size = 0;
    int result = mr_file_read(from, MANIFEST_BYTES, &bytes, &size);
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: %s", from, strerror(-result));
        return result;
    }
    yyjson_doc *read = yyjson_read(bytes, size, YYJSON_READ_NOFLAG);
    yyjson_mut_doc *doc = read == NULL ? NULL : yyjson_doc_mut_copy(read, NULL);
    if (!yyjson_mut_is_obj(yyjson_mut_doc_get_root(doc))) {
        mr_trial_fault_set(fault, "%s: this is no contestant.json", from);
        result = -EBADMSG;
    } else if ((result = write_manifest(build, doc, to, name)) != 0) {
        mr_trial_fault_set(fault, "%s: cannot be written: %s", to, strerror(-result));
    }
    yyjson_mut_doc_free(doc);
    yyjson_doc_free(read);
    free(bytes);
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

int mr_versus_build_place(const struct mr_versus_build *build, const char *place, const char *name,
                          struct mr_trial_fault *fault)
{
    char absolute[PATH_MAX];
    char folder[2 * PATH_MAX];
    if (realpath(build->folder, absolute) == NULL) {
        int result = -errno;
        mr_trial_fault_set(fault, "%s: %s", build->folder, strerror(errno));
        return result;
    }
    (void)snprintf(folder, sizeof folder, "%s/%s", place, name);
    int result = mr_folder_make(folder);
    if (result == 0) {
        result = link_files(absolute, folder);
    }
    if (result != 0) {
        mr_trial_fault_set(fault, "%s: cannot be made: %s", folder, strerror(-result));
        return result;
    }
    struct mr_versus_build there = {.folder = absolute, .build_dir = build->build_dir};
    return place_manifest(&there, folder, name, fault);
}
