// yyjson_long_number.h: numbers of hundreds of digits, which yyjson 0.12 does not round rightly.
//
// Its exact path keeps 768 digits and notes that some were left out, zeros or not: a number that is
// halfway between two doubles and goes on with zeros is rounded up instead of to even
// (1.00000000000000011102230246251565404236316680908203125 with 715 zeros behind becomes
// 1.0000000000000002). The contract allows numbers of any length, so a text that may hold such a
// number is read with its numbers as they are written, and these are converted here.
#ifndef C_YYJSON_LONG_NUMBER_H
#define C_YYJSON_LONG_NUMBER_H

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <yyjson.h>

// Whether `text` holds a run of digits (one point among them or not) long enough for that, in a
// number or in a string. Looks at a few bytes of every 640.
bool yyjson_long_number_suspected(const char *text, size_t bytes);

// Gives every number of a document that was read with YYJSON_READ_NUMBER_AS_RAW the value that
// reading it without would have given, but rightly rounded. False when one is no number of a double
// (infinity).
MR_NODISCARD bool yyjson_long_number_convert(yyjson_doc *document);

#endif
