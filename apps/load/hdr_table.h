// hdr_table.h: a histogram as HdrHistogram's classic percentile table, which its plotters read.
#ifndef MR_LOAD_HDR_TABLE_H
#define MR_LOAD_HDR_TABLE_H

#include "stats/mr_hist.h"

#include <stdio.h>

// Rows are closer together towards 100 %: so many for each halving of what is left.
#define MR_HDR_TABLE_TICKS 5u

// Prints the table in microseconds with three decimals, so that no nanosecond is lost: a line of
// titles, rows "value percentile count 1/(1 − percentile)", a last row of 100 % without the fourth
// column, and a foot of three lines that begin with "#[". A value is the top of its bucket, never
// above the exact maximum. Source: HdrHistogram's outputPercentileDistribution().
void mr_hdr_table_print(FILE *file, const struct mr_hist *hist);

#endif
