// dataset_sums.c: see dataset_sums.h.
#include "dataset_sums.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <stdlib.h>

int mr_sums_init(struct mr_sums *sums_out, const struct mr_dataset *dataset)
{
    *sums_out = (struct mr_sums){.timestamp_min = UINT64_MAX};
    sums_out->answered = malloc((dataset->frames.count + 1) * sizeof *sums_out->answered);
    if (sums_out->answered == NULL) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < dataset->frames.count; i++) {
        sums_out->answered[i] = 0;
    }
    return 0;
}

void mr_sums_fini(struct mr_sums *sums)
{
    free(sums->answered);
    sums->answered = NULL;
}

static void widen(struct mr_sums *sums, uint64_t timestamp_min, uint64_t timestamp_max)
{
    if (timestamp_min < sums->timestamp_min) {
        sums->timestamp_min = timestamp_min;
    }
    if (timestamp_max > sums->timestamp_max) {
        sums->timestamp_max = timestamp_max;
    }
}

void mr_sums_add(struct mr_sums *sums, const struct mr_dataset *dataset, size_t index,
                 const struct mr_edit *edit)
{
    MR_ASSERT(index < dataset->frames.count && sums->answered[index] < UINT32_MAX);
    const struct mr_edit_place *place = edit->place;
    sums->answered[index]++;
    if (edit->answer.status != 0) {
        return;
    }
    sums->digest += edit->answer.digest;
    if (place != NULL) {
        widen(sums, place->timestamp_min_others, place->timestamp_max_others);
        widen(sums, edit->timestamp_us, edit->timestamp_us);
    } else if (edit->answer.records > 0) {
        const struct mr_totals *own = &dataset->notes[index].totals;
        widen(sums, own->timestamp_min, own->timestamp_max);
    }
}

// Adds `one` so many times, by doubling.
static void merge_times(struct mr_totals *totals, struct mr_totals one, uint32_t times)
{
    for (; times > 0; times >>= 1) {
        struct mr_totals same = one;
        if ((times & 1) != 0) {
            mr_totals_merge(totals, &one);
        }
        mr_totals_merge(&one, &same);
    }
}

void mr_sums_add_totals(const struct mr_sums *sums, const struct mr_dataset *dataset,
                        struct mr_totals *totals_io)
{
    struct mr_totals all;
    mr_totals_init(&all);
    for (size_t i = 0; i < dataset->frames.count; i++) {
        merge_times(&all, dataset->notes[i].totals, sums->answered[i]);
    }
    all.digest = sums->digest;
    if (all.records > 0) {
        all.timestamp_min = sums->timestamp_min;
        all.timestamp_max = sums->timestamp_max;
    }
    mr_totals_merge(totals_io, &all);
}
