// conform_made.c: see conform_made.h.
#include "conform_made.h"

#include "base/mr_assert.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void mr_made_begin(struct mr_made *made)
{
    made->json.length = 0;
    made->records = 0;
    made->digest = 0;
    mr_bytes_text(&made->json, "[");
}

static void add_repeated(struct mr_bytes *bytes, const char *text, size_t count)
{
    size_t length = count == 0 ? 0 : strlen(text);
    for (size_t done = 0; done < count; done += length) {
        mr_bytes_add(bytes, text, length < count - done ? length : count - done);
    }
}

static uint64_t canonical_digest(const struct mr_made_record *record)
{
    struct mr_record head = {.id = record->id,
                             .timestamp_us = record->timestamp_us,
                             .kind = record->kind,
                             .flags = record->flags,
                             .source_bytes = (uint16_t)strlen(record->source),
                             .message_bytes = (uint32_t)record->message_bytes};
    memcpy(&head.value_bits, &record->value, sizeof head.value_bits);
    struct mr_bytes form = {0};
    mr_bytes_add(&form, &head, sizeof head);
    mr_bytes_text(&form, record->source);
    add_repeated(&form, record->message, record->message_bytes);
    uint64_t digest = mr_record_digest((const struct mr_record *)(const void *)form.bytes);
    mr_bytes_fini(&form);
    return digest;
}

static void add_flags(struct mr_bytes *json, uint8_t flags)
{
    const char *between = "";
    for (size_t bit = 0; bit < MR_FLAG_COUNT; bit++) {
        if ((flags >> bit & 1) != 0) {
            mr_bytes_text(json, between);
            mr_bytes_text(json, "\"");
            mr_bytes_text(json, mr_flag_names[bit]);
            mr_bytes_text(json, "\"");
            between = ",";
        }
    }
}

void mr_made_add(struct mr_made *made, const struct mr_made_record *record)
{
    MR_ASSERT(record->kind < MR_KIND_COUNT);
    struct mr_bytes *json = &made->json;
    char text[256];
    (void)snprintf(text, sizeof text,
                   "%s{\"id\":%" PRIu64 ",\"timestamp\":%" PRIu64
                   ",\"source\":\"%s\",\"kind\":\"%s\",\"value\":",
                   made->records == 0 ? "" : ",", record->id, record->timestamp_us, record->source,
                   mr_kind_names[record->kind]);
    mr_bytes_text(json, text);
    (void)snprintf(text, sizeof text, "%.17g", record->value);
    mr_bytes_text(json, record->value_text == NULL ? text : record->value_text);
    mr_bytes_text(json, ",\"flags\":[");
    add_flags(json, record->flags);
    mr_bytes_text(json, "],\"message\":\"");
    add_repeated(json, record->message, record->message_bytes);
    mr_bytes_text(json, "\"}");
    made->records++;
    made->digest += canonical_digest(record);
}

void mr_made_end(struct mr_made *made)
{
    mr_bytes_text(&made->json, "]");
}

void mr_made_fini(struct mr_made *made)
{
    mr_bytes_fini(&made->json);
    *made = (struct mr_made){0};
}

void mr_made_long(struct mr_made *made, uint64_t first, uint32_t count, size_t message_bytes)
{
    mr_made_begin(made);
    for (uint64_t i = first; i < first + count; i++) {
        struct mr_made_record record = {.id = i,
                                        .timestamp_us = 1700000000000000u + i,
                                        .source = "kit",
                                        .kind = (uint8_t)(i % MR_KIND_COUNT),
                                        .flags = (uint8_t)(i % 256),
                                        .value = (double)(i % 4096) / 8 - 100,
                                        .message = "alpha bravo charlie delta ",
                                        .message_bytes = message_bytes};
        mr_made_add(made, &record);
    }
    mr_made_end(made);
}

void mr_made_plain(struct mr_made *made, uint64_t first, uint32_t count)
{
    mr_made_long(made, first, count, 4);
}
