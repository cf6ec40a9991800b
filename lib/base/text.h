// text.h: building text in a buffer of fixed size, without ever writing past it.
#ifndef MR_BASE_TEXT_H
#define MR_BASE_TEXT_H

#include <matchrace/attributes.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A text under construction in the caller's buffer. `length` excludes the closing zero byte;
// `cut` is set when something did not fit, and stays set.
struct mr_text {
    char *bytes;
    size_t capacity;
    size_t length;
    bool cut;
};

// An empty text over `capacity` ≥ 1 bytes of the caller's, which must outlive it.
struct mr_text mr_text_init(char *bytes, size_t capacity);

// Appends as printf does. What does not fit is left out and `cut` is set.
MR_PRINTF(2, 3) void mr_text_printf(struct mr_text *text, const char *format, ...);

// Appends `string` as a JSON string with its quotes, escaping what RFC 8259 section 7 demands.
// `string` must be UTF-8 for the result to be JSON.
void mr_text_json_string(struct mr_text *text, const char *string);

#endif
