// williams.h: the order of contestants in the rows of a campaign, balanced for place and neighbour.
#ifndef MR_STATS_WILLIAMS_H
#define MR_STATS_WILLIAMS_H

#include <stddef.h>
#include <stdint.h>

// At most so many contestants in a row.
#define MR_WILLIAMS_MAX 32

// Rows of a complete design for `contestants` (1 … MR_WILLIAMS_MAX, asserted): as many as
// contestants where that is even, twice as many where it is odd, 1 for one.
size_t mr_williams_rows(size_t contestants);

// Writes a complete design, row after row, into `order_out` (rows · contestants numbers). In every
// row each contestant 0 … contestants − 1 stands once; over the design each stands in each place
// equally often, and each ordered pair of different contestants stands side by side equally often
// (once, or twice where the number is odd). `seed` draws which contestant gets which label and in
// which order the rows are run: the same seed, the same design, on every machine. For two, a design
// is AB BA or BA AB. Williams, Aust. J. Sci. Res. A 2 (1949).
void mr_williams_design(size_t contestants, uint64_t seed, unsigned *order_out);

#endif
