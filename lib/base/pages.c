// pages.c: see pages.h.
#define _GNU_SOURCE
#include "pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE_BYTES       4096u
#define LARGE_PAGE_BYTES (2u << 20)

// Linux 6.1; older headers do not know it, and older kernels say EINVAL.
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

void *mr_pages_array(size_t count, size_t size_bytes)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size_bytes, &bytes) || bytes < MR_PAGES_LARGE_MIN) {
        return calloc(count, size_bytes);
    }
    void *block = NULL;
    size_t whole = (bytes + LARGE_PAGE_BYTES - 1) / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES;
    if (whole < bytes || posix_memalign(&block, LARGE_PAGE_BYTES, whole) != 0) {
        return NULL;
    }
    (void)madvise(block, whole, MADV_HUGEPAGE);
    memset(block, 0, bytes);
    return block;
}

void mr_pages_make_large(void *first, size_t size_bytes)
{
    size_t before = (PAGE_BYTES - (uintptr_t)first % PAGE_BYTES) % PAGE_BYTES;
    if (size_bytes < before + PAGE_BYTES) {
        return;
    }
    uint8_t *pages = (uint8_t *)first + before;
    size_t bytes = (size_bytes - before) / PAGE_BYTES * PAGE_BYTES;
    if (madvise(pages, bytes, MADV_HUGEPAGE) == 0) {
        (void)madvise(pages, bytes, MADV_COLLAPSE);
    }
}
