// data_number.h: number tokens for `value`, each with the bits that it must be read as.
#ifndef MR_DATA_NUMBER_H
#define MR_DATA_NUMBER_H

#include "data_buffer.h"

#include "base/rng.h"

#include <stdint.h>

// Appends a short decimal like -268.6222 and returns its bits.
uint64_t mr_number_simple(struct mr_rng *rng, struct mr_buffer *out);

// Appends a number of any length, form and exponent within the contract's range, and returns its
// bits: zeros of either sign, subnormals, underflow, midpoints and their neighbours included. What
// is drawn how often stands in the table of data_number.c.
uint64_t mr_number_messy(struct mr_rng *rng, struct mr_buffer *out);

// Draws an integer in [0, max] whose number of digits is uniform over those of 0..max.
uint64_t mr_number_of_digits(struct mr_rng *rng, uint64_t max);

#endif
