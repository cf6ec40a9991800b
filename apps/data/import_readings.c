// import_readings.c: see import_readings.h.
#include "import_readings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <yyjson.h>

int mr_readers_init(struct mr_readers *readers_out)
{
    *readers_out = (struct mr_readers){0};
    return mr_parser_create("scalar", &readers_out->parser) == 0 ? 0 : -ENOMEM;
}

void mr_readers_fini(struct mr_readers *readers)
{
    mr_parser_destroy(readers->parser);
    mr_buffer_fini(&readers->padded);
    mr_buffer_fini(&readers->first);
    mr_buffer_fini(&readers->second);
}

static bool same_records(const struct mr_readers *readers, uint32_t count)
{
    const uint8_t *left = readers->first.bytes;
    const uint8_t *right = readers->second.bytes;
    for (uint32_t i = 0; i < count; i++) {
        const struct mr_record *record = (const void *)left;
        const struct mr_record *other = (const void *)right;
        size_t bytes = mr_record_bytes(record);
        if (bytes != mr_record_bytes(other) || memcmp(left, right, bytes) != 0) {
            return false;
        }
        left += mr_record_stride(record);
        right += mr_record_stride(other);
    }
    return true;
}

int mr_readers_read(struct mr_readers *readers, const uint8_t *json, size_t json_bytes,
                    struct mr_readings *readings_out)
{
    readers->padded.length = 0;
    mr_buffer_fill(&readers->padded, 0, MR_PAD_FRONT);
    mr_buffer_add(&readers->padded, json, json_bytes);
    mr_buffer_fill(&readers->padded, 0, MR_PAD_BACK);
    readers->first.length = 0;
    if (readers->padded.failed ||
        !mr_buffer_reserve(&readers->first, mr_records_capacity(json_bytes))) {
        return -ENOMEM;
    }
    const struct mr_result *first = &readings_out->first;
    mr_parser_parse(readers->parser, readers->padded.bytes + MR_PAD_FRONT, json_bytes,
                    readers->first.bytes, &readings_out->first);
    readers->first.length = first->used_bytes;
    if (first->error == MR_ERROR_MEMORY ||
        mr_second_read(json, json_bytes, &readers->second, &readings_out->second) != 0) {
        return -ENOMEM;
    }
    bool accepted = first->error == MR_OK;
    readings_out->same = accepted == readings_out->second.accepted &&
                         (!accepted || (first->records == readings_out->second.count &&
                                        same_records(readers, first->records)));
    return 0;
}

void mr_readers_text(const struct mr_readers *readers, char *text_out, size_t capacity)
{
    uint32_t version = yyjson_version();
    (void)snprintf(
        text_out, capacity,
        "lib/record (kernel %s) and a second reading through yyjson %u.%u.%u, which agree",
        mr_parser_kernel(readers->parser), version >> 16, version >> 8 & 255, version & 255);
}
