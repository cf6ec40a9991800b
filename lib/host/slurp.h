// slurp.h: small files of /proc and /sys, whose size nobody knows before they are read.
#ifndef MR_HOST_SLURP_H
#define MR_HOST_SLURP_H

#include "reading.h"

#include <matchrace/attributes.h>

// Reads the file whose path is printed from `format` whole. 0 and in *text_out a malloc'ed text
// that ends with a zero byte, which the caller frees; or a negative errno (−ENAMETOOLONG for a path
// that does not fit PATH_MAX, −EFBIG above 64 MiB), *text_out being NULL then.
MR_NODISCARD MR_PRINTF(2, 3) int mr_slurp(char **text_out, const char *format, ...);

// The number that the file printed from `format` begins with; unavailable where the file cannot be
// read or begins otherwise.
MR_PRINTF(1, 2) struct mr_reading mr_slurp_number(const char *format, ...);

// The first line of such a file, cut at MR_READING_TEXT_MAX − 1 bytes; unavailable where it cannot
// be read or is empty.
MR_PRINTF(1, 2) struct mr_reading_text mr_slurp_line(const char *format, ...);

// A text that is known to be `text`, cut like above; NULL: "unavailable".
struct mr_reading_text mr_reading_text_of(const char *text);

#endif
