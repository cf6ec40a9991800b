// describe.c: writes what a server tells about itself; every scalar of the totals is 16 hex digits.
#include "describe.h"

#include "base/mr_assert.h"
#include "base/text.h"

#include <errno.h>
#include <gnu/libc-version.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static void add_member(struct mr_text *text, const char *key, const char *value)
{
    mr_text_printf(text, "\"%s\":", key);
    mr_text_json_string(text, value);
    mr_text_printf(text, ",");
}

static void add_libraries(struct mr_text *text, const struct mr_welcome *welcome)
{
    struct mr_library library[MR_LIBRARIES_MAX];
    size_t count = welcome->contestant->libraries(welcome->parser, library);
    MR_ASSERT(count <= MR_LIBRARIES_MAX);
    mr_text_printf(text, "\"libraries\":[");
    for (size_t i = 0; i < count; i++) {
        mr_text_printf(text, i == 0 ? "{" : ",{");
        add_member(text, "name", library[i].name);
        add_member(text, "version", library[i].version);
        mr_text_printf(text, "\"path\":");
        mr_text_json_string(text, library[i].path);
        mr_text_printf(text, "}");
    }
    mr_text_printf(text, "]");
}

static void write_welcome(struct mr_text *text, const struct mr_welcome *welcome)
{
    const struct mr_contestant *contestant = welcome->contestant;
    mr_text_printf(text, "{");
    add_member(text, "contestant", contestant->name);
    add_member(text, "version", contestant->version);
    add_member(text, "language", contestant->language);
    mr_text_printf(text, "\"runtime\":\"glibc %s\",", gnu_get_libc_version());
    add_member(text, "mode", mr_mode_names[welcome->mode]);
    mr_text_printf(text, "\"threads\":%u,\"pid\":%ld,", welcome->threads, (long)getpid());
    add_member(text, "kernel", contestant->kernel(welcome->parser));
    add_member(text, "build_flags", contestant->build_flags);
    add_libraries(text, welcome);
    mr_text_printf(text, ",\"knobs\":{");
    if (welcome->dose_ppm > 0) {
        mr_text_printf(text, "\"dose_ppm\":\"%" PRIu64 "\"", welcome->dose_ppm);
    }
    mr_text_printf(text, "}}");
}

int mr_describe_welcome(const struct mr_welcome *welcome, char **text_out, size_t *bytes_count_out)
{
    for (size_t capacity = 4096;; capacity *= 2) {
        char *bytes = malloc(capacity);
        if (bytes == NULL) {
            return -ENOMEM;
        }
        struct mr_text text = mr_text_init(bytes, capacity);
        write_welcome(&text, welcome);
        if (!text.cut) {
            *text_out = bytes;
            *bytes_count_out = text.length;
            return 0;
        }
        free(bytes);
    }
}

static void add_number(struct mr_text *text, const char *key, uint64_t value)
{
    mr_text_printf(text, "\"%s\":\"%016" PRIx64 "\",", key, value);
}

static void add_counts(struct mr_text *text, const char *key, const uint64_t counts[8])
{
    mr_text_printf(text, "\"%s\":[", key);
    for (size_t i = 0; i < 8; i++) {
        mr_text_printf(text, "%s\"%016" PRIx64 "\"", i == 0 ? "" : ",", counts[i]);
    }
    mr_text_printf(text, "],");
}

static void add_extreme(struct mr_text *text, const char *key, bool exists, uint64_t value)
{
    if (exists) {
        add_number(text, key, value);
    } else {
        mr_text_printf(text, "\"%s\":null,", key);
    }
}

size_t mr_describe_stats(const struct mr_totals *totals, char text_out[MR_STATS_TEXT_BYTES])
{
    struct mr_text text = mr_text_init(text_out, MR_STATS_TEXT_BYTES);
    bool has_records = totals->records > 0;
    mr_text_printf(&text, "{\"totals\":{");
    add_number(&text, "batches_accepted", totals->batches_accepted);
    add_number(&text, "batches_rejected", totals->batches_rejected);
    add_number(&text, "records", totals->records);
    add_number(&text, "payload_bytes", totals->payload_bytes);
    add_number(&text, "digest", totals->digest);
    add_counts(&text, "kinds", totals->kinds);
    add_counts(&text, "flags", totals->flags);
    add_number(&text, "source_bytes", totals->source_bytes);
    add_number(&text, "message_bytes", totals->message_bytes);
    add_extreme(&text, "timestamp_min", has_records, totals->timestamp_min);
    add_extreme(&text, "timestamp_max", has_records, totals->timestamp_max);
    add_extreme(&text, "value_min", has_records, totals->value_min_bits);
    add_extreme(&text, "value_max", has_records, totals->value_max_bits);
    mr_text_printf(&text, "\"value_sum\":\"%016" PRIx64 "\"},", totals->value_sum);
    // Natively there is nothing that collects or compiles.
    mr_text_printf(&text, "\"runtime\":{\"gc_pause_ns\":null,\"gc_collections\":null,"
                          "\"allocated_bytes\":null,\"compiled_methods\":null}}");
    MR_ASSERT(!text.cut);
    return text.length;
}

size_t mr_describe_kept(const struct mr_kept *kept, char text_out[MR_KEPT_TEXT_BYTES])
{
    struct mr_text text = mr_text_init(text_out, MR_KEPT_TEXT_BYTES);
    mr_text_printf(&text,
                   "{\"batches\":\"%016" PRIx64 "\",\"records\":\"%016" PRIx64
                   "\",\"digest\":\"%016" PRIx64 "\"}",
                   kept->batches, kept->records, kept->digest);
    MR_ASSERT(!text.cut);
    return text.length;
}
