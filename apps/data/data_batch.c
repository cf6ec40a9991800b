// data_batch.c: see data_batch.h.
//
// The map walks a text that is known to be good: made by the emitter, or accepted by two parsers.
// It exists because no JSON library tells where in the text a value stands.
#include "data_batch.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

const char *const mr_key_names[MR_KEY_COUNT] = {"id",    "timestamp", "source", "kind",
                                                "value", "flags",     "message"};

int mr_batch_init(struct mr_batch *batch_out)
{
    *batch_out = (struct mr_batch){0};
    batch_out->extent = calloc(MR_BATCH_RECORDS_MAX, sizeof *batch_out->extent);
    return batch_out->extent == NULL ? -ENOMEM : 0;
}

void mr_batch_fini(struct mr_batch *batch)
{
    mr_buffer_fini(&batch->json);
    mr_buffer_fini(&batch->records);
    free(batch->extent);
    *batch = (struct mr_batch){0};
}

void mr_batch_clear(struct mr_batch *batch)
{
    batch->json.length = 0;
    batch->records.length = 0;
    batch->count = 0;
}

void mr_batch_add_record(struct mr_batch *batch, const struct mr_record *head,
                         const uint8_t *source, const uint8_t *message)
{
    mr_buffer_add(&batch->records, head, MR_RECORD_HEAD_BYTES);
    mr_buffer_add(&batch->records, source, head->source_bytes);
    mr_buffer_add(&batch->records, message, head->message_bytes);
    mr_buffer_fill(&batch->records, 0, mr_record_stride(head) - mr_record_bytes(head));
}

// A walk over one record.
struct walk {
    const uint8_t *json;
    uint32_t at;
    uint32_t end;
};

static void skip_space(struct walk *walk)
{
    while (walk->at < walk->end && strchr(" \t\n\r", walk->json[walk->at]) != NULL &&
           walk->json[walk->at] != 0) {
        walk->at++;
    }
}

static void take(struct walk *walk, char byte)
{
    skip_space(walk);
    MR_ASSERT(walk->at < walk->end && walk->json[walk->at] == (uint8_t)byte);
    walk->at++;
}

static void skip_string(struct walk *walk)
{
    take(walk, '"');
    while (walk->at < walk->end && walk->json[walk->at] != '"') {
        walk->at += walk->json[walk->at] == '\\' ? 2 : 1;
    }
    take(walk, '"');
}

static struct mr_extent take_string(struct walk *walk)
{
    skip_space(walk);
    uint32_t start = walk->at;
    skip_string(walk);
    return (struct mr_extent){start, walk->at};
}

static struct mr_extent take_value(struct walk *walk)
{
    skip_space(walk);
    uint32_t start = walk->at;
    MR_ASSERT(start < walk->end);
    if (walk->json[start] == '"') {
        return take_string(walk);
    }
    if (walk->json[start] == '[') {
        walk->at++;
        while (walk->at < walk->end && walk->json[walk->at] != ']') {
            if (walk->json[walk->at] == '"') {
                skip_string(walk);
            } else {
                walk->at++;
            }
        }
        take(walk, ']');
    } else {
        while (walk->at < walk->end && strchr("+-.0123456789eE", walk->json[walk->at]) != NULL &&
               walk->json[walk->at] != 0) {
            walk->at++;
        }
    }
    MR_ASSERT(walk->at > start);
    return (struct mr_extent){start, walk->at};
}

// The key written at `extent`: the first letters differ, and may be escaped as \u00XX.
static enum mr_key key_of(const uint8_t *json, struct mr_extent extent)
{
    char first = (char)json[extent.start + 1];
    if (first == '\\') {
        MR_ASSERT(extent.end - extent.start >= 8);
        char hex[5] = {0};
        memcpy(hex, json + extent.start + 3, 4);
        first = (char)strtoul(hex, NULL, 16);
    }
    for (uint32_t key = 0; key < MR_KEY_COUNT; key++) {
        if (mr_key_names[key][0] == first) {
            return (enum mr_key)key;
        }
    }
    MR_ASSERT(false && "a good record has no other keys");
    return MR_KEY_ID;
}

void mr_record_map_make(const uint8_t *json, struct mr_extent extent, struct mr_record_map *map_out)
{
    struct walk walk = {.json = json, .at = extent.start, .end = extent.end};
    map_out->record = extent;
    take(&walk, '{');
    for (uint32_t i = 0; i < MR_KEY_COUNT; i++) {
        if (i > 0) {
            take(&walk, ',');
        }
        struct mr_extent key_extent = take_string(&walk);
        enum mr_key key = key_of(json, key_extent);
        take(&walk, ':');
        map_out->order[i] = (uint8_t)key;
        map_out->key[key] = key_extent;
        map_out->value[key] = take_value(&walk);
    }
    take(&walk, '}');
    MR_ASSERT(walk.at == extent.end);
}
