// contract.h: the job `ingest` in code: limits, records, digest, totals, modes, the ring of kept
// batches.
//
// docs/PROTOCOL.md is the text that this header follows; section numbers refer to it.
// Everything here is free of global state; an object may be used by one thread at a time.
#ifndef MATCHRACE_CONTRACT_H
#define MATCHRACE_CONTRACT_H

#include <matchrace/attributes.h>
#include <matchrace/result.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

// Limits of section 1.
#define MR_BATCH_RECORDS_MAX 65535u
#define MR_ID_MAX            9223372036854775807ull
#define MR_TIMESTAMP_US_MAX  253402300799999999ull
#define MR_SOURCE_BYTES_MAX  64u   // at least 1
#define MR_MESSAGE_BYTES_MAX 4096u // at least 0
#define MR_VALUE_LIMIT       1e15  // of the rounded number, either sign
#define MR_KIND_COUNT        8u
#define MR_FLAG_COUNT        8u

// The names in the order of their codes and bits; MR_KIND_COUNT and MR_FLAG_COUNT entries.
extern const char *const mr_kind_names[8];
extern const char *const mr_flag_names[8];

// A typed record. In memory on a little-endian machine it is the head of the canonical form of
// section 2, byte for byte; `source_bytes` + `message_bytes` bytes of UTF-8 stand right behind it
// (source first). Records of a batch follow each other at multiples of 8 bytes: mr_record_stride().
struct mr_record {
    uint64_t id;
    uint64_t timestamp_us;
    uint64_t value_bits; // binary64
    uint8_t kind;        // 0..7
    uint8_t flags;       // bit i: mr_flag_names[i]
    uint16_t source_bytes;
    uint32_t message_bytes;
};

#define MR_RECORD_HEAD_BYTES 32u

// The text behind the record: source, then message; not ended by a zero byte.
static inline const uint8_t *mr_record_text(const struct mr_record *record)
{
    return (const uint8_t *)record + MR_RECORD_HEAD_BYTES;
}

// Bytes of the canonical form: head and text, no padding.
static inline size_t mr_record_bytes(const struct mr_record *record)
{
    return MR_RECORD_HEAD_BYTES + (size_t)record->source_bytes + record->message_bytes;
}

// Distance from this record to the next of its batch, in bytes; the padding's content is not told.
static inline size_t mr_record_stride(const struct mr_record *record)
{
    return (mr_record_bytes(record) + 7u) & ~(size_t)7u;
}

// Room that the records of any JSON text of `json_bytes` bytes need, in bytes. A record of n text
// bytes takes at most n + 39 bytes, and its JSON at least n + 78; MR_RECORDS_SLACK is what a parser
// may overwrite behind its last record, whether it accepts or rejects.
#define MR_RECORDS_SLACK 256u
static inline size_t mr_records_capacity(size_t json_bytes)
{
    return json_bytes + MR_RECORDS_SLACK;
}

// XXH3_64bits (seed 0, default secret) of the canonical form of one record. Section 2.
uint64_t mr_record_digest(const struct mr_record *record);

// Sum mod 2^64 of the digests of `count` records that follow each other from `records` on.
uint64_t mr_records_digest(const void *records, uint32_t count);

// Totals of section 3, all order-independent. The four minima and maxima mean nothing while
// `records` is 0.
struct mr_totals {
    uint64_t batches_accepted;
    uint64_t batches_rejected;
    uint64_t records;
    uint64_t payload_bytes;
    uint64_t digest;
    uint64_t kinds[8];
    uint64_t flags[8];
    uint64_t source_bytes;
    uint64_t message_bytes;
    uint64_t timestamp_min;
    uint64_t timestamp_max;
    uint64_t value_min_bits; // compared as numbers, -0.0 < +0.0
    uint64_t value_max_bits;
    uint64_t value_sum; // sum mod 2^64 of (int64) trunc(value * 1024)
};

// Totals of nothing.
void mr_totals_init(struct mr_totals *totals);

// Adds an accepted batch: its records, their digest, its JSON bytes. `records` may be NULL when
// `count` is 0.
void mr_totals_accept(struct mr_totals *totals, const void *records, uint32_t count,
                      uint64_t digest, uint64_t payload_bytes);

// Adds an accepted batch as its parser says it: by its totals where it made them, else from its
// records, as mr_totals_accept().
void mr_totals_accept_result(struct mr_totals *totals, const void *records,
                             const struct mr_result *result, uint64_t payload_bytes);

// Adds an acknowledged batch that nobody looked into (mode drain): batches and bytes only.
void mr_totals_drain(struct mr_totals *totals, uint64_t payload_bytes);

// Adds a rejected batch.
void mr_totals_reject(struct mr_totals *totals);

// Adds `other` to `totals`, as if its batches had come here.
void mr_totals_merge(struct mr_totals *totals, const struct mr_totals *other);

// Whether both say the same in every field that means something.
bool mr_totals_equal(const struct mr_totals *left, const struct mr_totals *right);

// Orders binary64 bit patterns as section 3 does (-0.0 < +0.0; no NaN): the key of a smaller number
// is smaller.
static inline uint64_t mr_value_order(uint64_t value_bits)
{
    return (value_bits >> 63) != 0 ? ~value_bits : value_bits | (1ull << 63);
}

// Section 4.
enum mr_mode { MR_MODE_DRAIN, MR_MODE_TOTALS, MR_MODE_KEEP, MR_MODE_FRESH };
#define MR_MODE_COUNT 4
extern const char *const mr_mode_names[4];

// The mode called `name`, or -1.
int mr_mode_by_name(const char *name);

#define MR_RING_PLACES 64u // accepted batches that a connection keeps

// Where one connection's records go, by mode: parse into mr_ring_place(), then keep or drop.
// In totals the place is scratch. In keep places are reused; in fresh every batch's memory comes
// from malloc and goes back when the batch leaves. Not used in drain.
struct mr_ring;

// What a ring holds, recomputed from the copies themselves.
struct mr_kept {
    uint64_t batches;
    uint64_t records;
    uint64_t digest;
};

// A ring for `mode` (totals, keep or fresh). 0 or -ENOMEM. Ends with mr_ring_destroy().
MR_NODISCARD int mr_ring_create(enum mr_mode mode, uint64_t max_kept_bytes,
                                struct mr_ring **ring_out);
void mr_ring_destroy(struct mr_ring *ring);

// A place of at least `capacity` bytes, aligned to 64, that stays the ring's. NULL: out of memory.
// At most one place is open at a time; it is closed by keep or drop.
MR_NODISCARD uint8_t *mr_ring_place(struct mr_ring *ring, size_t capacity);

// Closes the place: the batch was accepted and takes a place of the ring (the oldest leaves when 64
// are there). `used_bytes`: the sum of the strides. 0; -EDQUOT when more than max_kept_bytes are
// kept now (the connection must be ended); -ENOMEM.
MR_NODISCARD int mr_ring_keep(struct mr_ring *ring, size_t used_bytes, uint32_t records);

// Closes the place: the batch was rejected; the ring is as it was.
void mr_ring_drop(struct mr_ring *ring);

// Adds what the ring retains now to *kept_io, from the copies (zeros in totals).
void mr_ring_kept(const struct mr_ring *ring, struct mr_kept *kept_io);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
