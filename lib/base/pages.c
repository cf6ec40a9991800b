// pages.c: see pages.h.
#define _GNU_SOURCE
#include "pages.h"

#include <stdint.h>
#include <sys/mman.h>

#define PAGE_BYTES 4096u

// Linux 6.1; older headers do not know it, and older kernels say EINVAL.
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

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
