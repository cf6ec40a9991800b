// conform_memory.h: memory for the kit: growing buffers that never fail quietly.
#ifndef MR_CONFORM_MEMORY_H
#define MR_CONFORM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

// Bytes that grow; all zero is an empty one.
struct mr_bytes {
    uint8_t *bytes;
    size_t length;
    size_t capacity;
};

// realloc, or the end of the program with one line on standard error and exit code 1 (the
// contestant's processes die with the kit). `bytes` > 0.
void *mr_kit_realloc(void *memory, size_t bytes);

// Makes room for `more` bytes behind `length`.
void mr_bytes_reserve(struct mr_bytes *bytes, size_t more);
void mr_bytes_add(struct mr_bytes *bytes, const void *data, size_t count);
void mr_bytes_text(struct mr_bytes *bytes, const char *text); // without the zero byte
void mr_bytes_fill(struct mr_bytes *bytes, int byte, size_t count);
void mr_bytes_fini(struct mr_bytes *bytes);

#endif
