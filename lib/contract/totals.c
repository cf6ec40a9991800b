// totals.c: the totals of docs/PROTOCOL.md, section 3; every field is independent of the order.
#include <matchrace/contract.h>

#include "base/mr_assert.h"

#include <string.h>

#define VALUE_SUM_SCALE 1024.0

static double value_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Widens the four extremes to hold [timestamp_min, timestamp_max] and the values alike. The first
// record sets them, for they mean nothing before.
static void widen(struct mr_totals *totals, const struct mr_totals *by)
{
    bool first = totals->records == 0;
    if (first || by->timestamp_min < totals->timestamp_min) {
        totals->timestamp_min = by->timestamp_min;
    }
    if (first || by->timestamp_max > totals->timestamp_max) {
        totals->timestamp_max = by->timestamp_max;
    }
    if (first || mr_value_order(by->value_min_bits) < mr_value_order(totals->value_min_bits)) {
        totals->value_min_bits = by->value_min_bits;
    }
    if (first || mr_value_order(by->value_max_bits) > mr_value_order(totals->value_max_bits)) {
        totals->value_max_bits = by->value_max_bits;
    }
}

// Adds every field of `other`.
static void add(struct mr_totals *totals, const struct mr_totals *other)
{
    if (other->records > 0) {
        widen(totals, other);
    }
    totals->batches_accepted += other->batches_accepted;
    totals->batches_rejected += other->batches_rejected;
    totals->records += other->records;
    totals->payload_bytes += other->payload_bytes;
    totals->digest += other->digest;
    for (size_t i = 0; i < MR_KIND_COUNT; i++) {
        totals->kinds[i] += other->kinds[i];
    }
    for (size_t i = 0; i < MR_FLAG_COUNT; i++) {
        totals->flags[i] += other->flags[i];
    }
    totals->source_bytes += other->source_bytes;
    totals->message_bytes += other->message_bytes;
    totals->value_sum += other->value_sum;
}

// Eight counters in the bytes of one word, for at most LANE_MAX records.
#define LANE_MAX 255u

// The lane of one of eight codes, with 1 in it.
static uint64_t lane_of_code(uint8_t code)
{
    return 1ull << 8 * (code % 8);
}

// 1 in lane i for each bit i of `bits`: lane i gets a copy of the bits, of which it keeps bit i;
// adding 127 carries it, wherever it stands, to the lane's top.
static uint64_t lanes_of_bits(uint8_t bits)
{
    uint64_t kept = 0x0101010101010101u * bits & 0x8040201008040201u;
    return (kept + 0x7F7F7F7F7F7F7F7Fu) >> 7 & 0x0101010101010101u;
}

static void add_lanes(uint64_t counts[8], uint64_t lanes)
{
    for (size_t i = 0; i < 8; i++) {
        counts[i] += lanes >> 8 * i & 0xFF;
    }
}

// Orders binary64 bit patterns as mr_value_order() does, as signed numbers: it is its own inverse.
static inline int64_t signed_order(int64_t bits)
{
    return bits ^ (int64_t)((uint64_t)(bits >> 63) >> 1);
}

