// data_string.h: the contents of JSON strings: as they are written, and what they say.
#ifndef MR_DATA_STRING_H
#define MR_DATA_STRING_H

#include "data_buffer.h"

#include "base/rng.h"

#include <stdint.h>

// What a string is to be made of. Once a part is used up it is not drawn any more.
struct mr_string_parts {
    uint32_t ascii_bytes;     // written as they are
    uint32_t short_escapes;   // \" \\ \/ \b \f \n \r \t
    uint32_t unicode_escapes; // \uXXXX; a surrogate pair counts as two
    uint32_t wide_bytes;      // bytes of characters beyond ASCII, written as they are
};

// A string in both forms; buffers are appended to.
struct mr_string_out {
    struct mr_buffer *raw;  // what stands between the quotes
    struct mr_buffer *said; // UTF-8 after unescaping
};

// Appends one of the 26 words of the spelling alphabet.
void mr_string_word(struct mr_rng *rng, struct mr_buffer *out);

// Mixes `parts` in random order; ends early when `said_max` bytes are said. Parts that can't be
// spent whole (one wide byte, half a character at the end) are left out.
void mr_string_messy(struct mr_rng *rng, struct mr_string_parts parts, uint32_t said_max,
                     struct mr_string_out *out);

// Appends the ASCII text `plain` with `escaped` of its bytes, from the first on, as \uXXXX.
void mr_string_escaped(struct mr_rng *rng, const char *plain, size_t escaped,
                       struct mr_buffer *raw);

#endif
