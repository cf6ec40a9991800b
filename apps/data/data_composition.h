// data_composition.h: what a dataset is made of, counted from the finished text and its records.
#ifndef MR_DATA_COMPOSITION_H
#define MR_DATA_COMPOSITION_H

#include "data_batch.h"

#include <stdint.h>

#define MR_KEY_ORDERS       5040u // 7!
#define MR_ID_DIGITS_MAX    19u
#define MR_VALUE_LENGTH_MAX 26u
#define MR_TIME_DIGITS_MAX  18u

// Counts over records; a record of a batch that was spoiled later counts as it was before.
struct mr_composition {
    uint64_t records;
    uint64_t bytes; // JSON text, brackets and commas between records included
    uint64_t short_escapes;
    uint64_t unicode_escapes;
    uint64_t surrogate_pairs;
    uint64_t wide_characters[5]; // by their length in UTF-8: 2, 3, 4
    uint64_t white_space_bytes;  // outside strings
    uint64_t source_bytes;       // after unescaping, as all lengths here
    uint64_t message_bytes;
    uint64_t messages_empty;
    uint64_t message_bytes_max;
    uint64_t kinds[MR_KIND_COUNT];
    uint64_t flags[MR_FLAG_COUNT];
    uint64_t escaped_keys; // keys, kinds and flags that are written with an escape
    uint64_t escaped_kinds;
    uint64_t escaped_flags;
    uint64_t id_digits[MR_ID_DIGITS_MAX + 1]; // by number of digits
    uint64_t timestamp_digits[MR_TIME_DIGITS_MAX + 1];
    // Of the token of `value`:
    uint64_t value_bytes;
    uint64_t value_bytes_max;
    uint64_t value_lengths[MR_VALUE_LENGTH_MAX + 1]; // by bytes; the last counts longer ones too
    uint64_t value_with_exponent;
    uint64_t value_over_17_digits; // significant ones
    uint64_t value_integers;       // neither point nor exponent
    uint64_t value_zeros;          // both signs, underflow not counted
    uint64_t value_negative_zeros; // underflow not counted
    uint64_t value_subnormals;
    uint64_t value_underflows;       // digits that are not zero, read as zero
    uint64_t value_binary_exponents; // how many of the 1,075 + 50 possible ones occur
    uint64_t key_orders;             // how many of 5,040 occur

    uint8_t order_seen[MR_KEY_ORDERS];
    uint8_t exponent_seen[2048];
};

// Adds the good batch `batch`.
void mr_composition_add(struct mr_composition *composition, const struct mr_batch *batch);

#endif
