// data_buffer.h: bytes that grow; a failed allocation sticks and is asked for once at the end.
#ifndef MR_DATA_BUFFER_H
#define MR_DATA_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// Zeroed is empty. While `failed` is set nothing is added any more; what is there stays valid.
struct mr_buffer {
    uint8_t *bytes;
    size_t length;
    size_t capacity;
    bool failed;
};

// Makes room for `more` bytes behind the end; false (and `failed`) when there is no memory.
bool mr_buffer_reserve(struct mr_buffer *buffer, size_t more);

// Frees the bytes; the buffer is empty again.
void mr_buffer_fini(struct mr_buffer *buffer);

// Exchanges `removed` bytes at `at` for `size_bytes` bytes of `bytes` (not of this buffer).
void mr_buffer_splice(struct mr_buffer *buffer, size_t at, size_t removed, const void *bytes,
                      size_t size_bytes);

// Appends `size_bytes` bytes.
static inline void mr_buffer_add(struct mr_buffer *buffer, const void *bytes, size_t size_bytes)
{
    if (size_bytes > 0 && mr_buffer_reserve(buffer, size_bytes)) {
        memcpy(buffer->bytes + buffer->length, bytes, size_bytes);
        buffer->length += size_bytes;
    }
}

// Appends the text without its zero byte.
static inline void mr_buffer_text(struct mr_buffer *buffer, const char *text)
{
    mr_buffer_add(buffer, text, strlen(text));
}

// Appends `count` times `byte`.
static inline void mr_buffer_fill(struct mr_buffer *buffer, char byte, size_t count)
{
    if (count > 0 && mr_buffer_reserve(buffer, count)) {
        memset(buffer->bytes + buffer->length, byte, count);
        buffer->length += count;
    }
}

static inline void mr_buffer_byte(struct mr_buffer *buffer, char byte)
{
    mr_buffer_fill(buffer, byte, 1);
}

// Appends `number` in decimal digits.
void mr_buffer_number(struct mr_buffer *buffer, uint64_t number);

#endif
