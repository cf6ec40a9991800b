// pages.h: large pages for memory that is read all over while something is timed.
#ifndef MR_BASE_PAGES_H
#define MR_BASE_PAGES_H

#include <matchrace/attributes.h>

#include <stddef.h>

// An array of zeros, from MR_PAGES_LARGE_MIN bytes on in large pages where the kernel has them.
// NULL: no memory. Ended by free().
#define MR_PAGES_LARGE_MIN (256u << 10)
MR_NODISCARD void *mr_pages_array(size_t count, size_t size_bytes);

// Lets the kernel put the `size_bytes` bytes at `first`, which came from malloc() and are filled,
// into large pages as far as whole ones fit, now if it can, so that reading them at random costs
// fewer walks through page tables. The content stays. A kernel that cannot or will not does
// nothing.
void mr_pages_make_large(void *first, size_t size_bytes);

#endif
