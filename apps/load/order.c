// order.c: see order.h.
#include "order.h"

#include "base/mr_assert.h"
#include "base/rng.h"

#include <errno.h>
#include <stdlib.h>

static void shuffle(uint32_t *batch, size_t count, uint64_t seed)
{
    struct mr_rng rng = mr_rng_seeded(seed);
    for (size_t left = count; left > 1; left--) {
        size_t pick = (size_t)mr_rng_below(&rng, left);
        uint32_t kept = batch[left - 1];
        batch[left - 1] = batch[pick];
        batch[pick] = kept;
    }
}

static uint64_t common_divisor(uint64_t left, uint64_t right)
{
    while (right != 0) {
        uint64_t rest = left % right;
        left = right;
        right = rest;
    }
    return left;
}

static void set_turning(struct mr_order *order, uint32_t connections)
{
    order->common = common_divisor(order->count, connections);
    order->group = connections / order->common;
}

void mr_order_hold_back(struct mr_order *order, size_t batches, uint32_t connections)
{
    MR_ASSERT(batches < order->count);
    order->count -= batches;
    order->held += batches;
    set_turning(order, connections);
}

int mr_order_init(struct mr_order *order_out, const struct mr_dataset *dataset,
                  uint32_t connections, uint64_t seed)
{
    MR_ASSERT(connections > 0 && dataset->frames.count <= UINT32_MAX);
    size_t batches = dataset->frames.count;
    *order_out = (struct mr_order){.batch = malloc((batches + 1) * sizeof *order_out->batch)};
    if (order_out->batch == NULL) {
        return -ENOMEM;
    }
    for (size_t i = 0; i < batches; i++) {
        if (mr_edit_turns(dataset, i) > 0) {
            order_out->batch[order_out->count++] = (uint32_t)i;
        }
    }
    order_out->left_out = batches - order_out->count;
    if (order_out->count == 0) {
        mr_order_fini(order_out);
        return -ENODATA;
    }
    shuffle(order_out->batch, order_out->count, seed);
    set_turning(order_out, connections);
    return 0;
}

void mr_order_fini(struct mr_order *order)
{
    free(order->batch);
    *order = (struct mr_order){0};
}

// Place q of pass p turned by t falls to connection p · count + q − t (mod connections). The first
// term runs through the multiples of `common`, once in `group` passes; t, which grows by one with
// each group, through what lies between them.
struct mr_order_item mr_order_at(const struct mr_order *order, uint64_t number)
{
    uint64_t pass = number / order->count;
    uint64_t turned = pass / order->group % order->common;
    uint64_t place = (number % order->count + turned) % order->count;
    return (struct mr_order_item){.batch = order->batch[place], .turn = pass};
}