// Adds `count` >= 1 records, at most LANE_MAX, and returns what is behind them. Sums are kept in
// variables, and the small fields of a head are loaded as the one word that they are, for this is a
// part of what every contestant's work consists of.
static const uint8_t *add_records(struct mr_totals *totals, const uint8_t *at, uint32_t count)
{
    uint64_t kind_lanes = 0;
    uint64_t flag_lanes = 0;
    uint64_t kinds_seen = 0;
    uint64_t text_bytes = 0;
    int64_t order_min = INT64_MAX;
    int64_t order_max = INT64_MIN;
    struct mr_totals by = {.timestamp_min = UINT64_MAX};
    for (uint32_t i = 0; i < count; i++) {
        const struct mr_record *record = (const struct mr_record *)(const void *)at;
        uint64_t small; // kind, flags, source_bytes, message_bytes
        memcpy(&small, &record->kind, sizeof small);
        uint64_t own_text_bytes = (uint16_t)(small >> 16) + (small >> 32);
        uint64_t timestamp = record->timestamp_us;
        int64_t order = signed_order((int64_t)record->value_bits);
        by.timestamp_min = timestamp < by.timestamp_min ? timestamp : by.timestamp_min;
        by.timestamp_max = timestamp > by.timestamp_max ? timestamp : by.timestamp_max;
        order_min = order < order_min ? order : order_min;
        order_max = order > order_max ? order : order_max;
        kinds_seen |= small;
        kind_lanes += lane_of_code((uint8_t)small);
        flag_lanes += lanes_of_bits((uint8_t)(small >> 8));
        by.message_bytes += small >> 32;
        text_bytes += own_text_bytes;
        by.value_sum += (uint64_t)(int64_t)(value_of(record->value_bits) * VALUE_SUM_SCALE);
        at += (MR_RECORD_HEAD_BYTES + own_text_bytes + 7) & ~(uint64_t)7;
    }
    MR_ASSERT((uint8_t)kinds_seen < MR_KIND_COUNT);
    by.source_bytes = text_bytes - by.message_bytes;
    by.value_min_bits = (uint64_t)signed_order(order_min);
    by.value_max_bits = (uint64_t)signed_order(order_max);
    by.records = count;
    add_lanes(by.kinds, kind_lanes);
    add_lanes(by.flags, flag_lanes);
    add(totals, &by);
    return at;
}

void mr_totals_init(struct mr_totals *totals)
{
    *totals = (struct mr_totals){0};
}

void mr_totals_accept(struct mr_totals *totals, const void *records, uint32_t count,
                      uint64_t digest, uint64_t payload_bytes)
{
    MR_ASSERT(records != NULL || count == 0);
    const uint8_t *at = records;
    while (count > 0) {
        uint32_t part = count < LANE_MAX ? count : LANE_MAX;
        at = add_records(totals, at, part);
        count -= part;
    }
    totals->batches_accepted++;
    totals->digest += digest;
    totals->payload_bytes += payload_bytes;
}

void mr_totals_accept_result(struct mr_totals *totals, const void *records,
                             const struct mr_result *result, uint64_t payload_bytes)
{
    MR_ASSERT(result->error == MR_OK);
    if (result->totals == NULL) {
        mr_totals_accept(totals, records, result->records, result->digest, payload_bytes);
        return;
    }
    MR_ASSERT(
        result->totals->records == result->records && result->totals->digest == result->digest &&
        result->totals->payload_bytes == payload_bytes && result->totals->batches_accepted == 1);
    add(totals, result->totals);
}

void mr_totals_drain(struct mr_totals *totals, uint64_t payload_bytes)
{
    totals->batches_accepted++;
    totals->payload_bytes += payload_bytes;
}

void mr_totals_reject(struct mr_totals *totals)
{
    totals->batches_rejected++;
}

void mr_totals_merge(struct mr_totals *totals, const struct mr_totals *other)
{
    add(totals, other);
}

bool mr_totals_equal(const struct mr_totals *left, const struct mr_totals *right)
{
    bool counts = left->batches_accepted == right->batches_accepted &&
                  left->batches_rejected == right->batches_rejected &&
                  left->records == right->records && left->payload_bytes == right->payload_bytes &&
                  left->digest == right->digest && left->source_bytes == right->source_bytes &&
                  left->message_bytes == right->message_bytes &&
                  left->value_sum == right->value_sum &&
                  memcmp(left->kinds, right->kinds, sizeof left->kinds) == 0 &&
                  memcmp(left->flags, right->flags, sizeof left->flags) == 0;
    bool extremes = left->records == 0 || (left->timestamp_min == right->timestamp_min &&
                                           left->timestamp_max == right->timestamp_max &&
                                           left->value_min_bits == right->value_min_bits &&
                                           left->value_max_bits == right->value_max_bits);
    return counts && extremes;
}
