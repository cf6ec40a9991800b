// scan_number.h: reading a JSON number: its grammar, and what it says as a decimal or an integer.
#ifndef MR_RECORD_SCAN_NUMBER_H
#define MR_RECORD_SCAN_NUMBER_H

#include "double_from_decimal.h"
#include "reader.h"

// Reads the number token at `at`: *decimal_out is its value. Returns the position behind it, or
// NULL after a fault; a number at the very end of the text is one, for it may have been cut.
const uint8_t *mr_scan_decimal(struct mr_reader *reader, const uint8_t *at,
                               struct mr_decimal *decimal_out);

// Reads the number token at `at`, which must be digits alone and at most `max`.
const uint8_t *mr_scan_integer(struct mr_reader *reader, const uint8_t *at, uint64_t max,
                               uint64_t *integer_out);

#endif
