// check_replies.c: WELCOME, STATS_REPLY and KEPT_REPLY to the letter: keys, types, scalars (W8, W9,
// W14 to W18).
#include "conform_checks.h"
#include "conform_made.h"
#include "conform_talk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

static const char *const welcome_keys[] = {"contestant",  "version",   "language", "runtime",
                                           "mode",        "threads",   "pid",      "kernel",
                                           "build_flags", "libraries", "knobs",    NULL};
// Texts that a language may have nothing for are null then.
static const char *const welcome_maybe[] = {"runtime", "kernel", "build_flags", NULL};
static const char *const welcome_texts[] = {"contestant", "version", "language",    "runtime",
                                            "mode",       "kernel",  "build_flags", NULL};
static const char *const library_keys[] = {"name", "version", "path", NULL};
static const char *const stats_keys[] = {"totals", "runtime", NULL};
static const char *const runtime_keys[] = {"gc_pause_ns",      "gc_collections", "allocated_bytes",
                                           "compiled_methods", "pauses",         NULL};
static const char *const kept_keys[] = {"batches", "records", "digest", NULL};

static bool listed(const char *const *keys, const char *key)
{
    for (; *keys != NULL; keys++) {
        if (strcmp(*keys, key) == 0) {
            return true;
        }
    }
    return false;
}

// Each of `keys` exactly once and no other; `optional` may be missing.
static bool judge_keys(struct mr_talk *talk, yyjson_val *object, const char *const *keys,
                       const char *optional, const char *what)
{
    char expected[MR_FINDING_BYTES];
    (void)snprintf(expected, sizeof expected, "the keys of %s, each once, and no other", what);
    if (!yyjson_is_obj(object)) {
        return mr_talk_fail(talk, expected, "%s is no JSON object", what);
    }
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *value;
    yyjson_obj_foreach(object, index, count, key, value)
    {
        const char *name = yyjson_get_str(key);
        if (!listed(keys, name)) {
            return mr_talk_fail(talk, expected, "unknown key \"%.60s\"", name);
        }
        if (yyjson_obj_get(object, name) != value) {
            return mr_talk_fail(talk, expected, "key \"%s\" twice", name);
        }
    }
    for (; *keys != NULL; keys++) {
        bool needed = optional == NULL || strcmp(*keys, optional) != 0;
        if (needed && yyjson_obj_get(object, *keys) == NULL) {
            return mr_talk_fail(talk, expected, "key \"%s\" is missing", *keys);
        }
    }
    return true;
}

// The reply to a request, as JSON; NULL when the check has failed. The caller frees it.
static yyjson_doc *ask(struct mr_talk *talk, uint8_t request, uint8_t reply_type)
{
    struct mr_reply reply;
    if (!mr_talk_request(talk, request, NULL, 0) || !mr_talk_expect(talk, reply_type, &reply)) {
        return NULL;
    }
    yyjson_doc *document = yyjson_read((const char *)reply.payload, reply.head.payload_bytes, 0);
    if (document == NULL) {
        (void)mr_talk_fail(talk, "a JSON text", "it is none");
    }
    return document;
}

static bool judge_welcome_types(struct mr_talk *talk, yyjson_val *root)
{
    for (const char *const *key = welcome_texts; *key != NULL; key++) {
        yyjson_val *text = yyjson_obj_get(root, *key);
        bool none = listed(welcome_maybe, *key) && yyjson_is_null(text);
        if (!yyjson_is_str(text) && !none) {
            return mr_talk_fail(talk, "a string", "\"%s\" is none", *key);
        }
    }
    if (!yyjson_is_uint(yyjson_obj_get(root, "threads")) ||
        !yyjson_is_uint(yyjson_obj_get(root, "pid"))) {
        return mr_talk_fail(talk, "integers for threads and pid", "another type");
    }
    yyjson_val *libraries = yyjson_obj_get(root, "libraries");
    if (!yyjson_is_arr(libraries) || !yyjson_is_obj(yyjson_obj_get(root, "knobs"))) {
        return mr_talk_fail(talk, "an array \"libraries\" and an object \"knobs\"", "another type");
    }
    size_t index;
    size_t count;
    yyjson_val *library;
    yyjson_arr_foreach(libraries, index, count, library)
    {
        if (!judge_keys(talk, library, library_keys, NULL, "a library")) {
            return false;
        }
        for (const char *const *key = library_keys; *key != NULL; key++) {
            if (!yyjson_is_str(yyjson_obj_get(library, *key))) {
                return mr_talk_fail(talk, "a string", "\"%s\" of a library is none", *key);
            }
        }
    }
    return true;
}

