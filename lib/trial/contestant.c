// contestant.c: see contestant.h.
#define _GNU_SOURCE
#include "contestant.h"

#include "base/file.h"
#include "base/mr_assert.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const top_keys[] = {
    "$schema",  "name",        "jobs",  "language",     "class",        "how",      "licence",
    "text",     "build",       "run",   "env",          "parser_files", "any_json", "memory_safety",
    "variants", "conformance", "needs", "build_inputs", "managed",      NULL};
static const char *const variant_keys[] = {"label", "build", "run", "args", "env", NULL};
static const char *const gap_keys[] = {"gap", "cases", NULL};
static const char *const classes[] = {"stock", "tuned", "special", "part", NULL};
static const char *const texts[] = {"utf8", "utf16", NULL};

// Takes over a malloc'ed text; NULL (out of memory) becomes a fault.
static const char *own(struct mr_contestant_file *contestant, char *text)
{
    size_t owned_max = sizeof contestant->owned / sizeof contestant->owned[0];
    if (text == NULL || contestant->owned_count == owned_max) {
        mr_json_fail(&contestant->json, NULL, "out of memory, or too many words and variables");
        free(text);
        return "";
    }
    contestant->owned[contestant->owned_count++] = text;
    return text;
}

// `word` with every ${MR_BUILD_DIR} replaced.
static const char *fill_in(struct mr_contestant_file *contestant, const char *word,
                           const char *build_dir)
{
    static const char placeholder[] = "${MR_BUILD_DIR}";
    const size_t placeholder_length = sizeof placeholder - 1;
    size_t places = 0;
    for (const char *at = strstr(word, placeholder); at != NULL;
         at = strstr(at + placeholder_length, placeholder)) {
        places++;
    }
    if (places == 0) {
        return word;
    }
    size_t build_length = strlen(build_dir);
    char *filled = malloc(strlen(word) + places * build_length + 1);
    char *to = filled;
    for (; filled != NULL && places > 0; places--) {
        const char *at = strstr(word, placeholder);
        to = mempcpy(to, word, (size_t)(at - word));
        to = mempcpy(to, build_dir, build_length);
        word = at + placeholder_length;
    }
    if (filled != NULL) {
        memcpy(to, word, strlen(word) + 1);
    }
    return own(contestant, filled);
}

static size_t read_words(struct mr_contestant_file *contestant, yyjson_val *array,
                         const char **words_out, size_t words_max)
{
    size_t count = 0;
    size_t index;
    size_t length;
    yyjson_val *word;
    yyjson_arr_foreach(array, index, length, word)
    {
        if (!yyjson_is_str(word) || count == words_max) {
            mr_json_fail(&contestant->json, word, "a list of at most %zu strings is needed here",
                         words_max);
            return count;
        }
        words_out[count++] = yyjson_get_str(word);
    }
    return count;
}

// The same, with ${MR_BUILD_DIR} filled in.
static size_t read_command(struct mr_contestant_file *contestant, yyjson_val *array,
                           const char *build_dir, const char **words_out)
{
    size_t count = read_words(contestant, array, words_out, MR_CONTESTANT_WORDS_MAX);
    for (size_t i = 0; i < count; i++) {
        words_out[i] = fill_in(contestant, words_out[i], build_dir);
    }
    return count;
}

static size_t read_env(struct mr_contestant_file *contestant, yyjson_val *object,
                       const char **env_out)
{
    size_t count = 0;
    size_t index;
    size_t length;
    yyjson_val *key;
    yyjson_val *value;
    yyjson_obj_foreach(object, index, length, key, value)
    {
        if (!yyjson_is_str(value) || count == MR_CONTESTANT_ENV_MAX) {
            mr_json_fail(&contestant->json, key,
                         "\"%s\": environment variables are strings, at most %d",
                         yyjson_get_str(key), MR_CONTESTANT_ENV_MAX);
            return count;
        }
        char *pair = NULL;
        int written = asprintf(&pair, "%s=%s", yyjson_get_str(key), yyjson_get_str(value));
        env_out[count++] = own(contestant, written < 0 ? NULL : pair);
    }
    return count;
}

