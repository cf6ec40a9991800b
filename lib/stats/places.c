// places.c: see places.h.
#include "places.h"

#include <base/mr_assert.h>

double mr_places_level(size_t count, double alpha)
{
    MR_ASSERT(count >= 2);
    return alpha / ((double)count * (double)(count - 1) / 2);
}

// Warshall's closure.
static void close_relation(bool relation[MR_PLACES_MAX][MR_PLACES_MAX], size_t count)
{
    for (size_t via = 0; via < count; via++) {
        for (size_t i = 0; i < count; i++) {
            for (size_t j = 0; j < count; j++) {
                relation[i][j] |= relation[i][via] && relation[via][j];
            }
        }
    }
}

void mr_places(const bool *ahead, size_t count, size_t *place_out)
{
    MR_ASSERT(count >= 1 && count <= MR_PLACES_MAX);
    bool not_behind[MR_PLACES_MAX][MR_PLACES_MAX];
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            MR_ASSERT(!ahead[i * count + j] || !ahead[j * count + i]);
            not_behind[i][j] = !ahead[j * count + i];
        }
    }
    close_relation(not_behind, count);
    for (size_t i = 0; i < count; i++) {
        place_out[i] = 1;
        for (size_t j = 0; j < count; j++) {
            place_out[i] += !not_behind[i][j];
        }
    }
}