// The process that was started, or one that it started itself (they share its group).
static bool is_subject(const struct mr_subject *subject, uint64_t pid)
{
    return pid > 0 && pid < 1u << 30 &&
           ((pid_t)pid == subject->process.pid || getpgid((pid_t)pid) == subject->process.pid);
}

static void judge_welcome_truth(struct mr_talk *talk, yyjson_val *root,
                                const struct mr_subject *subject)
{
    struct mr_kit *kit = talk->kit;
    const char *mode = yyjson_get_str(yyjson_obj_get(root, "mode"));
    const char *name = yyjson_get_str(yyjson_obj_get(root, "contestant"));
    uint64_t pid = yyjson_get_uint(yyjson_obj_get(root, "pid"));
    uint64_t threads = yyjson_get_uint(yyjson_obj_get(root, "threads"));
    talk->rule = MR_RULE_W9;
    if (mode == NULL || strcmp(mode, mr_mode_names[kit->mode]) != 0) {
        (void)mr_talk_fail(talk, mr_mode_names[kit->mode], "mode \"%s\"", mode == NULL ? "" : mode);
    } else if (name == NULL || strcmp(name, kit->plan.contestant->name) != 0) {
        (void)mr_talk_fail(talk, "the name in contestant.json", "contestant \"%s\"",
                           name == NULL ? "" : name);
    } else if (threads != 1) {
        (void)mr_talk_fail(talk, "threads 1", "threads %" PRIu64, threads);
    } else if (!is_subject(subject, pid)) {
        (void)mr_talk_fail(talk, "the server's own pid", "pid %" PRIu64, pid);
    } else {
        mr_kit_ok(kit, MR_RULE_W9);
    }
}

static void welcome(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W8);
    if (shared == NULL) {
        return;
    }
    struct mr_talk talk;
    yyjson_doc *document = NULL;
    if (mr_talk_open_bare(&talk, kit, MR_RULE_W8, shared, 0)) {
        document = ask(&talk, MR_FRAME_HELLO, MR_FRAME_WELCOME);
    }
    if (document != NULL) {
        yyjson_val *root = yyjson_doc_get_root(document);
        if (judge_keys(&talk, root, welcome_keys, NULL, "WELCOME") &&
            judge_welcome_types(&talk, root)) {
            mr_kit_ok(kit, MR_RULE_W8);
        }
        judge_welcome_truth(&talk, root, shared);
    }
    yyjson_doc_free(document);
    mr_talk_close(&talk);
}

// 16 lower-case hexadecimal digits in a string.
static bool is_hex(yyjson_val *value)
{
    const char *text = yyjson_get_str(value);
    return text != NULL && yyjson_get_len(value) == 16 && strspn(text, "0123456789abcdef") == 16;
}

// Every scalar below `value` is such a string, or null.
static bool judge_scalars(struct mr_talk *talk, yyjson_val *value, const char *name, bool null_too)
{
    size_t index;
    size_t count;
    yyjson_val *key;
    yyjson_val *item;
    if (yyjson_is_obj(value)) {
        yyjson_obj_foreach(value, index, count, key, item)
        {
            if (!judge_scalars(talk, item, yyjson_get_str(key), null_too)) {
                return false;
            }
        }
        return true;
    }
    if (yyjson_is_arr(value)) {
        yyjson_arr_foreach(value, index, count, item)
        {
            if (!judge_scalars(talk, item, name, null_too)) {
                return false;
            }
        }
        return true;
    }
    if (is_hex(value) || (null_too && yyjson_is_null(value))) {
        return true;
    }
    char *text = yyjson_val_write(value, YYJSON_WRITE_ALLOW_INVALID_UNICODE, NULL);
    (void)mr_talk_fail(talk, "a string of 16 lower-case hexadecimal digits, or null",
                       "\"%s\": %.60s", name, text == NULL ? "" : text);
    free(text);
    return false;
}

static bool judge_totals_keys(struct mr_talk *talk, yyjson_val *root)
{
    const char *names[MR_TOTALS_KEYS + 1] = {NULL};
    for (size_t i = 0; i < MR_TOTALS_KEYS; i++) {
        names[i] = mr_totals_keys[i].name;
    }
    yyjson_val *totals = yyjson_obj_get(root, "totals");
    if (!judge_keys(talk, root, stats_keys, NULL, "STATS_REPLY") ||
        !judge_keys(talk, totals, names, NULL, "totals")) {
        return false;
    }
    for (size_t i = 0; i < MR_TOTALS_KEYS; i++) {
        yyjson_val *value = yyjson_obj_get(totals, names[i]);
        if (mr_totals_keys[i].count == 8 && yyjson_arr_size(value) != 8) {
            return mr_talk_fail(talk, "an array of 8", "\"%s\" is none", names[i]);
        }
        if (mr_totals_keys[i].count == 1 && yyjson_is_ctn(value)) {
            return mr_talk_fail(talk, "a scalar", "\"%s\" is none", names[i]);
        }
    }
    return true;
}

