// ring.c: the last 64 accepted batches of a connection, and the place that the next one is parsed
// into.
//
// Memory of a connection. A parser needs a place as large as its JSON text, and what is kept is
// smaller: by half for usual batches, by far for white space. So:
// - keep: a place grows to an eighth more than was asked for, so that batches of about the same
//   size stop growing it after one round. fresh: a place is made for its batch, and freed when the
//   batch leaves or is rejected.
// - A place that is larger than SLACK_FACTOR times its content and SLACK_BYTES gives the rest back
//   when it is closed. (Not every place: cutting off half of each would cost time, and leave holes
//   that the next batch does not fit.)
// - When all closed places together are larger than max_kept_bytes, each of them gives back
//   everything beyond its content.
// Therefore the closed places hold at most max_kept_bytes (and 64 bytes a place, and malloc's own
// overhead), plus the one place open or waiting, which is as large as the largest batch of this
// connection asked for.
#include <matchrace/contract.h>

#include "base/mr_assert.h"

#include <errno.h>
#include <stdlib.h>

#define PLACE_ALIGNMENT 64u
#define PLACES          (MR_RING_PLACES + 1) // one more to parse into
#define SLACK_FACTOR    4u
#define SLACK_BYTES     65536u

struct place {
    uint8_t *bytes; // from malloc; NULL: none
    size_t capacity;
    size_t used_bytes;
    uint32_t records;
};

// The places in use are `first`, `first` + 1, … `first` + `count` - 1, modulo PLACES, oldest first;
// the next one in that order is the one to parse into.
struct mr_ring {
    enum mr_mode mode;
    bool open;
    size_t first;
    size_t count;
    uint64_t max_kept_bytes;
    uint64_t kept_bytes;    // sum of used_bytes of the places in use
    uint64_t held_capacity; // sum of their capacities
    struct place places[PLACES];
};

int mr_ring_create(enum mr_mode mode, uint64_t max_kept_bytes, struct mr_ring **ring_out)
{
    MR_ASSERT(mode == MR_MODE_TOTALS || mode == MR_MODE_KEEP || mode == MR_MODE_FRESH);
    struct mr_ring *ring = calloc(1, sizeof *ring);
    if (ring == NULL) {
        return -ENOMEM;
    }
    ring->mode = mode;
    ring->max_kept_bytes = max_kept_bytes;
    *ring_out = ring;
    return 0;
}

void mr_ring_destroy(struct mr_ring *ring)
{
    if (ring == NULL) {
        return;
    }
    for (size_t i = 0; i < PLACES; i++) {
        free(ring->places[i].bytes);
    }
    free(ring);
}

static struct place *place_at(struct mr_ring *ring, size_t index)
{
    return &ring->places[(ring->first + index) % PLACES];
}

static struct place *next_place(struct mr_ring *ring)
{
    return place_at(ring, ring->count);
}

static void release(struct place *place)
{
    free(place->bytes);
    *place = (struct place){0};
}

// Whether a batch that wants `capacity` bytes can be parsed into `place` as it is. realloc() keeps
// malloc's alignment only, so a place that has shrunk may have lost the one promised.
static bool fits(const struct place *place, size_t capacity)
{
    return place->bytes != NULL && place->capacity >= capacity &&
           (uintptr_t)place->bytes % PLACE_ALIGNMENT == 0;
}

uint8_t *mr_ring_place(struct mr_ring *ring, size_t capacity)
{
    MR_ASSERT(!ring->open);
    struct place *place = next_place(ring);
    if (!fits(place, capacity)) {
        release(place);
        size_t wanted = ring->mode == MR_MODE_FRESH ? capacity : capacity + capacity / 8;
        wanted = (wanted | (PLACE_ALIGNMENT - 1)) + 1;
        if (wanted < capacity) {
            return NULL;
        }
        place->bytes = aligned_alloc(PLACE_ALIGNMENT, wanted);
        if (place->bytes == NULL) {
            return NULL;
        }
        place->capacity = wanted;
    }
    ring->open = true;
    return place->bytes;
}

// Gives back what `place` holds beyond its content. Where the allocator cannot, the place stays as
// large as it is: its content is whole in either case.
static void shrink(struct place *place)
{
    size_t wanted = place->used_bytes < PLACE_ALIGNMENT ? PLACE_ALIGNMENT : place->used_bytes;
    if (place->capacity <= wanted) {
        return;
    }
    uint8_t *bytes = realloc(place->bytes, wanted);
    if (bytes != NULL) {
        place->bytes = bytes;
        place->capacity = wanted;
    }
}

static bool is_far_too_large(const struct place *place)
{
    return place->capacity > place->used_bytes * SLACK_FACTOR + SLACK_BYTES;
}

static void shrink_all(struct mr_ring *ring)
{
    ring->held_capacity = 0;
    for (size_t i = 0; i < ring->count; i++) {
        struct place *place = place_at(ring, i);
        shrink(place);
        ring->held_capacity += place->capacity;
    }
}

static void drop_oldest(struct mr_ring *ring)
{
    struct place *oldest = place_at(ring, 0);
    ring->kept_bytes -= oldest->used_bytes;
    ring->held_capacity -= oldest->capacity;
    if (ring->mode == MR_MODE_FRESH) {
        release(oldest);
    }
    ring->first = (ring->first + 1) % PLACES;
    ring->count--;
}

int mr_ring_keep(struct mr_ring *ring, size_t used_bytes, uint32_t records)
{
    MR_ASSERT(ring->open);
    ring->open = false;
    struct place *place = next_place(ring);
    MR_ASSERT(used_bytes <= place->capacity && used_bytes % 8 == 0);
    if (ring->mode == MR_MODE_TOTALS) {
        return 0;
    }
    place->used_bytes = used_bytes;
    place->records = records;
    if (is_far_too_large(place)) {
        shrink(place);
    }
    ring->kept_bytes += place->used_bytes;
    ring->held_capacity += place->capacity;
    ring->count++;
    if (ring->count > MR_RING_PLACES) {
        drop_oldest(ring);
    }
    if (ring->held_capacity > ring->max_kept_bytes) {
        shrink_all(ring);
    }
    return ring->kept_bytes > ring->max_kept_bytes ? -EDQUOT : 0;
}

void mr_ring_drop(struct mr_ring *ring)
{
    MR_ASSERT(ring->open);
    ring->open = false;
    if (ring->mode == MR_MODE_FRESH) {
        release(next_place(ring));
    }
}

void mr_ring_kept(const struct mr_ring *ring, struct mr_kept *kept_io)
{
    for (size_t i = 0; i < ring->count; i++) {
        const struct place *place = &ring->places[(ring->first + i) % PLACES];
        kept_io->batches++;
        kept_io->records += place->records;
        kept_io->digest += mr_records_digest(place->bytes, place->records);
    }
}
