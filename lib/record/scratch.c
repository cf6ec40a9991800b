// scratch.c: see scratch.h.
#include "scratch.h"

#include <errno.h>
#include <stdlib.h>

#define BLOCK_BYTES 64u
// What vector stores may overwrite behind the last entry, and what loads may look at.
#define SLACK_BYTES 512u

// Hands out `bytes` of `*memory_io`, aligned to a block; with NULL only counts.
static void *take(uint8_t *memory, size_t *used_io, size_t bytes)
{
    void *place = memory == NULL ? NULL : memory + *used_io;
    *used_io += (bytes + SLACK_BYTES + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    return place;
}

static size_t lay_out(struct mr_scratch *scratch, uint8_t *memory, size_t json_bytes)
{
    size_t used = 0;
    size_t blocks = json_bytes / BLOCK_BYTES + 2;
    size_t units = json_bytes / 6 + BLOCK_BYTES;
    scratch->position = take(memory, &used, (json_bytes + BLOCK_BYTES) * sizeof *scratch->position);
    scratch->stream = take(memory, &used, json_bytes + BLOCK_BYTES);
    scratch->keep = take(memory, &used, blocks * sizeof *scratch->keep);
    scratch->copy = take(memory, &used, blocks * BLOCK_BYTES);
    scratch->digits = take(memory, &used, units * 4);
    scratch->unit_at = take(memory, &used, units * sizeof *scratch->unit_at);
    scratch->unit_text = take(memory, &used, units * 3);
    scratch->unit_marks = take(memory, &used, blocks * 2 * sizeof *scratch->unit_marks);
    return used;
}

int mr_scratch_fit(struct mr_scratch *scratch, size_t json_bytes)
{
    if (scratch->memory != NULL && json_bytes <= scratch->json_bytes_max) {
        return 0;
    }
    struct mr_scratch grown = {.json_bytes_max = json_bytes + json_bytes / 2 + 4096};
    size_t bytes = lay_out(&grown, NULL, grown.json_bytes_max);
    grown.memory = aligned_alloc(BLOCK_BYTES, bytes);
    if (grown.memory == NULL) {
        return -ENOMEM;
    }
    (void)lay_out(&grown, grown.memory, grown.json_bytes_max);
    free(scratch->memory);
    *scratch = grown;
    return 0;
}

void mr_scratch_fini(struct mr_scratch *scratch)
{
    free(scratch->memory);
    *scratch = (struct mr_scratch){0};
}
