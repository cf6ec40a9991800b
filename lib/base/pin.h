// pin.h: which cores this process may use, and confining it to some of them.
#ifndef MR_BASE_PIN_H
#define MR_BASE_PIN_H

#include <matchrace/attributes.h>

#include <stddef.h>

#define MR_PIN_MAX_CORES 1024

// A set of core numbers, ascending, none twice.
struct mr_cores {
    unsigned core[MR_PIN_MAX_CORES];
    size_t count;
};

// The cores that the calling thread may run on. 0, or a negative errno.
MR_NODISCARD int mr_pin_allowed(struct mr_cores *cores_out);

// Confines the calling thread (and the threads and programs that it starts later) to `cores`.
// 0, or a negative errno (-EINVAL when none of them exists or is allowed).
MR_NODISCARD int mr_pin_self(const struct mr_cores *cores);

// Reads "0", "0,2" or "0-3,6". 0, or -EINVAL when the text is not such a list.
MR_NODISCARD int mr_cores_parse(const char *text, struct mr_cores *cores_out);

// Writes the list as "0,1,2"; always ends with a zero byte, cut at `capacity`.
void mr_cores_text(const struct mr_cores *cores, char *text_out, size_t capacity);

#endif
