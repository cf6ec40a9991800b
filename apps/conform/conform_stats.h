// conform_stats.h: STATS_REPLY and KEPT_REPLY, read leniently: their exact form is judged by checks
// of its own.
#ifndef MR_CONFORM_STATS_H
#define MR_CONFORM_STATS_H

#include <matchrace/contract.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <yyjson.h>

// The keys of `totals`, in the order of section 3.
struct mr_totals_key {
    const char *name;
    size_t offset;  // in struct mr_totals
    size_t count;   // 1, or 8 for an array
    bool nullable;  // null while there is no record
    bool from_acks; // follows from the answers and the payloads' sizes
};
#define MR_TOTALS_KEYS 14
extern const struct mr_totals_key mr_totals_keys[MR_TOTALS_KEYS];
#define MR_TOTALS_ALL_KNOWN ((1u << MR_TOTALS_KEYS) - 1u)

// What a reply said; bit i belongs to mr_totals_keys[i].
struct mr_stats_seen {
    struct mr_totals totals;
    uint32_t known; // there, and a number (or eight of them) or null
    uint32_t nulls; // null
};

// Reads the object `totals`; anything that is no number is left unknown. Hexadecimal digits in
// strings are read whatever their case and number, and plain JSON integers too.
void mr_totals_read(yyjson_val *object, struct mr_stats_seen *seen_out);

// Reads the payload of a STATS_REPLY. False when it is not a JSON object with an object `totals`.
bool mr_stats_read(const uint8_t *payload, size_t payload_bytes, struct mr_stats_seen *seen_out);

// Reads the payload of a KEPT_REPLY. False when it is not a JSON object with three numbers.
bool mr_kept_read(const uint8_t *payload, size_t payload_bytes, struct mr_kept *kept_out);

// Compares the keys of `mask` that `seen` knows. The first difference is written as "key value"
// into both texts (of MR_DIFFERENCE_BYTES); false when there is one.
#define MR_DIFFERENCE_BYTES 64
bool mr_totals_compare(const struct mr_totals *expected, const struct mr_stats_seen *seen,
                       uint32_t mask, char expected_out[MR_DIFFERENCE_BYTES],
                       char got_out[MR_DIFFERENCE_BYTES]);

#endif
