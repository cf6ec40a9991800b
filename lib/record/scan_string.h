// scan_string.h: reading a JSON string: checking it whole and writing it unescaped.
#ifndef MR_RECORD_SCAN_STRING_H
#define MR_RECORD_SCAN_STRING_H

#include "reader.h"

#define MR_SCAN_STRING_SLACK 8u // bytes behind the unescaped text that may be overwritten

// Reads the string whose opening quote stands right before `at`; writes its unescaped bytes to
// `out`, never more than the string has bytes in the text, and MR_SCAN_STRING_SLACK. Returns the
// position behind the closing quote and the number of unescaped bytes, or NULL after a fault.
const uint8_t *mr_scan_string(struct mr_reader *reader, const uint8_t *at, uint8_t *out,
                              size_t *bytes_out);

#endif
