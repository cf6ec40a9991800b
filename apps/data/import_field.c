// import_field.c: see import_field.h.
#include "import_field.h"

#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NAME_SHOWN 40

// A walk over a record from one field to the next.
struct walk {
    const uint8_t *json;
    size_t json_bytes;
    size_t at;
    size_t depth;
    bool awaits_name;
    size_t name; // of the field that the walk is in; the bytes between its quotes
    size_t name_bytes;
    bool named;
};

// Past the string that begins at `at`; its end, or the text's.
static size_t string_end(const struct walk *walk, size_t at)
{
    for (at++; at < walk->json_bytes && walk->json[at] != '"'; at++) {
        at += walk->json[at] == '\\' ? 1 : 0;
    }
    return at < walk->json_bytes ? at + 1 : walk->json_bytes;
}

static void step_over_string(struct walk *walk)
{
    size_t end = string_end(walk, walk->at);
    if (walk->depth == 1 && walk->awaits_name) {
        walk->name = walk->at + 1;
        walk->name_bytes = end - walk->at >= 2 ? end - walk->at - 2 : 0;
        walk->named = true;
        walk->awaits_name = false;
    }
    walk->at = end;
}

// One token on.
static void step(struct walk *walk)
{
    uint8_t byte = walk->json[walk->at];
    if (byte == '"') {
        step_over_string(walk);
        return;
    }
    if (byte == '{' || byte == '[') {
        walk->depth++;
        walk->awaits_name = walk->depth == 1;
    } else if ((byte == '}' || byte == ']') && walk->depth > 0) {
        walk->depth--;
    } else if (byte == ',' && walk->depth == 1) {
        walk->awaits_name = true;
        walk->named = false;
    }
    walk->at++;
}

void mr_field_at(const uint8_t *json, size_t json_bytes, size_t offset,
                 char text_out[MR_FIELD_TEXT_BYTES])
{
    struct walk walk = {.json = json, .json_bytes = json_bytes};
    while (walk.at < json_bytes && walk.at <= offset) {
        step(&walk);
    }
    text_out[0] = '\0';
    if (!walk.named) {
        return;
    }
    struct mr_text text = mr_text_init(text_out, MR_FIELD_TEXT_BYTES);
    mr_text_printf(&text, ", field \"");
    for (size_t i = 0; i < walk.name_bytes && i < NAME_SHOWN; i++) {
        uint8_t byte = json[walk.name + i];
        mr_text_printf(&text, "%c", byte >= ' ' && byte < 0x7F ? byte : '?');
    }
    mr_text_printf(&text, "%s\"", walk.name_bytes > NAME_SHOWN ? "…" : "");
}

void mr_fields_missing(const uint8_t *json, size_t json_bytes, char text_out[MR_FIELD_TEXT_BYTES])
{
    static const char *const names[] = {"id",    "timestamp", "source", "kind",
                                        "value", "flags",     "message"};
    enum { NAMES = sizeof names / sizeof names[0] };
    bool seen[NAMES] = {false};
    struct walk walk = {.json = json, .json_bytes = json_bytes};
    text_out[0] = '\0';
    while (walk.at < json_bytes) {
        step(&walk);
        const char *name = (const char *)json + walk.name;
        for (size_t i = 0; walk.named && i < NAMES; i++) {
            seen[i] |=
                walk.name_bytes == strlen(names[i]) && memcmp(name, names[i], walk.name_bytes) == 0;
        }
        if (walk.named && memchr(name, '\\', walk.name_bytes) != NULL) {
            return;
        }
    }
    struct mr_text text = mr_text_init(text_out, MR_FIELD_TEXT_BYTES);
    for (size_t i = 0; i < NAMES; i++) {
        if (!seen[i]) {
            mr_text_printf(&text, "%s\"%s\"", text.length == 0 ? ", without " : ", ", names[i]);
        }
    }
}
