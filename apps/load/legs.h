// legs.h: whether a server is as fast with batches that it never saw as with those it knows.
//
// A dataset is finite and repeats while timed. A server that keeps every text, and patches the
// answer where a few digits changed, answers right without parsing. So some batches are held back
// from warm-up and window; behind the window they go out in short legs that take turns with legs of
// known batches (in variations that were not sent before, as always). A leg is so short that many
// of them pass between two interruptions of a busy host.
#ifndef MR_LOAD_LEGS_H
#define MR_LOAD_LEGS_H

#include "order.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MR_LEG_BATCHES   4u
#define MR_LEG_PAIRS_MAX 128u // one leg of known, one of unseen batches each

struct mr_legs {
    size_t leg_batches;   // of one leg; 0: no legs
    size_t planned_pairs; // as many as batches are held back for
    size_t pairs;         // measured whole
    uint64_t limit_ns;    // no pair begins behind it

    // The leg under way.
    size_t number;     // from 0
    size_t left;       // batches still to be sent
    size_t next_held;  // of the order's batches held back
    uint64_t begin_ns; // before the first batch; 0: not begun
    uint64_t payload_bytes;

    double cost[2][MR_LEG_PAIRS_MAX]; // ns a byte of payload: known, unseen
};

// Plans legs for a dataset of `batches`, of which an eighth at most is held back. Returns how many
// are; 0: too few for legs.
size_t mr_legs_plan(struct mr_legs *legs_out, size_t batches);

// Whether the leg under way takes unseen batches: pairs are known-unseen and unseen-known in turn.
bool mr_legs_are_unseen(const struct mr_legs *legs);

// The next unseen batch, in its first variation. There must be one left (asserted).
struct mr_order_item mr_legs_take_unseen(struct mr_legs *legs, const struct mr_order *order);

// Counts a batch that is sent now.
void mr_legs_note_sent(struct mr_legs *legs, uint64_t payload_bytes);

// The leg under way is answered, its last reply came at `end_ns`: goes on to the next. False: that
// was the last.
bool mr_legs_next(struct mr_legs *legs, uint64_t end_ns);

// What a byte took, ns: the value that `percent` < 100 of the legs of known or of unseen batches
// stay below, over all whole pairs, of which there must be one (asserted).
double mr_legs_cost(const struct mr_legs *legs, bool unseen, size_t percent);

// The cost of unseen batches over that of known ones: the smallest of the ratios at 10 %, 25 % and
// 50 % of the legs. Whoever must parse what it does not know is slower at each of them; an
// interruption of the host moves one, seldom all three. Pairs as for mr_legs_cost().
double mr_legs_unseen_over_seen(const struct mr_legs *legs);

#endif
