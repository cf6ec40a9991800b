// places.h: places in a table of more than two, where those that are not distinguished share one.
#ifndef MR_STATS_PLACES_H
#define MR_STATS_PLACES_H

#include <stdbool.h>
#include <stddef.h>

// At most so many contestants in a table.
#define MR_PLACES_MAX 32

// The level of each of the pairwise comparisons behind the places of `count` ≥ 2 (asserted)
// contestants: `alpha` divided by their number, count · (count − 1) / 2 (Bonferroni), so that the
// chance of any false difference in the table is at most alpha.
double mr_places_level(size_t count, double alpha);

// Places from pairwise findings: ahead[i · count + j] says that i was found ahead of j (asserted:
// not both ways). place_out[i] is 1 + the number of contestants that are surely before i. Two that
// were not distinguished share a place; so do those that a chain of such pairs ties together, and
// those that lie on a circle (x ahead of y ahead of z ahead of x): only between shared places does
// "ahead" hold for every pair. That is: the components of "not found behind", each reached from
// every other one in one direction only. count in 1 … MR_PLACES_MAX (asserted).
void mr_places(const bool *ahead, size_t count, size_t *place_out);

#endif
