// dataset_sums.h: what the answered batches of a run add up to, for the comparison with STATS.
//
// Totals are sums and extremes, so a batch that was answered n times is counted while something is
// timed, and multiplied once at the end. Only what its variation changes is added each time.
#ifndef MR_DATASET_DATASET_SUMS_H
#define MR_DATASET_DATASET_SUMS_H

#include "dataset.h"

#include <matchrace/attributes.h>
#include <matchrace/contract.h>

#include <stddef.h>
#include <stdint.h>

// One thread's.
struct mr_sums {
    uint32_t *answered; // owned: how often each batch of the dataset was
    uint64_t digest;    // of all accepted ones, as varied
    uint64_t timestamp_min;
    uint64_t timestamp_max;
};

// Zeroed and so prefaulted. 0 or -ENOMEM; on success the caller ends it with mr_sums_fini().
MR_NODISCARD int mr_sums_init(struct mr_sums *sums_out, const struct mr_dataset *dataset);
void mr_sums_fini(struct mr_sums *sums);

// Adds batch `index`, varied by `edit`: as accepted or rejected by its answer. No allocation.
void mr_sums_add(struct mr_sums *sums, const struct mr_dataset *dataset, size_t index,
                 const struct mr_edit *edit);

// Asks the memory for what mr_sums_add() will touch. Nothing else happens.
static inline void mr_sums_expect(const struct mr_sums *sums, size_t index,
                                  const struct mr_edit *edit)
{
    __builtin_prefetch(&sums->answered[index], 1);
    if (edit->place != NULL) {
        __builtin_prefetch(&edit->place->timestamp_min_others);
        __builtin_prefetch(&edit->place->timestamp_max_others);
    }
}

// Adds all of it to the totals that a contestant must report.
void mr_sums_add_totals(const struct mr_sums *sums, const struct mr_dataset *dataset,
                        struct mr_totals *totals_io);

#endif