// `runtime` may be null as a whole; so may each of its values.
static bool judge_runtime(struct mr_talk *talk, yyjson_val *runtime)
{
    if (yyjson_is_null(runtime)) {
        return true;
    }
    if (!judge_keys(talk, runtime, runtime_keys, "pauses", "runtime")) {
        return false;
    }
    yyjson_val *collections = yyjson_obj_get(runtime, "gc_collections");
    if (!yyjson_is_null(collections) && yyjson_arr_size(collections) != 3) {
        return mr_talk_fail(talk, "\"gc_collections\" is an array of 3, or null", "it is not");
    }
    yyjson_val *pauses = yyjson_obj_get(runtime, "pauses");
    size_t index;
    size_t count;
    yyjson_val *pause;
    if (pauses != NULL && !yyjson_is_null(pauses) && !yyjson_is_arr(pauses)) {
        return mr_talk_fail(talk, "\"pauses\" is an array of pairs", "it is not");
    }
    yyjson_arr_foreach(pauses, index, count, pause)
    {
        if (yyjson_arr_size(pause) != 2) {
            return mr_talk_fail(talk, "\"pauses\" is an array of pairs", "entry %zu is none",
                                index);
        }
    }
    return true;
}

// With records in the totals, so that every key has a number to show.
static void stats_form(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W14);
    if (shared == NULL) {
        return;
    }
    struct mr_made made = {0};
    mr_made_plain(&made, 1, 9);
    struct mr_talk talk;
    struct mr_reply reply;
    yyjson_doc *document = NULL;
    if (mr_talk_open(&talk, kit, MR_RULE_W14, shared) &&
        mr_talk_request(&talk, MR_FRAME_BATCH, made.json.bytes, made.json.length) &&
        mr_talk_frame(&talk, "ACK", &reply)) {
        document = ask(&talk, MR_FRAME_STATS, MR_FRAME_STATS_REPLY);
    }
    if (document != NULL) {
        yyjson_val *root = yyjson_doc_get_root(document);
        if (judge_totals_keys(&talk, root)) {
            mr_kit_ok(kit, MR_RULE_W14);
        }
        talk.rule = MR_RULE_W15;
        if (judge_runtime(&talk, yyjson_obj_get(root, "runtime"))) {
            mr_kit_ok(kit, MR_RULE_W15);
        }
        talk.rule = MR_RULE_W16;
        if (judge_scalars(&talk, root, "STATS_REPLY", true)) {
            mr_kit_ok(kit, MR_RULE_W16);
        }
    }
    yyjson_doc_free(document);
    mr_talk_close(&talk);
    mr_made_fini(&made);
}

static void kept_form(struct mr_kit *kit)
{
    struct mr_subject *shared = mr_kit_shared(kit, MR_RULE_W17);
    if (shared == NULL) {
        return;
    }
    struct mr_talk talk;
    yyjson_doc *document = NULL;
    if (mr_talk_open(&talk, kit, MR_RULE_W17, shared)) {
        document = ask(&talk, MR_FRAME_KEPT, MR_FRAME_KEPT_REPLY);
    }
    if (document != NULL) {
        yyjson_val *root = yyjson_doc_get_root(document);
        if (judge_keys(&talk, root, kept_keys, NULL, "KEPT_REPLY")) {
            mr_kit_ok(kit, MR_RULE_W17);
        }
        talk.rule = MR_RULE_W18;
        if (judge_scalars(&talk, root, "KEPT_REPLY", false)) {
            mr_kit_ok(kit, MR_RULE_W18);
        }
    }
    yyjson_doc_free(document);
    mr_talk_close(&talk);
}

const struct mr_procedure mr_procedures_replies[] = {
    {welcome, MR_PHASE_WIRE, false, 2, {MR_RULE_W8, MR_RULE_W9, MR_RULE_NONE}},
    {stats_form, MR_PHASE_WIRE, false, 2, {MR_RULE_W14, MR_RULE_W15, MR_RULE_W16, MR_RULE_NONE}},
    {kept_form, MR_PHASE_WIRE, false, 2, {MR_RULE_W17, MR_RULE_W18, MR_RULE_NONE}},
    {.run = NULL},
};
