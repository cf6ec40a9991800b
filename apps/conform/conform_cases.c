// conform_cases.c: see conform_cases.h.
#include "conform_cases.h"

#include "base/file.h"
#include "conform_stats.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#define FILE_BYTES_MAX (256u << 20)

static const char *const file_names[MR_CASE_FILES] = {"cases.jsonl", "schema.jsonl"};
static const char totals_name[] = "totals.json";

MR_PRINTF(2, 3) static int wrong(struct mr_case_fault *fault, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return -EBADMSG;
}

static int sextet(char letter)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = letter == '\0' ? NULL : strchr(alphabet, letter);
    return at == NULL ? -1 : (int)(at - alphabet);
}

// RFC 4648 section 4, padding demanded. False when the text is not base64.
static bool decode_base64(const char *text, size_t length, struct mr_bytes *out)
{
    if (length % 4 != 0) {
        return false;
    }
    for (size_t at = 0; at < length; at += 4) {
        size_t padding = 0;
        if (at + 4 == length) {
            padding = text[at + 3] != '=' ? 0 : text[at + 2] != '=' ? 1 : 2;
        }
        uint32_t group = 0;
        for (size_t i = 0; i < 4; i++) {
            int value = i < 4 - padding ? sextet(text[at + i]) : 0;
            if (value < 0) {
                return false;
            }
            group = group << 6 | (uint32_t)value;
        }
        uint8_t bytes[3] = {(uint8_t)(group >> 16), (uint8_t)(group >> 8), (uint8_t)group};
        mr_bytes_add(out, bytes, 3 - padding);
    }
    return true;
}

static bool read_case(yyjson_val *line, struct mr_case *case_out, struct mr_bytes *memory)
{
    yyjson_val *payload = yyjson_obj_get(line, "payload_b64");
    yyjson_val *status = yyjson_obj_get(line, "status");
    yyjson_val *records = yyjson_obj_get(line, "records");
    const char *digest = yyjson_get_str(yyjson_obj_get(line, "digest"));
    case_out->name = yyjson_get_str(yyjson_obj_get(line, "name"));
    size_t before = memory->length;
    if (case_out->name == NULL || !yyjson_is_str(payload) || !yyjson_is_uint(status) ||
        !yyjson_is_uint(records) || digest == NULL || strlen(digest) != 16 ||
        !decode_base64(yyjson_get_str(payload), yyjson_get_len(payload), memory)) {
        return false;
    }
    case_out->payload_bytes = memory->length - before;
    case_out->answer = (struct mr_ack){.status = (uint32_t)yyjson_get_uint(status),
                                       .records = (uint32_t)yyjson_get_uint(records)};
    char *end;
    case_out->answer.digest = strtoull(digest, &end, 16);
    return *end == '\0';
}

// One line after the other; every line is a JSON text of its own.
static int read_lines(struct mr_case_file *file, yyjson_doc **documents, const char *text,
                      size_t text_bytes, struct mr_case_fault *fault)
{
    const char *at = text;
    const char *end = text + text_bytes;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *line_end = newline == NULL ? end : newline;
        yyjson_doc *document = yyjson_read(at, (size_t)(line_end - at), 0);
        documents[file->count] = document;
        struct mr_case *entry = &file->cases[file->count++];
        if (document == NULL || !read_case(yyjson_doc_get_root(document), entry, &file->memory)) {
            return wrong(fault, "%s: line %zu is not a case", file->name, file->count);
        }
        at = line_end + (newline != NULL);
    }
    return 0;
}

static size_t count_lines(const char *text, size_t text_bytes)
{
    size_t lines = 1;
    for (size_t at = 0; at < text_bytes; at++) {
        lines += text[at] == '\n';
    }
    return lines;
}

