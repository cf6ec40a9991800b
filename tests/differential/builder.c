// builder.c: see builder.h.
#include "builder.h"

#include "base/mr_assert.h"

#include <stdlib.h>
#include <string.h>

const char *const mr_key_texts[MR_KEY_COUNT] = {"id",    "timestamp", "source", "kind",
                                                "value", "flags",     "message"};
const char *const mr_value_texts[MR_KEY_COUNT] = {"5942859575",
                                                  "1764054335349840",
                                                  "\"sensor-1186\"",
                                                  "\"event\"",
                                                  "-268.6222",
                                                  "[\"urgent\",\"replayed\"]",
                                                  "\"india delta alpha bravo\""};

void mr_builder_fini(struct mr_builder *builder)
{
    free(builder->bytes);
    *builder = (struct mr_builder){0};
}

void mr_builder_clear(struct mr_builder *builder)
{
    builder->count = 0;
}

static uint8_t *grow(struct mr_builder *builder, size_t count)
{
    if (builder->count + count > builder->capacity) {
        builder->capacity = (builder->count + count) * 2;
        builder->bytes = realloc(builder->bytes, builder->capacity);
        MR_ASSERT(builder->bytes != NULL);
    }
    uint8_t *place = builder->bytes + builder->count;
    builder->count += count;
    return place;
}

void mr_put(struct mr_builder *builder, const void *bytes, size_t count)
{
    if (count > 0) {
        memcpy(grow(builder, count), bytes, count);
    }
}

void mr_puts(struct mr_builder *builder, const char *string)
{
    mr_put(builder, string, strlen(string));
}

void mr_put_times(struct mr_builder *builder, uint8_t byte, size_t count)
{
    if (count > 0) {
        memset(grow(builder, count), byte, count);
    }
}

void mr_put_record_with(struct mr_builder *builder, enum mr_key key, const void *value,
                        size_t count)
{
    for (unsigned i = 0; i < MR_KEY_COUNT; i++) {
        mr_puts(builder, i == 0 ? "{\"" : ",\"");
        mr_puts(builder, mr_key_texts[i]);
        mr_puts(builder, "\":");
        if (i == key) {
            mr_put(builder, value, count);
        } else {
            mr_puts(builder, mr_value_texts[i]);
        }
    }
    mr_puts(builder, "}");
}

void mr_put_record(struct mr_builder *builder)
{
    mr_put_record_with(builder, MR_KEY_ID, mr_value_texts[MR_KEY_ID],
                       strlen(mr_value_texts[MR_KEY_ID]));
}

void mr_build_batch_with(struct mr_builder *builder, enum mr_key key, const char *value)
{
    mr_builder_clear(builder);
    mr_puts(builder, "[");
    mr_put_record_with(builder, key, value, strlen(value));
    mr_puts(builder, "]");
}
