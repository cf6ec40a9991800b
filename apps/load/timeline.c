// timeline.c: see timeline.h.
#include "timeline.h"

#include "base/mr_assert.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int mr_timeline_init(struct mr_timeline *timeline_out, uint64_t length_ns)
{
    size_t bins = (size_t)(length_ns / MR_TIMELINE_BIN_NS) + 2;
    *timeline_out = (struct mr_timeline){.bins_count = bins};
    timeline_out->bin = malloc(bins * sizeof *timeline_out->bin);
    int result = timeline_out->bin == NULL ? -ENOMEM : 0;
    if (result == 0) {
        memset(timeline_out->bin, 0, bins * sizeof *timeline_out->bin);
        result = mr_medians_init(&timeline_out->medians, bins);
    }
    if (result != 0) {
        mr_timeline_fini(timeline_out);
    }
    return result;
}

void mr_timeline_fini(struct mr_timeline *timeline)
{
    free(timeline->bin);
    mr_medians_fini(&timeline->medians);
    *timeline = (struct mr_timeline){0};
}

void mr_timeline_begin(struct mr_timeline *timeline, uint64_t start_ns)
{
    // Only what was used: a long timeline takes milliseconds to clear, and a run is about to begin.
    memset(timeline->bin, 0, timeline->used_count * sizeof *timeline->bin);
    mr_medians_clear(&timeline->medians, timeline->used_count);
    timeline->start_ns = start_ns;
    timeline->used_count = 0;
    timeline->in_flight = 0;
    timeline->current = 0;
}

static size_t bin_of(const struct mr_timeline *timeline, uint64_t now_ns)
{
    uint64_t offset_ns = now_ns > timeline->start_ns ? now_ns - timeline->start_ns : 0;
    uint64_t bin = offset_ns / MR_TIMELINE_BIN_NS;
    return bin < timeline->bins_count ? (size_t)bin : timeline->bins_count - 1;
}

void mr_timeline_in_flight(struct mr_timeline *timeline, uint64_t now_ns, uint64_t in_flight)
{
    size_t bin = bin_of(timeline, now_ns);
    while (timeline->current < bin) {
        timeline->bin[timeline->current++].in_flight = timeline->in_flight;
    }
    timeline->in_flight = in_flight;
    timeline->bin[timeline->current].in_flight = in_flight;
    if (timeline->current >= timeline->used_count) {
        timeline->used_count = timeline->current + 1;
    }
}

void mr_timeline_answered(struct mr_timeline *timeline, const struct mr_timeline_answer *answer)
{
    size_t place = bin_of(timeline, answer->reply_ns);
    struct mr_timeline_bin *bin = &timeline->bin[place];
    bin->batches++;
    bin->records += answer->records;
    bin->payload_bytes += answer->payload_bytes;
    bin->max_ns = answer->value_ns > bin->max_ns ? answer->value_ns : bin->max_ns;
    mr_medians_add(&timeline->medians, place, answer->value_ns);
    if (place >= timeline->used_count) {
        timeline->used_count = place + 1;
    }
}

void mr_timeline_expect(const struct mr_timeline *timeline, uint64_t reply_ns, uint64_t value_ns)
{
    mr_medians_expect(&timeline->medians, bin_of(timeline, reply_ns), value_ns);
}

void mr_timeline_merge(struct mr_timeline *into, const struct mr_timeline *from)
{
    MR_ASSERT(into->bins_count == from->bins_count && into->start_ns == from->start_ns);
    for (size_t i = 0; i < from->used_count; i++) {
        struct mr_timeline_bin *bin = &into->bin[i];
        const struct mr_timeline_bin *other = &from->bin[i];
        bin->batches += other->batches;
        bin->records += other->records;
        bin->payload_bytes += other->payload_bytes;
        bin->in_flight += other->in_flight;
        bin->max_ns = other->max_ns > bin->max_ns ? other->max_ns : bin->max_ns;
    }
    mr_medians_merge(&into->medians, &from->medians, from->used_count);
    if (from->used_count > into->used_count) {
        into->used_count = from->used_count;
    }
}
