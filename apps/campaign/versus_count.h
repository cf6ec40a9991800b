// versus_count.h: instructions a record of two builds, by callgrind: what a machine that is too
// unsteady for times can still tell.
#ifndef MR_CAMPAIGN_VERSUS_COUNT_H
#define MR_CAMPAIGN_VERSUS_COUNT_H

#include "trial/fault.h"

#include <matchrace/attributes.h>

#include <stdint.h>

// What is counted.
struct mr_versus_count {
    const char *dataset; // its path, absolute
    const char *mode;
    const char *build_dir;
    uint64_t records; // of a pass
};

// Counts the contestant in `folder`: two passes of `parse` more than one, so that start-up is left
// out. 0 and the instructions a record; -EINVAL where its code is compiled while it runs (callgrind
// cannot count that) or valgrind is missing; another negative errno; *fault is set.
MR_NODISCARD int mr_versus_count(const struct mr_versus_count *count, const char *folder,
                                 double *per_record_out, struct mr_trial_fault *fault);

#endif
