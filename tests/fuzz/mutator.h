// mutator.h: changes batches as their grammar has it: members trade places, letters become escapes,
// numbers, flags, white space and lengths change, records come and go.
#ifndef MR_TESTS_MUTATOR_H
#define MR_TESTS_MUTATOR_H

#include <stddef.h>
#include <stdint.h>

// Changes `count` bytes at `bytes`, where there is room for `count_max`, in one way that `seed`
// chooses. Returns the new number of bytes; bytes that are no batch are changed as well.
size_t mr_mutate(uint8_t *bytes, size_t count, size_t count_max, uint64_t seed);

// Puts the records of a batch at `other` in front of the ones of a batch at `bytes`, as above.
size_t mr_cross(uint8_t *bytes, size_t count, size_t count_max, const uint8_t *other,
                size_t other_count, uint64_t seed);

#endif
