// counting_alloc.c: see counting_alloc.h.
#include "counting_alloc.h"

#include "base/mr_assert.h"

#include <stdbool.h>

// The names are the linker's (--wrap).
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *block);

#define BLOCKS_MAX 4096
#define BYTES_MAX  ((size_t)1 << 40) // more fails here, for sanitizers end the program instead

static struct {
    struct mr_alloc_counts counts;
    uint64_t fail_from;
    void *block[BLOCKS_MAX];
    size_t size[BLOCKS_MAX];
} state;

struct mr_alloc_counts mr_alloc_counts(void)
{
    return state.counts;
}

void mr_alloc_reset(void)
{
    state.counts.calls = 0;
    state.counts.frees = 0;
    state.counts.peak_bytes = state.counts.live_bytes;
}

void mr_alloc_fail_from(uint64_t number)
{
    state.fail_from = number == 0 ? 0 : state.counts.calls + number;
}

static bool may_succeed(size_t size)
{
    state.counts.calls++;
    if (size > BYTES_MAX) {
        return false;
    }
    return state.fail_from == 0 || state.counts.calls < state.fail_from;
}

static void *note(void *block, size_t size)
{
    if (block == NULL) {
        return NULL;
    }
    size_t place = 0;
    while (state.block[place] != NULL) {
        place++;
        MR_ASSERT(place < BLOCKS_MAX);
    }
    state.block[place] = block;
    state.size[place] = size;
    state.counts.live++;
    state.counts.live_bytes += size;
    if (state.counts.live_bytes > state.counts.peak_bytes) {
        state.counts.peak_bytes = state.counts.live_bytes;
    }
    return block;
}

// Blocks that were made elsewhere (in a shared library) are not known here.
static void forget(void *block)
{
    if (block == NULL) { // marks an empty place
        return;
    }
    for (size_t place = 0; place < BLOCKS_MAX; place++) {
        if (state.block[place] == block) {
            state.block[place] = NULL;
            state.counts.live--;
            state.counts.live_bytes -= state.size[place];
            return;
        }
    }
}

void *__wrap_malloc(size_t size)
{
    return may_succeed(size) ? note(__real_malloc(size), size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return may_succeed(count * size) ? note(__real_calloc(count, size), count * size) : NULL;
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return may_succeed(size) ? note(__real_aligned_alloc(alignment, size), size) : NULL;
}

void *__wrap_realloc(void *block, size_t size)
{
    if (!may_succeed(size)) {
        return NULL;
    }
    void *moved = __real_realloc(block, size);
    if (moved != NULL) {
        // Only the address is used of what is gone now.
        forget(block);
    }
    return note(moved, size);
}

void __wrap_free(void *block)
{
    if (block != NULL) {
        state.counts.frees++;
        forget(block);
    }
    __real_free(block);
}
