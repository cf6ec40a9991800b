// williams.c: see williams.h.
#include "williams.h"

#include <base/mr_assert.h>
#include <base/rng.h>

size_t mr_williams_rows(size_t contestants)
{
    MR_ASSERT(contestants >= 1 && contestants <= MR_WILLIAMS_MAX);
    if (contestants == 1) {
        return 1;
    }
    return contestants % 2 == 0 ? contestants : 2 * contestants;
}

static void shuffle(unsigned *numbers, size_t count, struct mr_rng *rng)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)mr_rng_below(rng, i);
        unsigned kept = numbers[i - 1];
        numbers[i - 1] = numbers[other];
        numbers[other] = kept;
    }
}

// Place `place` of the first row: 0, 1, k−1, 2, k−2 … Its neighbours' differences modulo k are all
// different, so that the k rows made by adding 0 … k−1 hold every ordered pair once where k is
// even; where k is odd, the differences come in pairs, and the rows read backwards make up for it.
static size_t zigzag(size_t place, size_t contestants)
{
    return place % 2 == 1 ? (place + 1) / 2 : (contestants - place / 2) % contestants;
}

void mr_williams_design(size_t contestants, uint64_t seed, unsigned *order_out)
{
    size_t rows = mr_williams_rows(contestants);
    unsigned label[MR_WILLIAMS_MAX];
    unsigned row_order[2 * MR_WILLIAMS_MAX];
    for (size_t i = 0; i < contestants; i++) {
        label[i] = (unsigned)i;
    }
    for (size_t i = 0; i < rows; i++) {
        row_order[i] = (unsigned)i;
    }
    struct mr_rng rng = mr_rng_seeded(seed);
    shuffle(label, contestants, &rng);
    shuffle(row_order, rows, &rng);
    for (size_t i = 0; i < rows; i++) {
        size_t row = row_order[i];
        for (size_t place = 0; place < contestants; place++) {
            size_t from = row < contestants ? place : contestants - 1 - place;
            size_t cell = (zigzag(from, contestants) + row) % contestants;
            order_out[i * contestants + place] = label[cell];
        }
    }
}
