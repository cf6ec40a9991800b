// guard_page.h: memory between two pages that may not be touched, so that one byte read or written
// too far ends the test.
#ifndef MR_TESTS_GUARD_PAGE_H
#define MR_TESTS_GUARD_PAGE_H

#include <stddef.h>
#include <stdint.h>

// `size_bytes` usable bytes at `bytes`, a multiple of the page size; forbidden pages right before
// and right behind.
struct mr_guarded {
    uint8_t *bytes;
    size_t size_bytes;
};

// At least `size_bytes` of guarded memory, zeroed. Ends the program when there is none. The caller
// ends it with mr_guarded_fini().
struct mr_guarded mr_guarded_init(size_t size_bytes);
void mr_guarded_fini(struct mr_guarded *guarded);

// A place for `size_bytes` bytes that ends `behind` bytes before the forbidden page behind.
uint8_t *mr_guarded_last(const struct mr_guarded *guarded, size_t size_bytes, size_t behind);

// A place for `size_bytes` bytes that begins `before` bytes behind the forbidden page before.
uint8_t *mr_guarded_first(const struct mr_guarded *guarded, size_t size_bytes, size_t before);

#endif
