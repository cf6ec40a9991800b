// floor.c: see floor.h.
#include "floor.h"

#include "utf8_check.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t load(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

// Four sums, so that no addition waits for the one before it.
static uint64_t sum_words(const uint8_t *at, size_t size_bytes)
{
    uint64_t sum[4] = {0};
    const uint8_t *end = at + size_bytes / 32 * 32;
    for (; at < end; at += 32) {
        for (unsigned i = 0; i < 4; i++) {
            sum[i] += load(at + 8 * i);
        }
    }
    for (size_t i = 0; i < size_bytes % 32; i++) {
        sum[0] += (uint64_t)at[i] << i % 8 * 8;
    }
    return sum[0] + sum[1] + sum[2] + sum[3];
}

uint64_t mr_floor_read(const struct mr_part *part, struct mr_part_data *data)
{
    (void)part;
    uint64_t sum = 0;
    for (size_t i = 0; i < data->batches; i++) {
        sum += sum_words(data->batch[i].json, data->batch[i].json_bytes);
    }
    return sum;
}

uint64_t mr_floor_utf8(const struct mr_part *part, struct mr_part_data *data)
{
    (void)part;
    uint64_t good = 0;
    for (size_t i = 0; i < data->batches; i++) {
        good += mr_utf8_check(data->batch[i].json, data->batch[i].json_bytes);
    }
    return good;
}

uint64_t mr_floor_digest(const struct mr_part *part, struct mr_part_data *data)
{
    (void)part;
    uint64_t sum = 0;
    const uint8_t *at = data->canonical;
    const uint8_t *end = at + data->canonical_bytes;
    while (at < end) {
        const struct mr_record *record = (const struct mr_record *)(const void *)at;
        sum += XXH3_64bits(at, mr_record_bytes(record));
        at += mr_record_stride(record);
    }
    return sum;
}

uint64_t mr_floor_all(const struct mr_part *part, struct mr_part_data *data)
{
    uint64_t sum = mr_floor_read(part, data);
    sum += mr_floor_utf8(part, data);
    return sum + mr_floor_digest(part, data);
}