static void read_variants(struct mr_contestant_file *contestant, yyjson_val *object,
                          const char *build_dir)
{
    size_t index;
    size_t length;
    yyjson_val *key;
    yyjson_val *value;
    yyjson_obj_foreach(object, index, length, key, value)
    {
        if (!yyjson_is_obj(value) || contestant->variants_count == MR_CONTESTANT_VARIANTS_MAX) {
            mr_json_fail(&contestant->json, key, "variant \"%s\" must be an object",
                         yyjson_get_str(key));
            return;
        }
        struct mr_json_file *json = &contestant->json;
        struct mr_variant *variant = &contestant->variants[contestant->variants_count++];
        variant->name = yyjson_get_str(key);
        mr_json_only_keys(json, value, variant_keys);
        variant->label = mr_json_text(json, value, "label", variant->name);
        variant->build = mr_json_text(json, value, "build", "");
        variant->run_count = read_command(contestant, mr_json_array(json, value, "run", false),
                                          build_dir, variant->run);
        variant->args_count = read_words(contestant, mr_json_array(json, value, "args", false),
                                         variant->args, MR_CONTESTANT_WORDS_MAX);
        variant->env_count =
            read_env(contestant, mr_json_object(json, value, "env", false), variant->env);
    }
}

static void check_word(struct mr_contestant_file *contestant, const char *key, const char *word,
                       const char *const *allowed)
{
    for (const char *const *candidate = allowed; *candidate != NULL; candidate++) {
        if (strcmp(word, *candidate) == 0) {
            return;
        }
    }
    mr_json_fail(&contestant->json, NULL, "\"%s\" may not be \"%s\"", key, word);
}

static void add_gap(struct mr_contestant_file *contestant, yyjson_val *name, const char *what)
{
    if (!yyjson_is_str(name) || contestant->gaps_count == MR_CONTESTANT_GAPS_MAX) {
        mr_json_fail(&contestant->json, name,
                     "\"conformance\": names of checks or cases are strings, at most %d in all",
                     MR_CONTESTANT_GAPS_MAX);
        return;
    }
    contestant->gaps[contestant->gaps_count++] =
        (struct mr_gap){.name = yyjson_get_str(name), .what = what};
}

// A name by itself, or a sentence and the names of the cases that show it.
static void read_gap(struct mr_contestant_file *contestant, yyjson_val *gap)
{
    if (!yyjson_is_obj(gap)) {
        add_gap(contestant, gap, "");
        return;
    }
    mr_json_only_keys(&contestant->json, gap, gap_keys);
    const char *what = mr_json_text(&contestant->json, gap, "gap", NULL);
    size_t index;
    size_t length;
    yyjson_val *name;
    yyjson_arr_foreach(mr_json_array(&contestant->json, gap, "cases", true), index, length, name)
    {
        add_gap(contestant, name, what);
    }
}

static void read_conformance(struct mr_contestant_file *contestant, yyjson_val *root)
{
    yyjson_val *value = yyjson_obj_get(root, "conformance");
    if (yyjson_is_arr(value)) {
        size_t index;
        size_t length;
        yyjson_val *gap;
        yyjson_arr_foreach(value, index, length, gap)
        {
            read_gap(contestant, gap);
        }
    } else if (!yyjson_equals_str(value, "full")) {
        mr_json_fail(&contestant->json, NULL,
                     "\"conformance\" must be \"full\" or the list of rules that it cannot keep");
    }
}

static void count_lines(struct mr_contestant_file *contestant)
{
    for (size_t i = 0; i < contestant->parser_files_count; i++) {
        char path[2 * PATH_MAX];
        struct mr_map map;
        const char *file = contestant->parser_files[i];
        bool absolute = file[0] == '/';
        (void)snprintf(path, sizeof path, "%s%s%s", absolute ? "" : contestant->folder,
                       absolute ? "" : "/", file);
        if (mr_map_init(&map, path) != 0) {
            mr_json_fail(&contestant->json, NULL, "parser file %s cannot be read", path);
            return;
        }
        for (size_t at = 0; at < map.size_bytes; at++) {
            contestant->parser_lines += map.bytes[at] == '\n';
        }
        mr_map_fini(&map);
    }
}

