// conform_memory.c: see conform_memory.h.
#include "conform_memory.h"

#include "base/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *mr_kit_realloc(void *memory, size_t bytes)
{
    void *grown = realloc(memory, bytes);
    if (grown == NULL) {
        (void)fprintf(stderr, "matchrace conform: out of memory (%zu bytes)\n", bytes);
        exit(MR_EXIT_ENVIRONMENT);
    }
    return grown;
}

void mr_bytes_reserve(struct mr_bytes *bytes, size_t more)
{
    if (more <= bytes->capacity - bytes->length) {
        return;
    }
    size_t capacity = bytes->capacity < 256 ? 256 : bytes->capacity;
    while (capacity < bytes->length + more) {
        capacity *= 2;
    }
    bytes->bytes = mr_kit_realloc(bytes->bytes, capacity);
    bytes->capacity = capacity;
}

void mr_bytes_add(struct mr_bytes *bytes, const void *data, size_t count)
{
    if (count > 0) {
        mr_bytes_reserve(bytes, count);
        memcpy(bytes->bytes + bytes->length, data, count);
        bytes->length += count;
    }
}

void mr_bytes_text(struct mr_bytes *bytes, const char *text)
{
    mr_bytes_add(bytes, text, strlen(text));
}

void mr_bytes_fill(struct mr_bytes *bytes, int byte, size_t count)
{
    if (count > 0) {
        mr_bytes_reserve(bytes, count);
        memset(bytes->bytes + bytes->length, byte, count);
        bytes->length += count;
    }
}

void mr_bytes_fini(struct mr_bytes *bytes)
{
    free(bytes->bytes);
    *bytes = (struct mr_bytes){0};
}