static int read_file(struct mr_case_file *file, const char *path, struct mr_case_fault *fault)
{
    char *text;
    size_t text_bytes;
    int result = mr_file_read(path, FILE_BYTES_MAX, &text, &text_bytes);
    if (result != 0) {
        (void)wrong(fault, "cases: %s cannot be read: %s (--cases FOLDER names another folder)",
                    path, mr_file_fault(result));
        return result;
    }
    size_t lines = count_lines(text, text_bytes);
    file->cases = mr_kit_realloc(NULL, lines * sizeof *file->cases);
    memset(file->cases, 0, lines * sizeof *file->cases);
    yyjson_doc **documents = mr_kit_realloc(NULL, (lines + 1) * sizeof(yyjson_doc *));
    memset(documents, 0, (lines + 1) * sizeof(yyjson_doc *));
    file->document = documents;
    result = read_lines(file, documents, text, text_bytes, fault);
    free(text);
    size_t at = 0; // the payloads' memory does not move any more
    for (size_t i = 0; i < file->count && result == 0; i++) {
        file->cases[i].payload = file->memory.bytes + at;
        at += file->cases[i].payload_bytes;
    }
    return result;
}

static int read_totals(struct mr_case_set *set, const char *path, struct mr_case_fault *fault)
{
    char *text;
    size_t text_bytes;
    int result = mr_file_read(path, FILE_BYTES_MAX, &text, &text_bytes);
    if (result != 0) {
        (void)wrong(fault, "cases: %s cannot be read: %s", path, mr_file_fault(result));
        return result;
    }
    yyjson_doc *document = yyjson_read(text, text_bytes, 0);
    for (size_t i = 0; i < MR_CASE_FILES && result == 0; i++) {
        struct mr_stats_seen seen;
        yyjson_val *totals = yyjson_obj_get(yyjson_doc_get_root(document), file_names[i]);
        mr_totals_read(totals, &seen);
        if (seen.known != MR_TOTALS_ALL_KNOWN) {
            result = wrong(fault, "cases: %s does not have all totals of %s", path, file_names[i]);
        }
        set->file[i].totals = seen.totals;
    }
    yyjson_doc_free(document);
    free(text);
    return result;
}

int mr_cases_init(struct mr_case_set *set_out, const char *folder, struct mr_case_fault *fault_out)
{
    *set_out = (struct mr_case_set){0};
    char path[PATH_MAX];
    int result = 0;
    for (size_t i = 0; i < MR_CASE_FILES && result == 0; i++) {
        set_out->file[i].name = file_names[i];
        (void)snprintf(path, sizeof path, "%s/%s", folder, file_names[i]);
        result = read_file(&set_out->file[i], path, fault_out);
    }
    if (result == 0) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, totals_name);
        result = read_totals(set_out, path, fault_out);
    }
    return result;
}

void mr_cases_fini(struct mr_case_set *set)
{
    for (size_t i = 0; i < MR_CASE_FILES; i++) {
        struct mr_case_file *file = &set->file[i];
        yyjson_doc **documents = file->document;
        for (size_t line = 0; documents != NULL && line < file->count; line++) {
            yyjson_doc_free(documents[line]);
        }
        free(file->document);
        free(file->cases);
        mr_bytes_fini(&file->memory);
    }
    *set = (struct mr_case_set){0};
}

// Marks the cases whose names agree with `name` in its first `length` characters.
static size_t mark_gaps(struct mr_case_set *set, const char *name, size_t length)
{
    size_t marked = 0;
    for (size_t i = 0; i < MR_CASE_FILES; i++) {
        for (size_t line = 0; line < set->file[i].count; line++) {
            struct mr_case *entry = &set->file[i].cases[line];
            if (strncmp(entry->name, name, length) == 0) {
                set->gaps_count += !entry->gap;
                entry->gap = true;
                marked++;
            }
        }
    }
    return marked;
}

size_t mr_cases_mark_gaps(struct mr_case_set *set, const char *name)
{
    size_t length = strlen(name);
    // With its end a name agrees with one that is the same, and with no longer one.
    size_t marked = mark_gaps(set, name, length + 1);
    return marked > 0 || length == 0 ? marked : mark_gaps(set, name, length);
}
