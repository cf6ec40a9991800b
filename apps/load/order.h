// order.h: which batch, in which variation, each send of a run takes: the same seeded sequence for
// every contestant.
#ifndef MR_LOAD_ORDER_H
#define MR_LOAD_ORDER_H

#include "dataset/dataset.h"

#include <matchrace/attributes.h>

#include <stddef.h>
#include <stdint.h>

// A global sequence of sends, numbered from 0: pass after pass over a seeded permutation of the
// batches that can be varied. Send n of connection c takes number n · connections + c. Within a
// pass all batches differ, and the pass is the variation's number, so no two numbers give the same
// bytes: no counter is shared by anybody. Passes are turned a little against each other so that in
// any `connections` passes in a row every batch falls to every connection once, whatever the two
// numbers have in common.
struct mr_order {
    uint32_t *batch; // owned
    size_t count;
    size_t held;     // behind those: batches kept out of the sequence, see mr_order_hold_back()
    size_t left_out; // batches of the dataset that have no variation and are never sent
    uint64_t common; // greatest common divisor of count and connections
    uint64_t group;  // connections / common: passes until a pass is turned by one more
};

// What a number of the sequence stands for.
struct mr_order_item {
    size_t batch;
    uint64_t turn; // of mr_edit_make()
};

// The order over `dataset` for so many connections (≥ 1). 0; -ENOMEM; -ENODATA: no batch of the
// dataset can be varied. The caller ends it with mr_order_fini().
MR_NODISCARD int mr_order_init(struct mr_order *order_out, const struct mr_dataset *dataset,
                               uint32_t connections, uint64_t seed);
void mr_order_fini(struct mr_order *order);

// Takes `batches` < count out of the sequence, so that they stay unseen: they are then
// batch[count … count + held). Before the first item is used; connections as in mr_order_init().
void mr_order_hold_back(struct mr_order *order, size_t batches, uint32_t connections);

// Item `number` of the sequence.
struct mr_order_item mr_order_at(const struct mr_order *order, uint64_t number);

#endif
