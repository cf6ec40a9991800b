// builder.h: putting texts together that tests parse.
#ifndef MR_TESTS_BUILDER_H
#define MR_TESTS_BUILDER_H

#include "words.h"

#include <stddef.h>
#include <stdint.h>

// A growing text. Starts as {0}; ends with mr_builder_fini().
struct mr_builder {
    uint8_t *bytes;
    size_t count;
    size_t capacity;
};

void mr_builder_fini(struct mr_builder *builder);

// Makes the text empty.
void mr_builder_clear(struct mr_builder *builder);

// Appends `count` bytes.
void mr_put(struct mr_builder *builder, const void *bytes, size_t count);

// Appends `string` without its zero byte.
void mr_puts(struct mr_builder *builder, const char *string);

// Appends `byte` `count` times.
void mr_put_times(struct mr_builder *builder, uint8_t byte, size_t count);

// The name of `key`, and a plain value for it.
extern const char *const mr_key_texts[MR_KEY_COUNT];
extern const char *const mr_value_texts[MR_KEY_COUNT];

// Appends a record with plain values, but for `key` the `count` bytes at `value` as they are.
void mr_put_record_with(struct mr_builder *builder, enum mr_key key, const void *value,
                        size_t count);

// Appends a record with plain values.
void mr_put_record(struct mr_builder *builder);

// The text becomes a batch of one plain record, but for `key` `value` as it is.
void mr_build_batch_with(struct mr_builder *builder, enum mr_key key, const char *value);

#endif
