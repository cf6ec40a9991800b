// import_copies.c: see import_copies.h.
#include "import_copies.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

// Which batch a hash is of.
struct seen {
    uint64_t hash;
    uint64_t index;
};

void mr_copies_fini(struct mr_copies *copies)
{
    mr_buffer_fini(&copies->seen);
}

uint64_t mr_copies_add(struct mr_copies *copies, const void *bytes, size_t size_bytes)
{
    struct seen seen = {.hash = XXH3_64bits(bytes, size_bytes),
                        .index = copies->seen.length / sizeof seen};
    mr_buffer_add(&copies->seen, &seen, sizeof seen);
    return seen.hash;
}

static int order(const void *left, const void *right)
{
    const struct seen *a = left;
    const struct seen *b = right;
    return a->hash != b->hash ? (a->hash < b->hash ? -1 : 1)
                              : (a->index > b->index) - (a->index < b->index);
}

bool mr_copies_find(struct mr_copies *copies, uint64_t *first_out, uint64_t *copy_out)
{
    struct seen *seen = (void *)copies->seen.bytes;
    size_t count = copies->seen.length / sizeof *seen;
    if (count == 0) {
        return false;
    }
    qsort(seen, count, sizeof *seen, order);
    const struct seen *copy = NULL;
    for (size_t i = 1; i < count; i++) {
        if (seen[i].hash == seen[i - 1].hash && (copy == NULL || seen[i].index < copy->index)) {
            copy = &seen[i];
        }
    }
    if (copy == NULL) {
        return false;
    }
    *first_out = copy[-1].index;
    *copy_out = copy->index;
    return true;
}