static void read_root(struct mr_contestant_file *contestant, yyjson_val *root,
                      const char *build_dir)
{
    struct mr_json_file *json = &contestant->json;
    mr_json_only_keys(json, root, top_keys);
    contestant->name = mr_json_text(json, root, "name", NULL);
    contestant->language = mr_json_text(json, root, "language", NULL);
    contestant->class = mr_json_text(json, root, "class", NULL);
    contestant->how = mr_json_text(json, root, "how", "");
    contestant->licence = mr_json_text(json, root, "licence", "");
    contestant->text = mr_json_text(json, root, "text", "utf8");
    contestant->memory_safety = mr_json_text(json, root, "memory_safety", "");
    contestant->any_json = mr_json_bool(json, root, "any_json", false);
    contestant->managed = mr_json_bool(json, root, "managed", false);
    yyjson_val *build = yyjson_obj_get(root, "build");
    contestant->build =
        build == NULL || yyjson_is_null(build) ? "" : mr_json_text(json, root, "build", "");
    check_word(contestant, "class", contestant->class, classes);
    check_word(contestant, "text", contestant->text, texts);
    contestant->jobs_count =
        read_words(contestant, mr_json_array(json, root, "jobs", true), contestant->jobs, 4);
    contestant->run_count = read_command(contestant, mr_json_array(json, root, "run", true),
                                         build_dir, contestant->run);
    if (contestant->run_count == 0) {
        mr_json_fail(json, NULL, "\"run\" names no program");
    }
    contestant->env_count =
        read_env(contestant, mr_json_object(json, root, "env", false), contestant->env);
    contestant->parser_files_count =
        read_words(contestant, mr_json_array(json, root, "parser_files", false),
                   contestant->parser_files, MR_CONTESTANT_FILES_MAX);
    contestant->needs_count = read_words(contestant, mr_json_array(json, root, "needs", false),
                                         contestant->needs, MR_CONTESTANT_NEEDS_MAX);
    read_variants(contestant, mr_json_object(json, root, "variants", false), build_dir);
    read_conformance(contestant, root);
    count_lines(contestant);
}

int mr_contestant_load(struct mr_contestant_file *contestant_out, const char *folder,
                       const char *build_dir, struct mr_trial_fault *fault)
{
    *contestant_out = (struct mr_contestant_file){0};
    if (realpath(folder, contestant_out->folder) == NULL) {
        int result = -errno;
        mr_trial_fault_set(fault, "contestant %s: %s", folder, strerror(errno));
        return result;
    }
    int length = snprintf(contestant_out->path, sizeof contestant_out->path, "%s/contestant.json",
                          contestant_out->folder);
    if (length < 0 || (size_t)length >= sizeof contestant_out->path) {
        mr_trial_fault_set(fault, "contestant %s: the path is too long", folder);
        return -ENAMETOOLONG;
    }
    int result = mr_json_file_init(&contestant_out->json, contestant_out->path, fault);
    if (result != 0) {
        return result;
    }
    read_root(contestant_out, yyjson_doc_get_root(contestant_out->json.doc), build_dir);
    return contestant_out->json.failed ? -EBADMSG : 0;
}

void mr_contestant_fini(struct mr_contestant_file *contestant)
{
    for (size_t i = 0; i < contestant->owned_count; i++) {
        free(contestant->owned[i]);
    }
    contestant->owned_count = 0;
    mr_json_file_fini(&contestant->json);
}

const char *const *mr_contestant_run(const struct mr_contestant_file *contestant,
                                     const struct mr_variant *variant, size_t *count_out)
{
    bool is_own = variant != NULL && variant->run_count > 0;
    *count_out = is_own ? variant->run_count : contestant->run_count;
    return is_own ? variant->run : contestant->run;
}

const struct mr_variant *mr_contestant_variant(const struct mr_contestant_file *contestant,
                                               const char *name)
{
    for (size_t i = 0; i < contestant->variants_count; i++) {
        if (strcmp(contestant->variants[i].name, name) == 0) {
            return &contestant->variants[i];
        }
    }
    return NULL;
}
