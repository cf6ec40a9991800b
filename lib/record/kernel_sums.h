// kernel_sums.h: what the records of a batch add to the totals, made by the vector kernels on their
// way, while the records' heads are still near. The registers are each kernel's own; how they end
// in totals is the same.
#ifndef MR_RECORD_KERNEL_SUMS_H
#define MR_RECORD_KERNEL_SUMS_H

#include "base/mr_assert.h"

#include <matchrace/contract.h>

#include <stddef.h>
#include <stdint.h>

// Eight elements of each sum. Of the extremes the lower four are timestamps, the upper four values
// as signed numbers of the same order.
struct sums_columns {
    int64_t least[8];
    int64_t most[8];
    uint64_t values[8];
    uint64_t texts[8]; // source_bytes + 2^16 · message_bytes
    uint64_t messages[8];
    uint64_t kinds_seen[8];
};

// Adds each byte of `bytes` to the count of its code.
static inline void add_byte_counts(uint64_t counts[8], uint64_t bytes)
{
    for (size_t code = 0; code < 8; code++) {
        counts[code] += bytes >> 8 * code & 0xFF;
    }
}

static inline uint64_t sum_of(const uint64_t column[8])
{
    uint64_t sum = 0;
    for (size_t i = 0; i < 8; i++) {
        sum += column[i];
    }
    return sum;
}

// The lowest of four; of the highest ask with `sign` -1 (no element is INT64_MIN).
static inline int64_t lowest_of(const int64_t column[4], int64_t sign)
{
    int64_t lowest = column[0] * sign;
    for (size_t i = 1; i < 4; i++) {
        lowest = column[i] * sign < lowest ? column[i] * sign : lowest;
    }
    return lowest * sign;
}

// The bits of the value that `order` stands for.
static inline uint64_t bits_of_order(int64_t order)
{
    return (uint64_t)order ^ (uint64_t)(order >> 63) >> 1;
}

// Writes all of `totals` that comes of the records but counts of kinds and flags.
static inline void write_columns(const struct sums_columns *columns, uint64_t records,
                                 struct mr_totals *totals)
{
    if (records == 0) {
        return;
    }
    for (size_t i = 0; i < 8; i++) {
        MR_ASSERT((uint8_t)columns->kinds_seen[i] < MR_KIND_COUNT);
    }
    totals->records = records;
    totals->message_bytes = sum_of(columns->messages);
    totals->source_bytes = sum_of(columns->texts) - (totals->message_bytes << 16);
    totals->timestamp_min = (uint64_t)lowest_of(columns->least, 1);
    totals->timestamp_max = (uint64_t)lowest_of(columns->most, -1);
    totals->value_min_bits = bits_of_order(lowest_of(columns->least + 4, 1));
    totals->value_max_bits = bits_of_order(lowest_of(columns->most + 4, -1));
    totals->value_sum = sum_of(columns->values);
}

#endif
