// counting_alloc.h: an allocator that counts what is alive and fails when told to.
//
// A program that links mr_counting_alloc (tests/support/CMakeLists.txt)
// gets it in place of malloc, calloc, realloc, aligned_alloc and free, in its own code and in the
// static libraries; shared libraries keep theirs. For one thread.
#ifndef MR_TESTS_COUNTING_ALLOC_H
#define MR_TESTS_COUNTING_ALLOC_H

#include <stddef.h>
#include <stdint.h>

struct mr_alloc_counts {
    uint64_t calls;      // that allocate, failed ones included
    uint64_t frees;      // of something
    uint64_t live;       // blocks
    uint64_t live_bytes; // as asked for
    uint64_t peak_bytes; // the most that was alive
};

// Everything counted since the program began or mr_alloc_reset().
struct mr_alloc_counts mr_alloc_counts(void);

// Sets calls and frees to 0, and the peak to what is alive.
void mr_alloc_reset(void);

// The `number`-th allocating call from now (1: the next) and all behind it fail; 0: none does.
void mr_alloc_fail_from(uint64_t number);

#endif
