// data_buffer.c: see data_buffer.h.
#include "data_buffer.h"

#include "base/mr_assert.h"

#include <stdlib.h>

#define CAPACITY_MIN 256u

bool mr_buffer_reserve(struct mr_buffer *buffer, size_t more)
{
    if (buffer->failed) {
        return false;
    }
    if (more <= buffer->capacity - buffer->length) {
        return true;
    }
    size_t capacity = buffer->capacity < CAPACITY_MIN ? CAPACITY_MIN : buffer->capacity;
    while (capacity - buffer->length < more) {
        capacity *= 2;
    }
    uint8_t *grown = realloc(buffer->bytes, capacity);
    if (grown == NULL) {
        buffer->failed = true;
        return false;
    }
    buffer->bytes = grown;
    buffer->capacity = capacity;
    return true;
}

void mr_buffer_fini(struct mr_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (struct mr_buffer){0};
}

void mr_buffer_splice(struct mr_buffer *buffer, size_t at, size_t removed, const void *bytes,
                      size_t size_bytes)
{
    MR_ASSERT(at <= buffer->length && removed <= buffer->length - at);
    if (!mr_buffer_reserve(buffer, size_bytes)) {
        return;
    }
    size_t behind = buffer->length - at - removed;
    if (behind > 0) {
        memmove(buffer->bytes + at + size_bytes, buffer->bytes + at + removed, behind);
    }
    if (size_bytes > 0) {
        memcpy(buffer->bytes + at, bytes, size_bytes);
    }
    buffer->length = at + size_bytes + behind;
}

void mr_buffer_number(struct mr_buffer *buffer, uint64_t number)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    mr_buffer_add(buffer, digits + at, sizeof digits - at);
}
