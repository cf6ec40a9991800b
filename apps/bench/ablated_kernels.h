// ablated_kernels.h: the vector kernel compiled again with something left out
// (lib/record/ablation.h).
//
// Their answers are wrong on purpose. They are built into this program only.
#ifndef MR_BENCH_ABLATED_KERNELS_H
#define MR_BENCH_ABLATED_KERNELS_H

#include "part.h"

mr_part_kernel mr_record_without_digest;
mr_part_kernel mr_record_without_totals;
mr_part_kernel mr_record_without_utf8;
mr_part_kernel mr_record_without_copies;
mr_part_kernel mr_record_without_guess;

#endif
