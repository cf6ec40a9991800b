// data_spoil.c: see data_spoil.h.
#include "data_spoil.h"

#include "data_emit.h"

#include "base/mr_assert.h"

#define STREAM_CHOICE 2u
#define STREAM_FAULT  3u
#define STREAM_ORDER  4u

void mr_spoiler_init(struct mr_spoiler *spoiler_out, const struct mr_spoil_plan *plan)
{
    MR_ASSERT(plan->share_bp <= MR_SHARE_WHOLE);
    *spoiler_out = (struct mr_spoiler){.plan = *plan};
    for (size_t kind = 0; kind < mr_fault_kinds_count; kind++) {
        if ((mr_fault_kinds[kind].no_places && plan->keep_places) ||
            (mr_fault_kinds[kind].large && !plan->large_faults)) {
            continue;
        }
        spoiler_out->order[spoiler_out->kinds++] = (uint8_t)kind;
    }
    struct mr_rng rng = mr_emitter_rng(plan->seed, STREAM_ORDER, 0);
    for (uint32_t i = spoiler_out->kinds; i > 1; i--) {
        uint64_t other = mr_rng_below(&rng, i);
        uint8_t kept = spoiler_out->order[i - 1];
        spoiler_out->order[i - 1] = spoiler_out->order[other];
        spoiler_out->order[other] = kept;
    }
}

static uint32_t greatest_divisor(uint32_t left, uint32_t right)
{
    while (right != 0) {
        uint32_t rest = left % right;
        left = right;
        right = rest;
    }
    return left;
}

bool mr_spoiler_wants(struct mr_spoiler *spoiler, uint64_t index)
{
    if (spoiler->plan.share_bp == 0) {
        return false;
    }
    if (spoiler->block_left == 0) {
        uint32_t divisor = greatest_divisor(MR_SHARE_WHOLE, spoiler->plan.share_bp);
        spoiler->block_left = MR_SHARE_WHOLE / divisor;
        spoiler->faulty_left = spoiler->plan.share_bp / divisor;
    }
    struct mr_rng rng = mr_emitter_rng(spoiler->plan.seed, STREAM_CHOICE, index);
    bool wanted = mr_rng_below(&rng, spoiler->block_left) < spoiler->faulty_left;
    spoiler->block_left--;
    spoiler->faulty_left -= wanted ? 1 : 0;
    return wanted;
}

int mr_spoiler_spoil(struct mr_spoiler *spoiler, uint64_t index, struct mr_batch *batch,
                     struct mr_spoilt *spoilt_out)
{
    struct mr_rng rng = mr_emitter_rng(spoiler->plan.seed, STREAM_FAULT, index);
    uint8_t kind = spoiler->order[spoiler->spoiled % spoiler->kinds];
    uint64_t round = spoiler->spoiled / spoiler->kinds;
    size_t variant = (spoiler->plan.seed + round) % mr_fault_variants(kind);
    spoiler->spoiled++;
    spoiler->counts[kind]++;
    return mr_fault_plant(kind, variant, &rng, batch, spoilt_out);
}
